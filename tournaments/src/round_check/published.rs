//! A published round beside the one that follows: its order, its byes, its values; each difference is told with what was
//! expected and what was found.

use std::collections::BTreeSet;

use annals_events::tournament::{Bye, Equals, Measure, Pair, QualifyingRank, Ranked, RoundPaired};
use annals_events::{Pairing, PlayerId, Side};

use super::round;
use crate::check::Bench;
use crate::refusal::Refusal;
use crate::rulebook::RuleId;
use crate::subject::Subject;

/// Two players, whoever is named first.
pub(crate) type Two = (PlayerId, PlayerId);

/// The two of a pair in the order of their names.
pub(crate) fn two(one: &PlayerId, other: &PlayerId) -> Two {
    if one <= other { (one.clone(), other.clone()) } else { (other.clone(), one.clone()) }
}

/// Who meets whom.
pub(crate) fn meetings(pairs: &[Pair]) -> BTreeSet<Two> {
    pairs.iter().map(|pair| two(&pair.upper, &pair.lower)).collect()
}

/// Pairs in words.
pub(crate) fn in_words<'a>(pairs: impl IntoIterator<Item = &'a Two>) -> String {
    let pairs: Vec<String> = pairs.into_iter().map(|(one, other)| format!("{one}-{other}")).collect();
    if pairs.is_empty() { "nothing".to_owned() } else { pairs.join(", ") }
}

/// What makes the round impossible to recompute: a departure from the rule that is not kept, or open where the record is
/// lacking.
pub(crate) fn cannot_follow(
    bench: &mut Bench<'_>,
    rule: RuleId,
    subject: impl Into<Subject>,
    refusal: Refusal,
) {
    match refusal.rule {
        Some(broken) => bench.hold(broken.id, subject, false, || (broken.says.to_owned(), refusal.what)),
        None => bench.open(rule, subject, refusal.what),
    }
}

/// Byes, pairs and values of a published round where only one round follows, by the rules of the pairing and the bye.
pub(crate) fn only_round(
    bench: &mut Bench<'_>,
    (pairing, bye): (RuleId, RuleId),
    expected: &RoundPaired,
    found: &RoundPaired,
) {
    let subject = round(found.round);
    same_byes(bench, bye, &subject, &expected.byes, &found.byes);
    if same_meetings(bench, pairing, &subject, &expected.pairs, &found.pairs) {
        same_values(bench, pairing, &subject, expected, found);
    }
}

/// The colours of a published pair; `open` says in words that no player has Gold.
pub(crate) fn gold(
    bench: &mut Bench<'_>,
    rule: RuleId,
    round: u32,
    pair: &Pair,
    expected: Option<&PlayerId>,
    open: &str,
) {
    let found = pair.player(Side::Gold);
    let show =
        |gold: Option<&PlayerId>| gold.map_or_else(|| open.to_owned(), |gold| format!("Gold for {gold}"));
    let subject = Subject::Colours(Pairing { round, board: pair.board });
    bench.hold(rule, subject, expected == found, || (show(expected), show(found)));
}

/// Who meets whom, where only one set of pairs follows.
fn same_meetings(
    bench: &mut Bench<'_>,
    rule: RuleId,
    subject: &Subject,
    expected: &[Pair],
    found: &[Pair],
) -> bool {
    let (wanted, made) = (meetings(expected), meetings(found));
    // A pair that is there twice is one too many, though the set is the same.
    let same = wanted == made && expected.len() == found.len();
    bench.hold(rule, subject, same, || {
        if wanted == made {
            return (format!("{} pairs, each once", expected.len()), format!("{} pairs", found.len()));
        }
        (
            format!("{} where the record has something else", in_words(wanted.difference(&made))),
            format!("{} instead", in_words(made.difference(&wanted))),
        )
    });
    same
}

/// A line of an order: rank, player, what it rests on.
pub(crate) struct Line<'a> {
    rank: u32,
    player: &'a PlayerId,
    measures: &'a [Measure],
}

impl<'a> From<&'a Ranked> for Line<'a> {
    fn from(line: &'a Ranked) -> Line<'a> {
        Line { rank: line.rank, player: &line.player, measures: &line.measures }
    }
}

impl<'a> From<&'a QualifyingRank> for Line<'a> {
    fn from(line: &'a QualifyingRank) -> Line<'a> {
        Line { rank: line.rank, player: &line.player, measures: &line.measures }
    }
}

/// Compares orders. One that is not published is not compared; of the measures those that are published.
pub(crate) fn same_order<'a, L>(
    bench: &mut Bench<'_>,
    rule: RuleId,
    subject: &Subject,
    expected: &'a [L],
    found: &'a [L],
) where
    Line<'a>: From<&'a L>,
{
    if found.is_empty() {
        return;
    }
    let (expected, found): (Vec<Line<'_>>, Vec<Line<'_>>) =
        (expected.iter().map(Line::from).collect(), found.iter().map(Line::from).collect());
    let show = |line: Option<&Line<'_>>| match line {
        Some(Line { rank, player, measures }) => {
            let measures: Vec<String> = measures.iter().map(measure_in_words).collect();
            format!("{rank} {player} ({})", measures.join(", "))
        }
        None => "nobody more".to_owned(),
    };
    let same = |(one, other): (&Line<'_>, &Line<'_>)| {
        one.rank == other.rank
            && one.player == other.player
            && other.measures.iter().all(|found| one.measures.contains(found))
    };
    let differs = (0..expected.len().max(found.len()))
        .find(|&at| !expected.get(at).zip(found.get(at)).is_some_and(same));
    bench.hold(rule, subject, differs.is_none(), || {
        let at = differs.unwrap_or_default();
        (show(expected.get(at)), show(found.get(at)))
    });
}

fn measure_in_words(measure: &Measure) -> String {
    let values: Vec<String> = measure.values.iter().map(i64::to_string).collect();
    format!("{} {}", measure.name, values.join(" "))
}

/// Who has the bye, and what it is worth where that is published.
pub(crate) fn same_byes(
    bench: &mut Bench<'_>,
    rule: RuleId,
    subject: &Subject,
    expected: &[Bye],
    found: &[Bye],
) {
    if expected.is_empty() && found.is_empty() {
        return;
    }
    let show = |byes: &[Bye]| {
        let byes: Vec<String> = byes
            .iter()
            .map(|bye| match bye.half_points {
                Some(half_points) => format!("the bye for {} with {half_points} half points", bye.player),
                None => format!("the bye for {}", bye.player),
            })
            .collect();
        if byes.is_empty() { "no bye".to_owned() } else { byes.join(", ") }
    };
    let same = expected.len() == found.len()
        && found.iter().all(|bye| {
            expected.iter().any(|wanted| {
                wanted.player == bye.player
                    && (bye.half_points.is_none() || bye.half_points == wanted.half_points)
            })
        });
    bench.hold(rule, subject, same, || (show(expected), show(found)));
}

/// What is published of a round that follows: its values, and how many are as good. Only a difference is told.
pub(crate) fn same_values(
    bench: &mut Bench<'_>,
    rule: RuleId,
    subject: &Subject,
    expected: &RoundPaired,
    found: &RoundPaired,
) {
    if !found.measures.is_empty() && found.measures != expected.measures {
        let show = |round: &RoundPaired| {
            round.measures.iter().map(measure_in_words).collect::<Vec<String>>().join(", ")
        };
        bench.hold(rule, format!("what {subject} measures"), false, || (show(expected), show(found)));
    }
    let same = found
        .equals
        .zip(expected.equals)
        .map_or(found.equals.is_none(), |(found, expected)| agree(found, expected));
    if !same {
        bench.hold(rule, format!("how many rounds are as good as {subject}"), false, || {
            (format!("{:?}", expected.equals), format!("{:?}", found.equals))
        });
    }
}

/// Whether two statements of how many rounds are as good can both be true.
pub(crate) const fn agree(one: Equals, other: Equals) -> bool {
    match (one, other) {
        (Equals::AtLeast(least), Equals::Exactly(rounds))
        | (Equals::Exactly(rounds), Equals::AtLeast(least)) => least <= rounds,
        (Equals::AtLeast(_), Equals::AtLeast(_)) => true,
        (Equals::Exactly(one), Equals::Exactly(other)) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_bound_agrees_with_every_greater_count() {
        assert!(
            agree(Equals::AtLeast(2), Equals::Exactly(5)) && agree(Equals::Exactly(5), Equals::AtLeast(5))
        );
        assert!(
            agree(Equals::AtLeast(2), Equals::AtLeast(9)) && agree(Equals::Exactly(2), Equals::Exactly(2))
        );
        assert!(
            !agree(Equals::AtLeast(6), Equals::Exactly(5)) && !agree(Equals::Exactly(2), Equals::Exactly(5))
        );
    }
}
