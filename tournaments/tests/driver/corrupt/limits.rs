//! Games altered at the limit of their length, and before it: played on, scored too early, scored for the wrong side, scored
//! by nothing.

use annals_events::tournament::{Effect, Outcome, ResultRecorded};
use annals_events::{Ended, GameEvent, GameId, Side, Termination, TournamentEvent as E};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{Era, Game, Strictness};

use super::{Record, indices, insert, position};
use crate::driver::moves;
use crate::driver::numbers::Numbers;
use crate::driver::record::Entry;

const SECOND: i64 = 1_000_000;

/// A game of which every turn is recorded, before its end; the entry of its end, and that of its result.
struct Finished {
    id: GameId,
    game: Game<AnyGame>,
    end: usize,
    result: usize,
}

/// The games with a result that is recorded as it was, and ended so.
fn finished(record: &Record<'_>, by_score: bool) -> Vec<Finished> {
    let ends = record.entries.iter().enumerate().filter_map(|(end, entry)| {
        let Entry::Game(id, _, event) = entry else { return None };
        let GameEvent::Ended(ended) = &**event else { return None };
        let wanted = (ended.termination == Some(Termination::Score)) == by_score;
        wanted.then_some((end, id))
    });
    let with_result = ends.filter_map(|(end, id)| {
        let result = *indices(record, |event| result_of(event, id).is_some()).first()?;
        (!super::corrected(record.entries, position(result))).then(|| Finished {
            id: id.clone(),
            game: before(record, id, end),
            end,
            result,
        })
    });
    with_result.collect()
}

fn result_of<'a>(event: &'a E, game: &GameId) -> Option<&'a ResultRecorded> {
    match event {
        E::ResultRecorded(result) if result.game.as_ref() == Some(game) => Some(result),
        _ => None,
    }
}

fn before(record: &Record<'_>, id: &GameId, end: usize) -> Game<AnyGame> {
    let mut game = Game::new(Strictness::Archive);
    for entry in &record.entries[..end] {
        if let Entry::Game(of, at, event) = entry
            && of == id
        {
            game.apply(Some(*at), event).expect("the turns are legal");
        }
    }
    game
}

fn some(mut games: Vec<Finished>, numbers: &mut Numbers) -> Option<Finished> {
    (!games.is_empty()).then(|| games.swap_remove(numbers.below(games.len())))
}

/// A turn more is completed after the game has reached its limit; the score stays as it was.
pub fn played_on(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let found = some(finished(record, true), numbers)?;
    let left = found.game.clock().ok()?.game_time_left()?;
    let turn = moves::turn(&found.game, numbers, u32::try_from(left).ok()? + 1, true)?;
    let mut entries = record.entries.to_vec();
    let Entry::Game(_, at, _) = &mut entries[found.end] else { return None };
    *at += SECOND;
    let turn = Entry::Game(found.id, *at, Box::new(turn));
    insert(&mut entries, found.end, turn);
    Some((position(found.result + 1), entries))
}

/// A game that ended otherwise is said to have ended by score. It had not so long been played.
pub fn scored_early(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let mut games = finished(record, false);
    games.retain(|found| {
        let last = found.game.plies().last().and_then(|ply| ply.at);
        let Entry::Game(_, at, _) = &record.entries[found.end] else { return false };
        let left = found.game.clock().ok().and_then(|clock| clock.game_time_left());
        left.zip(last).is_some_and(|(left, last)| (at - last) / SECOND < left as i64)
            && found.game.board_says().is_none()
    });
    let found = some(games, numbers)?;
    let winner = moves::scored(&found.game).unwrap_or(Side::Gold);
    Some((position(found.result), scored(record, &found, winner)))
}

/// A game that reached its limit is won by the side that the score does not make the winner.
pub fn wrongly_scored(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let found = some(finished(record, true), numbers)?;
    let result = record.entries[found.result].event().and_then(|event| result_of(event, &found.id))?;
    let winner = match result.outcome {
        Outcome::Gold => Side::Silver,
        _ => Side::Gold,
    };
    Some((position(found.result), scored(record, &found, winner)))
}

/// The record with another winner by score.
fn scored(record: &Record<'_>, found: &Finished, winner: Side) -> Vec<Entry> {
    let mut entries = record.entries.to_vec();
    let termination = Some(Termination::Score);
    if let Entry::Game(_, _, event) = &mut entries[found.end] {
        **event = GameEvent::Ended(Ended { winner: Some(winner), termination, stated: None, draw: false });
    }
    if let Entry::Event(_, _, event) = &mut entries[found.result]
        && let E::ResultRecorded(result) = &mut **event
    {
        (result.outcome, result.termination) = (winner.into(), termination);
    }
    entries
}

/// A game of 2006 whose score nothing decides has a result, and not the ruling that it had.
pub fn unruled_score(record: &Record<'_>, numbers: &mut Numbers) -> Option<(u64, Vec<Entry>)> {
    let is_score = |event: &E| {
        matches!(event, E::RulingGiven(ruling) if matches!(&ruling.effect,
            Effect::SetResult { termination: Some(Termination::Score), .. }))
    };
    let ruled = indices(record, is_score);
    let index = *ruled.get(numbers.below(ruled.len().max(1)))?;
    let Some(E::RulingGiven(ruling)) = record.entries[index].event() else { return None };
    let Effect::SetResult { pairing, outcome, termination } = ruling.effect else { return None };
    let attached = record.entries[..index].iter().filter_map(Entry::event).find_map(|event| match event {
        E::GameAttached(attached) if attached.pairing == pairing => Some(attached.clone()),
        _ => None,
    })?;
    assert_eq!(before(record, &attached.game, index).era(), Era::Early, "only then nothing decides it");
    let (attempt, game) = (Some(attached.attempt), Some(attached.game));
    let result = ResultRecorded { pairing, outcome, termination, attempt, game, territory: None, note: None };
    let mut entries = record.entries.to_vec();
    let Entry::Event(_, _, event) = &mut entries[index] else { return None };
    **event = E::ResultRecorded(result);
    (!super::corrected(&entries, position(index))).then_some((position(index), entries))
}
