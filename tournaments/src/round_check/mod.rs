//! Lots, rounds declared, pairings, byes, colours, revocations, the start of a round.
//!
//! An event about a round that was never paired is judged here, whatever the format. Everything else is judged by the file of
//! the round's format; [`course`] holds what formats share: the order of rounds, their start, their revocation.

pub(crate) mod coins;
pub(crate) mod course;
pub(crate) mod published;

use annals_events::TournamentEvent;
use annals_events::tournament::Stage;

use crate::check::Bench;
use crate::rulebook::Format;

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
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
        Some(Format::Swiss) => crate::formats::swiss::check::judge(bench, event),
        Some(Format::Elimination(_) | Format::Continuation | Format::Playoff) => {
            crate::formats::elimination::check::judge(bench, event);
        }
        Some(Format::Ring) => crate::formats::ring::check::judge(bench, event),
        Some(Format::Encounters) => crate::formats::encounters::check::judge(bench, event),
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
        E::PairingRevoked(revoked) => Some(About::Round(revoked.round)),
        E::RoundStarted(started) => Some(About::Round(started.round)),
        E::ColourDrawn(drawn) => Some(About::Round(drawn.pairing.round)),
        E::ColourChosen(chosen) => Some(About::Round(chosen.pairing.round)),
        _ => None,
    }
}
