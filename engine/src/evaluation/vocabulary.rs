//! An explanation as a terminal table: terms with both shares, reasons below.

use std::fmt;

use super::Explanation;

/// Indentation of wrapped reasons.
const INDENT: &str = "    ";
const LINE: usize = 80;

/// A game's side names and unit.
#[derive(Debug, Clone, Copy)]
pub struct Vocabulary {
    sides: [&'static str; 2],
    unit: &'static str,
}

impl Vocabulary {
    pub const ARIMAA: Vocabulary = Vocabulary { sides: ["gold", "silver"], unit: "rabbits" };
    pub const AMAZONS: Vocabulary = Vocabulary { sides: ["White", "Black"], unit: "squares" };
}

#[derive(Debug, Clone, Copy)]
pub struct InWords<'e>(&'e Explanation, Vocabulary);

impl Explanation {
    /// The default is Arimaa's.
    #[must_use]
    pub const fn in_words(&self, words: Vocabulary) -> InWords<'_> {
        InWords(self, words)
    }

    /// Hundredths with two digits. The difference is the first side's share minus the other's; the last line is for the
    /// side to move.
    fn write(&self, f: &mut fmt::Formatter<'_>, words: Vocabulary) -> fmt::Result {
        let [first, second] = words.sides;
        let widest = self.terms.iter().map(|term| term.name.len()).max().unwrap_or(0).max("term".len());
        if !self.terms.is_empty() {
            let of_first = format!("{first}'s");
            writeln!(f, "{:<widest$}  {first:>8}  {second:>8}  {of_first:>8}", "term")?;
        }
        for term in &self.terms {
            let [gold, silver] = [term.gold, term.silver].map(plain);
            let difference = signed(term.gold - term.silver);
            writeln!(f, "{:<widest$}  {gold:>8}  {silver:>8}  {difference:>8}", term.name)?;
            reasons(f, &term.because)?;
        }
        if !self.terms.is_empty() {
            let sum = |share: fn(&super::Term) -> i32| self.terms.iter().map(share).sum::<i32>();
            let (gold, silver) = (sum(|term| term.gold), sum(|term| term.silver));
            let difference = signed(gold - silver);
            writeln!(f, "{:<widest$}  {:>8}  {:>8}  {difference:>8}", "all", plain(gold), plain(silver))?;
        }
        write!(f, "{}: {} {} for the side to move", self.evaluator, signed(self.worth), words.unit)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Vocabulary::ARIMAA)
    }
}

impl fmt::Display for InWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, self.1)
    }
}

/// Wrapped.
fn reasons(f: &mut fmt::Formatter<'_>, because: &[String]) -> fmt::Result {
    let mut line = String::new();
    for reason in because {
        if !line.is_empty() && INDENT.len() + line.chars().count() + 2 + reason.chars().count() > LINE {
            writeln!(f, "{INDENT}{line};")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push_str("; ");
        }
        line.push_str(reason);
    }
    if line.is_empty() { Ok(()) } else { writeln!(f, "{INDENT}{line}") }
}

fn plain(hundredths: i32) -> String {
    format!("{:.2}", f64::from(hundredths) / 100.0)
}

fn signed(hundredths: i32) -> String {
    format!("{:+.2}", f64::from(hundredths) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::super::Term;
    use super::*;

    #[test]
    fn an_explanation_is_a_table_with_its_reasons_and_its_sum() {
        let explanation = Explanation {
            evaluator: "sample".to_owned(),
            worth: -45,
            terms: vec![
                Term { name: "material", gold: 1400, silver: 1450, because: Vec::new() },
                Term {
                    name: "frozen",
                    gold: 0,
                    silver: -5,
                    because: vec!["silver cat c6 is frozen".to_owned(), "x".repeat(80)],
                },
            ],
        };
        let long = "x".repeat(80);
        let expected = format!(
            "term          gold    silver    gold's\n\
             material     14.00     14.50     -0.50\n\
             frozen        0.00     -0.05     +0.05\n    \
             silver cat c6 is frozen;\n    \
             {long}\n\
             all          14.00     14.45     -0.45\n\
             sample: -0.45 rabbits for the side to move"
        );
        assert_eq!(explanation.to_string(), expected);
    }

    #[test]
    fn an_evaluator_without_parts_says_its_worth_alone() {
        let explanation = Explanation { evaluator: "sample".to_owned(), worth: 120, terms: Vec::new() };
        assert_eq!(explanation.to_string(), "sample: +1.20 rabbits for the side to move");
    }
}
