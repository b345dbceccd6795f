//! The crosstable of a tournament as fields of colour: each against each, with the results in the fields.

use annals_events::StreamName;
use annals_replay::queries::{TournamentAt, crosstable};
use annals_replay::{Cut, ReplayError};
use annals_store::Log;
use annals_tournaments::crosstable::{Cell, Row};

use super::{Colours, Panel, Panels};

/// The crosstable at a cut, in the order of the standings; none if no game is decided.
///
/// # Errors
/// When the log cannot be read, has no such tournament, or no event of it counts at the cut.
pub fn of_tournament(
    log: &Log,
    stream: &StreamName,
    cut: &Cut,
    source: String,
) -> Result<Option<Panels>, ReplayError> {
    let opened = TournamentAt::at(log, stream, cut)?;
    let name =
        opened.tournament().announced.as_ref().map_or(stream.name(), |announced| announced.name.as_str());
    Ok(panels(name, &crosstable::ask(&opened), source))
}

fn panels(name: &str, table: &crosstable::Crosstable, source: String) -> Option<Panels> {
    let rows: &[Row] = &table.table.rows;
    let balance = |cell: &Option<Cell>| cell.as_ref().and_then(balance);
    let mut values: Vec<Vec<Option<f64>>> =
        rows.iter().map(|row| row.cells.iter().map(balance).collect()).collect();
    // Without a decided game there is no chart.
    values.iter().flatten().flatten().next()?;
    let byes = rows.iter().any(|row| row.byes > 0);
    let mut words = Vec::with_capacity(rows.len());
    for (number, (row, values)) in rows.iter().zip(&mut values).enumerate() {
        let sign = |(other, cell): (usize, &Option<Cell>)| match cell {
            _ if other == number => "\u{d7}".to_owned(),
            Some(cell) => table.signs(cell),
            None => String::new(),
        };
        let mut line: Vec<String> = row.cells.iter().enumerate().map(sign).collect();
        if byes {
            line.push(if row.byes > 0 { row.byes.to_string() } else { String::new() });
        }
        line.push(points(row.half_points));
        line.push(row.rank.to_string());
        values.resize(line.len(), None);
        words.push(line);
    }
    let mut columns: Vec<String> = (1..=rows.len()).map(|number| number.to_string()).collect();
    columns.extend(byes.then(|| "Byes".to_owned()));
    columns.extend(["Pts", "Rank"].map(str::to_owned));
    let names = rows.iter().enumerate().map(|(number, row)| format!("{} {}", number + 1, row.name));
    let order = match &table.table.not_ranked {
        None => "in the order of the standings".to_owned(),
        Some(why) => format!("by points: {why}"),
    };
    Some(Panels {
        title: format!("{name}: crosstable"),
        subtitle: format!("{} players, {order}; {}", rows.len(), table.legend()),
        panels: vec![Panel { name: String::new(), rows: names.collect(), columns, values, words }],
        beside: 1,
        colours: Colours::AroundZero,
        measured: "won less lost (games)".to_owned(),
        source,
    })
}

/// Games won less games lost; none if no game of the two is decided.
fn balance(cell: &Cell) -> Option<f64> {
    let decided: Vec<f64> = cell
        .games
        .iter()
        .filter_map(|game| match game.half_points? {
            2 => Some(1.0),
            1 => Some(0.0),
            _ => Some(-1.0),
        })
        .collect();
    (!decided.is_empty()).then(|| decided.iter().sum())
}

/// Half points as points: `3½`.
fn points(half_points: u32) -> String {
    match (half_points / 2, half_points % 2) {
        (whole, 0) => whole.to_string(),
        (0, _) => "\u{bd}".to_owned(),
        (whole, _) => format!("{whole}\u{bd}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_points_are_written_as_points() {
        assert_eq!([0, 1, 2, 7].map(points), ["0", "\u{bd}", "1", "3\u{bd}"]);
    }
}
