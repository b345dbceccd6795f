//! The evaluation of each position of a game, turn by turn, by one or several evaluators; with captures, turns with an
//! evaluation loss, and the end.

use std::collections::BTreeMap;
use std::sync::Arc;

use annals_engine::evaluation::Evaluator;
use annals_events::Side;
use annals_events::narrative::ending;
use annals_rules::arimaa::Steps;

use super::blunders::{Blunder, Judging, blunders};
use super::played_game::{PlayedGame, Stood, capital};
use super::{Axis, Chart, Edge, Mark, Point, Scale, Series, Shape};
use crate::Error;

/// Larger evaluations, in rabbits, are drawn at the edge: the game is then decided, and smaller differences stay visible.
const MOST: f64 = 20.0;

/// The least range of the vertical axis, in rabbits.
const LEAST: f64 = 2.0;

/// The evaluation of every position by every evaluator, from Gold's view, in rabbits. Captures are letters at the edge at which
/// the other side gains; turns with a large evaluation loss, by the first evaluator, are ringed. A position decided on the board has no
/// evaluation; the end is a line with a text at the winner's edge.
///
/// # Errors
/// `Nothing` if the game has no position after the setups.
pub fn evaluation(
    game: &PlayedGame,
    evaluators: &[Arc<dyn Evaluator>],
    judging: Option<Judging>,
    source: String,
) -> Result<Chart, Error> {
    if game.positions.is_empty() {
        return Err(Error::Nothing {
            what: format!("{} has no position to evaluate: the setups are not complete", game.name),
            next: Vec::new(),
        });
    }
    let names = short_names(evaluators);
    let mut series: Vec<Series> = evaluators
        .iter()
        .zip(names)
        .map(|(evaluator, name)| Series { name, ..worths(game, evaluator.as_ref()) })
        .collect();
    let worths = series.iter().flat_map(|series| &series.points).map(|point| point.y);
    let bound =
        worths.filter(|worth| worth.is_finite()).fold(LEAST, |most, worth| most.max(worth.abs())).min(MOST);
    for point in series.iter_mut().flat_map(|series| &mut series.points) {
        if point.y.is_finite() && point.y.abs() > bound {
            point.note = "drawn at the edge".to_owned();
        }
    }
    let mut said: Vec<String> = Vec::new();
    if !game.ending.is_empty() {
        said.push(game.ending.clone());
    }
    let mut marks: Vec<Mark> = game.positions.iter().flat_map(captures).collect();
    if !marks.is_empty() {
        said.push("letters: pieces lost by Silver (above) and by Gold (below)".to_owned());
    }
    if let (Some(judging), Some((first, evaluator))) = (judging, series.first().zip(evaluators.first())) {
        let found = blunders(game, evaluator, judging);
        let much = rabbits(judging.least);
        said.push(match found.len() {
            0 => format!("no turn gave away {much}"),
            _ => format!("rings: turns that gave away {much} or more"),
        });
        if !found.is_empty() {
            let rings = rings(game, first, &found, bound);
            series.push(Series { name: format!("gave away {much}"), shape: Shape::Rings, points: rings });
        }
    }
    let end = game.positions.last().filter(|_| !game.ending.is_empty());
    marks.extend(end.map(|stood| the_end(game, stood)));
    let mut subtitle = said.join("; ");
    if let Some(first) = subtitle.get(..1) {
        subtitle = first.to_uppercase() + &subtitle[1..];
    }
    Ok(Chart {
        title: format!("{}: {} (Gold) against {} (Silver)", game.name, game.gold, game.silver),
        subtitle,
        x: Axis {
            rule: end.map(Stood::x),
            ..Axis::new("after turn (Silver's turns lie halfway to the next)", Scale::Whole)
        },
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

/// A number of rabbits as text.
fn rabbits(many: f64) -> String {
    if many == 1.0 { "1 rabbit".to_owned() } else { format!("{many} rabbits") }
}

/// The evaluators' names for the legend: of a network the name of its file, if that is unique.
fn short_names(evaluators: &[Arc<dyn Evaluator>]) -> Vec<String> {
    let short = |name: &str| match name.rsplit_once(['/', '\\']) {
        Some((folder, file)) if folder.contains(':') => {
            format!("{}:{file}", folder.split(':').next().unwrap_or_default())
        }
        _ => name.to_owned(),
    };
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for evaluator in evaluators {
        *times.entry(short(evaluator.name())).or_default() += 1;
    }
    let name = |evaluator: &Arc<dyn Evaluator>| {
        let short = short(evaluator.name());
        if times.get(&short) == Some(&1) { short } else { evaluator.name().to_owned() }
    };
    evaluators.iter().map(name).collect()
}

/// The evaluation of each position by one evaluator; it is infinite for a won position, and then not drawn.
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
                    Some(side) => format!("{} has won by {}", capital(side), ending(outcome.termination)),
                    None => format!("a draw by {}", ending(outcome.termination)),
                },
            ),
            None => {
                let worth = f64::from(evaluator.evaluate(&Steps::begin(&stood.position)));
                let gold = match stood.position.to_move() {
                    Side::Gold => worth,
                    Side::Silver => -worth,
                };
                // Avoids negative zero.
                (gold / 100.0 + 0.0, String::new())
            }
        };
        Point { label: stood.label(), note, ..Point::new(stood.x(), y) }
    };
    let points = game.positions.iter().map(point).collect();
    Series { name: evaluator.name().to_owned(), shape: Shape::Line, points }
}

/// The turns with an evaluation loss, each a ring on the first evaluator's line; at the edge if the turn lost at once.
fn rings(game: &PlayedGame, line: &Series, found: &[Blunder], bound: f64) -> Vec<Point> {
    let ring = |blunder: &Blunder| {
        let (stood, point) = (game.positions.get(blunder.place)?, line.points.get(blunder.place)?);
        let Blunder { gave, before, after, better, .. } = blunder;
        let note = format!(
            "gave away {gave:.2}: {after:+.2} for {} instead of {before:+.2} after {better}",
            capital(stood.side)
        );
        Some(Point { label: stood.label(), note, ..Point::new(stood.x(), point.y.clamp(-bound, bound)) })
    };
    found.iter().filter_map(ring).collect()
}

/// The end, at the winner's edge.
fn the_end(game: &PlayedGame, last: &Stood) -> Mark {
    let (edge, sign) = match game.winner {
        Some(side @ Side::Gold) => (Edge::Top, format!("{} won", capital(side))),
        Some(side @ Side::Silver) => (Edge::Bottom, format!("{} won", capital(side))),
        None => (Edge::Top, "end".to_owned()),
    };
    Mark { x: last.x(), edge, sign, label: last.label(), note: game.ending.clone() }
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

#[cfg(test)]
mod tests {
    use annals_engine::evaluation::{Material, Registry};

    use super::super::played_game::tests::{game, stood};
    use super::*;

    #[test]
    fn the_chart_of_a_game_tells_worths_captures_and_the_win() {
        let chart = evaluation(&game(), &[Arc::new(Material)], None, "here".to_owned()).unwrap();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_debug_snapshot!("chart_of_a_game", chart);
        });
    }

    #[test]
    fn the_worth_is_golds_whoever_is_to_move() {
        let material = |pieces: &str| {
            let mut one = game();
            one.positions = vec![stood(5, Side::Gold, "", pieces)];
            evaluation(&one, &[Arc::new(Material)], None, String::new()).unwrap().series[0].points[0].y
        };
        assert_eq!(material("g Ra1 Ee4 ra8"), 18.0);
        assert_eq!(material("s Ra1 Ee4 ra8"), 18.0);
    }

    #[test]
    fn what_is_beyond_the_bound_keeps_its_figure_and_every_evaluator_is_a_line() {
        let mut one = game();
        one.positions.push(stood(5, Side::Gold, "", "s Ra1 Rb1 Ee4 Md4 Hd3 Hd2 ra8"));
        let all: Vec<Arc<dyn Evaluator>> = Registry::standard().iter().cloned().collect();
        let chart = evaluation(&one, &all, None, String::new()).unwrap();
        assert_eq!(chart.series.len(), all.len());
        let material = chart.series.iter().find(|series| series.name == "material").unwrap();
        let last = material.points.last().unwrap();
        assert_eq!(
            (last.y, last.note.as_str(), chart.y.range),
            (38.0, "drawn at the edge", Some((-20.0, 20.0)))
        );
        assert!(material.points[3].y.is_infinite(), "where the board decides there is no worth");
    }

    #[test]
    fn a_turn_that_gave_much_away_is_ringed_on_the_line_of_the_first_evaluator() {
        let before = "g Ra1 Rb1 Rc1 Eg4 Mf5 ra8 rb8 rc8 ee5 mh7";
        let after = "s Ra2 Rb1 Rc1 Eg4 Mf5 ra8 rb8 rc8 ee5 mh7";
        let positions = vec![stood(5, Side::Silver, "", before), stood(6, Side::Gold, "Ra1n", after)];
        let hung = PlayedGame { positions, ending: String::new(), ..game() };
        let judged = |least: f64| {
            let judging = Judging { least, nodes: 5_000 };
            evaluation(&hung, &[Arc::new(Material)], Some(judging), String::new()).unwrap()
        };
        let chart = judged(3.0);
        let rings = &chart.series[1];
        assert_eq!((rings.shape, rings.points.len()), (Shape::Rings, 1));
        assert_eq!((rings.points[0].label.as_str(), rings.points[0].y), ("6g", chart.series[0].points[1].y));
        assert!(rings.points[0].note.contains("for Gold instead of"), "{:?}", rings.points);
        assert_eq!(chart.subtitle, "Rings: turns that gave away 3 rabbits or more");
        assert_eq!((chart.x.rule, chart.marks.len()), (None, 0), "the game goes on");
        let chart = judged(15.0);
        assert_eq!((chart.series.len(), chart.subtitle.as_str()), (1, "No turn gave away 15 rabbits"));
    }

    #[test]
    fn the_end_stands_at_the_edge_of_who_won_whatever_ended_the_game() {
        let mut one = game();
        one.positions.pop();
        one.winner = Some(Side::Silver);
        one.ending = "Silver won by resignation".to_owned();
        let chart = evaluation(&one, &[Arc::new(Material)], None, String::new()).unwrap();
        let end = chart.marks.last().unwrap();
        assert_eq!((end.edge, end.sign.as_str(), end.x), (Edge::Bottom, "Silver won", 3.5));
        assert_eq!(chart.x.rule, Some(3.5));
    }

    #[test]
    fn networks_are_named_by_their_files_as_long_as_these_differ() {
        struct Named(&'static str);
        impl Evaluator for Named {
            fn name(&self) -> &str {
                self.0
            }
            fn about(&self) -> &str {
                ""
            }
            fn evaluate(&self, _: &Steps) -> i32 {
                0
            }
        }
        let names = |all: &[&'static str]| {
            let all: Vec<Arc<dyn Evaluator>> =
                all.iter().map(|name| Arc::new(Named(name)) as Arc<dyn Evaluator>).collect();
            short_names(&all)
        };
        assert_eq!(names(&["annals", "net:a/b/one.safetensors"]), ["annals", "net:one.safetensors"]);
        assert_eq!(names(&["net:a/one", "net:b/one"]), ["net:a/one", "net:b/one"]);
    }

    #[test]
    fn a_game_without_both_setups_has_nothing_to_show() {
        let none = PlayedGame { positions: Vec::new(), ..game() };
        let error = evaluation(&none, &[Arc::new(Material)], None, String::new()).unwrap_err();
        assert!(error.to_string().contains("Game 7") && error.to_string().contains("setups"), "{error}");
    }
}
