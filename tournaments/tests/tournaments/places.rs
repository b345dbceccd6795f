//! Places, continuations, withdrawals and small fields of both finals.

use annals_tournaments::colours::NoGames;
use annals_tournaments::formats::elimination::{
    DoubleElimination, EliminationError, FinalsHistory, Phase, PlayoffGame, QuadrupleElimination,
    Readings2015, Rules, RulingNeeded, SecondPlace,
};
use annals_tournaments::history::{Field, FieldError, Meeting, MeetingResult, PastRound, Player};
use annals_tournaments::pairing::PairingError;

use super::pairing_exact::Random;
use super::vectors::cases;

fn of_2015(players: u32, readings: Readings2015) -> QuadrupleElimination {
    let field = Field::numbered(players).expect("players");
    QuadrupleElimination::new(Rules::championship_2015(), field, readings).expect("lives")
}

fn of_2009(players: u32) -> DoubleElimination {
    let (rules, field) = (Rules::world_championship_2009(), Field::numbered(players).expect("players"));
    DoubleElimination::new(rules, field, &[], FinalsHistory::default(), NoGames::default()).expect("lives")
}

fn played(pairs: &[(u32, u32, MeetingResult)], bye: Option<u32>) -> PastRound {
    let meeting = |&(gold, silver, result): &(u32, u32, MeetingResult)| Meeting {
        gold: Player(gold),
        silver: Player(silver),
        result,
    };
    PastRound { meetings: pairs.iter().map(meeting).collect(), byes: bye.map(Player).into_iter().collect() }
}

/// Plays the next round of a final of 2015; `result` says who wins.
fn play(
    elimination: &mut QuadrupleElimination,
    mut result: impl FnMut(Player, Player) -> MeetingResult,
) -> Result<(), EliminationError> {
    let round = elimination.next_round()?;
    let meetings = round
        .pairs()
        .map(|(one, other)| {
            let colours = elimination.colours(one, other);
            Meeting {
                gold: colours.gold,
                silver: colours.silver,
                result: result(colours.gold, colours.silver),
            }
        })
        .collect();
    elimination.record(PastRound { meetings, byes: round.bye().into_iter().collect() })
}

#[test]
fn an_empty_field_is_refused_and_a_single_player_has_won_at_once() {
    assert_eq!(Field::numbered(0), Err(FieldError::Empty));
    let alone = of_2015(1, Readings2015::default());
    let places = alone.places();
    assert_eq!((places.champion, places.second, places.third.len()), (Some(Player(1)), None, 0));
    assert!(matches!(alone.next_round(), Err(EliminationError::Over)));
    assert_eq!(of_2009(1).conclusion().champion, Some(Player(1)));
    let twice = Field::new(vec![Player(4), Player(2), Player(4)]);
    assert_eq!(twice, Err(FieldError::Twice { player: Player(4), first: 1, second: 3 }));
}

#[test]
fn a_final_of_every_size_from_two_to_twelve_ends_with_a_champion_and_the_right_number_of_games() {
    for players in 2..=12 {
        let mut elimination = of_2015(players, Readings2015::default());
        while *elimination.phase() == Phase::Main {
            let better = |gold: Player, silver: Player| {
                if gold < silver { MeetingResult::Gold } else { MeetingResult::Silver }
            };
            play(&mut elimination, better).expect("a round");
        }
        let main = elimination.main_rounds().expect("decided");
        let games: usize = elimination.rounds()[..main].iter().map(|round| round.meetings.len()).sum();
        assert_eq!(elimination.places().champion, Some(Player(1)));
        // Everybody else loses four times, the champion never.
        assert_eq!(games, 4 * (players as usize - 1), "{players} players");
    }
}

#[test]
fn if_the_last_ones_fall_together_there_is_no_champion_and_a_ruling_is_needed() {
    let mut elimination = of_2015(2, Readings2015::default());
    for _ in 0..4 {
        play(&mut elimination, |_, _| MeetingResult::DoubleLoss).expect("a round");
    }
    let places = elimination.places();
    assert!(places.needs_ruling && places.champion.is_none() && places.second.is_none());
    let mut elimination = of_2009(2);
    for _ in 0..2 {
        elimination.record(played(&[(1, 2, MeetingResult::DoubleLoss)], None), &[]).expect("a round");
    }
    assert_eq!(elimination.conclusion().ruling, Some(RulingNeeded::Champion));
}

#[test]
fn the_second_place_is_played_on_until_one_is_left_even_after_a_double_loss() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut elimination = of_2015(6, Readings2015::default());
        while *elimination.phase() == Phase::Main {
            play(&mut elimination, |gold, silver| match random.below(3) {
                0 => MeetingResult::Silver,
                1 => MeetingResult::Gold,
                _ if gold < silver => MeetingResult::Gold,
                _ => MeetingResult::Silver,
            })
            .expect("a round");
        }
        let Phase::SecondPlace { contenders, lives } = elimination.phase().clone() else { continue };
        assert_eq!(lives, 5);
        assert_eq!(elimination.active(), contenders.iter().copied().collect::<Vec<_>>());
        if contenders.len() == 2 {
            play(&mut elimination, |_, _| MeetingResult::DoubleLoss).expect("a round");
            assert!(matches!(elimination.phase(), Phase::SecondPlace { lives: 6, .. }));
            play(&mut elimination, |_, _| MeetingResult::Gold).expect("a round");
            assert_eq!(*elimination.phase(), Phase::Over);
            assert_eq!(
                elimination.places().second,
                elimination.rounds().last().and_then(|round| round.meetings[0].winner())
            );
            return;
        }
    }
    panic!("no final had two players level for second place");
}

#[test]
fn by_the_other_reading_those_who_fell_last_are_second() {
    let readings = Readings2015 { second: SecondPlace::LastEliminated, ..Readings2015::default() };
    let mut random = Random(11);
    for _ in 0..20 {
        let mut elimination = of_2015(8, readings);
        while *elimination.phase() == Phase::Main {
            play(&mut elimination, |_, _| {
                [MeetingResult::Gold, MeetingResult::Silver][random.below(2) as usize]
            })
            .expect("a round");
        }
        let last = elimination.rounds().last().expect("a round");
        assert_eq!(last.meetings.len(), 1);
        let places = elimination.places();
        let loser = last.meetings[0].losers()[0];
        assert_eq!((places.second, &places.level_for_second[..]), (Some(loser), &[loser][..]));
    }
}

#[test]
fn who_is_taken_out_plays_no_more_and_takes_no_place() {
    let mut elimination = of_2015(4, Readings2015::default());
    play(&mut elimination, |_, _| MeetingResult::Gold).expect("a round");
    elimination.remove(Player(2)).expect("in the field");
    assert!(!elimination.active().contains(&Player(2)));
    let round = elimination.next_round().expect("a round");
    assert!(round.bye().is_some() && round.pairs().all(|(a, b)| a != Player(2) && b != Player(2)));
    elimination.remove(Player(3)).expect("in the field");
    elimination.remove(Player(4)).expect("in the field");
    let places = elimination.places();
    assert_eq!((places.champion, places.second, places.third), (Some(Player(1)), None, Vec::new()));
    let refused = elimination.remove(Player(9));
    assert_eq!(refused, Err(EliminationError::Field(FieldError::Stranger { player: Player(9) })));
}

#[test]
fn a_round_that_names_somebody_twice_or_a_stranger_changes_nothing() {
    let mut elimination = of_2015(4, Readings2015::default());
    let twice = played(&[(1, 2, MeetingResult::Gold)], Some(1));
    let refused = elimination.record(twice);
    assert_eq!(
        refused,
        Err(EliminationError::Field(FieldError::TwiceInRound { player: Player(1), round: 1 }))
    );
    let stranger = played(&[(1, 7, MeetingResult::Gold)], None);
    assert!(elimination.record(stranger).is_err());
    assert!(elimination.rounds().is_empty() && elimination.tally().record(Player(1)).golds == 0);
}

#[test]
fn a_playoff_that_is_not_due_is_refused() {
    let mut elimination = of_2009(4);
    let game = PlayoffGame { gold: Player(1), silver: Player(2), winner: Player(1) };
    let refused = elimination.record_playoff(game);
    assert_eq!(refused, Err(EliminationError::NoSuchPlayoff { one: Player(1), other: Player(2) }));
    assert_eq!(elimination.conclusion().champion, None);
}

#[test]
fn rules_without_lives_and_a_final_that_is_over_are_refused() {
    let field = Field::numbered(4).expect("four");
    let rules = Rules::championship_2015().with_lives(0);
    let refused = QuadrupleElimination::new(rules, field, Readings2015::default()).map(|_| ());
    assert_eq!(refused, Err(EliminationError::NoLives));
    assert_eq!(
        EliminationError::from(PairingError::NobodyToPair).to_string(),
        "there is nobody to pair: the field is empty"
    );
}

#[test]
fn random_finals_with_withdrawals_and_double_losses_always_end() {
    for seed in 0..cases(60, 3_000) {
        let mut random = Random(seed);
        let mut elimination = of_2015(2 + random.below(15) as u32, Readings2015::default());
        let mut rounds = 0;
        while *elimination.phase() != Phase::Over {
            let before = elimination.active();
            play(&mut elimination, |_, _| match random.below(20) {
                0 => MeetingResult::DoubleLoss,
                1..11 => MeetingResult::Gold,
                _ => MeetingResult::Silver,
            })
            .expect("a round");
            if random.below(12) == 0 {
                let leaver = before[random.below(before.len() as u64) as usize];
                elimination.remove(leaver).expect("in the field");
            }
            rounds += 1;
            assert!(rounds < 400, "seed {seed} does not end");
        }
        let places = elimination.places();
        assert!(places.needs_ruling == places.champion.is_none(), "seed {seed}");
        assert!(
            places.champion.is_none() || places.second != places.champion,
            "seed {seed}: two places for one"
        );
        assert!(!places.third.iter().any(|third| [places.champion, places.second].contains(&Some(*third))));
    }
}
