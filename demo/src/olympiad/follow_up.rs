//! Commands after the Olympiad.

use super::registration::OLYMPIAD;
use super::rounds::Instants;
use crate::director::written;
use crate::follow_up::FollowUp;

/// Commands, and suggestions.
pub fn follow_up(instants: &Instants) -> FollowUp {
    let mut follow_up = FollowUp::default();
    follow_up.question(
        "Is the log what was acknowledged, and are all its games by the rules?",
        &["log", "verify"],
    );
    follow_up.question("Does every decision follow from the rulebook?", &["tournament", "audit", OLYMPIAD]);
    if let Some((game, at)) = &instants.slip {
        let (game, at) = (format!("game/{game}"), written(*at));
        let about = "Back to the moment when the wrong move stood on the board.";
        follow_up.question(about, &["replay", &game, "--as-of", &at]);
    }
    if let Some((game, at)) = &instants.halted {
        let (game, at) = (format!("game/{game}"), written(*at));
        follow_up
            .question("Back to the moment when a connection was lost.", &["replay", &game, "--as-of", &at]);
    }
    follow_up.question(
        "Back to the end of round 3.",
        &["tournament", "standings", OLYMPIAD, "--as-of", "round:3"],
    );
    follow_up.question("The final table.", &["tournament", "standings", OLYMPIAD]);
    follow_up.question("Each against each.", &["tournament", "crosstable", OLYMPIAD]);
    follow_up.question("All games into Parquet.", &["ingest", "--log"]);
    follow_up.question(
        "How did the games end? In SQL.",
        &[
            "query",
            "SELECT game, termination, count(*) AS games, round(avg(plies), 1) AS mean_plies \
             FROM games GROUP BY game, termination ORDER BY games DESC, termination",
        ],
    );
    follow_up.suggestion(format!("tournament report {OLYMPIAD} -o {OLYMPIAD}.html"), "one page to print");
    follow_up.suggestion(format!("tournament explain {OLYMPIAD} 3"), "why round 3 was paired so");
    follow_up.suggestion(format!("tournament ruling list {OLYMPIAD}"), "who ruled what, and what it changed");
    follow_up.suggestion(format!("log show tournament/{OLYMPIAD}"), "everything that happened, in order");
    if let Some((game, _)) = &instants.halted {
        follow_up
            .suggestion(format!("replay game/{game}.2"), "the game whose connection was lost, as it went on");
    }
    follow_up.suggestion("query", "ask on, in SQL");
    follow_up
}
