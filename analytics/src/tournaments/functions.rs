//! The two functions with their columns and rows.

use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::{Tournament, stage, standings};

use super::at_a_time::AtATime;
use super::columns::{Cell, Kind};

/// All of them.
pub const FUNCTIONS: &[AtATime] = &[STANDINGS];

const STANDINGS: AtATime = AtATime {
    name: "standings",
    call: "standings(tournament [, as_of [, known_at]])",
    meaning: "Everybody in the order of the rulebook at a point in time: what `annals tournament standings` shows.",
    example: "SELECT * FROM standings('wcc-2015', TIMESTAMP '2015-03-08 12:00:00')",
    columns: &[
        ("rank", Kind::Number, "", "Rank by the rulebook; players level on everything share one."),
        ("player", Kind::Text, "", "The player."),
        ("name", Kind::Text, "", "The name under which they entered."),
        ("won", Kind::Number, "games", "Games won, by forfeit too."),
        ("drawn", Kind::Number, "games", "Games drawn."),
        ("lost", Kind::Number, "games", "Games lost, by forfeit too."),
        ("byes", Kind::Number, "", "Byes."),
        ("half_points", Kind::Number, "half points", "Two a win, one a draw, and what byes are worth."),
        ("active", Kind::Truth, "", "Whether the player is still in."),
        ("measures", Kind::Text, "", "What the rank rests on, most important first: name and value."),
    ],
    rows: standings_rows,
};

fn standings_rows(tournament: &Tournament) -> Result<Vec<Vec<Cell>>, String> {
    let scores = standings(tournament);
    let announced = tournament.announced.as_ref();
    let ranked = match announced.map(Rulebook::of) {
        Some(Ok(rulebook)) => stage::ranking(tournament, &rulebook).map_err(|refusal| refusal.to_string())?,
        // Of a rulebook that nobody knows, points are all there is.
        _ => Vec::new(),
    };
    let of = |player: &annals_events::PlayerId| {
        scores.iter().find(|(scored, _)| scored == player).map(|(_, score)| score.clone()).unwrap_or_default()
    };
    Ok(ranked
        .iter()
        .map(|standing| {
            let score = of(&standing.player);
            let measures: Vec<String> = standing
                .measures
                .iter()
                .map(|measure| {
                    let values: Vec<String> = measure.values.iter().map(ToString::to_string).collect();
                    format!("{} {}", measure.name, values.join(" "))
                })
                .collect();
            vec![
                Cell::number(standing.rank),
                Cell::text(&standing.player),
                tournament.entrants.get(&standing.player).map(|entrant| entrant.name.clone()).into(),
                Cell::number(score.won),
                Cell::number(score.drawn),
                Cell::number(score.lost),
                Cell::number(score.byes),
                Cell::number(score.half_points),
                standing.active.into(),
                Cell::Text(measures.join("; ")),
            ]
        })
        .collect())
}
