//! A published round compared with the proposal: colours, order, values, each difference with expected and
//! found.

use annals_events::narrative;
use annals_events::tournament::{Equals, Measure, Pair, Ranked, RoundPaired};
use annals_events::{BoardId, PlayerId, Side};

use crate::check::checker::Checker;
use crate::formats::{Decided, RoundRules};
use crate::refusal::Refusal;
use crate::rulebook::{RuleId, rulebook_in_force};
use crate::state::calendar::utc;
use crate::subject::Subject;

/// The round cannot be recomputed: a violation of the refusing rule, or undetermined if the record is
/// incomplete.
pub(crate) fn cannot_follow(
    check: &mut Checker<'_>,
    rule: RuleId,
    subject: impl Into<Subject>,
    refusal: Refusal,
) {
    match refusal.rule {
        Some(broken) => check.hold(broken.id, subject, false, || (broken.says.to_owned(), refusal.what)),
        None => check.open(rule, subject, refusal.what),
    }
}

pub(super) fn colours(
    check: &mut Checker<'_>,
    rules: &RoundRules,
    round: u32,
    decided: Vec<(&Pair, Decided)>,
) {
    let whole = check.case.rulebook.rule(rules.colour).map(|rule| rule.paragraph);
    let first = check.side(Side::Gold);
    for (pair, Decided { gold, ground, arbitrary }) in decided {
        let subject = Subject::Colours(BoardId { round, board: pair.board });
        let paragraph = ground.as_ref().and_then(|ground| ground.paragraph.as_deref());
        let finding = ground.as_ref().and_then(|ground| ground.finding.as_deref()).unwrap_or_default();
        let stated = pair.colour.as_ref().and_then(|ground| ground.paragraph.as_deref());
        let stated_well = stated.is_none_or(|stated| paragraph == Some(stated) || whole == Some(stated));
        let found = pair.player(Side::Gold);
        if arbitrary && stated_well {
            match found {
                Some(_) => check.one_of(rules.colour, subject, Equals::Exactly(2)),
                None => {
                    check.open(rules.colour, subject, "the colours are arbitrary, and are still to be given")
                }
            }
            continue;
        }
        let by_hand = !rules.coin_recorded || check.when.imported;
        if let (None, Some(found), true) = (&gold, found, by_hand) {
            let why = format!("{finding}; {first} for {found}, and what gave it is not recorded");
            check.open(rules.colour, subject, why);
            continue;
        }
        check.hold(rules.colour, subject, gold.as_ref() == found && stated_well, || {
            let show = |gold: Option<&PlayerId>| {
                gold.map_or_else(|| "no colours yet".to_owned(), |gold| format!("{first} for {gold}"))
            };
            let expected =
                format!("{} by {} ({finding})", show(gold.as_ref()), paragraph.unwrap_or_default());
            let by = stated.filter(|_| !stated_well).map(|stated| format!(" by {stated}"));
            (expected, show(found) + &by.unwrap_or_default())
        });
    }
}

/// Compares orders as far as they and their tie-breaks are published.
pub(super) fn same_order(
    check: &mut Checker<'_>,
    rule: RuleId,
    subject: &Subject,
    expected: &[Ranked],
    found: &[Ranked],
) {
    if found.is_empty() {
        return;
    }
    let show = |line: Option<&Ranked>| match line {
        Some(Ranked { rank, player, measures }) => match listed(measures) {
            stated if stated.is_empty() => format!("{rank} {player}"),
            stated => format!("{rank} {player} ({stated})"),
        },
        None => "no further player".to_owned(),
    };
    let same = |(one, other): (&Ranked, &Ranked)| {
        let known = |found| one.measures.iter().any(|measure| close(measure, found));
        one.rank == other.rank && one.player == other.player && other.measures.iter().all(known)
    };
    let differs = (0..expected.len().max(found.len()))
        .find(|&at| !expected.get(at).zip(found.get(at)).is_some_and(same));
    check.hold(rule, format!("{subject}, order"), differs.is_none(), || {
        let at = differs.unwrap_or_default();
        (show(expected.get(at)), show(found.get(at)))
    });
}

/// Ratings may differ by a millionth of a point, by rounding.
fn close(one: &Measure, other: &Measure) -> bool {
    let same =
        |(mine, theirs): (&i64, &i64)| mine == theirs || one.name == "rating" && mine.abs_diff(*theirs) <= 1;
    one.name == other.name
        && one.values.len() == other.values.len()
        && one.values.iter().zip(&other.values).all(same)
}

/// Measures of an order by half points; one without a value is left out.
fn listed(measures: &[Measure]) -> String {
    let stated = measures.iter().filter(|measure| !measure.values.is_empty());
    stated.map(|measure| measure_in_words(measure, true)).collect::<Vec<_>>().join(", ")
}

/// A measure as people read it. Ratings are millionths, times microseconds, and points halves except in a qualifier.
pub(crate) fn measure_in_words(measure: &Measure, halves: bool) -> String {
    let plain = || measure.values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let values = match (measure.name.as_str(), measure.values.as_slice()) {
        (_, []) => "nothing".to_owned(),
        ("rating" | "performance", [millionths]) => narrative::rating(*millionths),
        ("points" | "opponents", [half_points]) if halves => {
            u32::try_from(*half_points).map_or_else(|_| plain(), narrative::points)
        }
        (name, [at]) if name.ends_with("_at") => utc(*at),
        _ => plain(),
    };
    format!("{} {values}", measure.name)
}

/// The values of a round on its criteria, which are whole numbers.
fn values(measures: &[Measure]) -> String {
    measures.iter().map(|measure| measure_in_words(measure, false)).collect::<Vec<_>>().join(", ")
}

/// The published values and number of equivalents. Under another reading than the one in force, those of another list of
/// criteria are not comparable, and not checked.
pub(super) fn same_values(
    check: &mut Checker<'_>,
    rule: RuleId,
    subject: &Subject,
    (measures, equals): (Option<&[Measure]>, Option<Equals>),
    found: &RoundPaired,
) {
    let names = |measures: &[Measure]| measures.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let other_list = measures.is_some_and(|measures| names(measures) != names(&found.measures));
    if other_list && is_read_otherwise(check) {
        return;
    }
    if let Some(measures) = measures.filter(|_| !found.measures.is_empty()) {
        check.hold(rule, format!("{subject}, measures"), measures == found.measures, || {
            (values(measures), values(&found.measures))
        });
    }
    if let Some((published, counted)) = found.equals.zip(equals) {
        check.hold(rule, format!("{subject}, equals"), agree(published, counted), || {
            let [counted, published] = [counted, published].map(in_words);
            (format!("{counted} equally good rounds"), format!("{published} are published"))
        });
    }
}

/// Whether the event is checked under other readings than those in force, by which it was published.
fn is_read_otherwise(check: &Checker<'_>) -> bool {
    let in_force = rulebook_in_force(check.case.tournament).ok().flatten();
    in_force.is_some_and(|in_force| in_force.readings != check.case.rulebook.readings)
}

fn in_words(equals: Equals) -> String {
    match equals {
        Equals::Exactly(rounds) => rounds.to_string(),
        Equals::AtLeast(least) => format!("at least {least}"),
    }
}

/// Whether both statements can be true.
const fn agree(one: Equals, other: Equals) -> bool {
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
