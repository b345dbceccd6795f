//! Fields of every size, who is in them, what follows when nobody is left, and what rulings and withdrawals change.

use annals_events::tournament::{
    Disqualification, Disqualified, Effect, InvitationLapsed, Invited, Outcome, PairingRevoked,
    PlayerReinstated, Stage, Withdrawal,
};
use annals_events::{PlayerId, Side, TournamentEvent};
use annals_tournaments::formats::{next_stage, ranking};
use annals_tournaments::refusal::Remedy;
use annals_tournaments::verdict::Compliance;

use super::finals_desk::{Desk, favourite, id, seed};
use super::pairing_exact::Random;

fn play_out(desk: &mut Desk) -> usize {
    let mut rounds = 0;
    while desk.play(favourite).is_ok() {
        rounds += 1;
        assert!(rounds < 100, "it does not end");
    }
    rounds
}

#[test]
fn a_final_of_nobody_has_no_places_and_one_finalist_is_champion_without_a_game() {
    for rulebook in ["wcc-2015", "wc-2009"] {
        let desk = Desk::of_seeds(rulebook, 0);
        let places = desk.places();
        assert!(places.placings.is_empty() && places.decided && places.ruling_needed.is_none(), "{rulebook}");
        assert_eq!(desk.next().expect_err("nobody").rule.map(|rule| rule.id.name()), Some("round.needed"));
        let desk = Desk::of_seeds(rulebook, 1);
        assert!(desk.places().decided);
        assert_eq!((desk.at(1), desk.at(2)), (vec![seed(1)], Vec::new()), "{rulebook}");
        let over = desk.next().expect_err("no game");
        assert_eq!(over.next, Some(Remedy::Close));
    }
}

#[test]
fn finals_of_two_to_eight_end_with_the_favourites_in_their_places() {
    for rulebook in ["wcc-2015", "wc-2009"] {
        for players in 2..=8 {
            let mut desk = Desk::of_seeds(rulebook, players);
            assert!(play_out(&mut desk) > 1);
            let places = desk.places();
            assert!(places.decided, "{rulebook}, {players} players: {places:?}");
            assert_eq!(desk.at(1), [seed(1)], "{rulebook}, {players} players");
            assert_eq!(places.placings.len(), players as usize);
            let standings = ranking(&desk.tournament, &desk.rulebook).expect("a ranking");
            assert_eq!((standings.len(), standings[0].player.clone()), (players as usize, seed(1)));
        }
    }
}

#[test]
fn before_the_qualifier_is_concluded_nothing_is_paired() {
    let mut desk = Desk::new("wcc-2015");
    desk.enter(&seed(1), None);
    desk.enter(&seed(2), None);
    let refused = desk.next().expect_err("nobody qualified");
    assert_eq!(refused.rule.map(|rule| rule.id.name()), Some("field.seeds"));
    assert_eq!(refused.next, Some(Remedy::Qualify));
    desk.qualify(&[seed(2), seed(1)]);
    assert_eq!(desk.next().expect("a round").order[0].player, seed(2));
}

#[test]
fn a_revoked_first_round_of_the_final_gives_the_published_seeds_back() {
    let mut desk = Desk::new("wcc-2015");
    for number in 1..=9 {
        desk.enter(&seed(number), None);
    }
    desk.qualify(&(1..=9).map(seed).collect::<Vec<_>>());
    let published: Vec<_> = (1..=8).map(seed).zip(1..).collect();
    let seeds = |desk: &Desk| -> Vec<(PlayerId, u32)> {
        desk.tournament.seeds().into_iter().map(|(player, seed)| (player.clone(), seed)).collect()
    };
    assert_eq!(seeds(&desk), published);
    desk.push(disqualified(seed(3)));
    let paired = desk.next().expect("a round");
    desk.push(TournamentEvent::RoundPaired(paired));
    let closed_up: Vec<_> = [1, 2, 4, 5, 6, 7, 8].map(seed).into_iter().zip(1..).collect();
    assert_eq!(seeds(&desk), closed_up, "seeds have no gaps in the final");
    assert_eq!(desk.tournament.entrants[&seed(3)].seed, Some(3), "the published seed is kept");
    let revoked = PairingRevoked { round: 1, board: None, reason: "a wrong field".to_owned() };
    desk.push(TournamentEvent::PairingRevoked(revoked));
    assert_eq!(seeds(&desk), published);
}

fn disqualified(player: PlayerId) -> TournamentEvent {
    let cause = Disqualification::NotUploaded;
    TournamentEvent::Disqualified(Disqualified { player, cause, grounds: Vec::new(), reason: None })
}

fn invited(player: PlayerId, replaces: PlayerId, rank: u32) -> TournamentEvent {
    TournamentEvent::Invited(Invited {
        player,
        replaces: Some(replaces),
        rank,
        due: None,
        fee_at_risk: false,
        grounds: Vec::new(),
    })
}

#[test]
fn who_fell_out_before_the_final_is_passed_over_and_who_is_invited_has_the_place_of_the_order() {
    let mut desk = Desk::new("wcc-2015");
    let names: Vec<PlayerId> = (1..=11).map(seed).collect();
    for name in &names {
        desk.enter(name, None);
    }
    desk.qualify(&names);
    let field = |desk: &Desk| -> Vec<PlayerId> {
        desk.next().expect("a round").order.into_iter().map(|ranked| ranked.player).collect()
    };
    assert_eq!(field(&desk), names[..8]);
    desk.push(disqualified(seed(3)));
    // The place is vacant until somebody is invited.
    assert_eq!(field(&desk), [1, 2, 4, 5, 6, 7, 8].map(seed));
    desk.push(invited(seed(9), seed(3), 9));
    assert_eq!(field(&desk), [1, 2, 4, 5, 6, 7, 8, 9].map(seed));
    let lapsed = InvitationLapsed { player: seed(9), reason: None };
    desk.push(TournamentEvent::InvitationLapsed(lapsed));
    desk.push(invited(seed(10), seed(3), 10));
    assert_eq!(field(&desk), [1, 2, 4, 5, 6, 7, 8, 10].map(seed));
    desk.withdraw(&seed(1), Withdrawal::Own);
    assert_eq!(field(&desk), [2, 4, 5, 6, 7, 8, 10].map(seed));
}

#[test]
fn up_to_eight_players_of_2009_need_no_swiss_and_are_seeded_by_rating() {
    let mut desk = Desk::new("wc-2009");
    for (name, rating) in [
        ("dora", Some(1500)),
        ("anna", Some(1800)),
        ("cara", None),
        ("bela", Some(1500)),
        ("emil", Some(2000)),
    ] {
        desk.enter(&id(name), rating);
    }
    desk.withdraw(&id("emil"), Withdrawal::Own);
    assert_eq!(next_stage(&desk.tournament, &desk.rulebook), Ok(Stage::Final));
    let paired = desk.next().expect("a round");
    let order: Vec<&str> = paired.order.iter().map(|ranked| ranked.player.as_str()).collect();
    assert_eq!(order, ["anna", "dora", "bela", "cara"]);
    let decision = desk.holds(&paired, "field.seeds");
    assert!(
        matches!(&decision[..], [Compliance::Undetermined { why }] if why.contains("ratings")),
        "{decision:?}"
    );
    // With nine a Swiss comes first.
    for name in ["f", "g", "h", "i", "j"] {
        desk.enter(&id(name), None);
    }
    assert_eq!(next_stage(&desk.tournament, &desk.rulebook), Ok(Stage::Swiss));
}

#[test]
fn who_leaves_in_the_final_still_has_the_game_of_that_round_and_plays_no_more() {
    for rulebook in ["wcc-2015", "wc-2009"] {
        let mut desk = Desk::of_seeds(rulebook, 5);
        desk.play(favourite).expect("a round");
        let paired = desk.next().expect("a round");
        let decision = desk.ask(&annals_tournaments::commands::Command::Pair { seed: Some("x".to_owned()) });
        for event in decision.expect("a round").events {
            desk.push(event);
        }
        let leaver = paired.pairs[0].upper.clone();
        desk.start(2);
        desk.withdraw(&leaver, Withdrawal::Own);
        assert!(desk.next().is_err(), "the game is still to be decided");
        for pair in &paired.pairs {
            desk.result(2, pair.board, Outcome::Gold);
        }
        let next = desk.next().expect("a round");
        if rulebook == "wcc-2015" {
            assert_eq!(next.order.len(), 4);
            // Whoever is reinstated plays the next round again.
            let mut back = desk.clone();
            let back_again = PlayerReinstated { player: leaver.clone(), appeal: None, reason: None };
            back.push(TournamentEvent::PlayerReinstated(back_again));
            assert_eq!(back.next().expect("a round").order.len(), 5);
        }
        assert!(next.order.iter().all(|ranked| ranked.player != leaver));
        let standings = ranking(&desk.tournament, &desk.rulebook).expect("a ranking");
        assert_eq!(
            standings.last().map(|last| (last.player.clone(), last.active)),
            Some((leaver.clone(), false))
        );
        while desk.play(favourite).is_ok() {}
        assert!(desk.places().placings.iter().all(|placing| placing.player != leaver), "{rulebook}");
    }
}

#[test]
fn if_all_fall_together_a_ruling_gives_the_first_place_and_the_second_is_played_for() {
    let mut desk = Desk::of_seeds("wcc-2015", 2);
    for _ in 0..4 {
        desk.play(|_, _| Outcome::DoubleLoss).expect("a round");
    }
    let refused = desk.next().expect_err("nobody is left");
    assert_eq!(refused.next, Some(Remedy::GivePlace));
    assert!(desk.places().ruling_needed.is_some() && desk.places().placings.is_empty());
    desk.rule(Effect::Place { players: vec![seed(2)], place: 1 });
    let places = desk.places();
    assert!(places.decided && places.ruling_needed.is_none(), "{places:?}");
    assert_eq!((desk.at(1), desk.at(2)), (vec![seed(2)], vec![seed(1)]));
    // Several may share it, or nobody may have it.
    let mut desk = Desk::of_seeds("wc-2009", 2);
    for _ in 0..2 {
        desk.play(|_, _| Outcome::DoubleLoss).expect("a round");
    }
    assert!(desk.places().ruling_needed.is_some());
    let mut shared = desk.clone();
    shared.rule(Effect::Place { players: vec![seed(1), seed(2)], place: 1 });
    assert_eq!(shared.at(1), [seed(1), seed(2)]);
    assert!(shared.places().decided);
    desk.rule(Effect::Place { players: Vec::new(), place: 1 });
    assert!(desk.at(1).is_empty() && desk.places().decided);
}

#[test]
fn a_playoff_without_a_winner_waits_for_a_ruling() {
    // Of three, 2 and 3 are level with no game won against 1.
    let mut desk = Desk::of_seeds("wc-2009", 3);
    let first = |gold: &PlayerId, silver: &PlayerId| {
        if *gold == seed(1) {
            Outcome::Gold
        } else if *silver == seed(1) {
            Outcome::Silver
        } else {
            Outcome::DoubleLoss
        }
    };
    let mut last = None;
    while let Ok(paired) = desk.play(first) {
        last = Some(paired.stage);
    }
    assert_eq!(last, Some(Stage::SecondPlayoff));
    let refused = desk.next().expect_err("no winner");
    assert_eq!(refused.rule.map(|rule| rule.id.name()), Some("playoff.pair"));
    let places = desk.places();
    assert!(places.ruling_needed.is_some_and(|needed| needed.contains("has no winner")));
    assert_eq!(places.placings.len(), 1);
    desk.rule(Effect::Place { players: vec![seed(3)], place: 2 });
    assert!(desk.places().decided);
    assert_eq!((desk.at(2), desk.at(3)), (vec![seed(3)], vec![seed(2)]));
}

#[test]
fn a_playoff_that_is_not_due_departs_and_so_does_a_coin_for_it() {
    let mut desk = Desk::of_seeds("wc-2009", 3);
    let first = |gold: &PlayerId, silver: &PlayerId| {
        if *gold == seed(1) {
            Outcome::Gold
        } else if *silver == seed(1) {
            Outcome::Silver
        } else {
            Outcome::DoubleLoss
        }
    };
    while next_stage(&desk.tournament, &desk.rulebook) == Ok(Stage::Final) {
        desk.play(first).expect("a round");
    }
    let right = desk.next().expect("a playoff");
    assert_eq!(right.stage, Stage::SecondPlayoff);
    assert_eq!(desk.violations(&TournamentEvent::RoundPaired(right.clone())), [""; 0]);
    let mut wrong = right.clone();
    wrong.pairs[0].upper = seed(1);
    assert_eq!(desk.violations(&TournamentEvent::RoundPaired(wrong)), ["playoff.pair"]);
    let mut wrong = right.clone();
    wrong.stage = Stage::ThirdPlayoff;
    assert_eq!(desk.violations(&TournamentEvent::RoundPaired(wrong)), ["round.needed"]);
    desk.push(TournamentEvent::RoundPaired(right.clone()));
    let pairing = annals_events::BoardId { round: right.round, board: 1 };
    let draw = annals_events::tournament::Draw { method: "coin".to_owned(), seed: None, commitment: None };
    let gold = right.pairs[0].upper.clone();
    let coin = annals_events::tournament::ColourDrawn { pairing, gold, draw, ground: None };
    assert_eq!(desk.violations(&TournamentEvent::ColourDrawn(coin)), ["playoff.colour"]);
    let choice = |player: PlayerId| {
        let side = annals_events::Side::Gold;
        TournamentEvent::ColourChosen(annals_events::tournament::ColourChosen {
            pairing,
            player,
            side,
            ground: None,
        })
    };
    // At most the lower ranked chooses, and only where the colours are equal.
    assert_eq!(desk.violations(&choice(right.pairs[0].upper.clone())), ["playoff.colour"]);
    let equal = right.pairs[0].upper_side.is_none();
    let expected: &[&str] = if equal { &[] } else { &["playoff.colour"] };
    assert_eq!(desk.violations(&choice(right.pairs[0].lower.clone())), expected);
}

#[test]
fn once_the_final_is_paired_its_seeds_have_no_gaps() {
    let mut desk = Desk::of_seeds("wcc-2015", 4);
    desk.withdraw(&seed(2), Withdrawal::Own);
    let paired = desk.next().expect("three are left");
    desk.push(TournamentEvent::RoundPaired(paired));
    let seeds = [1, 2, 3, 4].map(|number| desk.tournament.seeds().get(&seed(number)).copied());
    assert_eq!(seeds, [Some(1), None, Some(2), Some(3)]);
}

#[test]
fn a_playoff_in_the_middle_of_the_final_asks_for_no_ruling() {
    let mut desk = Desk::of_seeds("wc-2009", 3);
    let paired = desk.play(favourite).expect("a round");
    let mut playoff = paired.clone();
    (playoff.round, playoff.stage) = (paired.round + 1, Stage::SecondPlayoff);
    playoff.pairs[0].upper_side = Some(Side::Gold);
    desk.push(TournamentEvent::RoundPaired(playoff));
    desk.result(paired.round + 1, 1, Outcome::DoubleLoss);
    let places = desk.places();
    assert_eq!((places.decided, places.ruling_needed, places.open_place), (false, None, None));
}

/// A final of five in which three are level for second place, two of whom fell in the round before the last.
fn three_for_second(games_won: &str) -> Desk {
    for seed in 0..2_000 {
        let mut desk = Desk::of_seeds("wc-2009", 5);
        desk.rulebook.read("T29", games_won).expect("a reading");
        let mut random = Random(seed);
        let mut toss = |_: &PlayerId, _: &PlayerId| {
            if random.below(2) == 0 { Outcome::Gold } else { Outcome::Silver }
        };
        while next_stage(&desk.tournament, &desk.rulebook) == Ok(Stage::Final) {
            desk.play(&mut toss).expect("a round");
        }
        if next_stage(&desk.tournament, &desk.rulebook) == Ok(Stage::SecondPlayoff) {
            let mut twice = desk.clone();
            twice.play(favourite).expect("a playoff");
            if next_stage(&twice.tournament, &twice.rulebook) == Ok(Stage::SecondPlayoff) {
                return desk;
            }
        }
    }
    panic!("no final had three level for second place");
}

#[test]
fn a_playoff_that_was_won_counts_for_third_place_only_if_the_readings_say_so() {
    let outcome = |reading: &str| {
        let mut desk = three_for_second(reading);
        // The winner of the first playoff loses the second.
        let first = desk.play(favourite).expect("a playoff").pairs[0].clone();
        let winner = first.upper.clone().min(first.lower);
        let other = |gold: &PlayerId, _: &PlayerId| {
            if *gold == winner { Outcome::Silver } else { Outcome::Gold }
        };
        desk.play(other).expect("a second playoff");
        let next = next_stage(&desk.tournament, &desk.rulebook);
        (next.ok(), desk.at(3), winner)
    };
    let (next, third, _) = outcome("final_only");
    assert_eq!((next, third), (Some(Stage::ThirdPlayoff), Vec::new()));
    let (next, third, winner) = outcome("with_playoffs");
    assert_eq!((next, third), (None, vec![winner]));
}
