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
}

pub const KINDS: [Kind; 7] = [
    Kind::SwappedPairing,
    Kind::WrongColour,
    Kind::WrongBye,
    Kind::AlteredResult,
    Kind::ForbiddenRuling,
    Kind::OverCounted,
    Kind::DatedBack,
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
        Kind::AlteredResult => &["wcc-2015", "wc-2009", "postal-2006"],
        Kind::ForbiddenRuling | Kind::OverCounted | Kind::DatedBack => &["wcc-2015"],
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
        Kind::AlteredResult => &["result.game"],
        Kind::ForbiddenRuling => &["ruling.frozen"],
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
    let played: Vec<usize> = indices(
        world,
        |event| matches!(event, E::ResultRecorded(result) if result.game.is_some() && result.outcome.winner().is_some()),
    );
    let index = *played.get(numbers.below(played.len().max(1)))?;
    let mut entries = world.entries.clone();
    let Entry::Event(_, _, event) = &mut entries[index] else { return None };
    let E::ResultRecorded(result) = &mut **event else { return None };
    result.outcome = if result.outcome == Outcome::Gold { Outcome::Silver } else { Outcome::Gold };
    Some((position(index), entries))
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
    let number =
        indices(world, |event| matches!(event, E::RulingGiven(_))).iter().filter(|at| **at <= index).count();
    let Entry::Event(at, recorded_at, _) = world.entries[index].clone() else { return None };
    let ruling = RulingGiven {
        number: u32::try_from(number).ok()? + 1,
        effect,
        reason: "too late".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    };
    let mut entries = world.entries.clone();
    entries.insert(index + 1, Entry::Event(at, recorded_at, Box::new(E::RulingGiven(ruling))));
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
    entries.insert(index + 1, Entry::Event(at, recorded_at, Box::new(E::PlayerRegistered(entry))));
    Some((position(index + 1), entries))
}
