//! The rules of the Swiss preliminary one by one: explanations, readings, removals, small fields, bad input.

use std::collections::BTreeSet;

use annals_events::tournament::Outcome;
use annals_tournaments::formats::swiss::{
    ByeChoice, ByePoints, ColourMeasure, GroupHalves, OddGroup, PairRequest, Reached, Rejection, SecondBye,
    StandingsError, SwissColour, SwissError, SwissPlace, SwissReadings, WalkOutcome, pair_round,
};
use annals_tournaments::record::{Ending, PlayedGame, RecordError};

use crate::swiss::{Before, forfeiters, game, made, round};
use crate::vectors::{contestant, id};

fn nine() -> Before {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    Before {
        players: names.iter().zip(0..).map(|(name, i)| contestant(id(name), Some(2000 - 50 * i))).collect(),
        lots: names.iter().map(|name| id(name)).zip(1..).collect(),
        ..Before::default()
    }
}

/// Players without a point between them, by falling rating.
fn level(names: &[&str]) -> Before {
    Before {
        players: names.iter().zip(0..).map(|(name, i)| contestant(id(name), Some(2000 - i))).collect(),
        ..Before::default()
    }
}

fn played(gold: &str, silver: &str, outcome: Outcome) -> PlayedGame {
    game(&id(gold), &id(silver), outcome, false)
}

fn nine_after_a_round() -> Before {
    let mut before = nine();
    let games = [("a", "e"), ("b", "f"), ("c", "g"), ("d", "h")];
    let games = games.iter().map(|(gold, silver)| played(gold, silver, Outcome::Gold)).collect();
    before.rounds.push(round(games, Some(id("i"))));
    before
}

#[test]
fn each_pair_says_how_it_was_reached_and_an_alternative_why_it_was_not() {
    let before = nine_after_a_round();
    let pairing = before.pair(SwissReadings::default()).unwrap();
    // The order is A B C D I | E F G H with the bye for H: A-C, B-D, I-E, F-G.
    let reached: Vec<(&str, &str, Reached)> = pairing
        .walk
        .pairs
        .iter()
        .map(|pair| (pair.upper.as_str(), pair.lower.as_str(), pair.reached))
        .collect();
    assert_eq!(
        reached,
        [
            ("a", "c", Reached::SamePlace),
            ("b", "d", Reached::SamePlace),
            ("i", "e", Reached::DownTheList),
            ("f", "g", Reached::DownTheList),
        ]
    );
    assert_eq!(Reached::DownTheList.paragraph(), "2009 WC, Preliminary 8");
    assert_eq!(pairing.bye, Some((id("h"), ByeChoice::LastOfTheList)));
    let why = |a: &str, b: &str| pairing.walk.why_not(&id(a), &id(b));
    let (own, s) = (id, id);
    assert_eq!(why("a", "c"), WalkOutcome::Paired);
    assert_eq!(why("a", "h"), WalkOutcome::NotListed { player: own("h") });
    assert_eq!(why("b", "a"), WalkOutcome::ReachedLater { walker: s("a"), took: s("c") });
    assert_eq!(why("d", "i"), WalkOutcome::TakenBefore { player: s("d"), by: s("b") });
    let by: Vec<&str> = pairing.order.windows(2).map(|two| separated_by(&two[0], &two[1])).collect();
    assert_eq!(by[..2], ["rating", "rating"]);
    assert_eq!((pairing.order[4].player.as_str(), by[3]), ("i", "rating"));
    assert_eq!((pairing.order[5].player.as_str(), by[4]), ("e", "points"));
}

#[test]
fn a_candidate_who_would_strand_the_others_is_passed_by_with_that_reason() {
    // Four level players, of whom b and d have met: a must not take c.
    let mut before = level(&["a", "b", "c", "d"]);
    before.rounds.push(round(vec![played("b", "d", Outcome::NoDecision)], None));
    let pairing = before.pair(SwissReadings::default()).unwrap();
    assert_eq!(made(&pairing).pairs, [(id("a"), id("d")), (id("b"), id("c"))]);
    let why = |a: &str, b: &str| pairing.walk.why_not(&id(a), &id(b));
    let passed_by = |walker: &str, why| WalkOutcome::PassedBy { walker: id(walker), why };
    assert_eq!(why("c", "a"), passed_by("a", Rejection::StrandsOthers));
    assert_eq!(why("b", "d"), WalkOutcome::TakenBefore { player: id("d"), by: id("a") });
    assert_eq!(pairing.walk.pairs[0].reached, Reached::FurtherDown);

    before.rounds.push(round(vec![played("a", "c", Outcome::NoDecision)], None));
    let pairing = before.pair(SwissReadings::default()).unwrap();
    let why = |a: &str, b: &str| pairing.walk.why_not(&id(a), &id(b));
    assert_eq!(why("a", "c"), passed_by("a", Rejection::Met));
}

#[test]
fn another_reading_makes_another_round() {
    let before = nine_after_a_round();
    let read = |readings| made(&before.pair(readings).unwrap());
    let default = read(SwissReadings::default());
    let bye_nothing = read(SwissReadings { bye_points: ByePoints::None, ..SwissReadings::default() });
    assert_eq!(bye_nothing.bye, Some(id("i")), "with no point for the bye the last gets every bye");
    let second = read(SwissReadings {
        bye_points: ByePoints::None,
        second_bye: SecondBye::NoRepeatBye,
        ..SwissReadings::default()
    });
    assert_eq!(second.bye, Some(id("h")));
    let upper = read(SwissReadings { odd_group: OddGroup::UpperHalfLarger, ..SwissReadings::default() });
    assert_eq!(upper.pairs[0], (id("a"), id("d")));
    assert_ne!(default, upper);

    // Eight level players of whom a and e have met: b comes to e only if the halves are made anew.
    let mut eight = level(&["a", "b", "c", "d", "e", "f", "g", "h"]);
    eight.rounds.push(round(vec![played("a", "e", Outcome::NoDecision)], None));
    let pairs = |halves| {
        let made = made(&eight.pair(SwissReadings { halves, ..SwissReadings::default() }).unwrap());
        made.pairs.iter().map(|(a, b)| format!("{a}{b}")).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(pairs(GroupHalves::Fixed), "af bg ch de");
    assert_eq!(pairs(GroupHalves::Unpaired), "af be cg dh");

    let two = annals_tournaments::formats::swiss::ColourCount { golds: 2, silvers: 2 };
    let one = annals_tournaments::formats::swiss::ColourCount { golds: 1, silvers: 0 };
    use annals_tournaments::formats::swiss::colour;
    assert_eq!(colour(two, one, ColourMeasure::Balance), SwissColour::Upper);
    assert_eq!(colour(two, one, ColourMeasure::GoldGames), SwissColour::Lower);
}

#[test]
fn an_appeal_keeps_a_player_in_and_the_forfeited_game_stays_lost() {
    let mut before = nine_after_a_round();
    before.rounds[0].games[0].ending = Ending::Forfeit;
    before.rounds[0].games[1] = game(&id("b"), &id("f"), Outcome::DoubleLoss, true);
    assert_eq!(forfeiters(&before.rounds), BTreeSet::from(["e", "b", "f"].map(id)));
    before.out = BTreeSet::from([id("e"), id("f")]);
    let pairing = before.pair(SwissReadings::default()).unwrap();
    let b = pairing.order.iter().find(|standing| standing.player == id("b")).unwrap();
    assert_eq!((b.half_points, pairing.games.len()), (0, 3));
}

/// What puts one player directly above another.
fn separated_by(above: &SwissPlace, below: &SwissPlace) -> &'static str {
    if above.half_points > below.half_points {
        "points"
    } else if above.opponents_half_points > below.opponents_half_points {
        "opponents"
    } else if above.rating > below.rating {
        "rating"
    } else {
        assert!(above.lot < below.lot);
        "lot"
    }
}

#[test]
fn fields_of_none_and_one_and_everybody_equal_have_defined_ends() {
    let none = Before::default();
    assert_eq!(none.pair(SwissReadings::default()).unwrap_err(), SwissError::NoPlayerLeft { entered: 0 });
    let mut one = Before::default();
    one.players.push(contestant(id("alone"), None));
    let pairing = one.pair(SwissReadings::default()).unwrap();
    assert_eq!((pairing.games.len(), pairing.bye.map(|(player, _)| player)), (0, Some(id("alone"))));

    let mut equal = nine();
    for player in &mut equal.players {
        player.rating = None;
    }
    let pairing = equal.pair(SwissReadings::default()).unwrap();
    assert_eq!(separated_by(&pairing.order[0], &pairing.order[1]), "lot");
    equal.lots.remove("c");
    assert_eq!(
        equal.pair(SwissReadings::default()).unwrap_err(),
        SwissError::Standings(StandingsError::LotMissing { player: id("c"), other: id("a") })
    );
    equal.lots.insert(id("c"), 2);
    assert_eq!(
        equal.pair(SwissReadings::default()).unwrap_err(),
        SwissError::Standings(StandingsError::LotShared { player: id("b"), other: id("c"), lot: 2 })
    );
}

#[test]
fn a_record_that_contradicts_itself_is_refused_by_name() {
    let pair = |before: &Before| before.pair(SwissReadings::default()).unwrap_err();
    let name = id;
    let mut open = nine_after_a_round();
    open.rounds[0].games[2].outcome = None;
    assert_eq!(pair(&open), SwissError::OpenGame { round: 1, gold: name("c"), silver: name("g") });
    let mut foreign = nine_after_a_round();
    foreign.rounds[0].games[2].silver = name("z");
    let error = RecordError::NotEntered { player: name("z"), round: 1 };
    assert_eq!(pair(&foreign), SwissError::Record(error));
    let mut twice = nine_after_a_round();
    twice.rounds[0].byes = vec![name("a")];
    assert_eq!(pair(&twice), SwissError::Record(RecordError::TwiceInRound { player: name("a"), round: 1 }));
    let mut itself = nine_after_a_round();
    itself.rounds[0].games[2].silver = name("c");
    assert_eq!(pair(&itself), SwissError::Record(RecordError::TwiceInRound { player: name("c"), round: 1 }));
    let mut entered_twice = nine();
    entered_twice.players.push(contestant(name("a"), None));
    assert_eq!(pair(&entered_twice), SwissError::Record(RecordError::EnteredTwice { player: name("a") }));
    let mut out = nine();
    out.out.insert(name("z"));
    assert_eq!(pair(&out), SwissError::Record(RecordError::OutNotEntered { player: name("z") }));
    let before = nine_after_a_round();
    let (played, lots) = (before.played(), &before.lots);
    let request =
        PairRequest { played: &played, lots, declared_rounds: 1, readings: SwissReadings::default() };
    assert_eq!(pair_round(&request).unwrap_err(), SwissError::NoRoundLeft { declared: 1 });
}
