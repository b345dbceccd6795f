//! Checks of the Swiss: number of rounds, lots, rounds, coins. The walk leaves no choice, so a round is
//! compliant or not.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{Pair, RoundPaired, RoundsDeclared, Stage};
use annals_events::{BoardId, PlayerId, TournamentEvent};

use super::played::STAGES;
use super::propose::contradicted;
use super::table::LAST_PRINTED;
use super::walk::{Listed, walk};
use super::why::colours_of;
use super::{PairedGame, lots, rounds_for};
use crate::check::checker::Checker;
use crate::formats::meetings::{Two, meetings, two};
use crate::formats::{Decided, Decider, StageState};
use crate::record::{Played, Tally, began};
use crate::refusal::Refusal;
use crate::rulebook::RuleId;
use crate::state::{Board, Tournament};
use crate::subject::Subject;

pub(super) fn other(check: &mut Checker<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RoundsDeclared(declared) => rounds_declared(check, declared),
        TournamentEvent::LotsDrawn(drawn) => lots::check(check, drawn),
        _ => {}
    }
}

fn rounds_declared(check: &mut Checker<'_>, declared: &RoundsDeclared) {
    let tournament = check.case.tournament;
    let subject = format!("the rounds of the {}", declared.stage);
    let begun = tournament.rounds_of(&[Stage::Swiss]).next().map(|(number, _)| number);
    check.hold(RuleId::SwissDeclared, subject.clone(), begun.is_none(), || {
        let found = format!("round {} is paired", begun.unwrap_or_default());
        ("the number of rounds declared before the first one".to_owned(), found)
    });
    // After the start, the number of players who began counts.
    let players = u32::try_from(began(tournament, &[Stage::Swiss]).len()).unwrap_or(u32::MAX);
    match rounds_for(players) {
        Ok(rounds) => {
            let holds = declared.rounds == rounds && declared.players == players;
            if holds && players > LAST_PRINTED && check.case.rulebook.edition > 1 {
                let why = format!(
                    "the table ends at {LAST_PRINTED} players; the program continues it to {rounds} rounds for {players}"
                );
                return check.open(RuleId::SwissRounds, subject, why);
            }
            check.hold(RuleId::SwissRounds, subject, holds, || {
                (
                    format!("{rounds} rounds for {players} players"),
                    format!("{} rounds for {} players", declared.rounds, declared.players),
                )
            });
        }
        Err(error) => check.open(RuleId::SwissRounds, subject, error.to_string()),
    }
}

/// The first round is paired with the number of rounds that the table gives for those who begin, and without a declared
/// number no more rounds are played than it gives (2009 WC, Preliminary 1). The first of several too many is named.
pub(super) fn length(check: &mut Checker<'_>, paired: &RoundPaired) {
    let tournament = check.case.tournament;
    let fault = match tournament.rounds_declared.get(&Stage::Swiss) {
        Some(_) => contradicted(tournament),
        None if check.case.rulebook.edition == 1 => None,
        None => beyond_the_table(tournament, paired),
    };
    if let Some((due, found)) = fault {
        let subject = format!("the rounds of the {}", paired.stage);
        check.hold(RuleId::SwissRounds, subject, false, || (due, found));
    }
}

/// The rounds of the table for those who begin, and a round that is one too many.
fn beyond_the_table(tournament: &Tournament, paired: &RoundPaired) -> Option<(String, String)> {
    let earlier = tournament.rounds_of(&STAGES).filter(|(number, _)| *number < paired.round).count();
    let players = u32::try_from(began(tournament, &STAGES).len()).unwrap_or(u32::MAX);
    let due = rounds_for(players).ok().filter(|due| u32::try_from(earlier) == Ok(*due))?;
    let found = format!("round {} of the {}", earlier + 1, paired.stage);
    Some((format!("{due} rounds for {players} players"), found))
}

/// A rematch is allowed only if the round cannot avoid it (2009 WC, Preliminary 3). This is checked even if
/// the record lacks the rest of the round's basis.
pub(super) fn rematches(check: &mut Checker<'_>, paired: &RoundPaired) {
    let (tournament, rulebook) = (check.case.tournament, check.case.rulebook);
    if !rulebook.games_only || rulebook.edition == 1 {
        return;
    }
    let before = tournament.rounds_of(&STAGES).filter(|(number, _)| *number < paired.round);
    let met: BTreeMap<Two, u32> = before
        .flat_map(|(number, round)| {
            round.boards.values().map(move |board| (two(board.upper(), board.lower()), number))
        })
        .collect();
    let again = meetings(&paired.pairs).into_iter().filter_map(|pair| Some((*met.get(&pair)?, pair)));
    let again: Vec<(u32, Two)> = again.collect();
    // Any player in the round could have been met, except those with a bye.
    let has_bye = |player: &PlayerId| paired.byes.iter().any(|bye| bye.player == *player);
    let still_in = tournament.entrants.iter().filter(|(player, entrant)| entrant.is_in() && !has_bye(player));
    let mut players: BTreeSet<&PlayerId> = still_in.map(|(player, _)| player).collect();
    players.extend(paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]));
    let list: Vec<Listed<&PlayerId>> =
        players.into_iter().map(|player| Listed { player, half_points: 0 }).collect();
    let fewest = match again.len() {
        0 => 0,
        _ => walk(&list, |one, other| met.contains_key(&two(one, other)), rulebook.readings.swiss).rematches,
    };
    let more = u32::try_from(again.len()).unwrap_or(u32::MAX) > fewest;
    check.hold(RuleId::SwissPairing, format!("{}, rematches", Subject::Round(paired.round)), !more, || {
        let pairs: Vec<String> = again
            .iter()
            .map(|(before, (one, other))| format!("{one}-{other} as in round {before}"))
            .collect();
        (format!("{fewest} pairs that have met before"), pairs.join(", "))
    });
}

pub(super) fn colours<'a>(state: &StageState<'_>, paired: &'a RoundPaired) -> Vec<(&'a Pair, Decided)> {
    let Ok(tally) = tally_before(state, paired.round) else { return Vec::new() };
    let decided = |pair: &Pair| decided(state, &tally, &pair.upper, &pair.lower);
    paired.pairs.iter().map(|pair| (pair, decided(pair))).collect()
}

pub(super) fn decider(state: &StageState<'_>, pairing: BoardId, board: &Board) -> Result<Decider, Refusal> {
    let tally = tally_before(state, pairing.round)?;
    Ok(match decided(state, &tally, board.upper(), board.lower()).gold {
        Some(gold) => Decider::Rules(format!("Gold for {gold}, who has had it less often")),
        None => Decider::Coin,
    })
}

fn tally_before(state: &StageState<'_>, round: u32) -> Result<Tally, Refusal> {
    let mut played = Played::of(state.tournament, &STAGES);
    played.rounds.retain(|played| played.number < round);
    played.tally(1, 0).map_err(|error| Refusal::lacking(error.to_string()))
}

/// Who has Gold by previous colours; none if a coin decides.
fn decided(state: &StageState<'_>, tally: &Tally, upper: &PlayerId, lower: &PlayerId) -> Decided {
    let game = PairedGame::of(tally, upper, lower, state.rulebook.readings.swiss.colour);
    let ground = state.rulebook.ground(RuleId::SwissColour, colours_of(&game));
    Decided { gold: game.gold().cloned(), ground, arbitrary: false }
}
