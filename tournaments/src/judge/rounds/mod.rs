//! Lots, rounds declared, pairings, byes, colours, revocations, the start of a round.
//!
//! An event about a round that was never paired is judged here, whatever the format. Everything else is judged by the file of
//! the round's format; [`course`] holds what formats share: the order of rounds, their start, their revocation.

mod coins;
mod course;
mod elimination;
mod encounters;
mod lots;
mod published;
mod ring;
mod swiss;

use annals_events::TournamentEvent;
use annals_events::tournament::Stage;

use super::Bench;
use crate::rulebook::Format;

/// Judges what belongs here.
pub(super) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    let stage = match about(event) {
        None => return,
        Some(About::Stage(stage)) => stage,
        Some(About::Round(round)) => match bench.case.tournament.rounds.get(&round) {
            Some(round) => round.stage,
            None => return course::never_paired(bench, round),
        },
    };
    match bench.case.rulebook.stage(stage).map(|rules| &rules.format) {
        None => course::no_such_stage(bench, event, stage),
        Some(Format::Qualifier { .. }) => course::not_paired_at_all(bench, event, stage),
        Some(Format::Swiss) => swiss::judge(bench, event),
        Some(Format::Elimination(_) | Format::Continuation | Format::Playoff) => {
            elimination::judge(bench, event);
        }
        Some(Format::Ring) => ring::judge(bench, event),
        Some(Format::Encounters) => encounters::judge(bench, event),
    }
}

/// What an event of rounds is about.
enum About {
    Stage(Stage),
    Round(u32),
}

fn about(event: &TournamentEvent) -> Option<About> {
    use TournamentEvent as E;
    match event {
        E::RoundsDeclared(declared) => Some(About::Stage(declared.stage)),
        E::LotsDrawn(_) => Some(About::Stage(Stage::Swiss)),
        E::RoundPaired(paired) => Some(About::Stage(paired.stage)),
        E::Qualified(qualified) => Some(About::Stage(qualified.from)),
        E::PairingRevoked(revoked) => Some(About::Round(revoked.round)),
        E::RoundStarted(started) => Some(About::Round(started.round)),
        E::ColourDrawn(drawn) => Some(About::Round(drawn.pairing.round)),
        E::ColourChosen(chosen) => Some(About::Round(chosen.pairing.round)),
        _ => None,
    }
}
