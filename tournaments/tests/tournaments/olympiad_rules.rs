//! The rules of the Olympiad one by one: explanations, readings, small fields, bad input.

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::{Outcome, Stage};
use annals_tournaments::formats::encounters::{
    ByePoints, EncounterPairing, OlympiadError, OlympiadReadings, OpponentByes, Reasons, RepeatedOpponents,
    UnfinishedTerritory, ranking, scores,
};
use annals_tournaments::pairing::{Candidate, Optima, WhyNotVerdict};

use annals_tournaments::record::{Ending, PlayedGame, PlayedRound, RecordError, Tally};

use crate::olympiad::{Before, Encounter, Round, pairs, random_event, record};
use crate::vectors::{id, played};

fn seven() -> Before {
    let entrants = (1..=7).map(|i| id(&format!("E{i:02}"))).collect();
    Before { entrants, rounds: Vec::new(), out: BTreeSet::new() }
}

#[test]
fn a_round_says_why_another_encounter_was_not_chosen_and_how_many_are_as_good() {
    let pairing = seven().pair(OlympiadReadings::default()).unwrap();
    let bye = pairing.bye.clone().unwrap();
    assert_eq!((bye.player, bye.fewest_byes, bye.lowest_half_points, bye.level), (id("E07"), 0, 0, 7));
    let Reasons::LeastVector(best) = &pairing.reasons else { panic!() };
    assert_eq!((best.ranking.len(), best.optima().unwrap()), (6, Optima::Exactly(1)));
    let why = best.problem.why_not(Candidate::Pair(0, 1), &best.pairing).unwrap();
    match why.verdict {
        WhyNotVerdict::Loses { criterion, counts, chosen, alternative } => {
            assert_eq!((criterion, chosen), (5, -35));
            assert!(alternative > chosen);
            assert_eq!(counts.paragraph, "Olympiad 2000, Tournament Rules 2");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn another_reading_gives_other_byes_territory_and_encounters() {
    let mut before = seven();
    let read = |before: &Before, readings| before.pair(readings).unwrap();
    let walk = read(
        &before,
        OlympiadReadings { pairing: EncounterPairing::WalkDownTheList, ..OlympiadReadings::default() },
    );
    let names: Vec<String> = pairs(&walk).into_iter().map(|(a, b)| format!("{a}-{b}")).collect();
    assert_eq!(names, ["e_01-e_04", "e_02-e_05", "e_03-e_06"]);
    assert!(matches!(&walk.reasons, Reasons::Walk(walk) if walk.pairs.len() == 3));
    let first = read(&before, OlympiadReadings::default());
    let encounters = pairs(&first)
        .into_iter()
        .map(|(one, other)| {
            let game = |white: &PlayerId, black: &PlayerId, outcome| PlayedGame {
                territory: Some(7),
                ..played(white, black, Some(outcome), Ending::Resignation)
            };
            let games = vec![game(&one, &other, Outcome::Gold), game(&other, &one, Outcome::Silver)];
            Encounter { pair: (one, other), games }
        })
        .collect();
    before.rounds.push(Round { encounters, bye: first.bye.map(|bye| bye.player) });
    let score = |readings, name: &str| {
        let order = ranking(&record(&before.entrants, &before.rounds, &before.out), readings).unwrap();
        let place = order.into_iter().find(|place| place.score.player == id(name)).unwrap();
        (place.score.half_points, place.score.territory)
    };
    let default = OlympiadReadings::default();
    assert_eq!(score(default, "E07"), (4, 0));
    assert_eq!(score(OlympiadReadings { bye_points: ByePoints::One, ..default }, "E07"), (2, 0));
    assert_eq!(score(OlympiadReadings { bye_points: ByePoints::None, ..default }, "E07"), (0, 0));
    assert_eq!(score(default, "E01"), (4, 0));
    let as_it_stands = OlympiadReadings { territory: UnfinishedTerritory::AsItStands, ..default };
    assert_eq!(score(as_it_stands, "E01"), (4, 14));

    before.rounds[0].encounters[0].games[0].ending = Ending::NoMoves;
    before.rounds[0].encounters[0].games[0].territory = None;
    let order = ranking(&record(&before.entrants, &before.rounds, &before.out), default).unwrap();
    let missing: u32 = order.iter().map(|place| place.score.territory_missing).sum();
    assert_eq!(missing, 1, "a territory that counts and is not known is told");
}

#[test]
fn the_points_of_a_bye_count_for_its_owner_or_for_those_who_met_them_too() {
    let mut before = seven();
    let rounds = [("E07", ["E01 E06", "E02 E05", "E03 E04"]), ("E06", ["E03 E07", "E02 E01", "E04 E05"])];
    for (bye, encounters) in rounds {
        let encounters = encounters.map(|pair| {
            let (winner, loser) = pair.split_once(' ').map(|(one, other)| (id(one), id(other))).unwrap();
            let games = vec![
                played(&winner, &loser, Some(Outcome::Gold), Ending::Time),
                played(&loser, &winner, Some(Outcome::Silver), Ending::Time),
            ];
            Encounter { pair: (winner, loser), games }
        });
        before.rounds.push(Round { encounters: encounters.into(), bye: Some(id(bye)) });
    }
    let sums = |bye_points, opponent_byes| {
        let readings = OlympiadReadings { bye_points, opponent_byes, ..OlympiadReadings::default() };
        let played = record(&before.entrants, &before.rounds, &before.out);
        scores(&played, readings)
            .unwrap()
            .iter()
            .map(|score| score.opponents_half_points)
            .collect::<Vec<u32>>()
    };
    for points in [ByePoints::Two, ByePoints::One, ByePoints::None] {
        assert_eq!(sums(points, OpponentByes::OwnerOnly), [8, 4, 4, 8, 12, 4, 8], "{points}");
    }
    assert_eq!(sums(ByePoints::Two, OpponentByes::Included), [12, 4, 8, 8, 12, 4, 8]);
    assert_eq!(sums(ByePoints::One, OpponentByes::Included), [10, 4, 6, 8, 12, 4, 8]);
    assert_eq!(OlympiadReadings::default().opponent_byes, OpponentByes::OwnerOnly);
}

#[test]
fn an_opponent_of_two_encounters_counts_once_or_twice() {
    let mut before = seven();
    for (winner, loser, second) in
        [("E01", "E02", Some(Outcome::Silver)), ("E02", "E01", Some(Outcome::Silver)), ("E03", "E01", None)]
    {
        let (winner, loser) = (id(winner), id(loser));
        let games = vec![
            played(&winner, &loser, Some(Outcome::Gold), Ending::NoMoves),
            played(&loser, &winner, second, Ending::NoMoves),
        ];
        before.rounds.push(Round { encounters: vec![Encounter { pair: (winner, loser), games }], bye: None });
    }
    let sums = |repeated_opponents| {
        let readings = OlympiadReadings { repeated_opponents, ..OlympiadReadings::default() };
        let scores = scores(&record(&before.entrants, &before.rounds, &before.out), readings).unwrap();
        scores.iter().take(3).map(|score| score.opponents_half_points).collect::<Vec<u32>>()
    };
    assert_eq!(sums(RepeatedOpponents::Once), [4 + 2, 4, 4]);
    assert_eq!(sums(RepeatedOpponents::EachEncounter), [4 + 4 + 2, 4 + 4, 4]);
}

#[test]
fn bad_input_is_refused_by_name_and_small_fields_have_defined_ends() {
    let name = id;
    let pair = |before: &Before| before.pair(OlympiadReadings::default());
    let field = |entrants: usize| Before {
        entrants: (1..=entrants).map(|i| id(&format!("E{i:02}"))).collect(),
        ..seven()
    };
    assert_eq!(pair(&field(0)).unwrap_err(), OlympiadError::NoPlayerLeft { entered: 0 });
    let alone = pair(&field(1)).unwrap();
    assert!(matches!(alone.reasons, Reasons::Alone) && alone.seats.is_empty());
    assert_eq!(alone.bye.unwrap().player, id("E01"));

    let mut gone = seven();
    gone.out = gone.entrants.iter().cloned().collect();
    assert_eq!(pair(&gone).unwrap_err(), OlympiadError::NoPlayerLeft { entered: 7 });
    gone.out = BTreeSet::from([name("Z")]);
    let stranger = RecordError::OutNotEntered { player: name("Z") };
    assert_eq!(pair(&gone).unwrap_err(), OlympiadError::Record(stranger));
    let mut twice = seven();
    twice.entrants.push(name("E01"));
    assert_eq!(
        pair(&twice).unwrap_err(),
        OlympiadError::Record(RecordError::EnteredTwice { player: name("E01") })
    );

    let over = random_event(77, 8, OlympiadReadings::default(), |_, _| {});
    assert_eq!(pair(&over).unwrap_err(), OlympiadError::NoRoundLeft { rounds: 5 });
    let changed = |change: fn(&mut Encounter)| {
        let mut before = over.clone();
        before.out.clear();
        before.rounds.truncate(1);
        change(&mut before.rounds[0].encounters[0]);
        pair(&before).unwrap_err()
    };
    let (one, other) = over.rounds[0].encounters[0].pair.clone();
    let both = || (one.clone(), other.clone());
    let (one, other) = both();
    assert_eq!(
        changed(|encounter| encounter.games[1].outcome = None),
        OlympiadError::OpenEncounter { one, other, round: 1 }
    );
    let (one, other) = both();
    assert_eq!(
        changed(|encounter| {
            let third = encounter.games[0].clone();
            encounter.games.push(third);
        }),
        OlympiadError::NotTwoGames { one, other, round: 1 }
    );
    let (one, other) = both();
    assert_eq!(
        changed(|encounter| encounter.games[1] = encounter.games[0].clone()),
        OlympiadError::NotTwoGames { one, other, round: 1 }
    );
    let moved = |encounter: &mut Encounter, from: &PlayerId, to: &PlayerId| {
        for game in &mut encounter.games {
            for player in [&mut game.gold, &mut game.silver] {
                if player == from {
                    player.clone_from(to);
                }
            }
        }
    };
    let mut foreign = over.clone();
    foreign.out.clear();
    foreign.rounds.truncate(1);
    let (one, other) = both();
    moved(&mut foreign.rounds[0].encounters[0], &one, &id("E09"));
    let error = RecordError::NotEntered { player: id("E09"), round: 1 };
    assert_eq!(pair(&foreign).unwrap_err(), OlympiadError::Record(error));
    let mut twice = over.clone();
    twice.out.clear();
    twice.rounds.truncate(1);
    let (third, _) = twice.rounds[0].encounters[1].pair.clone();
    moved(&mut twice.rounds[0].encounters[0], &other, &third);
    let error = RecordError::TwiceInRound { player: third, round: 1 };
    assert_eq!(pair(&twice).unwrap_err(), OlympiadError::Record(error));
}

#[test]
fn two_games_of_an_encounter_are_one_meeting_and_an_earlier_round_counts_without_its_results() {
    let (one, other, third) = (id("E01"), id("E02"), id("E03"));
    let game = |gold, silver, outcome| PlayedGame {
        encounter: Some(1),
        ..played(gold, silver, outcome, Ending::Resignation)
    };
    let games = vec![game(&one, &other, Some(Outcome::Gold)), game(&other, &one, None)];
    let round = PlayedRound { number: 1, stage: Stage::Swiss, games, byes: vec![third.clone()] };
    let mut tally = Tally::default();
    tally.count(&round, 2);
    let against = tally.record(&one).against(&other);
    assert_eq!((against.meetings, against.golds, against.silvers, against.over), (1, 1, 1, 1));
    let counted = |tally: &Tally, player| {
        let record = tally.record(player);
        (record.half_points, record.wins, record.losses, record.byes, record.golds)
    };
    assert_eq!(
        [&one, &other, &third].map(|player| counted(&tally, player)),
        [(2, 1, 0, 0, 1), (0, 0, 1, 0, 1), (2, 0, 0, 1, 0)]
    );
    let mut earlier = Tally::default();
    earlier.count_earlier(&round);
    assert_eq!(earlier.record(&one).against(&other).meetings, 1);
    assert_eq!(
        [&one, &other, &third].map(|player| counted(&earlier, player)),
        [(0, 0, 0, 0, 1), (0, 0, 0, 0, 1), (0, 0, 0, 1, 0)]
    );
    assert_eq!(round.check(|_| true, 2), Ok(()));
    assert_eq!(round.check(|_| true, 1), Err(RecordError::TwiceInRound { player: one, round: 1 }));
}
