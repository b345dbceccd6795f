//! Ratings as a document, and as a table for CSV.

use annals_report::{Cell, Document, Table};

use super::Ratings;

/// The ratings as a document: how they were computed, then all players.
#[must_use]
pub fn ratings_document(ratings: &Ratings) -> Document {
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
    let document = Document::default().named("Ratings").facts(vec![
        ("system", ratings.system.as_str().into()),
        ("start", start_of(&ratings.system).into()),
        ("games", ratings.games.into()),
        ("unrated games left out", some(out.unrated).into()),
        ("games without a result left out", some(out.undecided).into()),
        ("games against oneself left out", some(out.against_oneself).into()),
        ("record", compared.into()),
        ("advantage of Gold", advantage.into()),
        ("iteration", fit.into()),
    ]);
    let notes = ratings.notes.iter().map(|note| vec![("note", note.as_str().into())]);
    let document = notes.fold(document, Document::facts);
    let uncertainty = if ratings.system.starts_with("gameroom") { "K" } else { "error" };
    let head = [
        "rank", "player", "rating", uncertainty, "low", "high", "games", "wins", "losses", "draws",
        "first_game", "last_game",
    ];
    let mut table = Table::new("", &head);
    table.rows.extend(ratings.players.iter().map(|player| {
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
    }));
    document.table(table)
}

/// A figure to a tenth, without decimals if integral.
fn shown(value: f64) -> Cell {
    let rounded = (value * 10.0).round() / 10.0;
    if rounded.fract() == 0.0 { Cell::Number(rounded as i64) } else { Cell::Decimal(rounded, 1) }
}

/// The ratings as one table.
#[must_use]
pub fn ratings_table(ratings: &Ratings) -> Table {
    let head = [
        "rank", "player", "player_id", "rating", "uncertainty", "low", "high", "games", "wins", "losses",
        "draws", "first_game", "last_game",
    ];
    let mut table = Table::new("Ratings", &head);
    let points = |value: f64| {
        let rounded = (value * 100.0).round() / 100.0;
        if rounded.fract() == 0.0 { Cell::Number(rounded as i64) } else { Cell::Decimal(rounded, 2) }
    };
    for player in &ratings.players {
        table.rows.push(vec![
            i64::from(player.rank).into(),
            Cell::text(&player.player),
            Cell::some(player.player_id),
            points(player.rating),
            player.uncertainty.map_or(Cell::Empty, points),
            player.low.map_or(Cell::Empty, points),
            player.high.map_or(Cell::Empty, points),
            player.games.into(),
            player.wins.into(),
            player.losses.into(),
            player.draws.into(),
            Cell::some(player.first_game.as_ref()),
            Cell::some(player.last_game.as_ref()),
        ]);
    }
    table
}

/// From which rating the players of the gameroom's formula start.
fn start_of(system: &str) -> Option<&'static str> {
    let gameroom = system.strip_prefix("gameroom ")?;
    Some(match gameroom.contains("start=record") {
        true => "the rating in the record of a player's first game that counts",
        false => "every player starts as a newcomer",
    })
}
