//! The two functions with their columns and rows.

use annals_events::PlayerId;
use annals_events::tournament::Measure;
use annals_replay::queries::standings::StandingRow;
use annals_replay::queries::{TournamentAt, crosstable, standings};
use annals_tournaments::crosstable::Row;
use annals_tournaments::published::Derived;
use jiff::tz::TimeZone;

use super::at_a_time::AtATime;
use super::cells::Cell;
use crate::log_columns::{Column, Kind};

pub const FUNCTIONS: &[AtATime] = &[STANDINGS, CROSSTABLE];

const STANDINGS: AtATime = AtATime {
    name: "standings",
    call: "standings(tournament [, as_of [, known_at]])",
    meaning: "Everybody in the order of the rulebook at a point in time: what `annals tournament standings` shows.",
    example: "SELECT * FROM standings('wcc-2015', TIMESTAMP '2015-03-08 12:00:00')",
    columns: &STANDINGS_COLUMNS,
    rows: standings_rows,
};

const STANDINGS_COLUMNS: [Column; 14] = [
    ("rank", Kind::Number, "", "Rank by the rulebook; players level on everything share one."),
    ("player", Kind::Text, "", "The player."),
    ("name", Kind::Text, "", "The newest name of the player: that of the entry, or a later one."),
    ("seed", Kind::Number, "", "The seed, where there is one."),
    ("won", Kind::Number, "games", "Games won, by forfeit too."),
    ("drawn", Kind::Number, "games", "Games drawn."),
    ("lost", Kind::Number, "games", "Games lost, by forfeit too."),
    ("byes", Kind::Number, "", "Byes."),
    ("half_points", Kind::Number, "half points", "Two a win, one a draw, and what byes are worth."),
    (
        "status",
        Kind::Text,
        "",
        "entered, invited, out (in no further round), withdrawn, removed (by the director, or after a forfeit), lapsed (the invitation) or disqualified.",
    ),
    ("active", Kind::Truth, "", "Whether the player is still in."),
    ("place", Kind::Number, "", "The place, where it is decided."),
    (
        "tie_breaks",
        Kind::List,
        "",
        "The tie-breaks in the order of the rulebook, each with its name and its value as the command prints it.",
    ),
    (
        "derived",
        Kind::Truth,
        "",
        "Whether games won and lost follow from published totals, and no game is recorded.",
    ),
];

fn standings_rows(opened: &TournamentAt<'_>) -> Vec<Vec<Cell>> {
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
            Cell::list(row.measures.iter().map(tie_break)),
            row.derived.into(),
        ]
    };
    standings::ask(opened).rows.into_iter().map(row).collect()
}

/// A tie-break as `name value`.
fn tie_break(measure: &Measure) -> String {
    format!("{} {}", measure.name, standings::cell_of(measure).shown(&TimeZone::UTC))
}

/// `standings` as dataset version 3 had it.
pub const STANDINGS_OF_V3: AtATime =
    AtATime { columns: &COLUMNS_OF_V3, rows: standings_rows_of_v3, ..STANDINGS };

/// The place of the tie-breaks among the columns.
const TIE_BREAKS: usize = 12;

const COLUMNS_OF_V3: [Column; 14] = {
    let mut columns = STANDINGS_COLUMNS;
    columns[TIE_BREAKS] = ("measures", Kind::Text, "", "The tie-breaks as one text.");
    columns
};

fn standings_rows_of_v3(opened: &TournamentAt<'_>) -> Vec<Vec<Cell>> {
    let mut rows = standings_rows(opened);
    for row in &mut rows {
        row[TIE_BREAKS] = match &row[TIE_BREAKS] {
            Cell::List(list) if !list.is_empty() => Cell::Text(list.join("; ")),
            _ => Cell::None,
        };
    }
    rows
}

const CROSSTABLE: AtATime = AtATime {
    name: "crosstable",
    call: "crosstable(tournament [, as_of [, known_at]])",
    meaning: "One row for each game of each player at a point in time, players in the order of the standings: what \
              `annals tournament crosstable` shows. Where only totals were published, one row for each encounter of each derived \
              crosstable.",
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
        (
            "derived",
            Kind::Truth,
            "",
            "Whether the row follows from published totals, and no game is recorded.",
        ),
        (
            "crosstable",
            Kind::Number,
            "",
            "Number of the derived crosstable, from 1; none for a recorded game.",
        ),
    ],
    rows: crosstable_rows,
};

fn crosstable_rows(opened: &TournamentAt<'_>) -> Vec<Vec<Cell>> {
    let crosstable::Crosstable { table, derived, .. } = crosstable::ask(opened);
    let mut rows = derived_rows(&table.rows, derived);
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
                    false.into(),
                    Cell::None,
                ]);
            }
        }
    }
    rows
}

/// The encounters of every crosstable that is derived from published totals.
fn derived_rows(rows: &[Row], derived: Option<Derived>) -> Vec<Vec<Cell>> {
    let Some(Derived { players, crosstables: Some(crosstables), .. }) = derived else { return Vec::new() };
    let rank = |player: &PlayerId| {
        rows.iter().find(|row| row.player == *player).map(|row| Cell::number(row.rank)).into()
    };
    let mut found = Vec::new();
    for (number, scores) in (1u32..).zip(&crosstables) {
        for (at, (player, made)) in players.iter().zip(scores).enumerate() {
            let others = players.iter().zip(made).enumerate().filter(|(against, _)| *against != at);
            found.extend(others.map(|(_, (opponent, half_points))| {
                let mut row = vec![rank(player), Cell::text(player), Cell::text(opponent), rank(opponent)];
                row.extend((0..5).map(|_| Cell::None));
                row.extend([
                    Cell::number(*half_points),
                    Cell::None,
                    Cell::None,
                    true.into(),
                    Cell::number(number),
                ]);
                row
            }));
        }
    }
    found
}
