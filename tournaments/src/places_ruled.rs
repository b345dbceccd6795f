//! The final order: the places that the rules give, and those that a ruling gave where the rules leave them open.

use annals_events::tournament::{Effect, Placing};

use crate::formats;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;

/// The final order, the best place first. A ruling that gives a place takes its players out of any other; the titles and
/// who goes on follow the places.
///
/// # Errors
/// When the record contradicts itself.
pub fn final_places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Placing>, Refusal> {
    let places = formats::places(tournament, rulebook)?;
    let mut placings = places.placings;
    if places.ruling_needed.is_none() {
        return Ok(placings);
    }
    for ruling in tournament.rulings.iter().filter(|ruling| ruling.superseded_by.is_none()) {
        let Effect::Place { players, place } = &ruling.ruling.effect else { continue };
        placings.retain(|placing| !players.contains(&placing.player));
        let titles: Vec<String> =
            rulebook.title_won.filter(|_| *place == 1).map(str::to_owned).into_iter().collect();
        placings.extend(players.iter().map(|player| Placing {
            player: player.clone(),
            place: *place,
            measures: Vec::new(),
            titles: titles.clone(),
            contender: *place <= rulebook.contenders,
        }));
    }
    placings.sort_by(|one, other| one.place.cmp(&other.place).then_with(|| one.player.cmp(&other.player)));
    Ok(placings)
}
