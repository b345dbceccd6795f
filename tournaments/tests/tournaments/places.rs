//! Places, continuations, withdrawals and small fields of both finals.

use annals_events::PlayerId;
use annals_events::tournament::Outcome;
use annals_tournaments::field::{Field, FieldError};
use annals_tournaments::formats::elimination::{
    Elimination, EliminationError, EliminationReadings, GamesWon, Phase, Rules, RulingNeeded, SecondPlace,
};
use annals_tournaments::pairing::PairingError;
use annals_tournaments::record::{PlayedRound, RecordError};

use super::numbered::{field, p};
use super::pairing_exact::Random;
use super::swiss::{game, round};
use super::vectors::cases;

fn of_2015(players: u32, readings: EliminationReadings) -> Elimination {
    Elimination::new(Rules::championship_2015(), field(players), &[], readings).expect("lives")
}

fn of_2009(players: u32) -> Elimination {
    let rules = Rules::world_championship_2009();
    Elimination::new(rules, field(players), &[], EliminationReadings::default()).expect("lives")
}

fn played(pairs: &[(u32, u32, Outcome)], bye: Option<u32>) -> PlayedRound {
    let games = pairs.iter().map(|&(gold, silver, result)| game(p(gold), p(silver), result, false));
    PlayedRound { number: 1, ..round(games.collect(), bye.map(p).cloned()) }
}

/// Plays the next round of a final of 2015; `result` says who wins.
fn play(
    elimination: &mut Elimination,
    mut result: impl FnMut(&PlayerId, &PlayerId) -> Outcome,
) -> Result<(), EliminationError> {
    let next = elimination.next_round()?;
    let games = next
        .pairs()
        .map(|(one, other)| {
            let colours = elimination.colours(one, other);
            game(colours.gold, colours.silver, result(colours.gold, colours.silver), false)
        })
        .collect();
    elimination.record(round(games, next.bye().cloned()))
}

#[test]
fn an_empty_field_is_refused_and_a_single_player_has_won_at_once() {
    assert_eq!(Field::new(Vec::new()), Err(FieldError::Empty));
    let alone = of_2015(1, EliminationReadings::default());
    let places = alone.conclusion();
    assert_eq!((places.champion, places.second, places.third.len()), (Some(p(1)), None, 0));
    assert!(matches!(alone.next_round(), Err(EliminationError::Over)));
    assert_eq!(of_2009(1).conclusion().champion, Some(p(1)));
    let twice = Field::new([4, 2, 4].map(|number| p(number).clone()).to_vec());
    assert_eq!(twice, Err(FieldError::Twice { player: p(4).clone(), first: 1, second: 3 }));
}

#[test]
fn a_final_of_every_size_from_two_to_twelve_ends_with_a_champion_and_the_right_number_of_games() {
    for players in 2..=12 {
        let mut elimination = of_2015(players, EliminationReadings::default());
        while *elimination.phase() == Phase::Main {
            let better = |gold: &PlayerId, silver: &PlayerId| {
                if gold < silver { Outcome::Gold } else { Outcome::Silver }
            };
            play(&mut elimination, better).expect("a round");
        }
        let games: usize = elimination.rounds().iter().map(|round| round.games.len()).sum();
        assert_eq!(elimination.conclusion().champion, Some(p(1)));
        // Everybody else loses four times, the champion never.
        assert_eq!(games, 4 * (players as usize - 1), "{players} players");
    }
}

#[test]
fn if_the_last_ones_fall_together_there_is_no_champion_and_a_ruling_is_needed() {
    let mut elimination = of_2015(2, EliminationReadings::default());
    for _ in 0..4 {
        play(&mut elimination, |_, _| Outcome::DoubleLoss).expect("a round");
    }
    let places = elimination.conclusion();
    assert!(
        places.ruling == Some(RulingNeeded::Champion) && places.champion.is_none() && places.second.is_none()
    );
    let mut elimination = of_2009(2);
    for _ in 0..2 {
        elimination.record(played(&[(1, 2, Outcome::DoubleLoss)], None)).expect("a round");
    }
    assert_eq!(elimination.conclusion().ruling, Some(RulingNeeded::Champion));
}

#[test]
fn the_second_place_is_played_on_until_one_is_left_even_after_a_double_loss() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut elimination = of_2015(6, EliminationReadings::default());
        while *elimination.phase() == Phase::Main {
            play(&mut elimination, |gold, silver| match random.below(3) {
                0 => Outcome::Silver,
                1 => Outcome::Gold,
                _ if gold < silver => Outcome::Gold,
                _ => Outcome::Silver,
            })
            .expect("a round");
        }
        let Phase::SecondPlace { contenders, lives } = elimination.phase().clone() else { continue };
        assert_eq!(lives, 5);
        assert_eq!(elimination.active(), contenders.iter().collect::<Vec<_>>());
        if contenders.len() == 2 {
            play(&mut elimination, |_, _| Outcome::DoubleLoss).expect("a round");
            assert!(matches!(elimination.phase(), Phase::SecondPlace { lives: 6, .. }));
            play(&mut elimination, |_, _| Outcome::Gold).expect("a round");
            assert_eq!(*elimination.phase(), Phase::Over);
            assert_eq!(
                elimination.conclusion().second,
                elimination.rounds().last().and_then(|round| round.games[0].winner())
            );
            return;
        }
    }
    panic!("no final had two players level for second place");
}

#[test]
fn by_the_other_reading_those_who_fell_last_are_second() {
    let readings =
        EliminationReadings { second: SecondPlace::LastEliminated, ..EliminationReadings::default() };
    let mut random = Random(11);
    for _ in 0..20 {
        let mut elimination = of_2015(8, readings);
        while *elimination.phase() == Phase::Main {
            play(&mut elimination, |_, _| [Outcome::Gold, Outcome::Silver][random.below(2) as usize])
                .expect("a round");
        }
        let last = elimination.rounds().last().expect("a round");
        assert_eq!(last.games.len(), 1);
        let places = elimination.conclusion();
        let game = &last.games[0];
        let loser = game.player(game.outcome.and_then(Outcome::winner).expect("a winner").other());
        assert_eq!((places.second, &places.level_for_second[..]), (Some(loser), &[loser][..]));
    }
}

#[test]
fn who_is_taken_out_plays_no_more_and_takes_no_place() {
    let mut elimination = of_2015(4, EliminationReadings::default());
    play(&mut elimination, |_, _| Outcome::Gold).expect("a round");
    elimination.remove(p(2)).expect("in the field");
    assert!(!elimination.active().contains(&p(2)));
    let round = elimination.next_round().expect("a round");
    assert!(round.bye().is_some() && round.pairs().all(|(a, b)| a != p(2) && b != p(2)));
    elimination.remove(p(3)).expect("in the field");
    elimination.remove(p(4)).expect("in the field");
    let places = elimination.conclusion();
    assert_eq!((places.champion, places.second, places.third), (Some(p(1)), None, Vec::new()));
    let refused = elimination.remove(p(9));
    assert_eq!(refused, Err(EliminationError::Field(FieldError::Stranger { player: p(9).clone() })));
}

#[test]
fn a_round_that_names_somebody_twice_or_a_stranger_changes_nothing() {
    let mut elimination = of_2015(4, EliminationReadings::default());
    let twice = played(&[(1, 2, Outcome::Gold)], Some(1));
    let refused = elimination.record(twice);
    assert_eq!(
        refused,
        Err(EliminationError::Record(RecordError::TwiceInRound { player: p(1).clone(), round: 1 }))
    );
    let stranger = played(&[(1, 7, Outcome::Gold)], None);
    assert!(elimination.record(stranger).is_err());
    assert!(elimination.rounds().is_empty() && elimination.tally().record(p(1)).golds == 0);
}

#[test]
fn a_playoff_that_is_not_due_is_refused() {
    let mut elimination = of_2009(4);
    let game = game(p(1), p(2), Outcome::Gold, false);
    let refused = elimination.record_playoff(game);
    assert_eq!(refused, Err(EliminationError::NoSuchPlayoff { one: p(1).clone(), other: p(2).clone() }));
    assert_eq!(elimination.conclusion().champion, None);
}

#[test]
fn rules_without_lives_and_a_final_that_is_over_are_refused() {
    let rules = Rules { lives: 0, ..Rules::championship_2015() };
    let refused = Elimination::new(rules, field(4), &[], EliminationReadings::default()).map(|_| ());
    assert_eq!(refused, Err(EliminationError::NoLives));
    assert_eq!(
        EliminationError::from(PairingError::NobodyToPair).to_string(),
        "there is no player to pair: the field is empty"
    );
}

#[test]
fn random_finals_with_withdrawals_and_double_losses_always_end() {
    for seed in 0..cases(60, 3_000) {
        let mut random = Random(seed);
        let mut elimination = of_2015(2 + random.below(15) as u32, EliminationReadings::default());
        let mut rounds = 0;
        while *elimination.phase() != Phase::Over {
            let before: Vec<PlayerId> = elimination.active().into_iter().cloned().collect();
            play(&mut elimination, |_, _| match random.below(20) {
                0 => Outcome::DoubleLoss,
                1..11 => Outcome::Gold,
                _ => Outcome::Silver,
            })
            .expect("a round");
            if random.below(12) == 0 {
                let leaver = &before[random.below(before.len() as u64) as usize];
                elimination.remove(leaver).expect("in the field");
            }
            rounds += 1;
            assert!(rounds < 400, "seed {seed} does not end");
        }
        let places = elimination.conclusion();
        assert!(places.ruling.is_some() == places.champion.is_none(), "seed {seed}");
        assert!(
            places.champion.is_none() || places.second != places.champion,
            "seed {seed}: two places for one"
        );
        assert!(!places.third.iter().any(|third| [places.champion, places.second].contains(&Some(*third))));
    }
}

#[test]
fn games_won_in_the_swiss_count_for_second_place_only_if_the_readings_say_so() {
    let swiss = [played(&[(2, 3, Outcome::Gold)], Some(1))];
    let level = |games_won| {
        let readings = EliminationReadings { games_won, ..EliminationReadings::default() };
        let rules = Rules::world_championship_2009();
        let mut elimination = Elimination::new(rules, field(3), &swiss, readings).expect("lives");
        for (loser, bye) in [(2, 3), (3, 2), (2, 3), (3, 2)] {
            elimination.record(played(&[(1, loser, Outcome::Gold)], Some(bye))).expect("a round");
        }
        let conclusion = elimination.conclusion();
        conclusion.level_for_second.into_iter().cloned().collect::<Vec<_>>()
    };
    assert_eq!(level(GamesWon::FinalOnly), [p(2).clone(), p(3).clone()]);
    assert_eq!(level(GamesWon::WithPlayoffs), [p(2).clone(), p(3).clone()]);
    assert_eq!(level(GamesWon::WithSwiss), [p(2).clone()]);
}
