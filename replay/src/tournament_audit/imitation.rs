//! Sequences of turns that games of one player have in common, where the rulebook forbids humans to imitate the moves of another
//! game (2006 Postal, Special Rules for Humans). They are for the director to evaluate: a common opening is no imitation, so no
//! verdict follows from them. Turns are compared by what they change on the board, whatever the order of their steps.

use annals_events::{BoardId, GameId, PlayerId, PlayerKind, Side};
use annals_tournaments::imitation::{RecordedGame, RecordedTurn, Repeated, repeated_sequences};
use annals_tournaments::rulebook::{Rule, RuleId, Rulebook};
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use super::record::Others;
use crate::facts::{FoldedGame, Games};

/// A game of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameOfPairing {
    pub pairing: BoardId,
    pub game: GameId,
}

/// A sequence that two games of a player have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imitation {
    pub player: PlayerId,
    pub rule: Rule,
    #[serde(flatten)]
    pub repeated: Repeated<GameOfPairing>,
    /// The turns, in the words of the one game.
    pub turns: Vec<String>,
}

/// All of them with at least so many turns, player by player, the longest first.
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
        // Attempts at one pairing are between the same players, who know both.
        let repeated = repeated_sequences(&played, least).into_iter();
        let repeated = repeated.filter(|found| found.one.pairing != found.other.pairing);
        found.extend(repeated.map(|repeated| {
            let turns = turns_of(games, &repeated);
            Imitation { player: player.clone(), rule, repeated, turns }
        }));
    }
    found
}

/// Every attempt at the pairings of a player, as far as the log has it.
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

/// What each turn changed: hashes of positions are sums over the pieces, so that their difference is that of the boards.
fn turns(game: &FoldedGame) -> Vec<RecordedTurn<u64>> {
    let plies = game.replay().game().plies().iter();
    plies.map(|ply| RecordedTurn { turn: ply.hash_before ^ ply.hash_after, at: ply.at }).collect()
}

/// The turns of a sequence, in the words of its first game.
fn turns_of(games: &Others, repeated: &Repeated<GameOfPairing>) -> Vec<String> {
    let Some(one) = games.folded(&repeated.one.game) else { return Vec::new() };
    let plies = (repeated.one_from - 1..).step_by(repeated.compared.step()).take(repeated.length);
    plies.map(|ply| one.replay().words(ply).unwrap_or_default().to_owned()).collect()
}
