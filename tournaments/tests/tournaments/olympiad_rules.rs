//! The rules of the Olympiad one by one: explanations, readings, small fields, bad input.

use std::collections::BTreeSet;

use annals_events::tournament::Outcome;
use annals_tournaments::formats::encounters::{
    ByePoints, Encounter, EncounterPairing, Ending, OlympiadError, OlympiadGame, OlympiadReadings, Reasons,
    UnfinishedTerritory, ranking,
};
use annals_tournaments::pairing::{Candidate, Optima, Verdict};

use crate::olympiad::{Before, Round, pairs, random_event};

fn seven() -> Before {
    let entrants = (1..=7).map(|i| format!("E{i:02}")).collect();
    Before { entrants, rounds: Vec::new(), out: BTreeSet::new() }
}

#[test]
fn a_round_says_why_another_encounter_was_not_chosen_and_how_many_are_as_good() {
    let pairing = seven().pair(OlympiadReadings::default()).unwrap();
    let bye = pairing.bye.clone().unwrap();
    assert_eq!((bye.player.as_str(), bye.fewest_byes, bye.lowest_half_points, bye.level), ("E07", 0, 0, 7));
    let Reasons::LeastVector { list, problem, pairing: round } = &pairing.reasons else { panic!() };
    assert_eq!((list.len(), problem.optima(round).unwrap()), (6, Optima::Exactly(1)));
    let why = problem.why_not(Candidate::Pair(0, 1), round).unwrap();
    match why.verdict {
        Verdict::Loses { criterion, counts, chosen, alternative } => {
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
    let names: Vec<String> = pairs(&walk).into_iter().map(|(a, b)| a + "-" + &b).collect();
    assert_eq!(names, ["E01-E04", "E02-E05", "E03-E06"]);
    assert!(matches!(&walk.reasons, Reasons::Walk(walk) if walk.pairs.len() == 3));
    let first = read(&before, OlympiadReadings::default());
    let encounters = pairs(&first)
        .into_iter()
        .map(|(one, other)| {
            let game = |white: &String, black: &String, outcome| OlympiadGame {
                white: white.clone(),
                black: black.clone(),
                outcome: Some(outcome),
                ending: Ending::Resignation,
                territory: Some(7),
                territory_ruled: false,
            };
            let games = vec![game(&one, &other, Outcome::Gold), game(&other, &one, Outcome::Silver)];
            Encounter { pair: (one, other), games }
        })
        .collect();
    before.rounds.push(Round { encounters, bye: first.bye.map(|bye| bye.player) });
    let score = |readings, name: &str| {
        let order = ranking(&before.entrants, &before.rounds, readings).unwrap();
        let place = order.into_iter().find(|place| place.score.player == name).unwrap();
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
    let order = ranking(&before.entrants, &before.rounds, default).unwrap();
    let missing: u32 = order.iter().map(|place| place.score.territory_missing).sum();
    assert_eq!(missing, 1, "a territory that counts and is not known is told");
}

#[test]
fn bad_input_is_refused_by_name_and_small_fields_have_defined_ends() {
    let name = str::to_owned;
    let pair = |before: &Before| before.pair(OlympiadReadings::default());
    let field = |entrants: usize| Before {
        entrants: (1..=entrants).map(|i| format!("E{i:02}")).collect(),
        ..seven()
    };
    assert_eq!(pair(&field(0)).unwrap_err(), OlympiadError::NobodyLeft { entered: 0 });
    let alone = pair(&field(1)).unwrap();
    assert!(matches!(alone.reasons, Reasons::NoContext) && alone.seats.is_empty());
    assert_eq!(alone.bye.unwrap().player, "E01");

    let mut gone = seven();
    gone.out = gone.entrants.iter().cloned().collect();
    assert_eq!(pair(&gone).unwrap_err(), OlympiadError::NobodyLeft { entered: 7 });
    gone.out = BTreeSet::from([name("Z")]);
    assert_eq!(pair(&gone).unwrap_err(), OlympiadError::OutNotEntered { player: name("Z") });
    let mut twice = seven();
    twice.entrants.push(name("E01"));
    assert_eq!(pair(&twice).unwrap_err(), OlympiadError::EnteredTwice { player: name("E01") });

    let over = random_event(77, 8, |_, _| {});
    assert_eq!(pair(&over).unwrap_err(), OlympiadError::NoRoundLeft { rounds: 5 });
    let changed = |change: fn(&mut Encounter<String>)| {
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
        changed(|encounter| encounter.games[0].white = "E09".to_owned()),
        OlympiadError::ForeignGame { one, other, round: 1 }
    );
    assert_eq!(
        changed(|encounter| encounter.pair.0 = "E09".to_owned()),
        OlympiadError::NotEntered { player: name("E09"), round: 1 }
    );
    let (one, _) = both();
    assert_eq!(
        changed(|encounter| encounter.pair.1 = encounter.pair.0.clone()),
        OlympiadError::TwiceInRound { player: one, round: 1 }
    );
}
