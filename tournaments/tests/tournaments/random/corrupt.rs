//! Records altered on purpose, each in one way, and the rule on which the audit has to find it.

use annals_events::tournament::{Effect, Failure, Outcome, PlayerRegistered, RoundPaired, RulingGiven};
use annals_events::{PlayerId, PlayerKind, Side, TournamentEvent as E};
use annals_tournaments::verdict::Verdict;

use super::course::{Wildness, play};
use super::world::{Entry, World, audit};
use crate::vectors::Numbers;

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
}

pub const KINDS: [Kind; 9] = [
    Kind::SwappedPairing,
    Kind::WrongColour,
    Kind::WrongBye,
    Kind::AlteredResult,
    Kind::ForbiddenRuling,
    Kind::OverCounted,
    Kind::DatedBack,
    Kind::WrongCorrection,
    Kind::SupersededTooLate,
];

/// Plays a tournament, alters it, audits it, and gives the rule on which the alteration was found.
pub fn find(kind: Kind, numbers: &mut Numbers) -> &'static str {
    for _ in 0..400 {
        let rulebook = rulebook_for(kind, numbers);
        let world = play(rulebook, numbers, Wildness::default());
        let Some((seq, entries)) = alter(kind, &world, numbers) else { continue };
        let (_, verdicts) = audit(&world.rulebook, &entries);
        let on_it: Vec<&Verdict> =
            verdicts.iter().filter(|verdict| verdict.seq == seq && verdict.departs()).collect();
        let right = on_it.iter().find(|verdict| expected(kind).contains(&verdict.rule.id.name()));
        let Some(right) = right else {
            let all: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.departs()).collect();
            panic!(
                "{kind:?} in {rulebook} at {seq} is not found on {:?}: {on_it:#?}\nall: {all:#?}",
                expected(kind)
            );
        };
        return right.rule.id.name();
    }
    panic!("{kind:?}: no tournament offered an occasion");
}

fn rulebook_for(kind: Kind, numbers: &mut Numbers) -> &'static str {
    let rulebooks: &[&str] = match kind {
        Kind::SwappedPairing | Kind::WrongBye => &["wcc-2015", "wc-2009", "olympiad-amazons-2000"],
        Kind::WrongColour => &["wcc-2015", "wc-2009", "postal-2006", "olympiad-amazons-2000"],
        Kind::AlteredResult | Kind::WrongCorrection => &["wcc-2015", "wc-2009", "postal-2006"],
        Kind::ForbiddenRuling | Kind::OverCounted | Kind::DatedBack | Kind::SupersededTooLate => {
            &["wcc-2015"]
        }
    };
    rulebooks[numbers.below(rulebooks.len())]
}

fn expected(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::SwappedPairing => &["pairing.best", "swiss.pairing", "encounter.pairing"],
        Kind::WrongColour => &[
            "colour", "swiss.colour", "ring.colour", "encounter.colour", "encounter.games", "playoff.colour",
        ],
        Kind::WrongBye => &["bye.fewest", "bye.choice", "swiss.bye", "encounter.bye", "pairing.best"],
        Kind::AlteredResult | Kind::WrongCorrection => &["result.game"],
        Kind::ForbiddenRuling | Kind::SupersededTooLate => &["ruling.frozen"],
        Kind::OverCounted => &["qualifier.score", "qualifier.order"],
        Kind::DatedBack => &["registration.window"],
    }
}

/// The altered record, and the position of the event that departs.
fn alter(kind: Kind, world: &World, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    match kind {
        Kind::SwappedPairing => in_round(world, numbers, swap, true),
        Kind::WrongColour => in_round(world, numbers, flip, false),
        Kind::WrongBye => in_round(world, numbers, other_bye, true),
        Kind::AlteredResult => altered_result(world, numbers),
        Kind::ForbiddenRuling => forbidden_ruling(world, numbers),
        Kind::OverCounted => over_counted(world, numbers),
        Kind::DatedBack => dated_back(world),
        Kind::WrongCorrection => wrong_correction(world, numbers),
        Kind::SupersededTooLate => superseded_too_late(world, numbers),
    }
}

fn position(index: usize) -> u64 {
    index as u64 + 1
}

/// Alters a published pairing. Where the altered one is as good as the published one the audit says so, and it is no
/// corruption: then another occasion is looked for.
fn in_round(
    world: &World,
    numbers: &mut Numbers,
    change: impl Fn(&mut RoundPaired, &mut Numbers) -> bool,
    may_be_equal: bool,
) -> Option<(u64, Vec<Entry>)> {
    let rounds: Vec<usize> = world
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
    let mut entries = world.entries[..=index].to_vec();
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
        let (_, verdicts) = audit(&world.rulebook, &entries);
        let equal = |verdict: &Verdict| {
            verdict.seq == seq && matches!(verdict.holds, annals_tournaments::verdict::Holds::OneOf(_))
        };
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
    let fixed: Vec<usize> =
        (0..paired.pairs.len()).filter(|at| paired.pairs[*at].upper_side.is_some()).collect();
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

fn altered_result(world: &World, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let (seq, altered) = other_result(world, numbers)?;
    let mut entries = world.entries.clone();
    if corrected(&entries, seq) {
        return None;
    }
    let Entry::Event(_, _, event) = entries.get_mut(usize::try_from(seq).ok()? - 1)? else { return None };
    **event = altered;
    Some((seq, entries))
}

/// A result of a game that is recorded is corrected to one that it did not have, at any time after it.
fn wrong_correction(world: &World, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let (seq, altered) = other_result(world, numbers)?;
    let mut entries = world.entries.clone();
    let recorded = usize::try_from(seq).ok()?;
    let at = recorded + numbers.below(entries.len() - recorded + 1);
    insert(&mut entries, at, Entry::Correction(seq, Box::new(altered)));
    // The last correction of an event holds.
    let last = |entry: &Entry| matches!(entry, Entry::Correction(of, _) if *of == seq);
    (entries.iter().rposition(last) == Some(at)).then_some((seq, entries))
}

/// A result of a game, with the other winner.
fn other_result(world: &World, numbers: &mut Numbers) -> Option<(u64, E)> {
    let played: Vec<usize> = indices(
        world,
        |event| matches!(event, E::ResultRecorded(result) if result.game.is_some() && result.outcome.winner().is_some()),
    );
    let index = *played.get(numbers.below(played.len().max(1)))?;
    let Entry::Event(_, _, event) = &world.entries[index] else { return None };
    let E::ResultRecorded(result) = &**event else { return None };
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
fn superseded_too_late(world: &World, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let on_results: Vec<(usize, u32, u32)> = world
        .entries
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| {
            let Entry::Event(_, _, event) = entry else { return None };
            let E::RulingGiven(ruling) = &**event else { return None };
            let by = indices(
                world,
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
    let began = indices(world, |event| matches!(event, E::RoundStarted(started) if started.round > round));
    let began: Vec<usize> = began.into_iter().filter(|index| *index > given).collect();
    let index = *began.get(numbers.below(began.len().max(1)))?;
    let ruling = late_ruling(world, index, Effect::Nothing, Some(superseded))?;
    let mut entries = world.entries.clone();
    insert(&mut entries, index + 1, ruling);
    Some((position(index + 1), entries))
}

/// A ruling given right after an event.
fn late_ruling(world: &World, index: usize, effect: Effect, supersedes: Option<u32>) -> Option<Entry> {
    let given = indices(world, |event| matches!(event, E::RulingGiven(_)));
    let number = u32::try_from(given.iter().filter(|at| **at <= index).count()).ok()? + 1;
    let Entry::Event(at, recorded_at, _) = world.entries.get(index)?.clone() else { return None };
    let (reason, grounds, evidence, dispute) = ("too late".to_owned(), Vec::new(), Vec::new(), None);
    let ruling = RulingGiven { number, effect, reason, grounds, evidence, dispute, supersedes };
    Some(Entry::Event(at, recorded_at, Box::new(E::RulingGiven(ruling))))
}

fn indices(world: &World, wanted: impl Fn(&E) -> bool) -> Vec<usize> {
    let is = |entry: &Entry| matches!(entry, Entry::Event(_, _, event) if wanted(event));
    world.entries.iter().enumerate().filter(|(_, entry)| is(entry)).map(|(index, _)| index).collect()
}

/// A ruling on the first round, given after the second has begun.
fn forbidden_ruling(world: &World, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let later = indices(world, |event| matches!(event, E::RoundStarted(started) if started.round >= 2));
    let index = *later.get(numbers.below(later.len().max(1)))?;
    let decided = indices(
        world,
        |event| matches!(event, E::ResultRecorded(result) if result.pairing.round == 1 && result.game.is_some()),
    );
    let Entry::Event(_, _, event) = &world.entries[*decided.get(numbers.below(decided.len().max(1)))?] else {
        return None;
    };
    let E::ResultRecorded(result) = &**event else { return None };
    let (pairing, game) = (result.pairing, result.game.clone());
    let effect = match numbers.below(3) {
        0 => Effect::Invalidate { pairing, game, ply: 0, failure: Failure::Misconfigured, clocks: None },
        1 => Effect::SetResult { pairing, outcome: Outcome::Gold, termination: None },
        _ => Effect::Vacate { pairing },
    };
    let mut entries = world.entries.clone();
    insert(&mut entries, index + 1, late_ruling(world, index, effect, None)?);
    Some((position(index + 1), entries))
}

/// A qualifying game that nobody may count is made to count after the order was published.
fn over_counted(world: &World, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let published = *indices(world, |event| matches!(event, E::Qualified(_))).first()?;
    let mut entries = world.entries.clone();
    let Entry::Event(_, _, event) = &mut entries[published] else { return None };
    let E::Qualified(qualified) = &mut **event else { return None };
    let at = numbers.below(qualified.order.len().max(1));
    let points = qualified.order.get_mut(at)?.measures.iter_mut().find(|measure| measure.name == "points")?;
    *points.values.first_mut()? += 1;
    Some((position(published), entries))
}

/// An entry that came when the final was under way, dated back into the time of registration.
fn dated_back(world: &World) -> Option<(u64, Vec<Entry>)> {
    let index = *indices(world, |event| matches!(event, E::RoundPaired(_))).last()?;
    let first = *indices(world, |event| matches!(event, E::PlayerRegistered(_))).first()?;
    let Entry::Event(at, _, _) = world.entries[first].clone() else { return None };
    let Entry::Event(_, recorded_at, _) = world.entries[index].clone() else { return None };
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
    let mut entries = world.entries.clone();
    insert(&mut entries, index + 1, Entry::Event(at, recorded_at, Box::new(E::PlayerRegistered(entry))));
    Some((position(index + 1), entries))
}
