//! Ratings as they are shown: a sheet to read, and a table for CSV.

use annals_replay::questions::page::{Cell as TableCell, Table};

use super::{Ratings, Start};
use crate::output::{Cell, Sheet};

/// The ratings to read: how they were computed, then everybody.
#[must_use]
pub fn ratings_sheet(ratings: &Ratings) -> Sheet {
    let mut sheet = Sheet::default();
    let out = ratings.left_out;
    let some = |count: u64| (count > 0).then_some(count);
    let start = match ratings.start {
        Start::New => "as a newcomer",
        Start::Record => "as the record of the first game states",
    };
    let record = ratings.record;
    let compared = (ratings.start == Start::Record && record.compared > 0)
        .then(|| format!("{} of {} ratings in the records are the same", record.equal, record.compared));
    sheet.facts(vec![
        ("system", ratings.system.word().into()),
        ("start", start.into()),
        ("games", ratings.games.into()),
        ("unrated games left out", some(out.unrated).into()),
        ("games without a result left out", some(out.undecided).into()),
        ("games against oneself left out", some(out.against_oneself).into()),
        ("record", compared.into()),
    ]);
    let rows = ratings.players.iter().map(|player| {
        let day = |time: &Option<String>| {
            Cell::from(time.as_ref().map(|time| time.chars().take(10).collect::<String>()))
        };
        vec![
            i64::from(player.rank).into(),
            player.player.as_str().into(),
            i64::from(player.rating).into(),
            i64::from(player.uncertainty).into(),
            player.games.into(),
            player.wins.into(),
            player.losses.into(),
            player.draws.into(),
            day(&player.first_game),
            day(&player.last_game),
        ]
    });
    let columns =
        vec!["rank", "player", "rating", "K", "games", "wins", "losses", "draws", "first_game", "last_game"];
    sheet.table("", columns, rows.collect());
    sheet
}

/// The ratings as one table.
#[must_use]
pub fn ratings_table(ratings: &Ratings) -> Table {
    let head = [
        "rank",
        "player",
        "player_id",
        "rating",
        "uncertainty",
        "games",
        "wins",
        "losses",
        "draws",
        "first_game",
        "last_game",
    ];
    let mut table = Table::new("Ratings", &head);
    let count = |count: u64| i64::try_from(count).map_or_else(|_| TableCell::text(count), TableCell::Number);
    let word = |word: &Option<String>| word.as_ref().map_or(TableCell::Empty, TableCell::text);
    for player in &ratings.players {
        table.rows.push(vec![
            TableCell::Number(i64::from(player.rank)),
            TableCell::text(&player.player),
            player.player_id.map_or(TableCell::Empty, TableCell::text),
            TableCell::Number(i64::from(player.rating)),
            TableCell::Number(i64::from(player.uncertainty)),
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
