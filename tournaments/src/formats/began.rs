//! Who began a stage: the players that its order is made of, those who left on the way among them.

use annals_events::PlayerId;
use annals_events::tournament::Stage;

use crate::state::Round;
use crate::state::{Entrant, EntrantStatus, Tournament};

/// The rounds of some stages in order, each with its number. A round of which every board was revoked counts as never
/// paired.
pub(crate) fn rounds_of<'a>(
    tournament: &'a Tournament,
    stages: &'a [Stage],
) -> impl Iterator<Item = (u32, &'a Round)> {
    tournament
        .rounds
        .iter()
        .filter(|(_, round)| stages.contains(&round.stage))
        .filter(|(_, round)| !round.boards.is_empty() || !round.byes.is_empty())
        .map(|(number, round)| (*number, round))
}

/// The number that the next round bears, whatever its stage.
pub(crate) fn next_number(tournament: &Tournament) -> u32 {
    let last = tournament.rounds.keys().next_back().copied().unwrap_or(0);
    last.saturating_add(1)
}

/// Everybody who began some stages, in the order of their entries: who was in when their first round was paired, and
/// whoever appears in a round of them. Before that, everybody who is in.
pub(crate) fn began<'a>(tournament: &'a Tournament, stages: &[Stage]) -> Vec<(&'a PlayerId, &'a Entrant)> {
    let first = rounds_of(tournament, stages).next().map(|(number, round)| (number, round.paired.seq));
    let appears = |player: &PlayerId| {
        rounds_of(tournament, stages).any(|(_, round)| {
            round.byes.iter().any(|bye| bye.player == *player)
                || round.boards.values().any(|board| board.has(player))
        })
    };
    let mut players: Vec<(&PlayerId, &Entrant)> = tournament
        .entrants
        .iter()
        .filter(|(player, entrant)| match first {
            None => still_in(entrant),
            Some((number, seq)) => {
                let was_in = entrant.entry.seq < seq
                    && match &entrant.left {
                        None => still_in(entrant),
                        Some(left) => left.after_round >= number,
                    };
                was_in || appears(player)
            }
        })
        .collect();
    players.sort_by_key(|(_, entrant)| entrant.order);
    players
}

/// Whether somebody takes part as things stand.
pub(crate) fn still_in(entrant: &Entrant) -> bool {
    entrant.left.is_none() && entrant.status == EntrantStatus::Entered
}

/// The tournament as it stood before a round: what came of that round and of later ones is left out. None where
/// nothing has to be left out.
pub(crate) fn before_round(tournament: &Tournament, round: u32) -> Option<Tournament> {
    tournament.rounds.range(round..).next()?;
    let mut before = tournament.clone();
    before.rounds.retain(|number, _| *number < round);
    Some(before)
}
