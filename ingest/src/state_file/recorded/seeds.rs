//! Seeds: the recorded seeding rating; else the rating if ratings are in seed order; else the reversed seed, so that
//! more is better.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::PlayerId;
use annals_tournaments::Tournament;

use crate::state_file::seed::{SEED_RATING, Seed};

/// For a player without information.
const UNKNOWN: Seed = Seed::points(1500);

#[derive(Debug, Clone, Default)]
pub(super) struct Seeds(BTreeMap<PlayerId, Seed>);

impl Seeds {
    pub(super) fn get(&self, player: &PlayerId, name: &str, remarks: &mut Vec<String>) -> Seed {
        self.0.get(player).copied().unwrap_or_else(|| {
            remarks.push(format!(
                "`{name}` has neither a seed nor a rating, and is written with the rating {UNKNOWN}"
            ));
            UNKNOWN
        })
    }
}

pub(super) fn seeds(tournament: &Tournament, remarks: &mut Vec<String>) -> Seeds {
    let entrants = &tournament.entrants;
    let ratings: BTreeMap<&PlayerId, Seed> =
        entrants.iter().filter_map(|(id, one)| Some((id, Seed::points(one.rating?)))).collect();
    let mut measured = BTreeMap::new();
    for place in tournament.qualified.iter().flat_map(|qualified| &qualified.order) {
        let found = place.measures.iter().find(|measure| measure.name == SEED_RATING);
        if let Some([value]) = found.map(|measure| measure.values.as_slice()) {
            measured.insert(&place.player, Seed(*value));
        }
    }
    if !measured.is_empty() {
        return Seeds::of(ratings.into_iter().chain(measured));
    }
    // Of those who play: a player who left before the final has none, and a substitute has that of the pairing.
    let mut seeded: Vec<(u32, &PlayerId)> =
        tournament.seeds().into_iter().map(|(id, seed)| (seed, id)).collect();
    seeded.sort();
    let rated: Option<Vec<Seed>> = seeded.iter().map(|(_, id)| ratings.get(id).copied()).collect();
    if rated.is_some_and(|rated| rated.is_sorted_by(|a, b| a >= b)) {
        return Seeds::of(ratings);
    }
    remarks.push(
        "the seeds do not follow the ratings, so each is written as the place among the seeds, counted from the last"
            .to_owned(),
    );
    let last = seeded.last().map_or(0, |(seed, _)| *seed);
    let with_seed: BTreeSet<&PlayerId> = seeded.iter().map(|(_, id)| *id).collect();
    let unseeded = entrants.keys().filter(|id| !with_seed.contains(id)).map(|id| (id, Seed(0)));
    let from_last = seeded.iter().map(|(seed, id)| {
        let place = i32::try_from(last.saturating_sub(*seed).saturating_add(1)).unwrap_or(i32::MAX);
        (*id, Seed::points(place))
    });
    Seeds::of(unseeded.chain(from_last))
}

impl Seeds {
    fn of<'a>(seeds: impl IntoIterator<Item = (&'a PlayerId, Seed)>) -> Seeds {
        Seeds(seeds.into_iter().map(|(player, seed)| (player.clone(), seed)).collect())
    }
}
