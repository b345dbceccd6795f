//! The standings of a tournament, round by round.

use std::collections::BTreeMap;

use annals_events::{PlayerId, StreamName};
use annals_replay::queries::{TournamentAt, standings};
use annals_replay::{Cut, ReplayError, end_of_round};
use annals_store::Log;

use super::{Axis, Chart, Point, Scale, Series, Shape};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Points: wins and byes, and half of a draw.
    Points,
    /// Games lost, for formats in which losses eliminate a player.
    Losses,
}

impl Counted {
    const fn word(self) -> &'static str {
        match self {
            Counted::Points => "points",
            Counted::Losses => "losses",
        }
    }
}

/// One round: its number, whether it is over, and the value of each player at its end.
#[derive(Debug, Clone, PartialEq)]
struct After {
    round: u32,
    over: bool,
    had: BTreeMap<PlayerId, f64>,
}

/// The value of each player after each round, at a cut. The legend is in the order of the standings.
///
/// # Errors
/// When the log cannot be read, has no such tournament, or no event of it counts at the cut.
pub fn standings_by_round(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    counted: Counted,
    source: String,
) -> Result<Chart, ReplayError> {
    let opened = TournamentAt::at(log, stream, cut)?;
    let last = standings::ask(&opened);
    let mut rounds = Vec::new();
    for &round in opened.tournament().rounds.keys() {
        let end = end_of_round(log, stream, round, cut)?;
        let over = end.round_end.is_some_and(|end| end.last.is_some());
        let had = figures(&standings::ask(&TournamentAt::at(log, stream, &end)?), counted);
        rounds.push(After { round, over, had });
        if !over {
            // No round after an unfinished one has begun.
            break;
        }
    }
    let name =
        opened.tournament().announced.as_ref().map_or(stream.name(), |announced| announced.name.as_str());
    Ok(chart(name, &last, &rounds, counted, source))
}

fn figures(standings: &standings::Standings, counted: Counted) -> BTreeMap<PlayerId, f64> {
    let figure = |row: &standings::StandingRow| match counted {
        Counted::Points => f64::from(row.half_points) / 2.0,
        Counted::Losses => f64::from(row.lost),
    };
    standings.rows.iter().map(|row| (row.player.clone(), figure(row))).collect()
}

fn chart(
    name: &str,
    last: &standings::Standings,
    rounds: &[After],
    counted: Counted,
    source: String,
) -> Chart {
    let word = counted.word();
    let line = |row: &standings::StandingRow| {
        let mut points: Vec<Point> = Vec::new();
        if !rounds.is_empty() {
            points.push(Point { label: "start".to_owned(), ..Point::new(0.0, 0.0) });
        }
        for after in rounds {
            // A player who has not entered yet, or has left, has no point.
            let Some(had) = after.had.get(&row.player) else { continue };
            let note = if after.over { String::new() } else { "the latest round".to_owned() };
            let label = format!("round {}", after.round);
            points.push(Point { label, note, ..Point::new(f64::from(after.round), *had) });
        }
        Series { name: row.name.clone(), shape: Shape::Line, points }
    };
    let series: Vec<Series> = last.rows.iter().map(line).collect();
    let beside = coincide(&series);
    let state = match rounds.last() {
        None => "no round is paired".to_owned(),
        Some(after) if after.over => format!("after {} rounds", after.round),
        Some(after) => format!("up to round {}", after.round),
    };
    Chart {
        title: format!("{name}: {word} round by round"),
        subtitle: format!(
            "{} players, {state}; in the order of the standings{}",
            last.rows.len(),
            if beside { "; where lines coincide they are drawn slightly apart" } else { "" }
        ),
        x: Axis::new("round", Scale::Whole),
        y: Axis::new(
            format!("{word} after the round"),
            match counted {
                Counted::Points => Scale::Number,
                Counted::Losses => Scale::Whole,
            },
        ),
        series,
        beside,
        marks: Vec::new(),
        source,
    }
}

/// Whether two lines have a stretch in common.
fn coincide(series: &[Series]) -> bool {
    let stretches = |one: &Series| -> Vec<[u64; 4]> {
        let ends = |two: &[Point]| [two[0].x, two[0].y, two[1].x, two[1].y].map(f64::to_bits);
        one.points.windows(2).map(ends).collect()
    };
    let mut all: Vec<[u64; 4]> = series.iter().flat_map(stretches).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() < count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_coincide_where_they_share_a_stretch_and_not_where_they_only_cross() {
        let line = |ys: &[f64]| {
            let points = (0u32..).zip(ys).map(|(x, y)| Point::new(f64::from(x), *y)).collect();
            Series { name: String::new(), shape: Shape::Line, points }
        };
        assert!(coincide(&[line(&[0.0, 1.0, 2.0]), line(&[0.0, 1.0, 1.0])]));
        assert!(!coincide(&[line(&[0.0, 1.0, 1.0]), line(&[1.0, 0.0, 1.0]), line(&[])]));
    }
}
