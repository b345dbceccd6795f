//! What is asked of the log when the championship is over.

use std::path::Path;

use super::CUP;
use super::final_rounds::Instants;
use crate::commands::demo::desk::written;
use crate::commands::demo::tour::Tour;

/// Everything that is asked, and what to try next.
pub fn tour(home: &str, instants: &Instants) -> Tour {
    let mut tour = Tour::default();
    tour.stop("Is the log what was acknowledged, and are all its games by the rules?", &["log", "verify"]);
    tour.stop("Does every decision follow from the rulebook?", &["audit", CUP]);
    gone_back(&mut tour, instants);
    tour.stop("All games into Parquet.", &["ingest", "--log"]);
    tour.stop(
        "How did the games end? In SQL.",
        &[
            "query",
            "SELECT termination, count(*) AS games, round(avg(plies), 1) AS mean_plies \
             FROM games GROUP BY termination ORDER BY games DESC, termination",
        ],
    );
    // What was invalidated or went on after a halt is not among the rated games.
    tour.stop("How strong is everybody, by the rated games?", &["rate"]);
    charted(&mut tour, home, instants);
    next(&mut tour, instants);
    tour
}

/// Three instants.
fn gone_back(tour: &mut Tour, instants: &Instants) {
    if let Some((game, at)) = &instants.halted {
        let (game, at) = (format!("game/{game}"), written(*at));
        tour.stop("Back to the moment before a game was halted.", &["replay", &game, "--as-of", &at]);
    }
    if let Some(at) = instants.believed {
        tour.stop(
            "Back to the end of round 2, as it was believed then: with the result that was taken away later.",
            &["tournament", "standings", CUP, "--known-at", &written(at)],
        );
    }
    tour.stop("Back to the end of round 6.", &["tournament", "standings", CUP, "--as-of", "round:6"]);
}

/// Charts, in the folder.
fn charted(tour: &mut Tour, home: &str, instants: &Instants) {
    let file = |name: &str| Path::new(home).join(name).display().to_string();
    tour.stop("Ratings over time.", &["chart", "ratings", "-o", &file("ratings.svg")]);
    tour.stop(
        "Losses, round by round.",
        &["chart", "standings", CUP, "--count", "losses", "-o", &file("standings.svg")],
    );
    if let Some((game, _)) = &instants.halted {
        let (game, file) = (format!("game/{game}.2"), file("game.svg"));
        tour.stop(
            "The game that was halted, as it went on, turn by turn.",
            &["chart", "evaluation", &game, "-o", &file],
        );
    }
}

/// What to try next.
fn next(tour: &mut Tour, instants: &Instants) {
    tour.further(format!("tournament report {CUP} -o {CUP}.html"), "one page to print");
    tour.further(format!("tournament explain {CUP} 3"), "why round 3 was paired so");
    tour.further(format!("tournament explain {CUP} qualifier"), "how everybody qualified");
    tour.further(format!("tournament rulings {CUP}"), "who ruled what, and what it changed");
    tour.further(format!("audit {CUP} --reading T7=B"), "what another reading of the rulebook would change");
    tour.further(format!("log show tournament/{CUP}"), "everything that happened, in order");
    if let Some((game, _)) = &instants.halted {
        tour.further(format!("replay game/{game}.2"), "the halted game, as it went on");
    }
    tour.further("query", "ask on, in SQL");
}
