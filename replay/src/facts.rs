//! A game as a tournament sees it: its fold as plain values, the games that it goes on from included. What the rulebooks
//! ask of a game (who played, with which clock, how far it came, how it ended) is answered here and nowhere else.

use annals_events::{Event, GameEvent, GameId, Side};
use annals_rules::clock::{Clock, GameLimit, TimeControl};
use annals_rules::{ClockFacts, EndFacts, GameFacts, GameViolation, Retraction, TakenBackBy};
use annals_tournaments::{Board, Tournament};

use crate::finding::Finding;
use crate::game::GameReplay;
use crate::projection::Projection;
use crate::taken_back;
use crate::timeline::{AppliedCorrection, EffectiveEvent};

/// The fold of a game, from which its facts are read.
#[derive(Debug, Default)]
pub struct FoldedGame {
    replay: GameReplay,
    retractions: Vec<Retraction>,
    /// Those by corrections, each with the first correction of the same event.
    corrections: Vec<(Retraction, u64)>,
    /// The event with which the game ended.
    ended_by: Option<u64>,
    /// How many turns were taken back in the course of play; what is corrected later is no part of that.
    taken_back: u32,
    halts: u32,
}

impl Projection for FoldedGame {
    fn apply(&mut self, event: &EffectiveEvent<'_>) {
        let before = self.replay.findings().len();
        let plies = self.replay.game().plies().len();
        self.replay.apply(event);
        let Ok(Event::Game(what)) = event.decode().map(|entry| entry.event) else { return };
        if self.replay.findings().len() > before {
            return;
        }
        if let GameEvent::Ended(_) = what {
            self.ended_by = Some(event.seq);
        }
        self.halts = self.halts.saturating_add(u32::from(matches!(what, GameEvent::Halted(_))));
        if let Some((turns, reason)) = taken_back::by_event(&what, plies) {
            let (by, reason) = (event.actor.to_owned(), reason.map(str::to_owned));
            self.retractions.push(Retraction { seq: event.seq, kind: TakenBackBy::Play, by, reason });
            self.taken_back = self.taken_back.saturating_add(turns);
        }
    }

    fn corrected(&mut self, correction: &AppliedCorrection<'_>) {
        let retraction = taken_back::by_correction(correction);
        self.corrections.extend(retraction.map(|retraction| (retraction, correction.first)));
    }

    fn find(&mut self, finding: Finding) {
        self.replay.find(finding);
    }
}

/// The games that can be asked for, each as its own stream makes it.
pub(crate) trait Games {
    /// The fold of a game; none where there is none.
    fn folded(&self, game: &GameId) -> Option<&FoldedGame>;
}

impl FoldedGame {
    pub fn replay(&self) -> &GameReplay {
        &self.replay
    }

    /// The facts of the game by itself.
    pub fn facts(&self) -> GameFacts {
        let (game, started) = (self.replay.game(), self.replay.started());
        let clocks = self.clocks();
        GameFacts {
            started_at: game.started_at(),
            gold: started.map(|started| started.gold.name.to_string()),
            silver: started.map(|started| started.silver.name.to_string()),
            time_control: started.and_then(|started| started.time_control.as_deref()).map(str::to_owned),
            rated: started.map(|_| game.is_rated()),
            postal: started.map(|started| started.postal),
            resumes: None,
            plies: u32::try_from(game.plies().len()).unwrap_or(u32::MAX),
            clocks,
            halted: game.is_halted(),
            halts: self.halts,
            ended: self.ended(),
            length: game.length_so_far().filter(|_| !self.replay.is_stopped()),
            early_sides: game.early_sides().filter(|_| !self.replay.is_stopped()),
            setup_time_lost: game.setup_time_lost(),
            territory: self.territory(),
            violations: self.replay.findings().iter().map(violation).collect(),
            retracted: self.taken_back,
            retractions: self.retractions.iter().cloned().chain(self.by_corrections()).collect(),
        }
    }

    /// Turns that corrections took back. Whether the game was under way then is known only when its end is.
    fn by_corrections(&self) -> impl Iterator<Item = Retraction> {
        self.corrections.iter().map(|(retraction, first)| {
            let in_play = self.ended_by.is_none_or(|ended| *first < ended);
            let kind = if in_play { TakenBackBy::CorrectionInPlay } else { TakenBackBy::Correction };
            Retraction { kind, ..retraction.clone() }
        })
    }

    fn ended(&self) -> Option<EndFacts> {
        let ending = self.replay.game().ending()?;
        let at = self.replay.ended_at()?;
        // Where the record does not say how, the board may.
        let board = || self.replay.game().board_says().map(|outcome| outcome.termination);
        let termination = ending.termination.or_else(board)?;
        Some(EndFacts { at, winner: ending.winner, termination })
    }

    /// The winner's territory in the position in which the game ended.
    fn territory(&self) -> Option<(Side, u32)> {
        let winner = self.replay.game().ending()?.winner?;
        // After an illegal turn there is no known position in which it ended.
        let position = self.replay.game().state()?.amazons().filter(|_| !self.replay.is_stopped())?;
        Some((winner, position.board().territory(winner).count_ones()))
    }

    /// The time control, where it can be read.
    fn control(&self) -> Option<TimeControl> {
        let text = self.replay.started()?.time_control.as_deref()?;
        TimeControl::parse(text).ok()
    }

    /// The clocks at the start and after each ply; the last entry is what they show now, set by hand or not.
    fn clocks(&self) -> Vec<ClockFacts> {
        let game = self.replay.game();
        let Some(control) = self.control() else { return Vec::new() };
        let shows = |clock: Clock| ClockFacts {
            gold_reserve: Some(clock.figures().reserves[0]),
            silver_reserve: Some(clock.figures().reserves[1]),
            game_time: Some(clock.figures().game_time),
        };
        // A game that goes on from another has its clocks set before the first turn.
        let mut clocks = vec![shows(game.clock_at_first().unwrap_or_else(|| Clock::new(control)))];
        clocks.extend(game.plies().iter().map(|ply| ClockFacts {
            gold_reserve: ply.gold_reserve,
            silver_reserve: ply.silver_reserve,
            game_time: ply.game_time,
        }));
        if let (Ok(clock), Some(last)) = (game.clock(), clocks.last_mut()) {
            *last = shows(clock);
        }
        clocks
    }

    /// The position after so many plies, as text with the side to move; none before the start or beyond the last ply.
    pub fn position_after(&self, plies: u32) -> Option<String> {
        let game = self.replay.game();
        let state = match usize::try_from(plies).ok()?.checked_sub(1) {
            None => game.initial_state()?,
            Some(last) => &game.plies().get(last)?.state_after,
        };
        Some(state.position_text())
    }

    /// After how many plies of this game there was a position: the one that is expected, where it is that, else the last.
    fn plies_before(&self, position: &str, expected: Option<u32>) -> Option<u32> {
        let here = |plies: &u32| self.position_after(*plies).is_some_and(|text| text == position);
        let last = u32::try_from(self.replay.game().plies().len()).unwrap_or(u32::MAX);
        expected.filter(here).or_else(|| (0..=last).rev().find(here))
    }
}

fn violation(finding: &Finding) -> GameViolation {
    GameViolation { seq: finding.seq, code: finding.code, message: finding.message.clone() }
}

/// The facts of a game of a tournament, with the game that it goes on from: the attempt before it at the same pairing.
/// None where there is no such game.
pub(crate) fn facts_in(tournament: &Tournament, games: &dyn Games, game: &GameId) -> Option<GameFacts> {
    chain(tournament, games, game, &mut Vec::new())
}

fn chain(
    tournament: &Tournament,
    games: &dyn Games,
    game: &GameId,
    seen: &mut Vec<GameId>,
) -> Option<GameFacts> {
    let folded = games.folded(game)?;
    let facts = folded.facts();
    seen.push(game.clone());
    let attempt = folded.replay.started().and_then(|started| started.attempt);
    let (Some(of), Some(attempt), Some(starts_from)) =
        (folded.replay.pairing(), attempt.filter(|attempt| *attempt > 1), folded.position_after(0))
    else {
        return Some(facts);
    };
    let board =
        tournament.rounds.get(&of.pairing.round).and_then(|round| round.boards.get(&of.pairing.board));
    let before = board.and_then(|board| board.games.range(..attempt).next_back());
    let Some(before) = before.map(|(_, before)| before.clone()).filter(|before| !seen.contains(before))
    else {
        return Some(facts);
    };
    let Some(earlier) = chain(tournament, games, &before, seen) else { return Some(facts) };
    // Plies are counted from the first attempt on.
    let carried = earlier.resumes.as_ref().map_or(0, |(_, plies)| *plies);
    let expected = board.and_then(|board| ruled_ply(board, &before)).and_then(|ply| ply.checked_sub(carried));
    let plies = games.folded(&before).and_then(|earlier| earlier.plies_before(&starts_from, expected));
    let Some(plies) = plies else { return Some(facts) };
    let first = board.and_then(|board| games.folded(board.games.values().next()?));
    let played =
        first.and_then(|first| played_before(first.control()?, facts.time_control.as_deref()?.parse().ok()?));
    Some(joined(earlier, (before, carried.saturating_add(plies)), played.unwrap_or(0), facts))
}

/// How much of the length of a game had been played when it went on: by so much its limit is shorter than that of the first
/// attempt.
fn played_before(first: TimeControl, found: TimeControl) -> Option<u64> {
    match (first.game_limit()?, found.game_limit()?) {
        (GameLimit::Seconds(first), GameLimit::Seconds(found)) => Some(first.saturating_sub(found).into()),
        _ => None,
    }
}

/// How many plies of a game were to count by the last ruling in force that halted or invalidated it; those that it went on
/// from are counted as the ruling counts them.
fn ruled_ply(board: &Board, before: &GameId) -> Option<u32> {
    let attempt = board.number_of(before)?;
    board.set_aside.iter().rev().find(|aside| aside.fact.attempt == attempt)?.fact.ply
}

/// A game together with the plies of the one before it that count, and the time that its length went on from.
fn joined(
    earlier: GameFacts,
    (before, stand): (GameId, u32),
    played: u64,
    mut facts: GameFacts,
) -> GameFacts {
    for clock in &mut facts.clocks {
        clock.game_time = clock.game_time.map(|time| time.saturating_add(played));
    }
    let taken = usize::try_from(stand).unwrap_or(usize::MAX);
    if earlier.clocks.len() >= taken && !facts.clocks.is_empty() {
        let mut clocks: Vec<ClockFacts> = earlier.clocks.into_iter().take(taken).collect();
        clocks.append(&mut facts.clocks);
        facts.clocks = clocks;
    }
    facts.plies = facts.plies.saturating_add(stand);
    facts.resumes = Some((before, stand));
    facts
}
