//! The two functions with their columns and rows.

use annals_events::tournament::Measure;
use annals_replay::questions::standings::StandingRow;
use annals_replay::questions::{Opened, crosstable, standings};

use super::at_a_time::AtATime;
use super::columns::{Cell, Kind};

/// All of them.
pub const FUNCTIONS: &[AtATime] = &[STANDINGS, CROSSTABLE];

const STANDINGS: AtATime = AtATime {
    name: "standings",
    call: "standings(tournament [, as_of [, known_at]])",
    meaning: "Everybody in the order of the rulebook at a point in time: what `annals tournament standings` shows.",
    example: "SELECT * FROM standings('wcc-2015', TIMESTAMP '2015-03-08 12:00:00')",
    columns: &[
        ("rank", Kind::Number, "", "Rank by the rulebook; players level on everything share one."),
        ("player", Kind::Text, "", "The player."),
        ("name", Kind::Text, "", "The name under which they entered."),
        ("seed", Kind::Number, "", "The seed, where there is one."),
        ("won", Kind::Number, "games", "Games won, by forfeit too."),
        ("drawn", Kind::Number, "games", "Games drawn."),
        ("lost", Kind::Number, "games", "Games lost, by forfeit too."),
        ("byes", Kind::Number, "", "Byes."),
        ("half_points", Kind::Number, "half points", "Two a win, one a draw, and what byes are worth."),
        ("status", Kind::Text, "", "entered, invited, withdrawn or disqualified."),
        ("active", Kind::Truth, "", "Whether the player is still in."),
        ("place", Kind::Number, "", "The place, where it is decided."),
        ("measures", Kind::Text, "", "What the rank rests on, most important first: name and value."),
    ],
    rows: standings_rows,
};

fn standings_rows(opened: &Opened<'_>) -> Vec<Vec<Cell>> {
    let row = |row: StandingRow| {
        vec![
            Cell::number(row.rank),
            Cell::text(&row.player),
            Cell::Text(row.name),
            row.seed.map(Cell::number).into(),
            Cell::number(row.won),
            Cell::number(row.drawn),
            Cell::number(row.lost),
            Cell::number(row.byes),
            Cell::number(row.half_points),
            row.status.into(),
            row.active.into(),
            row.place.map(Cell::number).into(),
            measures(&row.measures),
        ]
    };
    standings::ask(opened).rows.into_iter().map(row).collect()
}

/// Measures as `name value`, with a semicolon between them.
fn measures(measures: &[Measure]) -> Cell {
    let said = |measure: &Measure| {
        let values: Vec<String> = measure.values.iter().map(ToString::to_string).collect();
        format!("{} {}", measure.name, values.join(" "))
    };
    let said: Vec<String> = measures.iter().map(said).collect();
    if said.is_empty() { Cell::None } else { Cell::Text(said.join("; ")) }
}

const CROSSTABLE: AtATime = AtATime {
    name: "crosstable",
    call: "crosstable(tournament [, as_of [, known_at]])",
    meaning: "One row for each game of each player at a point in time, players in the order of the standings: what \
              `annals tournament crosstable` shows.",
    example: "SELECT * FROM crosstable('wcc-2015', 'round:5')",
    columns: &[
        ("rank", Kind::Number, "", "Rank of the player."),
        ("player", Kind::Text, "", "The player."),
        ("opponent", Kind::Text, "", "The opponent."),
        ("opponent_rank", Kind::Number, "", "Rank of the opponent."),
        ("round", Kind::Number, "", "Number of the round."),
        ("board", Kind::Number, "", "Board of the round."),
        ("stage", Kind::Text, "", "The stage."),
        ("side", Kind::Text, "", "The player's side; none while colours are open."),
        ("outcome", Kind::Text, "", "How the game came out; none while it is open."),
        ("half_points", Kind::Number, "half points", "What it brought the player."),
        ("forfeit", Kind::Truth, "", "Whether somebody's absence decided it."),
        ("ruled", Kind::Truth, "", "Whether a ruling gave the result."),
    ],
    rows: crosstable_rows,
};

fn crosstable_rows(opened: &Opened<'_>) -> Vec<Vec<Cell>> {
    let table = crosstable::ask(opened).table;
    let mut rows = Vec::new();
    for row in &table.rows {
        for (opponent, cell) in table.rows.iter().zip(&row.cells) {
            for game in cell.iter().flat_map(|cell| &cell.games) {
                rows.push(vec![
                    Cell::number(row.rank),
                    Cell::text(&row.player),
                    Cell::text(&opponent.player),
                    Cell::number(opponent.rank),
                    Cell::number(game.pairing.round),
                    Cell::number(game.pairing.board),
                    Cell::text(game.stage),
                    game.side.map(Cell::text).into(),
                    game.outcome.map(Cell::text).into(),
                    game.half_points.map(Cell::number).into(),
                    game.forfeit.into(),
                    game.ruled.into(),
                ]);
            }
        }
    }
    rows
}
