//! A small game for tests of the fold: a token on squares 0 to 10. Each side first plays `put`, then moves the token by
//! one or two. Gold wins on 10, Silver on 0; a third occurrence of a position is illegal.

use annals_events::{Ended, GameEvent, GameKind, PlayerAtStart, Side, Started, Termination, TurnTaken};

use super::{Era, Outcome, Played, Rules, Strictness};

#[derive(Debug)]
pub struct Toy;

/// The token, who moves, and how many setups are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToyState {
    pub at: u8,
    pub to_move: Side,
    pub setups: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such move in the toy")]
pub struct ToyIllegal(pub &'static str);

impl Rules for Toy {
    type State = ToyState;
    type Illegal = ToyIllegal;

    fn refuses(kind: GameKind) -> Option<GameKind> {
        (kind != GameKind::Amazons).then_some(GameKind::Amazons)
    }

    fn start(_kind: GameKind, position: Option<&str>, _era: Era) -> Result<ToyState, ToyIllegal> {
        let Some(text) = position else {
            return Ok(ToyState { at: 5, to_move: Side::Gold, setups: 0 });
        };
        let (at, side) = text.split_once(' ').ok_or(ToyIllegal("bad_position"))?;
        let at: u8 = at.parse().map_err(|_| ToyIllegal("bad_position"))?;
        let to_move = side.parse().map_err(|_| ToyIllegal("bad_position"))?;
        if at > 10 { Err(ToyIllegal("bad_position")) } else { Ok(ToyState { at, to_move, setups: 2 }) }
    }

    fn is_scored_by_pieces(_state: &ToyState) -> bool {
        true
    }

    fn to_move(state: &ToyState) -> Side {
        state.to_move
    }

    fn hash(state: &ToyState) -> u64 {
        100 * u64::from(state.setups) + 2 * u64::from(state.at) + state.to_move.index() as u64
    }

    fn counts_for_repetition(state: &ToyState) -> bool {
        state.setups == 2
    }

    fn play(
        state: &mut ToyState,
        text: &[u8],
        _strictness: Strictness,
        seen: impl Fn(u64) -> u32,
    ) -> Result<Played, ToyIllegal> {
        let mut next = ToyState { to_move: state.to_move.other(), ..*state };
        let setup = state.setups < 2;
        match (setup, text) {
            (true, b"put") => next.setups += 1,
            (true, _) => return Err(ToyIllegal("setup_due")),
            (false, b"+1") => next.at = state.at.saturating_add(1),
            (false, b"+2") => next.at = state.at.saturating_add(2),
            (false, b"-1") => next.at = state.at.checked_sub(1).ok_or(ToyIllegal("off_board"))?,
            (false, b"-2") => next.at = state.at.checked_sub(2).ok_or(ToyIllegal("off_board"))?,
            (false, _) => return Err(ToyIllegal("unreadable_turn")),
        }
        if next.at > 10 {
            return Err(ToyIllegal("off_board"));
        }
        if !setup && seen(Toy::hash(&next)) >= 2 {
            return Err(ToyIllegal("third_repetition"));
        }
        *state = next;
        Ok(Played { setup, steps: u8::from(!setup), ..Played::default() })
    }

    fn outcome(state: &ToyState, _seen: impl Fn(u64) -> u32) -> Option<Outcome> {
        let winner = match state.at {
            10 => Side::Gold,
            0 => Side::Silver,
            _ => return None,
        };
        Some(Outcome { winner: Some(winner), termination: Termination::Goal })
    }

    fn piece_counts(state: &ToyState) -> [u32; 2] {
        [u32::from(state.at), 10 - u32::from(state.at)]
    }

    fn illegal_code(illegal: &ToyIllegal) -> &'static str {
        illegal.0
    }
}

/// `started` of a toy game.
pub fn started(time_control: Option<&'static str>, position: Option<&'static str>) -> GameEvent<'static> {
    GameEvent::Started(Box::new(Started {
        game: GameKind::Amazons,
        gold: PlayerAtStart::default(),
        silver: PlayerAtStart::default(),
        time_control: time_control.map(Into::into),
        rated: true,
        postal: false,
        event: None,
        site: None,
        position: position.map(Into::into),
        pairing: None,
        attempt: None,
    }))
}

/// A turn of which only the steps are known.
pub fn turn(number: u32, side: Side, steps: &'static str) -> GameEvent<'static> {
    GameEvent::TurnTaken(TurnTaken::plain(number, side, steps))
}

/// A turn with the time used and the mover's reserve as the server showed it.
pub fn timed(
    number: u32,
    side: Side,
    steps: &'static str,
    used: u32,
    reserve: Option<i64>,
) -> GameEvent<'static> {
    let (gold, silver) = match side {
        Side::Gold => (reserve, None),
        Side::Silver => (None, reserve),
    };
    GameEvent::TurnTaken(TurnTaken {
        used: Some(used),
        gold_reserve: gold,
        silver_reserve: silver,
        ..TurnTaken::plain(number, side, steps)
    })
}

pub fn ended(winner: Side, termination: Termination) -> GameEvent<'static> {
    GameEvent::Ended(Ended {
        winner: Some(winner),
        termination: Some(termination),
        stated: None,
        draw: false,
    })
}
