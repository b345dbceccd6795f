//! Predicted and observed results of rating systems: for each system a point for every bin.

use annals_ratings::{Bin, Judged, wilson};

use super::{Axis, Chart, Lower, Point, Scale, Series, Shape, Stacked};
use crate::ratings::ComparedGames;

/// The systems that were compared. Error bars are 95% confidence intervals by Wilson's formula, as if games were independent; the
/// lower chart has the number of games of each bin.
#[must_use]
pub fn calibration(compared: &ComparedGames, source: String) -> Stacked {
    let names = names(&compared.systems);
    let dots = |(judged, name): (&Judged, &String)| Series {
        name: format!("{name}, ECE {:.3}", judged.calibration_error),
        shape: Shape::Dots,
        points: judged.bins.iter().map(point).collect(),
    };
    let mut series: Vec<Series> = compared.systems.iter().zip(&names).map(dots).collect();
    let ends = vec![Point::new(0.0, 0.0), Point::new(1.0, 1.0)];
    series.push(Series { name: "predicted = observed".to_owned(), shape: Shape::Reference, points: ends });
    let bars = |(judged, name): (&Judged, &String)| {
        let bar = |bin: &Bin| {
            let middle = (bin.from + bin.to) / 2.0;
            Point { label: label(bin), ..Point::new(middle, bin.games as f64) }
        };
        Series { name: name.clone(), shape: Shape::Bars, points: judged.bins.iter().map(bar).collect() }
    };
    let lower = Lower {
        y: Axis::new("games", Scale::Whole),
        series: compared.systems.iter().zip(&names).map(bars).collect(),
        first: 0,
    };
    let chart = Chart {
        title: "Ratings: predicted and observed results".to_owned(),
        subtitle: format!(
            "{} games predicted of {} that count, each from the games before it; error bars: 95% confidence intervals (Wilson)",
            compared.judged, compared.games
        ),
        x: Axis {
            range: Some((0.0, 1.0)),
            ..Axis::new("predicted chance of Gold (mean of the bin)", Scale::Number)
        },
        y: Axis {
            range: Some((0.0, 1.0)),
            ..Axis::new("observed points of Gold (share of the games)", Scale::Number)
        },
        series,
        beside: true,
        marks: Vec::new(),
        source,
    };
    Stacked { chart, lower }
}

/// The names of the systems; with their options if two have the same name.
fn names(systems: &[Judged]) -> Vec<String> {
    let word = |judged: &Judged| judged.system.split(' ').next().unwrap_or_default().to_owned();
    let name = |judged: &Judged| {
        let alone = systems.iter().filter(|other| word(other) == word(judged)).count() == 1;
        if alone { word(judged) } else { judged.system.clone() }
    };
    systems.iter().map(name).collect()
}

fn label(bin: &Bin) -> String {
    format!("{:.3} to {:.3}", bin.from, bin.to)
}

fn point(bin: &Bin) -> Point {
    Point {
        within: Some(wilson(bin.observed, bin.games as f64)),
        label: label(bin),
        note: if bin.games == 1 { "1 game".to_owned() } else { format!("{} games", bin.games) },
        ..Point::new(bin.predicted, bin.observed)
    }
}

#[cfg(test)]
mod tests {
    use annals_ratings::Mean;

    use super::*;

    fn judged(system: &str, bins: &[(f64, u64, f64)]) -> Judged {
        let none = Mean { mean: 0.0, error: None };
        let bin = |(from, games, observed): &(f64, u64, f64)| Bin {
            from: *from,
            to: from + 0.1,
            games: *games,
            predicted: from + 0.06,
            observed: *observed,
        };
        Judged {
            system: system.to_owned(),
            log_loss: none,
            brier: none,
            accuracy: none,
            calibration_error: 0.0314,
            against_baseline: none,
            bins: bins.iter().map(bin).collect(),
            fits: 0,
            not_converged: 0,
        }
    }

    fn compared(systems: Vec<Judged>) -> ComparedGames {
        ComparedGames {
            games: 130,
            judged: 110,
            baseline: judged("constant", &[(0.5, 110, 0.5)]),
            systems,
            notes: Vec::new(),
        }
    }

    #[test]
    fn each_system_is_a_row_of_points_with_intervals_and_the_games_stand_below() {
        let two =
            [judged("elo k=30", &[(0.3, 10, 0.4), (0.5, 100, 0.5)]), judged("whr w2=14", &[(0.4, 110, 0.5)])];
        let Stacked { chart, lower } = calibration(&compared(two.to_vec()), "here".to_owned());
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["elo, ECE 0.031", "whr, ECE 0.031", "predicted = observed"]);
        let point = &chart.series[0].points[0];
        assert_eq!(
            (point.x, point.y, point.label.as_str(), point.note.as_str()),
            (0.36, 0.4, "0.300 to 0.400", "10 games")
        );
        assert!(chart.subtitle.starts_with("110 games predicted of 130"), "{}", chart.subtitle);
        let games: Vec<f64> = lower.series[0].points.iter().map(|point| point.y).collect();
        assert_eq!((games, lower.first), (vec![10.0, 100.0], 0));
    }

    #[test]
    fn two_systems_of_one_word_keep_their_options() {
        let two = vec![judged("elo k=20", &[]), judged("elo k=40", &[]), judged("whr w2=14", &[])];
        assert_eq!(names(&two), ["elo k=20", "elo k=40", "whr"]);
    }
}
