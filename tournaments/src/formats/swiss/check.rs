//! Events of the Swiss checked: the number of rounds, lots, rounds and coins. The walk leaves no
//! choice: a round follows, or departs.

use annals_events::tournament::{ColourDrawn, RoundPaired, RoundsDeclared, Stage};
use annals_events::{PlayerId, Side, TournamentEvent};

use super::propose::{Swiss, played};
use super::{ColourCount, SwissColour, colour, lots, rounds_for};
use crate::check::Bench;
use crate::formats::began::{before_round, began, rounds_of};
use crate::record::Tally;
use crate::round_check::{coins, proposal, published, round};
use crate::rulebook::RuleId;
use crate::subject::Subject;

const COLOUR: RuleId = RuleId::SwissColour;

/// Checks the other events of the Swiss.
pub(super) fn other(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RoundsDeclared(declared) => rounds_declared(bench, declared),
        TournamentEvent::LotsDrawn(drawn) => lots::check(bench, drawn),
        _ => {}
    }
}

fn rounds_declared(bench: &mut Bench<'_>, declared: &RoundsDeclared) {
    let tournament = bench.case.tournament;
    let subject = format!("the rounds of the {}", declared.stage);
    let begun = rounds_of(tournament, &[Stage::Swiss]).next().map(|(number, _)| number);
    bench.hold(RuleId::SwissDeclared, subject.clone(), begun.is_none(), || {
        let found = format!("round {} is paired", begun.unwrap_or_default());
        ("the number of rounds declared before the first one".to_owned(), found)
    });
    // After the start the number of those who began still decides.
    let players = u32::try_from(began(tournament, &[Stage::Swiss]).len()).unwrap_or(u32::MAX);
    match rounds_for(players) {
        Ok(table) => {
            let holds = declared.rounds == table.rounds && declared.players == players;
            bench.hold(RuleId::SwissRounds, subject, holds, || {
                (
                    format!("{} rounds for {players} players", table.rounds),
                    format!("{} rounds for {} players", declared.rounds, declared.players),
                )
            });
        }
        Err(error) => bench.open(RuleId::SwissRounds, subject, error.to_string()),
    }
}

/// Checks a published round.
pub(super) fn round_paired(swiss: &Swiss, bench: &mut Bench<'_>, paired: &RoundPaired) {
    let Some(next) = proposal(swiss, RuleId::SwissPairing, bench, paired) else { return };
    let (subject, due) = (round(paired.round), &next.paired);
    published::same_order(bench, RuleId::SwissOrder, &subject, &due.order, &paired.order);
    published::only_round(bench, (RuleId::SwissPairing, RuleId::SwissBye), due, paired);
    let Ok(played) = played(bench.case.tournament) else { return };
    let Ok(tally) = played.tally(1, 0) else { return };
    for pair in &paired.pairs {
        let expected = gold_of(bench, &tally, &pair.upper, &pair.lower);
        if expected.is_none() && pair.player(Side::Gold).is_some() && bench.when.imported {
            let subject = Subject::Colours(annals_events::Pairing { round: paired.round, board: pair.board });
            bench.open(COLOUR, subject, "a coin decides, and how it was thrown is not recorded");
        } else {
            published::gold(bench, COLOUR, paired.round, pair, expected, "colours left to a coin");
        }
    }
}

/// Who has Gold of two by what they have had so far; none where a coin decides.
fn gold_of<'a>(
    bench: &Bench<'_>,
    tally: &Tally,
    upper: &'a PlayerId,
    lower: &'a PlayerId,
) -> Option<&'a PlayerId> {
    let count = |player| ColourCount::from(tally.record(player));
    match colour(count(upper), count(lower), bench.case.rulebook.readings.swiss.colour) {
        SwissColour::Upper => Some(upper),
        SwissColour::Lower => Some(lower),
        SwissColour::ByLot => None,
    }
}

/// Checks a coin.
pub(super) fn coin(bench: &mut Bench<'_>, drawn: &ColourDrawn) {
    let number = drawn.pairing.round;
    let tournament = bench.case.tournament;
    let Some(round) = tournament.rounds.get(&number) else { return };
    let Some(board) = round.boards.get(&drawn.pairing.board) else {
        return bench.hold(COLOUR, drawn.pairing, false, || {
            ("a pairing that stands".to_owned(), format!("{} does not stand", drawn.pairing))
        });
    };
    let before = before_round(tournament, number);
    if let Ok(played) = played(before.as_ref().unwrap_or(tournament))
        && let Ok(tally) = played.tally(1, 0)
        && let Some(gold) = gold_of(bench, &tally, board.upper(), board.lower())
    {
        return bench.hold(COLOUR, drawn.pairing, false, || {
            (format!("Gold for {gold}, who has had it less often"), "a coin".to_owned())
        });
    }
    coins::drawn(bench, COLOUR, board, round.started_at.is_some(), drawn);
}
