//! Commands after the championship.

use std::path::Path;

use super::administration::CUP;
use super::final_rounds::Instants;
use crate::director::written;
use crate::follow_up::FollowUp;

/// Commands, and suggestions.
pub fn follow_up(folder: &Path, instants: &Instants) -> FollowUp {
    let mut follow_up = FollowUp::default();
    follow_up.question(
        "Is the log what was acknowledged, and are all its games by the rules?",
        &["log", "verify"],
    );
    follow_up.question("Does every decision follow from the rulebook?", &["tournament", "audit", CUP]);
    gone_back(&mut follow_up, instants);
    follow_up.question("All games into Parquet.", &["ingest", "--log"]);
    follow_up.question(
        "How did the games end? In SQL.",
        &[
            "query",
            "SELECT termination, count(*) AS games, round(avg(plies), 1) AS mean_plies \
             FROM games GROUP BY termination ORDER BY games DESC, termination",
        ],
    );
    // Invalidated and resumed games are unrated.
    follow_up.question("How strong is everybody, by the rated games?", &["rating", "list"]);
    charted(&mut follow_up, folder, instants);
    next(&mut follow_up, instants);
    follow_up
}

fn gone_back(follow_up: &mut FollowUp, instants: &Instants) {
    if let Some((game, at)) = &instants.halted {
        let (game, at) = (format!("game/{game}"), written(*at));
        follow_up
            .question("Back to the moment before a game was halted.", &["replay", &game, "--as-of", &at]);
    }
    if let Some(at) = instants.believed {
        follow_up.question(
            "Back to the end of round 2, as it was believed then: with the result that was taken away later.",
            &["tournament", "standings", CUP, "--known-at", &written(at)],
        );
    }
    follow_up
        .question("Back to the end of round 6.", &["tournament", "standings", CUP, "--as-of", "round:6"]);
}

fn charted(follow_up: &mut FollowUp, folder: &Path, instants: &Instants) {
    let file = |name: &str| folder.join(name).display().to_string();
    follow_up.question("Ratings over time.", &["chart", "ratings", "-o", &file("ratings.svg")]);
    follow_up.question(
        "Losses, round by round.",
        &["chart", "standings", CUP, "--count", "losses", "-o", &file("standings.svg")],
    );
    if let Some((game, _)) = &instants.halted {
        let (game, file) = (format!("game/{game}.2"), file("game.svg"));
        follow_up.question(
            "The game that was halted, as it went on, turn by turn.",
            &["chart", "evaluation", &game, "-o", &file],
        );
    }
}

fn next(follow_up: &mut FollowUp, instants: &Instants) {
    follow_up.suggestion(format!("tournament report {CUP} -o {CUP}.html"), "one page to print");
    follow_up.suggestion(format!("tournament explain {CUP} 3"), "why round 3 was paired so");
    follow_up.suggestion(format!("tournament explain {CUP} qualifier"), "how everybody qualified");
    follow_up.suggestion(format!("tournament ruling list {CUP}"), "who ruled what, and what it changed");
    follow_up.suggestion(
        format!("tournament audit {CUP} --reading T7=B"),
        "what another reading of the rulebook would change",
    );
    follow_up.suggestion(format!("log show tournament/{CUP}"), "everything that happened, in order");
    if let Some((game, _)) = &instants.halted {
        follow_up.suggestion(format!("replay game/{game}.2"), "the halted game, as it went on");
    }
    follow_up.suggestion("query", "ask on, in SQL");
}
