//! Lots, rounds declared, pairings, byes, colours, revocations, the start of a round.
//!
//! What every format shares is judged here: which stage is due, that a revocation comes before the start, what a coin rests
//! on. The pairing itself is judged by the file of its format.

mod coin;
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
    let case = bench.case;
    let Some(stage) = stage_of(bench, event) else { return };
    match case.rulebook.stage(stage).map(|rules| &rules.format) {
        None | Some(Format::Qualifier { .. }) => {}
        Some(Format::Swiss) => swiss::judge(bench, event),
        Some(Format::Elimination(_) | Format::Continuation | Format::Playoff) => {
            elimination::judge(bench, event);
        }
        Some(Format::Ring) => ring::judge(bench, event),
        Some(Format::Encounters) => encounters::judge(bench, event),
    }
}

/// The stage that an event about rounds belongs to; none for any other event.
fn stage_of(bench: &Bench<'_>, event: &TournamentEvent) -> Option<Stage> {
    use TournamentEvent as E;
    let of_round = |round: u32| bench.case.tournament.rounds.get(&round).map(|round| round.stage);
    match event {
        E::RoundsDeclared(declared) => Some(declared.stage),
        E::LotsDrawn(_) => Some(Stage::Swiss),
        E::RoundPaired(paired) => Some(paired.stage),
        E::Qualified(qualified) => Some(qualified.from),
        E::PairingRevoked(revoked) => of_round(revoked.round),
        E::RoundStarted(started) => of_round(started.round),
        E::ColourDrawn(drawn) => of_round(drawn.pairing.round),
        E::ColourChosen(chosen) => of_round(chosen.pairing.round),
        _ => None,
    }
}
