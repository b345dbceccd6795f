//! Rounds: paired, played board by board until none is left to pair; then the places, the prizes and the close.

use annals_events::tournament::{Effect, Outcome, PlayerWithdrawn, ResultRecorded, Withdrawal};
use annals_events::{BoardId, PlayerId, Side, TournamentEvent as E};
use annals_tournaments::commands::Command;
use annals_tournaments::formats::places;
use annals_tournaments::rulebook::{DAY, Format, HOUR, MINUTE};

use super::desk::Desk;
use super::numbers::Numbers;
use super::rulings::{corrected, overruled, rule, second_thoughts};
use super::{Wildness, games};

pub fn rounds(desk: &mut dyn Desk, numbers: &mut Numbers, wild: Wildness) {
    for round in 0.. {
        assert!(round < 200, "a tournament that does not end");
        if !pair(desk, round) {
            return;
        }
        // The replayed game may have decided everything: then no round is paired anew.
        if numbers.chance(2 * wild.trouble) && second_thoughts(desk, numbers) && !pair(desk, round) {
            return;
        }
        play_round(desk, numbers, wild);
        if numbers.chance(2 * wild.trouble) {
            overruled(desk, numbers);
        }
        if numbers.chance(3 * wild.trouble) {
            corrected(desk, numbers);
        }
        desk.wait(DAY);
        if numbers.chance(wild.withdrawal)
            && let Some(player) = somebody_in(desk, numbers)
        {
            let withdrawn = PlayerWithdrawn { player, how: Withdrawal::Own, reason: None };
            // Between rounds everyone may leave.
            let _ = desk.ask(&Command::Record(Box::new(E::PlayerWithdrawn(withdrawn))));
        }
    }
}

/// Pairs the next round, with whatever has to come before it; false when there is none.
fn pair(desk: &mut dyn Desk, round: u32) -> bool {
    if desk.rulebook().stages.iter().any(|stage| stage.format == Format::Swiss) {
        let _ = desk.ask(&Command::DeclareRounds);
        let _ = desk.ask(&Command::DrawLots { seed: format!("lots {round}"), commitment: None });
    }
    let seed = Some(format!("coins {round}"));
    desk.about_to_pair();
    match desk.ask(&Command::Pair { seed: seed.clone() }) {
        Ok(()) => true,
        Err(_) if desk.ask(&Command::Qualify).is_ok() => desk.ask(&Command::Pair { seed }).is_ok(),
        Err(_) => false,
    }
}

fn somebody_in(desk: &dyn Desk, numbers: &mut Numbers) -> Option<PlayerId> {
    let players: Vec<&PlayerId> = desk
        .tournament()
        .entrants
        .iter()
        .filter(|(_, entrant)| entrant.left.is_none())
        .map(|(player, _)| player)
        .collect();
    (players.len() > 2).then(|| players[numbers.below(players.len())].clone())
}

fn play_round(desk: &mut dyn Desk, numbers: &mut Numbers, wild: Wildness) {
    let boards = desk.open();
    let mut slips = Vec::new();
    for pairing in boards {
        choose(desk, pairing, numbers);
        let [one, two] = desk.pair(pairing);
        let gone = |player: &PlayerId| desk.tournament().entrants[player].left.is_some();
        let mut absent: Vec<PlayerId> =
            [&one, &two].into_iter().filter(|player| gone(player)).cloned().collect();
        if absent.is_empty() && numbers.chance(wild.forfeit) {
            absent.push(if numbers.chance(50) { one.clone() } else { two.clone() });
        } else if absent.is_empty() && numbers.chance(wild.double_forfeit) {
            absent = vec![one.clone(), two.clone()];
        }
        desk.wait(HOUR);
        if !absent.is_empty() {
            forfeit(desk, pairing, absent);
            continue;
        }
        if numbers.chance(wild.untold) {
            slips.extend(games::untold(desk, pairing, numbers));
        } else {
            games::game(desk, pairing, numbers, wild, None);
        }
    }
    for (seq, right) in slips {
        put_right(desk, seq, right, numbers);
    }
}

fn choose(desk: &mut dyn Desk, pairing: BoardId, numbers: &mut Numbers) {
    let board = &desk.tournament().rounds[&pairing.round].boards[&pairing.board];
    if board.gold().is_some() {
        return;
    }
    let side = if numbers.chance(50) { Side::Gold } else { Side::Silver };
    let [one, two] = desk.pair(pairing);
    if desk.ask(&Command::ChooseColour { pairing, player: one, side }).is_err() {
        desk.must(Command::ChooseColour { pairing, player: two, side });
    }
}

fn forfeit(desk: &mut dyn Desk, pairing: BoardId, absent: Vec<PlayerId>) {
    let schedules = desk.rulebook().lateness.is_some();
    if schedules {
        let at = desk.now() + MINUTE;
        let _ = desk.ask(&Command::Schedule { pairing, at: Some(at), reason: None });
        desk.wait_until(at + 20 * MINUTE);
    }
    let waited_until = schedules.then_some(desk.now());
    let _ = desk.ask(&Command::Start { pairing, game: None });
    desk.must(Command::Forfeit { pairing, absent, waited_until });
}

pub fn conclude(desk: &mut dyn Desk, numbers: &mut Numbers, wild: Wildness) {
    for _ in 0..6 {
        let found = places(desk.tournament(), desk.rulebook()).expect("places");
        let Some(_) = found.ruling_needed else { break };
        let taken: Vec<u32> = found.placings.iter().map(|placing| placing.place).collect();
        let place = (1..=3).find(|place| !taken.contains(place)).expect("a place is open");
        let placed: Vec<&PlayerId> = found.placings.iter().map(|placing| &placing.player).collect();
        let free: Vec<PlayerId> = desk
            .tournament()
            .entrants
            .iter()
            .filter(|(player, entrant)| entrant.left.is_none() && !placed.contains(player))
            .map(|(player, _)| player.clone())
            .collect();
        // Where the rules say which place is open, and between whom, it is given to one of them.
        let (place, free) = match found.open_place {
            Some((place, among)) if !among.is_empty() => (place, among),
            Some((place, _)) => (place, free),
            None => (place, free),
        };
        let players =
            if free.is_empty() { Vec::new() } else { vec![free[numbers.below(free.len())].clone()] };
        rule(desk, Effect::Place { players, place });
        // With that place given, others may be played for.
        rounds(desk, numbers, wild);
    }
    let _ = desk.ask(&Command::Award);
    let _ = desk.ask(&Command::Refund);
    // Some have no game: their close needs a reason.
    let note = Some("the end".to_owned());
    if let Err(refused) = desk.ask(&Command::Close { note }) {
        let pair = desk.ask(&Command::Pair { seed: Some("again".to_owned()) });
        let found = places(desk.tournament(), desk.rulebook());
        panic!(
            "{} is not closed: {}\nanother round: {pair:?}\n{found:?}\n{:?}",
            desk.rulebook().name,
            refused.text,
            desk.tournament()
                .entrants
                .iter()
                .map(|(id, e)| (id.as_str(), e.seed, e.left.as_ref()))
                .collect::<Vec<_>>()
        );
    }
    assert!(desk.tournament().closed.is_some());
    assert!(desk.tournament().rounds.values().all(|round| {
        round
            .boards
            .values()
            .all(|board| board.outcome().is_some_and(|outcome| outcome != Outcome::NoDecision))
    }));
}

/// A result that was recorded with the wrong winner is corrected, or struck and recorded again.
fn put_right(desk: &mut dyn Desk, seq: u64, outcome: Outcome, numbers: &mut Numbers) {
    let Some(E::ResultRecorded(wrong)) = desk.event(seq) else { panic!("event {seq} is a result") };
    let right = E::ResultRecorded(ResultRecorded { outcome, ..wrong });
    if numbers.chance(50) {
        desk.correct(seq, Some(right));
    } else {
        desk.correct(seq, None);
        desk.record(right);
    }
}
