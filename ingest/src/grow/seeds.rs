//! Games of an existing archive as material.

use annals_events::GameEvent;
use annals_rules::arimaa::{Action, Arimaa, Direction, Token, Turn, TurnKind};
use annals_rules::game::{Game, Strictness};

use crate::row::Row;
use crate::row_events::{RowEvents, events};
use crate::source::{Blocks, Piece, RowStatus, SourceFile};

/// The most games kept.
const MOST: usize = 10_000;

/// The legal turns of one game.
pub(super) struct Seed {
    pub turns: Vec<Turn>,
    /// Of its move list, so that it is not repeated.
    pub digest: u128,
}

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

/// Left and right exchanged.
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

pub(super) fn digest(movelist: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&blake3::hash(movelist).as_bytes()[..16]);
    u128::from_le_bytes(bytes)
}
