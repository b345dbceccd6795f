//! The final of 2015 under other readings of its text: what counts as a meeting, the ranks of a round, who plays for second
//! place.

use annals_events::tournament::{
    Disqualification, Disqualified, Effect, Outcome, ResultRecorded, RoundPaired, Stage, Withdrawal,
};
use annals_events::{BoardId, PlayerId, Termination, TournamentEvent};
use annals_tournaments::commands::{AnnounceOrder, announcement};
use annals_tournaments::refusal::Remedy;

use super::finals_desk::{Desk, seed};
use super::pairing_exact::Random;

/// A final of so many players with so many lives.
fn desk(players: u32, lives: u32) -> Desk {
    Desk::of_seeds("wcc-2015", players).with(lives, players.max(8))
}

fn read(desk: &Desk, reading: &str, value: &str) -> Desk {
    let mut desk = desk.clone();
    desk.rulebook.read(reading, value).expect("a reading");
    desk
}

/// Plays the next round: `winner` says who wins of two, none for a double loss.
fn play(desk: &mut Desk, how: Option<Termination>, winner: impl Fn(u32, u32) -> Option<u32>) {
    let paired = desk.next().expect("a round");
    desk.push(TournamentEvent::RoundPaired(paired.clone()));
    desk.start(paired.round);
    for pair in &paired.pairs {
        let board = desk.tournament.rounds[&paired.round].boards[&pair.board].clone();
        let gold = board.gold().expect("Gold").clone();
        let outcome = match winner(of(&pair.upper), of(&pair.lower)).map(seed) {
            Some(won) if won == gold => Outcome::Gold,
            Some(_) => Outcome::Silver,
            None => Outcome::DoubleLoss,
        };
        desk.push(TournamentEvent::ResultRecorded(ResultRecorded {
            pairing: BoardId { round: paired.round, board: pair.board },
            outcome,
            termination: how,
            attempt: None,
            game: None,
            territory: None,
            note: None,
        }));
    }
}

fn of(player: &PlayerId) -> u32 {
    player.as_str().trim_start_matches('s').parse().expect("a seed")
}

fn better(one: u32, other: u32) -> Option<u32> {
    Some(one.min(other))
}

fn pairs(paired: &RoundPaired) -> Vec<(u32, u32)> {
    let two = |one: u32, other: u32| (one.min(other), one.max(other));
    let mut pairs: Vec<_> = paired.pairs.iter().map(|pair| two(of(&pair.upper), of(&pair.lower))).collect();
    pairs.sort_unstable();
    pairs
}

/// The next round is in order by its own readings, and what the desk pairs under others departs on a rule.
fn departs_on(desk: &Desk, other: &Desk, rule: &str) {
    let (own, foreign) = (desk.next().expect("a round"), other.next().expect("a round"));
    assert_eq!(desk.violations(&TournamentEvent::RoundPaired(own)), [""; 0]);
    let found = desk.violations(&TournamentEvent::RoundPaired(foreign));
    assert!(found.contains(&rule), "{found:?}");
}

#[test]
fn a_forfeited_pairing_counts_as_a_meeting_unless_games_played_are_counted() {
    let mut desk = desk(4, 4);
    play(&mut desk, Some(Termination::Forfeit), better);
    play(&mut desk, Some(Termination::Goal), |one, other| {
        Some(if (one, other) == (3, 4) { 4 } else { one.min(other) })
    });
    let games = read(&desk, "T20", "B");
    assert_eq!(pairs(&desk.next().expect("a round")), [(1, 3), (2, 4)], "all have met the others");
    assert_eq!(pairs(&games.next().expect("a round")), [(1, 4), (2, 3)], "these have played no game");
    departs_on(&desk, &games, "pairing.best");
    departs_on(&games, &desk, "pairing.best");
}

#[test]
fn ranks_are_dense_or_the_original_seeds() {
    let mut found = 0;
    for start in 0..40 {
        let mut random = Random(start);
        let mut dense = desk(8, 4);
        for _ in 0..3 {
            let winners = random.below(1 << 16);
            play(&mut dense, Some(Termination::Goal), |one, other| {
                Some(if winners >> (one + other) & 1 == 0 { one } else { other })
            });
        }
        let seeds = read(&dense, "T22", "original_seeds");
        let paired = seeds.next().expect("a round");
        let losses = |player: u32| {
            let line = paired.order.iter().find(|line| of(&line.player) == player).expect("ranked");
            line.measures[0].values[0]
        };
        let spread: i64 = pairs(&paired)
            .into_iter()
            .map(|(one, other)| {
                let square = i64::from(other - one).pow(2);
                if losses(one) == losses(other) { -square } else { square }
            })
            .sum();
        assert_eq!(paired.measures.last().expect("measures").values, [spread], "start {start}");
        if pairs(&paired) != pairs(&dense.next().expect("a round")) {
            found += 1;
            departs_on(&dense, &seeds, "pairing.best");
            departs_on(&seeds, &dense, "pairing.best");
        }
    }
    assert!(found > 0, "the ranks never decide");
}

/// Six players with one life: 2 is champion, 1 has won a game and is gone, 3 has won one and lost one.
fn one_gone() -> Desk {
    let mut desk = desk(6, 1);
    play(&mut desk, Some(Termination::Goal), better);
    let paired = desk.next().expect("a round");
    assert_eq!((pairs(&paired), paired.byes.len()), (vec![(2, 3)], 1));
    play(&mut desk, Some(Termination::Goal), better);
    desk
}

#[test]
fn who_withdrew_plays_no_continuation_unless_the_text_is_read_so() {
    let mut out = one_gone();
    let mut back = read(&out, "T26", "in");
    for desk in [&mut out, &mut back] {
        let announced = announcement(&desk.rulebook, AnnounceOrder::default());
        desk.push(TournamentEvent::Announced(announced));
        desk.withdraw(&seed(1), Withdrawal::Own);
    }
    assert_eq!((out.at(1), out.at(2)), (vec![seed(2)], vec![seed(3)]), "3 alone has won a game");
    assert!(out.next().is_err(), "no place is open");
    let paired = back.next().expect("a round");
    assert_eq!((paired.stage, pairs(&paired)), (Stage::Continuation, vec![(1, 3)]));
    assert_eq!(back.violations(&TournamentEvent::RoundPaired(paired.clone())), [""; 0]);
    out.push(TournamentEvent::RoundPaired(paired));
    assert_eq!(out.tournament.findings[0].code, "not_entered", "{:?}", out.tournament.findings);
    play(&mut back, Some(Termination::Goal), better);
    assert_eq!((back.at(2), back.at(3)), (vec![seed(1)], vec![seed(3)]));
    assert_eq!(back.tournament.findings, []);

    let mut disqualified = read(&one_gone(), "T26", "in");
    disqualified.push(TournamentEvent::Disqualified(Disqualified {
        player: seed(1),
        cause: Disqualification::Other,
        grounds: Vec::new(),
        reason: None,
    }));
    assert_eq!((disqualified.at(1), disqualified.at(2)), (vec![seed(2)], vec![seed(3)]));
}

#[test]
fn who_withdrew_takes_a_place_by_the_games_won_where_the_text_is_read_so() {
    let mut none = one_gone();
    let mut placed = read(&none, "T48", "by_games_won");
    for desk in [&mut none, &mut placed] {
        desk.withdraw(&seed(1), Withdrawal::Own);
    }
    assert_eq!((none.at(2), none.places().left_out), (vec![seed(3)], vec![seed(1)]));
    assert!(!none.at(3).contains(&seed(1)));
    // 1 and 3 have won one game each, and 1 plays no continuation.
    assert_eq!((placed.at(1), placed.at(2), placed.at(3)), (vec![seed(2)], vec![seed(3)], vec![seed(1)]));
    assert_eq!(placed.places().left_out, []);

    // If both have left, no game decides.
    let mut both = read(&one_gone(), "T48", "by_games_won");
    both.withdraw(&seed(3), Withdrawal::Own);
    both.withdraw(&seed(1), Withdrawal::Own);
    let refusal = both.next().expect_err("the director rules");
    assert_eq!(refusal.next, Some(Remedy::GivePlace), "{refusal}");
    assert!(refusal.to_string().contains("all of them left"), "{refusal}");
    both.rule(Effect::Place { players: vec![seed(1)], place: 2 });
    assert_eq!((both.at(1), both.at(2)), (vec![seed(2)], vec![seed(1)]));
}

/// Eight players with one life: 1 is champion, three are level for second, of whom the last two fall together.
fn fallen() -> (Desk, Vec<u32>) {
    let mut desk = desk(8, 1);
    play(&mut desk, Some(Termination::Goal), better);
    play(&mut desk, Some(Termination::Goal), |one, other| (one.min(other) == 1).then_some(1));
    assert_eq!(desk.at(1), [seed(1)]);
    let paired = desk.next().expect("a round");
    assert_eq!((paired.stage, paired.pairs.len(), paired.byes.len()), (Stage::Continuation, 1, 1));
    play(&mut desk, Some(Termination::Goal), better);
    let last = pairs(&desk.next().expect("a round"));
    play(&mut desk, Some(Termination::Goal), |_, _| None);
    (desk, vec![last[0].0, last[0].1])
}

#[test]
fn those_who_fall_together_play_on_for_second_place() {
    let (desk, last) = fallen();
    let paired = desk.next().expect("a round");
    assert_eq!((pairs(&paired), paired.byes.len()), (vec![(last[0], last[1])], 0));
    assert_eq!(desk.violations(&TournamentEvent::RoundPaired(paired)), [""; 0]);
    let all = read(&desk, "T41", "all_level");
    let three = all.next().expect("a round");
    assert_eq!((three.pairs.len(), three.byes.len()), (1, 1), "all who were level");
    assert!(desk.violations(&TournamentEvent::RoundPaired(three)).contains(&"round.players"));

    let mut ruled = read(&desk, "T41", "ruling");
    let refusal = ruled.next().expect_err("the director rules");
    assert_eq!(refusal.next, Some(Remedy::GivePlace), "{refusal}");
    assert!(refusal.to_string().contains("the last of them fell together"), "{refusal}");
    ruled.rule(Effect::Place { players: vec![seed(last[1])], place: 2 });
    assert_eq!(ruled.at(2), [seed(last[1])]);
    assert!(ruled.places().decided && !ruled.at(3).is_empty());
}
