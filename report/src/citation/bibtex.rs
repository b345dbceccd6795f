//! BibTeX: `@misc`, which every style has. Braces of a value must be balanced even where a backslash is before them, so
//! that they are written as commands.

use super::{Citation, CitedDate};
use crate::one_line;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

pub(super) fn write(citation: &Citation) -> String {
    let mut out = format!("@misc{{{},\n", citation.entry_key());
    // The second braces keep the capitals of names.
    out.push_str(&format!("  title = {{{{{}}}}},\n", escaped(&citation.title)));
    if let Some(date) = citation.date {
        let (year, month) = match date {
            CitedDate::Day(day) => (day.year(), usize::try_from(day.month() - 1).ok()),
            CitedDate::Year(year) => (year, None),
        };
        out.push_str(&format!("  year = {{{year}}},\n"));
        if let Some(month) = month.and_then(|month| MONTHS.get(month)) {
            out.push_str(&format!("  month = {month},\n"));
        }
    }
    let how: Vec<&str> = [&citation.part_of, &citation.place, &citation.archive]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    if !how.is_empty() {
        out.push_str(&format!("  howpublished = {{{}}},\n", escaped(&how.join(", "))));
    }
    out.push_str(&format!("  note = {{{}}}\n}}\n", escaped(&citation.note())));
    out
}

/// A text as TeX prints it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for sign in one_line(text).chars() {
        match sign {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' => out.push_str("\\textbraceleft{}"),
            '}' => out.push_str("\\textbraceright{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("\\textquotedbl{}"),
            '&' | '%' | '$' | '#' | '_' => out.extend(['\\', sign]),
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::hostile;
    use super::*;

    #[test]
    fn braces_are_balanced_whatever_a_name_has() {
        let text = write(&hostile());
        let mut depth = 0;
        for sign in text.trim_end().trim_end_matches('}').chars() {
            depth += i32::from(sign == '{') - i32::from(sign == '}');
            assert!(depth >= 0, "{text}");
        }
        assert_eq!(depth, 1, "{text}");
        assert!(
            text.starts_with("@misc{annals-game-cup-r1-1-x,\n  title = {{A\\textbraceright{} \\& "),
            "{text}"
        );
        for part in
            ["\\textbackslash{}B", "50\\%", "\\_\\#1\\textasciitilde{}\\textasciicircum{}\\$", "month = mar"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
