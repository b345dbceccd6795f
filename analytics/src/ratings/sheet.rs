//! Ratings as they are shown: a sheet to read, and a table for CSV.

use annals_report::{Cell as TableCell, Table};

use super::Ratings;
use crate::output::{Cell, Sheet};

/// The ratings to read: how they were computed, then everybody.
#[must_use]
pub fn ratings_sheet(ratings: &Ratings) -> Sheet {
    let mut sheet = Sheet::default();
    let out = ratings.left_out;
    let some = |count: u64| (count > 0).then_some(count);
    let record = ratings.record;
    let from_record = ratings.system.contains("start=record");
    let compared = (from_record && record.compared > 0)
        .then(|| format!("{} of {} ratings in the records are the same", record.equal, record.compared));
    let advantage = ratings.advantage.map(|found| format!("{:.1} ± {:.1} points", found.value, found.error));
    let fit = ratings.fit.map(|fit| {
        let end = if fit.converged { "converged" } else { "stopped" };
        format!(
            "{end} after {} steps, {} passes; last move {:.1e} points",
            fit.steps, fit.passes, fit.last_move
        )
    });
    sheet.facts(vec![
        ("system", ratings.system.as_str().into()),
        ("games", ratings.games.into()),
        ("unrated games left out", some(out.unrated).into()),
        ("games without a result left out", some(out.undecided).into()),
        ("games against oneself left out", some(out.against_oneself).into()),
        ("record", compared.into()),
        ("advantage of Gold", advantage.into()),
        ("iteration", fit.into()),
    ]);
    for note in &ratings.notes {
        sheet.facts(vec![("note", note.as_str().into())]);
    }
    let has_k = ratings.system.starts_with("gameroom");
    let rows = ratings.players.iter().map(|player| {
        let day = |time: &Option<String>| {
            Cell::from(time.as_ref().map(|time| time.chars().take(10).collect::<String>()))
        };
        vec![
            i64::from(player.rank).into(),
            player.player.as_str().into(),
            shown(player.rating),
            player.uncertainty.map_or(Cell::Empty, shown),
            player.low.map_or(Cell::Empty, shown),
            player.high.map_or(Cell::Empty, shown),
            player.games.into(),
            player.wins.into(),
            player.losses.into(),
            player.draws.into(),
            day(&player.first_game),
            day(&player.last_game),
        ]
    });
    let uncertainty = if has_k { "K" } else { "error" };
    let columns = vec![
        "rank", "player", "rating", uncertainty, "low", "high", "games", "wins", "losses", "draws",
        "first_game", "last_game",
    ];
    sheet.table("", columns, rows.collect());
    sheet
}

/// A figure to a tenth, whole where it is.
fn shown(value: f64) -> Cell {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded.fract() == 0.0 { Cell::Whole(rounded as i64) } else { Cell::Decimal(rounded) }
}

/// The ratings as one table.
#[must_use]
pub fn ratings_table(ratings: &Ratings) -> Table {
    let head = [
        "rank", "player", "player_id", "rating", "uncertainty", "low", "high", "games", "wins", "losses",
        "draws", "first_game", "last_game",
    ];
    let mut table = Table::new("Ratings", &head);
    let count = |count: u64| i64::try_from(count).map_or_else(|_| TableCell::text(count), TableCell::Number);
    let points = |value: f64| {
        let rounded = (value * 100.0).round() / 100.0;
        if rounded.fract() == 0.0 { TableCell::Number(rounded as i64) } else { TableCell::text(rounded) }
    };
    let word = |word: &Option<String>| word.as_ref().map_or(TableCell::Empty, TableCell::text);
    for player in &ratings.players {
        table.rows.push(vec![
            TableCell::Number(i64::from(player.rank)),
            TableCell::text(&player.player),
            player.player_id.map_or(TableCell::Empty, TableCell::text),
            points(player.rating),
            player.uncertainty.map_or(TableCell::Empty, points),
            player.low.map_or(TableCell::Empty, points),
            player.high.map_or(TableCell::Empty, points),
            count(player.games),
            count(player.wins),
            count(player.losses),
            count(player.draws),
            word(&player.first_game),
            word(&player.last_game),
        ]);
    }
    table
}
