//! Records altered on purpose, each in one way, and the rule on which the audit has to find it.

mod limits;

use std::collections::BTreeSet;

use annals_events::tournament::{Effect, Failure, Outcome, Pair, PlayerRegistered, RoundPaired, RulingGiven};
use annals_events::{GameId, PlayerId, PlayerKind, Side, TournamentEvent as E};
use annals_tournaments::verdict::{Compliance, Verdict};

use super::numbers::Numbers;
use super::record::Entry;

/// The ways of altering a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    SwappedPairing,
    WrongColour,
    WrongBye,
    AlteredResult,
    ForbiddenRuling,
    OverCounted,
    DatedBack,
    WrongCorrection,
    SupersededTooLate,
    PlayedOn,
    ScoredEarly,
    WronglyScored,
    UnruledScore,
}

pub const KINDS: [Kind; 13] = [
    Kind::SwappedPairing,
    Kind::WrongColour,
    Kind::WrongBye,
    Kind::AlteredResult,
    Kind::ForbiddenRuling,
    Kind::OverCounted,
    Kind::DatedBack,
    Kind::WrongCorrection,
    Kind::SupersededTooLate,
    Kind::PlayedOn,
    Kind::ScoredEarly,
    Kind::WronglyScored,
    Kind::UnruledScore,
];

/// A record that can be altered.
pub struct Record<'a> {
    pub entries: &'a [Entry],
    /// The audit of a record.
    pub audit: &'a dyn Fn(&[Entry]) -> Vec<Verdict>,
}

/// A rulebook whose tournaments can be altered so.
pub fn rulebook_for(kind: Kind, numbers: &mut Numbers) -> &'static str {
    let rulebooks: &[&str] = match kind {
        Kind::SwappedPairing | Kind::WrongBye => &["wcc-2015", "wc-2009", "olympiad-amazons-2000"],
        Kind::WrongColour => &["wcc-2015", "wc-2009", "postal-2006", "olympiad-amazons-2000"],
        Kind::AlteredResult | Kind::WrongCorrection => &["wcc-2015", "wc-2009", "postal-2006"],
        Kind::ForbiddenRuling | Kind::OverCounted | Kind::DatedBack | Kind::SupersededTooLate => {
            &["wcc-2015"]
        }
        Kind::PlayedOn | Kind::ScoredEarly | Kind::WronglyScored => &["wcc-2015", "wc-2009", "postal-2006"],
        Kind::UnruledScore => &["postal-2006"],
    };
    rulebooks[numbers.below(rulebooks.len())]
}

/// The rules on one of which it has to be found.
pub fn expected(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::SwappedPairing => &["pairing.best", "swiss.pairing", "encounter.pairing"],
        Kind::WrongColour => &[
            "colour", "swiss.colour", "ring.colour", "encounter.colour", "encounter.games", "playoff.colour",
        ],
        Kind::WrongBye => &["bye.fewest", "bye.choice", "swiss.bye", "encounter.bye", "pairing.best"],
        // Where piece points decide a game of 2006, the game itself leaves its winner open.
        Kind::AlteredResult | Kind::WrongCorrection => &["result.game", "game.score"],
        Kind::ForbiddenRuling | Kind::SupersededTooLate => &["ruling.frozen"],
        Kind::OverCounted => &["qualifier.score", "qualifier.order"],
        Kind::DatedBack => &["registration.window"],
        Kind::PlayedOn | Kind::ScoredEarly => &["game.limit"],
        // By the number of pieces, which the game itself shows, or by the piece points of 2006.
        Kind::WronglyScored => &["game.rules", "game.score"],
        Kind::UnruledScore => &["game.score"],
    }
}

/// The altered record, and the position of the event that departs; none where it has no occasion for it.
pub fn alter(kind: Kind, record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    match kind {
        Kind::SwappedPairing => in_round(record, numbers, swap, true),
        Kind::WrongColour => in_round(record, numbers, flip, false),
        Kind::WrongBye => in_round(record, numbers, other_bye, true),
        Kind::AlteredResult => altered_result(record, numbers),
        Kind::ForbiddenRuling => forbidden_ruling(record, numbers),
        Kind::OverCounted => over_counted(record, numbers),
        Kind::DatedBack => dated_back(record),
        Kind::WrongCorrection => wrong_correction(record, numbers),
        Kind::SupersededTooLate => superseded_too_late(record, numbers),
        Kind::PlayedOn => limits::played_on(record, numbers),
        Kind::ScoredEarly => limits::scored_early(record, numbers),
        Kind::WronglyScored => limits::wrongly_scored(record, numbers),
        Kind::UnruledScore => limits::unruled_score(record, numbers),
    }
}

fn position(index: usize) -> u64 {
    index as u64 + 1
}

/// Alters a published pairing. Where the altered one is as good as the published one the audit says so, and it is no
/// corruption: then another occasion is looked for.
fn in_round(
    record: &Record<'_>,
    numbers: &mut Numbers,
    change: impl Fn(&mut RoundPaired, &mut Numbers) -> bool,
    may_be_equal: bool,
) -> Option<(u64, Vec<Entry>)> {
    let rounds: Vec<usize> = record
        .entries
        .iter()
        .enumerate()
        .filter(
            |(_, entry)| matches!(entry, Entry::Event(_, _, event) if matches!(**event, E::RoundPaired(_))),
        )
        .map(|(index, _)| index)
        .collect();
    if rounds.is_empty() {
        return None;
    }
    let index = rounds[numbers.below(rounds.len())];
    let mut entries = record.entries[..=index].to_vec();
    let Entry::Event(_, _, event) = entries.last_mut()? else { return None };
    let E::RoundPaired(paired) = &mut **event else { return None };
    if !change(paired, numbers) {
        return None;
    }
    // What the altered round measures is for the audit to work out.
    paired.measures.clear();
    paired.equals = None;
    let seq = position(index);
    if may_be_equal {
        let verdicts = (record.audit)(&entries);
        let equal = |verdict: &Verdict| verdict.seq == seq && matches!(verdict.holds, Compliance::OneOf(_));
        if verdicts.iter().any(equal) {
            return None;
        }
    }
    Some((seq, entries))
}

fn swap(paired: &mut RoundPaired, numbers: &mut Numbers) -> bool {
    let encounters = paired.pairs.iter().any(|pair| pair.encounter.is_some());
    if encounters || paired.pairs.len() < 2 {
        return false;
    }
    let one = numbers.below(paired.pairs.len());
    let two = (one + 1 + numbers.below(paired.pairs.len() - 1)) % paired.pairs.len();
    let lower = paired.pairs[one].lower.clone();
    paired.pairs[one].lower = std::mem::replace(&mut paired.pairs[two].lower, lower);
    true
}

fn flip(paired: &mut RoundPaired, numbers: &mut Numbers) -> bool {
    // Where the colours are arbitrary, either complies.
    let arbitrary = |pair: &Pair| {
        let ground = pair.colour.as_ref().and_then(|ground| ground.paragraph.as_deref());
        ground == Some("2015 WCC, Color Assignment 6")
    };
    let is_fixed = |pair: &Pair| pair.upper_side.is_some() && !arbitrary(pair);
    let fixed: Vec<usize> = (0..paired.pairs.len()).filter(|at| is_fixed(&paired.pairs[*at])).collect();
    if fixed.is_empty() {
        return false;
    }
    let pair = &mut paired.pairs[fixed[numbers.below(fixed.len())]];
    pair.upper_side = pair.upper_side.map(|side| if side == Side::Gold { Side::Silver } else { Side::Gold });
    true
}

fn other_bye(paired: &mut RoundPaired, numbers: &mut Numbers) -> bool {
    if paired.byes.len() != 1
        || paired.pairs.is_empty()
        || paired.pairs.iter().any(|pair| pair.encounter.is_some())
    {
        return false;
    }
    let at = numbers.below(paired.pairs.len());
    std::mem::swap(&mut paired.byes[0].player, &mut paired.pairs[at].lower);
    true
}

fn altered_result(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let (seq, altered) = other_result(record, numbers)?;
    let mut entries = record.entries.to_vec();
    if corrected(&entries, seq) {
        return None;
    }
    let Entry::Event(_, _, event) = entries.get_mut(usize::try_from(seq).ok()? - 1)? else { return None };
    **event = altered;
    Some((seq, entries))
}

/// A result of a game that is recorded is corrected to one that it did not have, at any time after it.
fn wrong_correction(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let (seq, altered) = other_result(record, numbers)?;
    let mut entries = record.entries.to_vec();
    let recorded = usize::try_from(seq).ok()?;
    let at = recorded + numbers.below(entries.len() - recorded + 1);
    insert(&mut entries, at, Entry::Correction(seq, Some(Box::new(altered))));
    // The last correction of an event holds.
    let last = |entry: &Entry| matches!(entry, Entry::Correction(of, _) if *of == seq);
    (entries.iter().rposition(last) == Some(at)).then_some((seq, entries))
}

/// A result of a game, with the other winner.
fn other_result(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, E)> {
    let held: BTreeSet<&GameId> = record.entries.iter().filter_map(Entry::game).collect();
    let played: Vec<usize> = indices(record, |event| {
        matches!(event, E::ResultRecorded(result) if result.outcome.winner().is_some()
            && result.game.as_ref().is_some_and(|game| held.contains(game)))
    });
    let index = *played.get(numbers.below(played.len().max(1)))?;
    let Some(E::ResultRecorded(result)) = record.entries[index].event() else { return None };
    let mut result = result.clone();
    result.outcome = if result.outcome == Outcome::Gold { Outcome::Silver } else { Outcome::Gold };
    Some((position(index), E::ResultRecorded(result)))
}

fn corrected(entries: &[Entry], seq: u64) -> bool {
    entries.iter().any(|entry| matches!(entry, Entry::Correction(of, _) if *of == seq))
}

/// Inserts an entry; corrections still correct the events that they did.
fn insert(entries: &mut Vec<Entry>, at: usize, entry: Entry) {
    for later in &mut entries[at..] {
        if let Entry::Correction(of, _) = later
            && *of > at as u64
        {
            *of += 1;
        }
    }
    entries.insert(at, entry);
}

/// A ruling that takes the place of one on a result, once a later round has begun.
fn superseded_too_late(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let on_results: Vec<(usize, u32, u32)> = record
        .entries
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| {
            let Entry::Event(_, _, event) = entry else { return None };
            let E::RulingGiven(ruling) = &**event else { return None };
            let by = indices(
                record,
                |event| matches!(event, E::RulingGiven(by) if by.supersedes == Some(ruling.number)),
            );
            match &ruling.effect {
                _ if !by.is_empty() => None,
                Effect::SetResult { pairing, .. } | Effect::Invalidate { pairing, .. } => {
                    Some((index, ruling.number, pairing.round))
                }
                _ => None,
            }
        })
        .collect();
    let (given, superseded, round) = *on_results.get(numbers.below(on_results.len().max(1)))?;
    let began = indices(record, |event| matches!(event, E::RoundStarted(started) if started.round > round));
    let began: Vec<usize> = began.into_iter().filter(|index| *index > given).collect();
    let index = *began.get(numbers.below(began.len().max(1)))?;
    let ruling = late_ruling(record, index, Effect::Nothing, Some(superseded))?;
    let mut entries = record.entries.to_vec();
    insert(&mut entries, index + 1, ruling);
    Some((position(index + 1), entries))
}

/// A ruling given right after an event.
fn late_ruling(record: &Record<'_>, index: usize, effect: Effect, supersedes: Option<u32>) -> Option<Entry> {
    let given = indices(record, |event| matches!(event, E::RulingGiven(_)));
    let number = u32::try_from(given.iter().filter(|at| **at <= index).count()).ok()? + 1;
    let Entry::Event(at, recorded_at, _) = record.entries.get(index)?.clone() else { return None };
    let (reason, grounds, evidence, dispute) = ("too late".to_owned(), Vec::new(), Vec::new(), None);
    let ruling = RulingGiven { number, effect, reason, grounds, evidence, dispute, supersedes };
    Some(Entry::Event(at, recorded_at, Box::new(E::RulingGiven(ruling))))
}

fn indices(record: &Record<'_>, wanted: impl Fn(&E) -> bool) -> Vec<usize> {
    let is = |entry: &Entry| matches!(entry, Entry::Event(_, _, event) if wanted(event));
    record.entries.iter().enumerate().filter(|(_, entry)| is(entry)).map(|(index, _)| index).collect()
}

/// A ruling on the first round, given after the second has begun.
fn forbidden_ruling(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let later = indices(record, |event| matches!(event, E::RoundStarted(started) if started.round >= 2));
    let index = *later.get(numbers.below(later.len().max(1)))?;
    let decided = indices(
        record,
        |event| matches!(event, E::ResultRecorded(result) if result.pairing.round == 1 && result.game.is_some()),
    );
    let Entry::Event(_, _, event) = &record.entries[*decided.get(numbers.below(decided.len().max(1)))?]
    else {
        return None;
    };
    let E::ResultRecorded(result) = &**event else { return None };
    let (pairing, game) = (result.pairing, result.game.clone());
    let effect = match numbers.below(3) {
        0 => Effect::Invalidate { pairing, game, ply: 0, failure: Failure::Misconfigured, clocks: None },
        1 => Effect::SetResult { pairing, outcome: Outcome::Gold, termination: None },
        _ => Effect::Vacate { pairing },
    };
    let mut entries = record.entries.to_vec();
    insert(&mut entries, index + 1, late_ruling(record, index, effect, None)?);
    Some((position(index + 1), entries))
}

/// A qualifying game that nobody may count is made to count after the order was published.
fn over_counted(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let published = *indices(record, |event| matches!(event, E::Qualified(_))).first()?;
    let mut entries = record.entries.to_vec();
    let Entry::Event(_, _, event) = &mut entries[published] else { return None };
    let E::Qualified(qualified) = &mut **event else { return None };
    let at = numbers.below(qualified.order.len().max(1));
    let points = qualified.order.get_mut(at)?.measures.iter_mut().find(|measure| measure.name == "points")?;
    *points.values.first_mut()? += 1;
    Some((position(published), entries))
}

/// An entry that came when the final was under way, dated back into the time of registration.
fn dated_back(record: &Record<'_>) -> Option<(u64, Vec<Entry>)> {
    let index = *indices(record, |event| matches!(event, E::RoundPaired(_))).last()?;
    let first = *indices(record, |event| matches!(event, E::PlayerRegistered(_))).first()?;
    let Entry::Event(at, _, _) = record.entries[first].clone() else { return None };
    let Entry::Event(_, recorded_at, _) = record.entries[index].clone() else { return None };
    let entry = PlayerRegistered {
        player: "latecomer".parse::<PlayerId>().ok()?,
        name: "Latecomer".to_owned(),
        kind: PlayerKind::Bot,
        developers: vec!["Late developer".to_owned()],
        account: None,
        rating: None,
        number: None,
        country: None,
    };
    let mut entries = record.entries.to_vec();
    insert(&mut entries, index + 1, Entry::Event(at, recorded_at, Box::new(E::PlayerRegistered(entry))));
    Some((position(index + 1), entries))
}
