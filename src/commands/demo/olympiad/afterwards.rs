//! What is asked of the log when the Olympiad is over.

use super::OLYMPIAD;
use super::course::Instants;
use crate::commands::demo::desk::written;
use crate::commands::demo::tour::Tour;

/// Everything that is asked, and what to try next.
pub fn tour(instants: &Instants) -> Tour {
    let mut tour = Tour::default();
    tour.stop("Is the log what was acknowledged, and are all its games by the rules?", &["log", "verify"]);
    tour.stop("Does every decision follow from the rulebook?", &["audit", OLYMPIAD]);
    if let Some((game, at)) = &instants.slip {
        let (game, at) = (format!("game/{game}"), written(*at));
        let about = "Back to the moment when the wrong move stood on the board.";
        tour.stop(about, &["replay", &game, "--as-of", &at]);
    }
    if let Some((game, at)) = &instants.halted {
        let (game, at) = (format!("game/{game}"), written(*at));
        tour.stop("Back to the moment when a connection was lost.", &["replay", &game, "--as-of", &at]);
    }
    tour.stop("Back to the end of round 3.", &["tournament", "standings", OLYMPIAD, "--as-of", "round:3"]);
    tour.stop("The final table.", &["tournament", "standings", OLYMPIAD]);
    tour.stop("Each against each.", &["tournament", "crosstable", OLYMPIAD]);
    tour.stop("All games into Parquet.", &["ingest", "--log"]);
    tour.stop(
        "How did the games end? In SQL.",
        &[
            "query",
            "SELECT game, termination, count(*) AS games, round(avg(plies), 1) AS mean_plies \
             FROM games GROUP BY game, termination ORDER BY games DESC, termination",
        ],
    );
    tour.further(format!("tournament report {OLYMPIAD} -o {OLYMPIAD}.html"), "one page to print");
    tour.further(format!("tournament explain {OLYMPIAD} 3"), "why round 3 was paired so");
    tour.further(format!("tournament rulings {OLYMPIAD}"), "who ruled what, and what it changed");
    tour.further(format!("log show tournament/{OLYMPIAD}"), "everything that happened, in order");
    if let Some((game, _)) = &instants.halted {
        tour.further(format!("replay game/{game}.2"), "the game whose connection was lost, as it went on");
    }
    tour.further("query", "ask on, in SQL");
    tour
}
