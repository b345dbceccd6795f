//! The score so far: wins, draws, losses and byes by the results in force. Ranking and tie-breaks belong to
//! rulebooks.

use annals_events::PlayerId;
use annals_events::tournament::Stage;

use crate::record::{PlayedRound, Record, Tally};
use crate::state::Tournament;

/// All records, best first; equals by name. A bye without stated points counts two half points, in an
/// all-play-all zero. Published totals replace missing games.
pub fn standings(tournament: &Tournament) -> Vec<(PlayerId, Record)> {
    let mut tally = Tally::default();
    for player in tournament.entrants.keys() {
        tournament.add_published(player, tally.of_player(player));
    }
    for (&number, round) in &tournament.rounds {
        tally.count(&PlayedRound::of(number, round), 0);
        let unsaid = if round.stage == Stage::RoundRobin { 0 } else { 2 };
        for bye in &round.byes {
            let record = tally.of_player(&bye.player);
            record.half_points = record.half_points.saturating_add(bye.half_points.unwrap_or(unsaid));
        }
    }
    let scored = |one: &Record| one.wins + one.draws + one.losses + one.byes > 0;
    let mut order: Vec<(PlayerId, Record)> = tally
        .into_records()
        .filter(|(player, record)| tournament.entrants.contains_key(player) || scored(record))
        .collect();
    order.sort_by(|(a, x), (b, y)| (y.half_points, y.wins).cmp(&(x.half_points, x.wins)).then(a.cmp(b)));
    order
}
