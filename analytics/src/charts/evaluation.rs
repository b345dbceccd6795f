//! What each position of a game is worth, turn by turn, by one evaluator or several.

use std::sync::Arc;

use annals_engine::evaluation::Evaluator;
use annals_events::{GameKind, Side, StreamName};
use annals_replay::GameReplay;
use annals_rules::arimaa::{Position, Steps};
use annals_rules::game::{Era, Outcome};

use super::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
use crate::Error;
use crate::game_view::GameView;
use crate::labels::Label;
use crate::search::read_position;

/// A game as its chart needs it, whichever way it was kept.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// What it is called: `Game 669192`, or its stream.
    pub name: String,
    /// Who played Gold.
    pub gold: String,
    /// Who played Silver.
    pub silver: String,
    /// How it ended, in words; empty while it goes on.
    pub ending: String,
    /// The positions from the one after both setups on.
    pub positions: Vec<Stood>,
}

/// A position of the game.
#[derive(Debug, Clone)]
pub struct Stood {
    /// The number of the turn that led to it.
    pub number: u32,
    /// Who took that turn.
    pub side: Side,
    /// What was played, with its captures.
    pub steps: String,
    /// The position.
    pub position: Position,
    /// What the board says: somebody has won, and there is nothing to evaluate.
    pub outcome: Option<Outcome>,
}

impl Stood {
    /// `12g`.
    fn label(&self) -> String {
        Label { number: self.number, side: self.side }.to_string()
    }

    /// The number of the turn; Silver's lies half a turn after Gold's.
    fn x(&self) -> f64 {
        f64::from(self.number) + 0.5 * self.side.index() as f64
    }
}

impl PlayedGame {
    /// A game of the dataset.
    ///
    /// # Errors
    /// `Argument` where a stored board is none, which only a damaged dataset can bring about.
    pub fn of_dataset(game: &GameView) -> Result<PlayedGame, Error> {
        if game.game != GameKind::Arimaa.word() {
            return Err(of_another_game(&game.game_id.to_string(), &game.game));
        }
        let started = game.started_at.as_deref().and_then(|at| at.parse::<jiff::Timestamp>().ok());
        let era = Era::at(started.map(jiff::Timestamp::as_microsecond));
        let mut positions = Vec::with_capacity(game.turns.len());
        for turn in &game.turns {
            let damaged = |why: &str| Error::Argument {
                what: "turn of the dataset",
                found: format!("game {}, ply {}", game.game_id, turn.ply),
                why: why.to_owned(),
            };
            let label = Label::parse(&turn.label).ok_or_else(|| damaged("its label cannot be read"))?;
            let to_move = turn.to_move.parse().map_err(|_| damaged("the side to move is unknown"))?;
            let position =
                read_position(&turn.board, Some(to_move)).map_err(|_| damaged("its board cannot be read"))?;
            if label.number == 1 && to_move == Side::Silver {
                continue;
            }
            // How often a position stood does not lie in the dataset; a win by repetition shows at the record's ending.
            let outcome = position.outcome(era, |_| 1);
            let (number, side, steps) = (label.number, label.side, turn.steps.clone());
            positions.push(Stood { number, side, steps, position, outcome });
        }
        let how = game
            .ending
            .as_deref()
            .map_or_else(String::new, |ending| format!(" by {}", ending.replace('_', " ")));
        let ending = match game.result.as_str() {
            "gold" => format!("Gold won{how}"),
            "silver" => format!("Silver won{how}"),
            "draw" => format!("a draw{how}"),
            _ => "the result is not known".to_owned(),
        };
        let name = format!("Game {}", game.game_id);
        Ok(PlayedGame {
            name,
            gold: game.gold.name.clone(),
            silver: game.silver.name.clone(),
            ending,
            positions,
        })
    }

    /// A game of the log, as it stands at a cut.
    ///
    /// # Errors
    /// `Argument` for a game of the Amazons.
    pub fn of_log(stream: &StreamName, replay: &GameReplay) -> Result<PlayedGame, Error> {
        let game = replay.game();
        let mut positions = Vec::with_capacity(game.plies().len());
        for (at, ply) in game.plies().iter().enumerate() {
            let Some(state) = ply.state_after.arimaa() else {
                return Err(of_another_game(stream.as_str(), ply.state_after.kind().word()));
            };
            let position = *state.position();
            if ply.number == 1 && position.to_move() == Side::Silver {
                continue;
            }
            let steps = replay.words(at).unwrap_or_default().to_owned();
            positions.push(Stood {
                number: ply.number,
                side: ply.side,
                steps,
                position,
                outcome: ply.outcome,
            });
        }
        let ending = match game.ending() {
            Some(ending) => {
                let how = ending.termination.map_or_else(String::new, |how| format!(" by {how}"));
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
        let name = stream.to_string();
        Ok(PlayedGame { name, gold: player(true), silver: player(false), ending, positions })
    }
}

fn of_another_game(found: &str, game: &str) -> Error {
    Error::Argument {
        what: "game of Arimaa",
        found: found.to_owned(),
        why: format!("it is one of {game}, and the evaluators here are of Arimaa"),
    }
}

/// A worth of so many rabbits and more is drawn at the edge: who is so far ahead has won, and what matters is seen.
const MOST: f64 = 20.0;

/// No chart makes less than this fill its height, in rabbits.
const LEAST: f64 = 2.0;

/// The worth of every position by every evaluator, from Gold's view, in rabbits. Captures are letters at the edge at which
/// the other side gains.
///
/// # Errors
/// `Nothing` where the game has no position after the setups.
pub fn evaluation(
    game: &PlayedGame,
    evaluators: &[Arc<dyn Evaluator>],
    source: String,
) -> Result<Chart, Error> {
    let mut series: Vec<Series> =
        evaluators.iter().map(|evaluator| worths(game, evaluator.as_ref())).collect();
    let values = || series.iter().flat_map(|series| &series.points).map(|point| point.y);
    if game.positions.is_empty() {
        return Err(Error::Nothing {
            what: format!("{} has no position to evaluate: the setups are not complete", game.name),
            hints: Vec::new(),
        });
    }
    let bound =
        values().filter(|worth| worth.is_finite()).fold(LEAST, |most, worth| most.max(worth.abs())).min(MOST);
    for point in series.iter_mut().flat_map(|series| &mut series.points) {
        if point.y.is_infinite() {
            point.y = bound.copysign(point.y);
        } else if point.y.abs() > bound {
            point.note = "drawn at the edge".to_owned();
        }
    }
    let marks: Vec<Mark> = game.positions.iter().flat_map(captures).collect();
    let mut said: Vec<&str> = vec![&game.ending];
    if !marks.is_empty() {
        said.push("letters: pieces lost by Silver (above) and by Gold (below)");
    }
    said.retain(|words| !words.is_empty());
    let mut subtitle = said.join("; ");
    if let Some(first) = subtitle.get(..1) {
        subtitle = first.to_uppercase() + &subtitle[1..];
    }
    Ok(Chart {
        title: format!("{}: {} (Gold) against {} (Silver)", game.name, game.gold, game.silver),
        subtitle,
        x: Axis::new("after turn (Silver's turns lie halfway to the next)", Scale::Whole),
        y: Axis {
            range: Some((-bound, bound)),
            rule: Some(0.0),
            ..Axis::new("worth for Gold (rabbits)", Scale::Number)
        },
        series,
        beside: false,
        marks,
        source,
    })
}

/// The worth of each position by one evaluator; where somebody has won it is infinite.
fn worths(game: &PlayedGame, evaluator: &dyn Evaluator) -> Series {
    let point = |stood: &Stood| {
        let (y, note) = match stood.outcome {
            Some(outcome) => (
                match outcome.winner {
                    Some(Side::Gold) => f64::INFINITY,
                    Some(Side::Silver) => f64::NEG_INFINITY,
                    None => 0.0,
                },
                match outcome.winner {
                    Some(side) => format!("{} has won by {}", capital(side), outcome.termination),
                    None => format!("a draw by {}", outcome.termination),
                },
            ),
            None => {
                let worth = f64::from(evaluator.evaluate(&Steps::begin(&stood.position)));
                let gold = match stood.position.to_move() {
                    Side::Gold => worth,
                    Side::Silver => -worth,
                };
                // No negative nought.
                (gold / 100.0 + 0.0, String::new())
            }
        };
        Point { label: stood.label(), note, ..Point::new(stood.x(), y) }
    };
    let points = game.positions.iter().map(point).collect();
    Series { name: evaluator.name().to_owned(), shape: Shape::Line, points }
}

/// The pieces that a turn captured. A turn that takes more than one has their letters side by side.
fn captures(stood: &Stood) -> Vec<Mark> {
    let lost: Vec<&str> = stood.steps.split_whitespace().filter(|step| step.ends_with('x')).collect();
    let mut marks = Vec::new();
    for (edge, of_gold, side) in [(Edge::Top, false, Side::Silver), (Edge::Bottom, true, Side::Gold)] {
        let here: Vec<&str> = lost
            .iter()
            .copied()
            .filter(|step| step.starts_with(|letter: char| letter.is_ascii_uppercase()) == of_gold)
            .collect();
        if here.is_empty() {
            continue;
        }
        let sign = here.iter().filter_map(|step| step.chars().next()).collect();
        let note = format!("{} loses {}", capital(side), here.join(" "));
        marks.push(Mark { x: stood.x(), edge, sign, label: stood.label(), note });
    }
    marks
}

fn capital(side: Side) -> &'static str {
    match side {
        Side::Gold => "Gold",
        Side::Silver => "Silver",
    }
}

#[cfg(test)]
mod tests {
    use annals_engine::evaluation::{Material, Registry};
    use annals_events::Termination;

    use super::*;

    /// A position from the side to move and pieces with their squares: `s Ee4 cc6`.
    fn position(text: &str) -> Position {
        let (to_move, pieces) = text.split_once(' ').unwrap();
        let mut board = [b'.'; 64];
        for piece in pieces.split(' ').map(str::as_bytes) {
            let (file, rank) = (usize::from(piece[1] - b'a'), usize::from(piece[2] - b'1'));
            board[8 * (7 - rank) + file] = piece[0];
        }
        format!("{to_move} [{}]", String::from_utf8_lossy(&board)).parse().unwrap()
    }

    fn stood(number: u32, side: Side, steps: &str, pieces: &str) -> Stood {
        Stood { number, side, steps: steps.to_owned(), position: position(pieces), outcome: None }
    }

    /// Gold takes a cat, Silver takes two rabbits, Gold reaches the goal.
    fn game() -> PlayedGame {
        let mut last = stood(4, Side::Gold, "Ra7n", "s Ra8 rb5 Ed5");
        last.outcome = Some(Outcome { winner: Some(Side::Gold), termination: Termination::Goal });
        PlayedGame {
            name: "Game 7".to_owned(),
            gold: "anna".to_owned(),
            silver: "bela".to_owned(),
            ending: "Gold won by goal".to_owned(),
            positions: vec![
                stood(2, Side::Silver, "rb8s", "g Ra7 Rb1 Rc1 Ee5 rb7 cc5"),
                stood(3, Side::Gold, "Ee5w cc6x", "s Ra7 Rb1 Rc1 Ed5 rb7"),
                stood(3, Side::Silver, "rb7s Rc3x rb6s Rf3x", "g Ra7 Ed5 rb5"),
                last,
            ],
        }
    }

    #[test]
    fn the_chart_of_a_game_tells_worths_captures_and_the_win() {
        let chart = evaluation(&game(), &[Arc::new(Material)], "here".to_owned()).unwrap();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_debug_snapshot!("chart_of_a_game", chart);
        });
    }

    #[test]
    fn the_worth_is_golds_whoever_is_to_move() {
        let material = |pieces: &str| {
            let mut one = game();
            one.positions = vec![stood(5, Side::Gold, "", pieces)];
            evaluation(&one, &[Arc::new(Material)], String::new()).unwrap().series[0].points[0].y
        };
        assert_eq!(material("g Ra1 Ee4 ra8"), 18.0);
        assert_eq!(material("s Ra1 Ee4 ra8"), 18.0);
    }

    #[test]
    fn what_is_beyond_the_bound_keeps_its_figure_and_every_evaluator_is_a_line() {
        let mut one = game();
        one.positions.push(stood(5, Side::Gold, "", "s Ra1 Rb1 Ee4 Md4 Hd3 Hd2 ra8"));
        let all: Vec<Arc<dyn Evaluator>> = Registry::standard().iter().cloned().collect();
        let chart = evaluation(&one, &all, String::new()).unwrap();
        assert_eq!(chart.series.len(), all.len());
        let material = chart.series.iter().find(|series| series.name == "material").unwrap();
        let last = material.points.last().unwrap();
        assert_eq!(
            (last.y, last.note.as_str(), chart.y.range),
            (38.0, "drawn at the edge", Some((-20.0, 20.0)))
        );
        assert_eq!(material.points[3].y, 20.0);
    }

    #[test]
    fn a_game_without_both_setups_has_nothing_to_show() {
        let none = PlayedGame { positions: Vec::new(), ..game() };
        let error = evaluation(&none, &[Arc::new(Material)], String::new()).unwrap_err();
        assert!(error.to_string().contains("Game 7") && error.to_string().contains("setups"), "{error}");
    }
}
