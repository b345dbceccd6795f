//! Sequences of turns that a player's games share, if the rulebook forbids humans to imitate moves (2006 Postal,
//! Special Rules for Humans). The director evaluates them; no verdict follows. Turns are compared by their change of
//! the board, independent of the order of steps.

use annals_events::{BoardId, GameId, PlayerId, PlayerKind, Side};
use annals_tournaments::imitation::{RecordedGame, RecordedTurn, Repeated, repeated_sequences};
use annals_tournaments::rulebook::{Rule, RuleId, Rulebook};
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use super::record::Others;
use crate::facts::{FoldedGame, Games};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameOfPairing {
    pub pairing: BoardId,
    pub game: GameId,
}

/// A sequence shared by two games of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imitation {
    pub player: PlayerId,
    pub rule: Rule,
    #[serde(flatten)]
    pub repeated: Repeated<GameOfPairing>,
    /// As in the first game.
    pub turns: Vec<String>,
}

/// All of at least `least` turns, by player, the longest first.
pub(super) fn imitations(
    tournament: &Tournament,
    rulebook: &Rulebook,
    games: &Others,
    least: usize,
) -> Vec<Imitation> {
    let Some(rule) = rulebook.rule(RuleId::HumanImitation) else { return Vec::new() };
    let humans = tournament.entrants.iter().filter(|(_, entrant)| entrant.kind == PlayerKind::Human);
    let mut found = Vec::new();
    for (player, _) in humans {
        let played = games_of(tournament, games, player);
        // Attempts at one pairing have the same two players, so they are not compared with each other.
        let repeated = repeated_sequences(&played, least).into_iter();
        let repeated = repeated.filter(|found| found.one.pairing != found.other.pairing);
        found.extend(repeated.map(|repeated| {
            let turns = turns_of(games, &repeated);
            Imitation { player: player.clone(), rule, repeated, turns }
        }));
    }
    found
}

/// Every attempt of a player's pairings in the log.
fn games_of(
    tournament: &Tournament,
    games: &Others,
    player: &PlayerId,
) -> Vec<RecordedGame<GameOfPairing, u64>> {
    let boards = tournament.rounds.iter().flat_map(|(&round, known)| {
        known.boards.iter().map(move |(&board, known)| (BoardId { round, board }, known))
    });
    let of_board = |(pairing, board): (BoardId, &Board)| -> Vec<RecordedGame<GameOfPairing, u64>> {
        let side = match board.gold() {
            Some(gold) if gold == player => Side::Gold,
            _ => Side::Silver,
        };
        let of = |game: &GameId| {
            let turns = turns(games.folded(game)?);
            Some(RecordedGame { game: GameOfPairing { pairing, game: game.clone() }, side, turns })
        };
        board.games.values().filter_map(of).collect()
    };
    boards.filter(|(_, board)| board.has(player)).flat_map(of_board).collect()
}

/// Hashes of positions are sums over pieces, so that their difference is that of the boards.
fn turns(game: &FoldedGame) -> Vec<RecordedTurn<u64>> {
    let plies = game.replay().game().plies().iter();
    plies.map(|ply| RecordedTurn { turn: ply.hash_before ^ ply.hash_after, at: ply.at }).collect()
}

/// As in the sequence's first game.
fn turns_of(games: &Others, repeated: &Repeated<GameOfPairing>) -> Vec<String> {
    let Some(one) = games.folded(&repeated.one.game) else { return Vec::new() };
    let plies = (repeated.one_from - 1..).step_by(repeated.compared.step()).take(repeated.length);
    plies.map(|ply| one.replay().words(ply).unwrap_or_default().to_owned()).collect()
}
