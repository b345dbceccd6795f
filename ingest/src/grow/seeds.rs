//! Games of an existing archive, as material: their turns, to be mirrored and to be continued in another way.

use annals_events::GameEvent;
use annals_rules::arimaa::{Action, Arimaa, Direction, Token, Turn, TurnKind};
use annals_rules::game::{Game, Strictness};

use crate::row::Row;
use crate::row_events::{RowEvents, events};
use crate::source::{Blocks, Piece, RowStatus, SourceFile};

/// More games than this are not kept as material.
const MOST: usize = 10_000;

/// The turns of one game as far as they stood and were legal.
pub(super) struct Seed {
    pub turns: Vec<Turn>,
    /// Digest of the text of its move list, so that it is not written again.
    pub digest: u128,
}

/// Reads the games of some files.
pub(super) fn read(files: &[SourceFile]) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut game = Game::<Arimaa>::new(Strictness::Archive);
    for piece in Blocks::new(files, |_| false) {
        let Piece::Block(block) = piece else { continue };
        let mut out = RowEvents::default();
        for row in block.rows.iter().filter(|row| matches!(row.status, RowStatus::New { .. })) {
            if seeds.len() >= MOST {
                return seeds;
            }
            let row = Row::read(&block.columns, block.row_text(row));
            events(&row, &mut out);
            let turns = standing(&out, &mut game);
            if turns.len() > 2 {
                seeds.push(Seed { turns, digest: digest(row.movelist) });
            }
        }
    }
    seeds
}

fn standing(row: &RowEvents<'_>, game: &mut Game<Arimaa>) -> Vec<Turn> {
    game.clear();
    let mut turns = Vec::new();
    for (at, event) in &row.events {
        if game.apply(*at, event).is_err() {
            break;
        }
        match event {
            GameEvent::TurnTaken(turn) => match Turn::parse(turn.steps.as_bytes()) {
                Ok(turn) if matches!(turn.kind(), TurnKind::Setup | TurnKind::Steps) => turns.push(turn),
                _ => break,
            },
            GameEvent::TurnRetracted(_) => drop(turns.pop()),
            _ => {}
        }
    }
    turns
}

/// A turn with left and right exchanged.
pub(super) fn mirrored(turn: &Turn) -> impl Iterator<Item = Token> + '_ {
    turn.tokens().iter().map(|token| {
        let action = match token.action() {
            Action::Step(Direction::East) => Action::Step(Direction::West),
            Action::Step(Direction::West) => Action::Step(Direction::East),
            other => other,
        };
        Token::new(token.side(), token.piece(), token.square().mirrored(), action)
    })
}

/// Digest of a move list.
pub(super) fn digest(movelist: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&blake3::hash(movelist).as_bytes()[..16]);
    u128::from_le_bytes(bytes)
}
