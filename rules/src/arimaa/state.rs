//! Arimaa as [`Rules`]: the state between turns, and the rules that need the game's history.

use annals_events::{GameKind, Side};

use super::board::Board;
use super::illegal::Illegal;
use super::piece::Piece;
use super::position::Position;
use super::position_text::PositionTextError;
use super::setup::Setup;
use super::turn_text::{Turn, TurnKind};
use crate::game::{Era, Outcome, Played, Rules, Strictness};
use crate::scoring::EarlySide;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arimaa;

/// The phase of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    GoldSetup,
    SilverSetup,
    /// Both have set up, and no turn was played.
    SetUp,
    /// A turn was played.
    Play,
}

/// Between two turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    position: Position,
    era: Era,
    phase: Phase,
}

impl State {
    /// The empty board, Gold to set up.
    #[must_use]
    pub fn new(era: Era) -> State {
        State { position: Position::new(Board::EMPTY, Side::Gold), era, phase: Phase::GoldSetup }
    }

    #[must_use]
    pub const fn from_position(position: Position, era: Era) -> State {
        State { position, era, phase: Phase::Play }
    }

    /// During setups the pieces so far, with the side to set up to move.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    #[inline]
    #[must_use]
    pub const fn board(&self) -> &Board {
        self.position.board()
    }

    #[must_use]
    pub const fn era(&self) -> Era {
        self.era
    }

    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Plays a parsed turn; see [`Rules::play`].
    ///
    /// # Errors
    /// If the turn is illegal; the state is unchanged.
    pub fn play_turn(
        &mut self,
        turn: &Turn,
        strictness: Strictness,
        seen: impl Fn(u64) -> u32,
    ) -> Result<Played, Illegal> {
        let phase = match self.phase {
            Phase::GoldSetup => Phase::SilverSetup,
            Phase::SilverSetup => Phase::SetUp,
            Phase::SetUp | Phase::Play => {
                let (after, played) = self.position.play(turn, strictness)?;
                if self.era == Era::Modern && seen(after.hash()) >= 2 {
                    return Err(Illegal::ThirdRepetition);
                }
                self.position = after;
                self.phase = Phase::Play;
                return Ok(played);
            }
        };
        let side = self.position.to_move();
        let board = Setup::play(*self.board(), side, turn, strictness)?;
        self.position = Position::new(board, side.other());
        self.phase = phase;
        Ok(Played { setup: true, ..Played::default() })
    }

    /// The turn with captures exactly where they occur.
    ///
    /// # Errors
    /// If it is illegal here, without repetition.
    pub fn normal_text(&self, turn: &Turn) -> Result<Turn, Illegal> {
        match turn.kind() {
            TurnKind::Steps => self.position.with_captures(turn),
            _ => Ok(*turn),
        }
    }
}

impl Rules for Arimaa {
    type State = State;
    type Illegal = Illegal;

    fn refuses(kind: GameKind) -> Option<GameKind> {
        (kind != GameKind::Arimaa).then_some(GameKind::Arimaa)
    }

    fn start(_kind: GameKind, position: Option<&str>, era: Era) -> Result<State, Illegal> {
        match position {
            None => Ok(State::new(era)),
            Some(text) => {
                let position = text.parse::<Position>().map_err(|e: PositionTextError| Illegal::Start(e))?;
                Ok(State::from_position(position, era))
            }
        }
    }

    fn is_scored_by_pieces(_state: &State) -> bool {
        true
    }

    fn to_move(state: &State) -> Side {
        state.position.to_move()
    }

    fn hash(state: &State) -> u64 {
        state.position.hash()
    }

    fn counts_for_repetition(state: &State) -> bool {
        matches!(state.phase, Phase::SetUp | Phase::Play)
    }

    fn play(
        state: &mut State,
        text: &[u8],
        strictness: Strictness,
        seen: impl Fn(u64) -> u32,
    ) -> Result<Played, Illegal> {
        let turn = Turn::parse(text)?;
        state.play_turn(&turn, strictness, seen)
    }

    fn outcome(state: &State, seen: impl Fn(u64) -> u32) -> Option<Outcome> {
        match state.phase {
            Phase::Play => state.position.outcome(state.era, seen),
            Phase::GoldSetup | Phase::SilverSetup | Phase::SetUp => None,
        }
    }

    fn piece_counts(state: &State) -> [u32; 2] {
        Side::BOTH.map(|side| state.board().occupied(side).count_ones())
    }

    fn early_sides(state: &State) -> Option<[EarlySide; 2]> {
        use Piece::{Camel, Cat, Dog, Elephant, Horse, Rabbit};
        let of = |side: Side| {
            let rabbits = state.board().bits(side, Rabbit);
            let row = |row: usize| (rabbits >> (8 * row) & 0xff).count_ones();
            let mut rows: [u32; 8] = std::array::from_fn(row);
            if side == Side::Silver {
                rows.reverse();
            }
            let officers = [Cat, Dog, Horse, Camel, Elephant].map(|piece| state.board().count(side, piece));
            EarlySide { rabbits: rows, officers }
        };
        Some(Side::BOTH.map(of))
    }

    fn illegal_code(illegal: &Illegal) -> &'static str {
        illegal.code()
    }
}
