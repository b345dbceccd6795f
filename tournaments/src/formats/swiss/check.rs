//! Rounds of the Swiss held against the rules: the number of rounds, lots, order, bye, the walk, colours.
//! The walk leaves no choice: a round follows, or departs.

use crate::rulebook::RuleId;
use annals_events::TournamentEvent;
use annals_events::tournament::{ColourDrawn, Pair, Ranked, RoundPaired, RoundsDeclared, Stage};
use annals_events::{PlayerId, Side};

use super::lots;
use super::propose::{Played, next_round, played};
use crate::check::Bench;
use crate::formats::began::{before_round, began, rounds_of};
use crate::formats::swiss::{SwissColour, colour, rounds_for};
use crate::round_check::published::{Line, cannot_follow, same_byes, same_meetings, same_order, same_values};
use crate::round_check::{coins, course};

const COLOUR: RuleId = RuleId::SwissColour;

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RoundsDeclared(declared) => rounds_declared(bench, declared),
        TournamentEvent::LotsDrawn(drawn) => lots::judge(bench, drawn),
        TournamentEvent::RoundPaired(paired) => round_paired(bench, paired),
        TournamentEvent::PairingRevoked(revoked) => course::revocation(bench, revoked),
        TournamentEvent::RoundStarted(started) => course::start(bench, started),
        TournamentEvent::ColourDrawn(drawn) => colour_drawn(bench, drawn),
        TournamentEvent::ColourChosen(chosen) => {
            bench.hold(COLOUR, format!("the colours of {}", chosen.pairing), false, || {
                (
                    "the colour played less often, or a coin".to_owned(),
                    format!("a choice of {}", chosen.player),
                )
            });
        }
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

fn round_paired(bench: &mut Bench<'_>, paired: &RoundPaired) {
    let subject = course::round(paired.round);
    if paired.inferred {
        let why = "the round was inferred from its games, and what it rested on is not known";
        return bench.open(RuleId::SwissPairing, subject, why);
    }
    if !course::in_order(bench, paired) {
        return;
    }
    let tournament = bench.case.tournament;
    let next = match next_round(tournament, bench.case.rulebook) {
        Ok(next) => next.paired,
        Err(refusal) => return cannot_follow(bench, RuleId::SwissPairing, &subject, refusal),
    };
    same_order(
        bench,
        RuleId::SwissOrder,
        &subject,
        next.order.iter().map(ranked),
        paired.order.iter().map(ranked),
    );
    same_byes(bench, RuleId::SwissBye, &subject, &next.byes, &paired.byes);
    if same_meetings(bench, RuleId::SwissPairing, &subject, &next.pairs, &paired.pairs) {
        same_values(bench, RuleId::SwissPairing, &subject, &next, paired);
    }
    if let Ok(played) = played(tournament) {
        for pair in &paired.pairs {
            pair_colours(bench, paired, pair, &played);
        }
    }
}

fn ranked(line: &Ranked) -> Line<'_> {
    (line.rank, &line.player, &line.measures)
}

/// Who has Gold of two by what they have had so far; nobody where a coin decides.
fn gold_of<'a>(
    bench: &Bench<'_>,
    played: &Played,
    upper: &'a PlayerId,
    lower: &'a PlayerId,
) -> Option<&'a PlayerId> {
    let reading = bench.case.rulebook.readings.swiss_colour;
    match colour(played.colours(upper), played.colours(lower), reading) {
        SwissColour::Upper => Some(upper),
        SwissColour::Lower => Some(lower),
        SwissColour::ByLot => None,
    }
}

fn pair_colours(bench: &mut Bench<'_>, paired: &RoundPaired, pair: &Pair, played: &Played) {
    let subject = format!("the colours of r{}.{}", paired.round, pair.board);
    let expected = gold_of(bench, played, &pair.upper, &pair.lower);
    let show = |gold: Option<&PlayerId>| match gold {
        Some(gold) => format!("Gold for {gold}"),
        None => "colours left to a coin".to_owned(),
    };
    let found = pair.player(Side::Gold);
    if expected.is_none() && found.is_some() && bench.when.imported {
        bench.open(COLOUR, subject, "a coin decides, and how it was thrown is not recorded");
        return;
    }
    bench.hold(COLOUR, subject, expected == found, || (show(expected), show(found)));
}

fn colour_drawn(bench: &mut Bench<'_>, drawn: &ColourDrawn) {
    let number = drawn.pairing.round;
    let tournament = bench.case.tournament;
    let Some(round) = tournament.rounds.get(&number) else { return };
    let Some(board) = round.boards.get(&drawn.pairing.board) else {
        return bench.hold(COLOUR, drawn.pairing.to_string(), false, || {
            ("a pairing that stands".to_owned(), format!("{} does not stand", drawn.pairing))
        });
    };
    let before = before_round(tournament, number);
    if let Ok(played) = played(before.as_ref().unwrap_or(tournament))
        && let Some(gold) = gold_of(bench, &played, &board.upper, &board.lower)
    {
        return bench.hold(COLOUR, drawn.pairing.to_string(), false, || {
            (format!("Gold for {gold}, who has had it less often"), "a coin".to_owned())
        });
    }
    coins::drawn(bench, COLOUR, board, round.started_at.is_some(), drawn);
}
