use annals_events::TournamentEvent;
use annals_events::tournament::Closed;

use crate::check::JudgingContext;
use crate::formats;
use crate::fund;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::RuleId;
use crate::state::calendar::utc;

pub(super) fn draft(case: &JudgingContext<'_>, note: Option<&str>) -> Result<Vec<TournamentEvent>, Refusal> {
    let (tournament, rulebook) = (case.tournament, case.rulebook);
    if tournament.closed.is_some() {
        let at = tournament.closed_at.map_or(String::new(), |at| format!(", since {}", utc(at)));
        let what = format!("the tournament is closed already{at}");
        return Err(Refusal::by(case.rulebook.rule(RuleId::Closed), what).hint(Remedy::Show));
    }
    fund::play_is_over(tournament, rulebook)?;
    fund::claims_are_decided(tournament)?;
    fund::awards_rest_on_results(tournament, rulebook)?;
    let places = formats::places(tournament, rulebook)?.placings;
    let boards = tournament.rounds.values().flat_map(|round| round.boards.values());
    let is_played =
        tournament.published_table().is_some() || boards.into_iter().any(|board| board.outcome().is_some());
    if let (Some(first), false, None) = (places.first(), is_played, note) {
        let what = format!(
            "no game has a result, and the close would give `{}` place {}",
            first.player, first.place
        );
        return Err(Refusal::lacking(what).hint(Remedy::CloseWithNote));
    }
    let announced = tournament.announced.as_ref();
    let money =
        announced.is_some_and(|announced| announced.currency.is_some()) || !tournament.ledger.is_empty();
    Ok(vec![TournamentEvent::Closed(Closed {
        places,
        fund_left: u64::try_from(fund::left(tournament, rulebook)).ok().filter(|_| money),
        note: note.map(str::to_owned),
    })])
}
