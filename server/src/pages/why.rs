//! Why: the proof of a round, a bye, the colours of a board, the order of two players, or a qualifier's score.

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_replay::queries::TournamentAt;
use annals_replay::queries::explain::{Explanation, Subject, WhyNot};
use annals_replay::subject::find_tournament;
use maud::{Markup, html};

use super::{answered, moment};
use crate::Failure;
use crate::app::Context;
use crate::reply::{Page, Reply};

/// `why/3`, `why/bye/3`, `why/colour/r3.2`, `why/rank/A/B`, `why/qualifier`, `why/qualifier/A`. A round has the questions
/// `one` and `other` (why these two do not meet) and `bye` (why this player has none).
pub fn page(context: &Context<'_>, name: &str, subject: &[&str]) -> Result<Reply, Failure> {
    let subject = Subject::of(subject).map_err(|error| {
        Failure::bad(error).hint("the subjects are a round, bye/3, colour/r3.2, rank/A/B and qualifier")
    })?;
    let log = context.log()?;
    let stream = find_tournament(&log, name)?;
    let (cut, zone) = moment::cut(context, &log, Some(&stream))?;
    let at = TournamentAt::at(&log, &stream, &cut)?;
    let request = context.request;
    let why_not = WhyNot { pair: request.get("one").zip(request.get("other")), bye: request.get("bye") };
    let explained = subject.explain(&at, &why_not)?;
    let (title, content) = answered(context, &explained, &zone);
    let rounds: Vec<u32> = at.tournament().rounds.keys().copied().collect();
    let body = html! {
        p { a href=(request.at_same_time(&["tournament", name])) { "← " (name) } }
        h1 { (title) }
        nav.views aria-label="Rounds" {
            @for round in rounds {
                @let is_here = subject == Subject::Round(round);
                a href=(request.at_same_time(&["tournament", name, "why", &round.to_string()]))
                    aria-current=[is_here.then_some("page")] { "Round " (round) }
            }
        }
        @if let Subject::Round(round) = subject {
            (questions(context, &at, &explained))
            (parts(context, name, &at, round))
        }
        (content)
    };
    Ok(Page::new(title, body, &explained)?.into())
}

/// Links to the reasons of the colours and byes of a round.
fn parts(context: &Context<'_>, name: &str, at: &TournamentAt<'_>, round: u32) -> Markup {
    let why =
        |what: &str, which: &str| context.request.at_same_time(&["tournament", name, "why", what, which]);
    let Some(held) = at.tournament().rounds.get(&round) else { return html! {} };
    html! {
        nav.views aria-label="Colours and byes" {
            @for board in held.boards.keys() {
                @let board = format!("r{round}.{board}");
                a href=(why("colour", &board)) { "colours of " (board) }
            }
            @if !held.byes.is_empty() { a href=(why("bye", &round.to_string())) { "bye" } }
        }
    }
}

/// A form for a pair or a bye of the round's players that was not made.
fn questions(context: &Context<'_>, at: &TournamentAt<'_>, explained: &Explanation) -> Markup {
    let Explanation::Round(round) = explained else { return html! {} };
    let expected = &round.expected.round;
    let pairs = expected.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
    let boards = round.boards.iter().flat_map(|board| [&board.upper, &board.lower]);
    let byes = expected.byes.iter().map(|bye| &bye.player);
    let players: BTreeSet<&PlayerId> = pairs.chain(boards).chain(byes).collect();
    let entrants = || at.tournament().entrants.iter().filter(|(player, _)| players.contains(player));
    let request = context.request;
    let choice = |name: &str, label: &str| {
        html! {
            label { (label) " "
                select name=(name) {
                    option value="" { "—" }
                    @for (player, entrant) in entrants() {
                        option value=(player) selected[request.get(name) == Some(player.as_str())] {
                            (annals_report::escaped(&entrant.name))
                        }
                    }
                }
            }
        }
    };
    html! {
        form.since method="get" {
            (moment::kept(context))
            (choice("one", "Why not")) " " (choice("other", "against")) " " (choice("bye", "or a bye for")) " "
            button type="submit" { "Explain" }
        }
    }
}
