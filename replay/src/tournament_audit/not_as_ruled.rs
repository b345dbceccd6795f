//! Games that do not follow a ruling in force: on a halt, or on their rating.

use std::collections::BTreeSet;

use annals_tournaments::Tournament;

use super::record::Others;
use crate::facts::{FoldedGame, Games};
use crate::finding::Finding;

/// One finding per game, on the last such ruling.
pub(super) fn not_as_ruled(tournament: &Tournament, games: &Others) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for given in tournament.rulings.iter().rev().filter(|given| given.superseded_by.is_none()) {
        let Some(name) = given.game.as_ref().filter(|name| seen.insert(*name)) else { continue };
        let Some(replay) = games.folded(name).map(FoldedGame::replay) else { continue };
        let (game, ruled) = (replay.game(), tournament.ruled_game(name));
        let message = if ruled.halted && !game.is_halted() && !replay.is_over() {
            "is halted by a ruling in force, and goes on"
        } else {
            match ruled.rated.filter(|rated| *rated != game.is_rated() && !game.is_annulled()) {
                Some(true) => "is rated by a ruling in force, and counts as unrated",
                Some(false) => "is unrated by a ruling in force, and counts as rated",
                None => continue,
            }
        };
        found.push(Finding::new(given.seq, "game_not_as_ruled", format!("the game {name} {message}")));
    }
    found
}
