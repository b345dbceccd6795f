//! Lots, the number of rounds, and colours that a player chooses: the events that stand for those requests.

use annals_events::tournament::{ColourChosen, LotsDrawn, RoundsDeclared, Stage};
use annals_events::{Pairing, PlayerId, Side, TournamentEvent};

use crate::check::Case;
use crate::formats::began::{began, next_number, still_in};
use crate::formats::encounters::propose as encounters;
use crate::formats::swiss::rounds_for;
use crate::lot;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, RuleId};

/// The number of rounds that follows from the number of players.
pub(super) fn declare_rounds(case: &Case<'_>) -> Result<Vec<TournamentEvent>, Refusal> {
    let (tournament, rulebook) = (case.tournament, case.rulebook);
    let encounters = rulebook.stages.iter().any(|rules| rules.format == Format::Encounters);
    let (stage, rounds, players, rule) = if encounters {
        let played = encounters::played(tournament);
        let rule = rulebook.rule(RuleId::EncounterFormat);
        let stage = encounters::stage_of(&played)
            .ok_or_else(|| Refusal::by(rule, "there are not two entrants, so no rounds are played"))?;
        (stage, encounters::rounds_in(&played), played.players.len(), rule)
    } else if rulebook.stages.iter().any(|rules| rules.format == Format::Swiss) {
        let rule = rulebook.rule(RuleId::SwissRounds);
        let players = began(tournament, &[Stage::Swiss]).len();
        let table = rounds_for(small(players)).map_err(|error| Refusal::by(rule, error.to_string()))?;
        (Stage::Swiss, table.rounds, players, rule)
    } else {
        let what = format!("the rulebook {} asks for no number of rounds", rulebook.name);
        return Err(Refusal::lacking(what));
    };
    let finding = match rounds {
        0 => format!("{players} players: no preliminary is played, everybody is in the final"),
        _ => format!("{players} players"),
    };
    let declared = RoundsDeclared {
        stage,
        rounds,
        players: small(players),
        grounds: rule.map(|rule| rule.ground(Some(finding))).into_iter().collect(),
    };
    Ok(vec![TournamentEvent::RoundsDeclared(declared)])
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Lots for the coming round, drawn from a seed for everybody who began the Swiss: the order has those who are out too.
pub(super) fn draw_lots(
    case: &Case<'_>,
    seed: &str,
    commitment: Option<&str>,
) -> Result<Vec<TournamentEvent>, Refusal> {
    if case.rulebook.rule(RuleId::SwissLots).is_none() {
        return Err(Refusal::lacking(format!("the rulebook {} draws no lots", case.rulebook.name)));
    }
    let began = began(case.tournament, &[Stage::Swiss]);
    if !began.iter().any(|(_, entrant)| still_in(entrant)) {
        return Err(Refusal::by(
            case.rulebook.rule(RuleId::SwissLots),
            "nobody is in, so there is no lot to draw",
        ));
    }
    let round = next_number(case.tournament);
    let drawn = LotsDrawn {
        round,
        lots: lot::lots(seed, round, began.into_iter().map(|(player, _)| player)),
        draw: lot::draw_of(seed, commitment),
    };
    Ok(vec![TournamentEvent::LotsDrawn(drawn)])
}

/// A colour that a player chooses; whether they may is judged.
pub(super) fn choose_colour(
    case: &Case<'_>,
    pairing: Pairing,
    player: &PlayerId,
    side: Side,
) -> Result<Vec<TournamentEvent>, Refusal> {
    let Some(rule) = case.rulebook.rule(RuleId::PlayoffColour) else {
        let what = format!("by the rulebook {} nobody chooses a colour", case.rulebook.name);
        return Err(Refusal::lacking(what));
    };
    let board = case.tournament.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
    let Some(board) = board else {
        return Err(Refusal::lacking(format!("{pairing} is no pairing that stands")).hint(Remedy::Show));
    };
    if !board.has(player) {
        let what =
            format!("{player} does not play {pairing}, which is {} against {}", board.upper(), board.lower());
        return Err(Refusal::by(Some(rule), what));
    }
    let chosen = ColourChosen { pairing, player: player.clone(), side, ground: Some(rule.ground(None)) };
    Ok(vec![TournamentEvent::ColourChosen(chosen)])
}
