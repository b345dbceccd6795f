//! The draw of the ring held against the rules: the order by rating, every game that follows and no other, every colour.

use crate::rulebook::RuleId;
use annals_events::tournament::{Pair, Ranked, RoundPaired};
use annals_events::{PlayerId, Side, TournamentEvent};

use super::propose::next_round;
use crate::check::Bench;
use crate::round_check::course;
use crate::round_check::published::{cannot_follow, same_byes, same_meetings, same_order, same_values, two};

const COLOUR: RuleId = RuleId::RingColour;

/// Judges what belongs here.
pub(crate) fn judge(bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RoundPaired(paired) => round_paired(bench, paired),
        TournamentEvent::PairingRevoked(revoked) => course::revocation(bench, revoked),
        TournamentEvent::RoundStarted(started) => course::start(bench, started),
        TournamentEvent::ColourDrawn(drawn) => by_the_ring(bench, drawn.pairing, "a coin"),
        TournamentEvent::ColourChosen(chosen) => by_the_ring(bench, chosen.pairing, "a choice"),
        _ => {}
    }
}

fn by_the_ring(bench: &mut Bench<'_>, pairing: annals_events::Pairing, found: &str) {
    bench.hold(COLOUR, format!("the colours of {pairing}"), false, || {
        ("the colours that the ring gives".to_owned(), found.to_owned())
    });
}

fn round_paired(bench: &mut Bench<'_>, paired: &RoundPaired) {
    let subject = course::round(paired.round);
    if paired.inferred {
        let why = "the round was inferred from its games, and what it rested on is not known";
        return bench.open(RuleId::RingPairing, subject, why);
    }
    if !course::in_order(bench, paired) {
        return;
    }
    let next = match next_round(bench.case.tournament, bench.case.rulebook) {
        Ok(next) => next.paired,
        Err(refusal) => return cannot_follow(bench, RuleId::RingPairing, &subject, refusal),
    };
    let line = |line: &Ranked| (line.rank, line.player.clone(), line.measures.clone());
    let (wanted, found): (Vec<_>, Vec<_>) =
        (next.order.iter().map(line).collect(), paired.order.iter().map(line).collect());
    same_order(
        bench,
        RuleId::RingOrder,
        &subject,
        wanted.iter().map(|(rank, player, measures)| (*rank, player, measures.as_slice())),
        found.iter().map(|(rank, player, measures)| (*rank, player, measures.as_slice())),
    );
    same_byes(bench, RuleId::RingPairing, &subject, &next.byes, &paired.byes);
    if same_meetings(bench, RuleId::RingPairing, &subject, &next.pairs, &paired.pairs) {
        same_values(bench, RuleId::RingPairing, &subject, &next, paired);
    }
    for pair in &paired.pairs {
        let expected =
            next.pairs.iter().find(|other| two(&other.upper, &other.lower) == two(&pair.upper, &pair.lower));
        // Of a game that is none of the ring no colours follow; the pairing departs.
        let Some(expected) = expected else { continue };
        colours(bench, paired.round, expected, pair);
    }
}

fn colours(bench: &mut Bench<'_>, round: u32, expected: &Pair, found: &Pair) {
    let (wanted, made) = (expected.player(Side::Gold), found.player(Side::Gold));
    let show = |gold: Option<&PlayerId>| match gold {
        Some(gold) => format!("Gold for {gold}"),
        None => "no colours".to_owned(),
    };
    bench.hold(COLOUR, format!("the colours of r{round}.{}", found.board), wanted == made, || {
        (show(wanted), show(made))
    });
}
