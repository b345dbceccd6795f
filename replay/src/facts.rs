//! A game in a tournament: its fold as plain values, with the games that it resumes. All questions of the rulebooks on
//! a game (players, clock, progress, end) are answered here.

use annals_events::{Event, GameEvent, GameId, Side};
use annals_rules::clock::{Clock, GameLimit, TimeControl};
use annals_rules::{ClockFacts, EndFacts, GameFacts, GameViolation, Retraction, TakenBackBy};
use annals_tournaments::{Board, Tournament};

use crate::finding::Finding;
use crate::game::GameReplay;
use crate::projection::Projection;
use crate::taken_back;
use crate::timeline::{AppliedCorrection, EffectiveEvent};

#[derive(Debug, Default)]
pub struct FoldedGame {
    replay: GameReplay,
    retractions: Vec<Retraction>,
    /// By corrections, each with the first correction of its event.
    corrections: Vec<(Retraction, u64)>,
    /// The event that ended the game.
    ended_by: Option<u64>,
    /// Turns retracted during play, without later corrections.
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

/// Games by their own streams.
pub(crate) trait Games {
    fn folded(&self, game: &GameId) -> Option<&FoldedGame>;
}

impl FoldedGame {
    pub fn replay(&self) -> &GameReplay {
        &self.replay
    }

    /// Without earlier games.
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

    /// Turns retracted by corrections. Whether the game was under way is known at its end only.
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
        // If the record does not state how, the board may.
        let board = || self.replay.game().board_says().map(|outcome| outcome.termination);
        let termination = ending.termination.or_else(board)?;
        Some(EndFacts { at, winner: ending.winner, termination })
    }

    /// The winner's, at the end of the game.
    fn territory(&self) -> Option<(Side, u32)> {
        let winner = self.replay.game().ending()?.winner?;
        // After an illegal turn the final position is unknown.
        let position = self.replay.game().state()?.amazons().filter(|_| !self.replay.is_stopped())?;
        Some((winner, position.board().territory(winner).count_ones()))
    }

    /// If readable.
    fn control(&self) -> Option<TimeControl> {
        let text = self.replay.started()?.time_control.as_deref()?;
        TimeControl::parse(text).ok()
    }

    /// At the start and after each ply; the last entry is the present state, set by hand or not.
    fn clocks(&self) -> Vec<ClockFacts> {
        let game = self.replay.game();
        let Some(control) = self.control() else { return Vec::new() };
        let shows = |clock: Clock| ClockFacts {
            gold_reserve: Some(clock.figures().reserves[0]),
            silver_reserve: Some(clock.figures().reserves[1]),
            game_time: Some(clock.figures().game_time),
        };
        // A resumed game's clocks are set before the first turn.
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

    /// As text with the side to move; none before the start or beyond the last ply.
    pub fn position_after(&self, plies: u32) -> Option<String> {
        let game = self.replay.game();
        let state = match usize::try_from(plies).ok()?.checked_sub(1) {
            None => game.initial_state()?,
            Some(last) => &game.plies().get(last)?.state_after,
        };
        Some(state.position_text())
    }

    /// The ply after which a position occurred: `expected` if so, else the last.
    fn plies_before(&self, position: &str, expected: Option<u32>) -> Option<u32> {
        let here = |plies: &u32| self.position_after(*plies).is_some_and(|text| text == position);
        let last = u32::try_from(self.replay.game().plies().len()).unwrap_or(u32::MAX);
        expected.filter(here).or_else(|| (0..=last).rev().find(here))
    }
}

fn violation(finding: &Finding) -> GameViolation {
    GameViolation { seq: finding.seq, code: finding.code, message: finding.message.clone() }
}

/// A tournament game's facts, with the attempt that it resumes.
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
    // Plies count from the first attempt.
    let carried = earlier.resumes.as_ref().map_or(0, |(_, plies)| *plies);
    let expected = board.and_then(|board| ruled_ply(board, &before)).and_then(|ply| ply.checked_sub(carried));
    let plies = games.folded(&before).and_then(|earlier| earlier.plies_before(&starts_from, expected));
    let Some(plies) = plies else { return Some(facts) };
    let first = board.and_then(|board| games.folded(board.games.values().next()?));
    let played =
        first.and_then(|first| played_before(first.control()?, facts.time_control.as_deref()?.parse().ok()?));
    Some(joined(earlier, (before, carried.saturating_add(plies)), played.unwrap_or(0), facts))
}

/// Time of the game's length played before the resumption: the difference of the limits.
fn played_before(first: TimeControl, found: TimeControl) -> Option<u64> {
    match (first.game_limit()?, found.game_limit()?) {
        (GameLimit::Seconds(first), GameLimit::Seconds(found)) => Some(first.saturating_sub(found).into()),
        _ => None,
    }
}

/// The plies of a game that count by the last ruling that halted or invalidated it, earlier attempts counted as the
/// ruling does.
fn ruled_ply(board: &Board, before: &GameId) -> Option<u32> {
    let attempt = board.number_of(before)?;
    board.set_aside.iter().rev().find(|aside| aside.fact.attempt == attempt)?.fact.ply
}

/// A game with the counting plies of the one before, and the time already played.
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
