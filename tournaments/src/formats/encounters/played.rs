//! The recorded encounters, and the rounds by the number of entrants.

use annals_events::tournament::Stage;

use super::{EncounterSystem, all_play_all, format_for};
use crate::record::Played;
use crate::state::Tournament;

const STAGES: [Stage; 2] = [Stage::RoundRobin, Stage::Swiss];

/// The recorded encounters by player number. Resting in an all-play-all is not a bye.
pub(super) fn played(tournament: &Tournament) -> Played {
    let mut played = Played::of(tournament, &STAGES);
    played.players.sort_by_key(|one| {
        let entrant = tournament.entrants.get(&one.player);
        entrant.map(|entrant| (entrant.number.unwrap_or(entrant.order), entrant.order))
    });
    for round in played.rounds.iter_mut().filter(|round| round.stage == Stage::RoundRobin) {
        round.byes.clear();
    }
    played
}

/// The stage by the number of entrants; none without play.
pub(super) fn stage_of(played: &Played) -> Option<Stage> {
    match format_for(played.players.len()) {
        EncounterSystem::Nobody | EncounterSystem::Alone => None,
        EncounterSystem::AllPlayAll => Some(Stage::RoundRobin),
        EncounterSystem::Swiss { .. } => Some(Stage::Swiss),
    }
}

pub(super) fn rounds_in(played: &Played) -> u32 {
    match format_for(played.players.len()) {
        EncounterSystem::Nobody | EncounterSystem::Alone => 0,
        EncounterSystem::AllPlayAll => {
            u32::try_from(all_play_all(played.players.len()).len()).unwrap_or(u32::MAX)
        }
        EncounterSystem::Swiss { rounds } => rounds,
    }
}
