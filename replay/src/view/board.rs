//! The board of a game as a view, and the territory in the Amazons.

use std::collections::BTreeMap;

use annals_events::{GameKind, Side};
use annals_rules::amazons;
use annals_rules::any_game::AnyState;
use serde::Serialize;

use crate::colours::colour;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardView {
    /// As a start position: side to move and squares, the last rank first.
    pub position: String,
    /// Squares per rank from the a-file: eight by eight in Arimaa, the board's size in the Amazons.
    pub ranks: BTreeMap<u8, String>,
    #[serde(skip)]
    drawing: String,
}

/// Squares that each side can still reach, in the Amazons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TerritoryView {
    /// `open` while queens of both sides share a region, `decided` if none do, `finished` if the side to move cannot.
    pub stage: &'static str,
    /// Reachable by White's queens.
    pub gold: u32,
    /// Reachable by Black's queens.
    pub silver: u32,
    /// Once the game is over.
    pub winner: Option<Side>,
    /// Vacant squares of the winner's territory, once the game is over.
    pub score: Option<u32>,
}

impl BoardView {
    pub(super) fn of(state: &AnyState) -> BoardView {
        let position = state.position_text();
        match state {
            AnyState::Arimaa(state) => {
                let (board, squares) =
                    (state.position().board(), |rank: &[u8]| String::from_utf8_lossy(rank).into_owned());
                let ranks = (1..=8).rev().zip(board.to_short().as_bytes().chunks(8).map(squares)).collect();
                BoardView { position, ranks, drawing: format!("{board}\n") }
            }
            AnyState::Amazons(at) => {
                let short = at.board().to_short();
                let rows = (1..=at.board().size().ranks()).rev();
                let ranks = rows.zip(short.split('/').map(str::to_owned)).collect();
                BoardView { position, ranks, drawing: format!("{}\n", at.board()) }
            }
        }
    }

    /// With coordinates.
    pub fn drawing(&self) -> &str {
        &self.drawing
    }
}

impl TerritoryView {
    /// None while the game is undecided. `ended` is the recorded end and winner.
    pub(super) fn of(position: &amazons::Position, ended: Option<Option<Side>>) -> Option<TerritoryView> {
        let (stage, on_board) = match position.stage() {
            amazons::Stage::Open if ended.is_none() => return None,
            amazons::Stage::Open => ("open", None),
            amazons::Stage::Decided => ("decided", None),
            amazons::Stage::Finished { winner } => ("finished", Some(winner)),
        };
        let reach = |side| position.board().territory(side).count_ones();
        let winner = ended.unwrap_or(on_board);
        let (gold, silver) = (reach(Side::Gold), reach(Side::Silver));
        Some(TerritoryView { stage, gold, silver, winner, score: winner.map(reach) })
    }

    pub(super) fn words(&self) -> String {
        let name = |side| colour(GameKind::Amazons, side);
        let [white, black] = [(Side::Gold, self.gold), (Side::Silver, self.silver)];
        if let (Some(winner), Some(score)) = (self.winner, self.score) {
            let as_it_stands = if self.stage == "open" { ", as the position stands" } else { "" };
            return format!("{score} for {}, who wins{as_it_stands}", name(winner));
        }
        let each = format!("{} {}, {} {}", name(white.0), white.1, name(black.0), black.1);
        match self.stage {
            "decided" => format!("{each}; no region is left to fight for"),
            _ => each,
        }
    }
}
