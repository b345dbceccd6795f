use annals_events::tournament::{ColourChosen, LotsDrawn, RoundsDeclared, Stage};
use annals_events::{BoardId, PlayerId, Side, TournamentEvent};

use crate::check::JudgingContext;
use crate::formats::{self, RoundsDue};
use crate::lot;
use crate::record::began;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::RuleId;

pub(super) fn declare_rounds(case: &JudgingContext<'_>) -> Result<Vec<TournamentEvent>, Refusal> {
    let RoundsDue { stage, rounds, players, rule } = formats::rounds_due(case.tournament, case.rulebook)?;
    let declared = case.tournament.rounds_declared.get(&stage);
    if declared.is_some_and(|old| (old.fact.rounds, old.fact.players) == (rounds, players)) {
        let what = format!("{rounds} rounds for {players} players are declared already");
        return Err(Refusal::by(case.rulebook.rule(rule), what).hint(Remedy::Show));
    }
    let finding = match rounds {
        0 => format!("{players} players: no preliminary is played, all players are in the final"),
        _ => format!("{players} players"),
    };
    let ground = case.rulebook.ground(rule, finding);
    let declared = RoundsDeclared { stage, rounds, players, grounds: ground.into_iter().collect() };
    Ok(vec![TournamentEvent::RoundsDeclared(declared)])
}

/// Lots of the coming round, from a seed, for all who began the Swiss, also those who are out.
pub(super) fn draw_lots(
    case: &JudgingContext<'_>,
    seed: &str,
    commitment: Option<&str>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    if case.rulebook.rule(RuleId::SwissLots).is_none() {
        return Err(Refusal::lacking(format!("the rulebook {} draws no lots", case.rulebook.name)));
    }
    let began = began(case.tournament, &[Stage::Swiss]);
    if !began.iter().any(|(_, entrant)| entrant.is_in()) {
        return Err(Refusal::by(
            case.rulebook.rule(RuleId::SwissLots),
            "no player is in, so there is no lot to draw",
        ));
    }
    let round = case.tournament.next_round();
    let drawn = LotsDrawn {
        round,
        lots: lot::lots(seed, round, began.into_iter().map(|(player, _)| player)),
        draw: lot::draw_of(seed, commitment),
    };
    Ok(vec![TournamentEvent::LotsDrawn(drawn)])
}

pub(super) fn choose_colour(
    case: &JudgingContext<'_>,
    pairing: BoardId,
    player: &PlayerId,
    side: Side,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let Some(rule) = case.rulebook.rule(RuleId::PlayoffColour) else {
        let what = format!("by the rulebook {} no player chooses a colour", case.rulebook.name);
        return Err(Refusal::lacking(what));
    };
    let Some((_, board)) = case.board(pairing) else {
        return Err(Refusal::lacking(format!("{pairing} is no pairing in force")).hint(Remedy::Show));
    };
    if !board.has(player) {
        let what =
            format!("{player} does not play {pairing}, which is {} against {}", board.upper(), board.lower());
        return Err(Refusal::by(Some(rule), what));
    }
    let chosen = ColourChosen { pairing, player: player.clone(), side, ground: Some(rule.ground(None)) };
    Ok(vec![TournamentEvent::ColourChosen(chosen)])
}
