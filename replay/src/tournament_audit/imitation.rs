//! Sequences of turns that games of one player have in common, where the rulebook forbids humans to imitate the moves of another
//! game (2006 Postal, Special Rules for Humans). They are for the director to evaluate: a common opening is no imitation, so no
//! verdict follows from them.

use annals_events::{GameId, Pairing, PlayerId, PlayerKind, Side};
use annals_tournaments::imitation::{RecordedGame, RecordedTurn, Repeated, repeated_sequences};
use annals_tournaments::rulebook::{Rule, RuleId, Rulebook};
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use super::record::Others;
use crate::facts::{FoldedGame, Games};

/// A game of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameOfPairing {
    pub pairing: Pairing,
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
        found.extend(repeated_sequences(&played, least).into_iter().map(|repeated| {
            let turns = turns_of(&played, &repeated);
            Imitation { player: player.clone(), rule, repeated, turns }
        }));
    }
    found
}

/// The last game of each pairing of a player, as far as the log has it.
fn games_of<'a>(
    tournament: &Tournament,
    games: &'a Others,
    player: &PlayerId,
) -> Vec<RecordedGame<GameOfPairing, &'a str>> {
    let boards = tournament.rounds.iter().flat_map(|(&round, known)| {
        known.boards.iter().map(move |(&board, known)| (Pairing { round, board }, known))
    });
    let game = |(pairing, board): (Pairing, &Board)| {
        let side = match board.gold()? {
            gold if gold == player => Side::Gold,
            _ => Side::Silver,
        };
        let (_, game) = board.games.last_key_value()?;
        let turns = turns(games.folded(game)?);
        Some(RecordedGame { game: GameOfPairing { pairing, game: game.clone() }, side, turns })
    };
    boards.filter(|(_, board)| board.has(player)).filter_map(game).collect()
}

fn turns(game: &FoldedGame) -> Vec<RecordedTurn<&str>> {
    let replay = game.replay();
    let plies = replay.game().plies().iter().enumerate();
    plies
        .map(|(ply, played)| RecordedTurn { turn: replay.words(ply).unwrap_or_default(), at: played.at })
        .collect()
}

/// The turns of a sequence, in the words of its first game.
fn turns_of(played: &[RecordedGame<GameOfPairing, &str>], repeated: &Repeated<GameOfPairing>) -> Vec<String> {
    let one = played.iter().find(|played| played.game == repeated.one);
    let turns = one.map_or(&[][..], |one| one.turns.as_slice());
    let step = repeated.compared.step();
    let turns = turns.iter().skip(repeated.one_from - 1).step_by(step).take(repeated.length);
    turns.map(|turn| turn.turn.to_owned()).collect()
}
