//! A game of dataset, log or file in the form that its charts need.

use annals_events::Side;
use annals_events::narrative::ending as words;
use annals_replay::GameReplay;
use annals_rules::TurnLabel;
use annals_rules::arimaa::Position;
use annals_rules::game::Outcome;

use crate::Error;

/// A game of any source in the form that its charts need.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// Its name: `Game 669192`, its stream, or its file.
    pub name: String,
    pub gold: String,
    pub silver: String,
    /// The ending as text; empty while the game is played.
    pub ending: String,
    /// The winner; none while the game is played, after a draw, or if the record has none.
    pub winner: Option<Side>,
    /// The time control as the record states it.
    pub time_control: Option<String>,
    /// Gold's setup, after which nothing is evaluated.
    pub first: Option<Stood>,
    /// The positions from the one after both setups on.
    pub positions: Vec<Stood>,
}

/// A position of the game.
#[derive(Debug, Clone)]
pub struct Stood {
    /// The number of the turn that led to it.
    pub number: u32,
    /// The side that played that turn.
    pub side: Side,
    /// What was played, with its captures.
    pub steps: String,
    pub position: Position,
    /// The outcome on the board, if the game is decided; then the position is not evaluated.
    pub outcome: Option<Outcome>,
    /// The seconds used for the turn; none if not recorded.
    pub used: Option<i64>,
    /// The mover's reserve after the turn, in seconds; none if not recorded.
    pub reserve: Option<i64>,
}

impl Stood {
    /// `12g`.
    pub(super) fn label(&self) -> String {
        TurnLabel { number: self.number, side: self.side }.to_string()
    }

    /// The number of the turn; Silver's is half a turn after Gold's.
    pub(super) fn x(&self) -> f64 {
        f64::from(self.number) + 0.5 * self.side.index() as f64
    }
}

impl PlayedGame {
    /// A folded game with its name.
    ///
    /// # Errors
    /// `Argument` for a game of the Amazons.
    pub fn of(name: String, replay: &GameReplay) -> Result<PlayedGame, Error> {
        let game = replay.game();
        let (mut first, mut positions) = (None, Vec::with_capacity(game.plies().len()));
        for (at, ply) in game.plies().iter().enumerate() {
            let Some(state) = ply.state_after.arimaa() else {
                return Err(of_another_game(&name, ply.state_after.kind().word()));
            };
            let position = *state.position();
            let steps = replay.words(at).unwrap_or_default().to_owned();
            let stood = Stood {
                number: ply.number,
                side: ply.side,
                steps,
                position,
                outcome: ply.outcome,
                used: ply.used.map(i64::from),
                reserve: [ply.gold_reserve, ply.silver_reserve][ply.side.index()],
            };
            match ply.number == 1 && position.to_move() == Side::Silver {
                true => first = Some(stood),
                false => positions.push(stood),
            }
        }
        let ending = match game.ending() {
            Some(ending) => {
                let how = ending.termination.map_or_else(String::new, |how| format!(" by {}", words(how)));
                match (ending.winner, ending.draw) {
                    (Some(side), _) => format!("{} won{how}", capital(side)),
                    (None, true) => format!("a draw{how}"),
                    (None, false) => "the result is not known".to_owned(),
                }
            }
            None if game.is_annulled() => "annulled".to_owned(),
            None => String::new(),
        };
        let player = |gold: bool| {
            let started = replay.started();
            let player = started.map(|started| if gold { &started.gold } else { &started.silver });
            player.map_or_else(|| "unknown".to_owned(), |player| player.name.clone().into_owned())
        };
        let started = replay.started();
        let time_control = started.and_then(|started| started.time_control.clone());
        Ok(PlayedGame {
            name,
            gold: player(true),
            silver: player(false),
            ending,
            winner: game.ending().and_then(|ending| ending.winner),
            time_control: time_control.map(std::borrow::Cow::into_owned),
            first,
            positions,
        })
    }
}

fn of_another_game(found: &str, game: &str) -> Error {
    Error::Argument {
        what: "game of Arimaa",
        found: found.to_owned(),
        why: format!("it is one of {game}, and the evaluators here are of Arimaa"),
    }
}

/// A side's name with a capital.
pub(super) const fn capital(side: Side) -> &'static str {
    match side {
        Side::Gold => "Gold",
        Side::Silver => "Silver",
    }
}

#[cfg(test)]
pub(super) mod tests {
    use annals_events::Termination;

    use super::*;

    /// A position from the side to move and pieces with their squares: `s Ee4 cc6`.
    pub fn position(text: &str) -> Position {
        let (to_move, pieces) = text.split_once(' ').unwrap();
        let mut board = [b'.'; 64];
        for piece in pieces.split(' ').map(str::as_bytes) {
            let (file, rank) = (usize::from(piece[1] - b'a'), usize::from(piece[2] - b'1'));
            board[8 * (7 - rank) + file] = piece[0];
        }
        format!("{to_move} [{}]", String::from_utf8_lossy(&board)).parse().unwrap()
    }

    /// A position of a game without a clock.
    pub fn stood(number: u32, side: Side, steps: &str, pieces: &str) -> Stood {
        Stood {
            number,
            side,
            steps: steps.to_owned(),
            position: position(pieces),
            outcome: None,
            used: None,
            reserve: None,
        }
    }

    /// Gold takes a cat, Silver takes two rabbits, Gold reaches the goal.
    pub fn game() -> PlayedGame {
        let mut last = stood(4, Side::Gold, "Ra7n", "s Ra8 rb5 Ed5");
        last.outcome = Some(Outcome { winner: Some(Side::Gold), termination: Termination::Goal });
        PlayedGame {
            name: "Game 7".to_owned(),
            gold: "anna".to_owned(),
            silver: "bela".to_owned(),
            ending: "Gold won by goal".to_owned(),
            winner: Some(Side::Gold),
            time_control: None,
            first: None,
            positions: vec![
                stood(2, Side::Silver, "rb8s", "g Ra7 Rb1 Rc1 Ee5 rb7 cc5"),
                stood(3, Side::Gold, "Ee5w cc6x", "s Ra7 Rb1 Rc1 Ed5 rb7"),
                stood(3, Side::Silver, "rb7s Rc3x rb6s Rf3x", "g Ra7 Ed5 rb5"),
                last,
            ],
        }
    }
}
