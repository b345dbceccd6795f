//! Applies the places by rulings in force to those by the rules.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::{Effect, Placing, Stage};

use super::ranks::Places;
use super::stage_format::StageState;
use crate::state::Tournament;

impl Tournament {
    /// The places by rulings in force. The last ruling on a place counts, and a player has only the last
    /// place given. A place given to no player stays empty.
    pub(crate) fn ruled_places(&self) -> BTreeMap<u32, Vec<&PlayerId>> {
        let mut ruled: BTreeMap<u32, Vec<&PlayerId>> = BTreeMap::new();
        for given in self.rulings_in_force() {
            let Effect::Place { players, place } = &given.ruling.effect else { continue };
            for others in ruled.values_mut() {
                others.retain(|other| !players.contains(other));
            }
            let known = players.iter().filter(|player| self.entrants.contains_key(*player));
            ruled.insert(*place, known.collect());
        }
        ruled
    }
}

/// Gives the ruled places; the others follow in order, skipping those. Titles and contenders follow the
/// places, by the rules only in a final.
pub(super) fn with_rulings(places: Places, state: &StageState<'_>) -> Places {
    let ruled = state.tournament.ruled_places();
    let mut ordered: BTreeMap<u32, Vec<Placing>> = BTreeMap::new();
    let mut by_ruling: BTreeMap<PlayerId, Placing> = BTreeMap::new();
    for placing in places.placings {
        if ruled.values().flatten().any(|player| **player == placing.player) {
            by_ruling.insert(placing.player.clone(), placing);
        } else {
            ordered.entry(placing.place).or_default().push(placing);
        }
    }
    let size = |players: usize| u32::try_from(players).unwrap_or(u32::MAX).max(1);
    let mut placings: Vec<Placing> = Vec::new();
    let mut free = 1_u32;
    for group in ordered.into_values() {
        while let Some(players) = ruled.get(&free).filter(|_| free < u32::MAX) {
            free = free.saturating_add(size(players.len()));
        }
        let taken = size(group.len());
        let titled = state.stage == Stage::Final;
        placings.extend(group.into_iter().map(|placing| at(placing, free, titled, state)));
        free = free.saturating_add(taken);
    }
    for (place, players) in ruled {
        placings.extend(players.into_iter().map(|player| {
            let known = by_ruling.remove(player).unwrap_or_else(|| Placing {
                player: player.clone(),
                place,
                measures: Vec::new(),
                titles: Vec::new(),
                contender: false,
            });
            at(known, place, true, state)
        }));
    }
    placings.sort_by_key(|placing| placing.place);
    Places { placings, ..places }
}

fn at(placing: Placing, place: u32, titled: bool, state: &StageState<'_>) -> Placing {
    let title = state.rulebook.title_won.filter(|_| titled && place == 1);
    Placing {
        place,
        titles: title.map(str::to_owned).into_iter().collect(),
        contender: titled && place <= state.rulebook.contenders,
        ..placing
    }
}
