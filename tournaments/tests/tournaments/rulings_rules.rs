//! The rules of the technical rulings one by one: clocks, what is revoked, readings, rulings that set results and colours,
//! bad input.

use annals_events::tournament::{Clocks, Failure, Outcome};
use annals_tournaments::rulings::{
    Act, AttemptStatus, Consequence, PairedBoard, Refusal, ResumePoint, ResumedRating, RoundBegins,
    RulingReadings, failure_paragraph,
};

use crate::rulings::{OneAct, OneCourse};

fn round(number: u32, boards: &[(&str, &str, &str)]) -> OneAct {
    let boards = boards
        .iter()
        .map(|(pairing, gold, silver)| PairedBoard {
            pairing: (*pairing).to_owned(),
            gold: (*gold).to_owned(),
            silver: (*silver).to_owned(),
        })
        .collect();
    Act::RoundPaired { round: number, boards }
}

fn clocks(gold_reserve: i64, game_time: u64) -> Option<Clocks> {
    Some(Clocks { gold_reserve, silver_reserve: 300, game_time: Some(game_time) })
}

fn start(pairing: &str, game: &str, resumes: Option<(&str, u32)>, clocks: Option<Clocks>) -> OneAct {
    Act::GameStarted {
        pairing: pairing.to_owned(),
        game: game.to_owned(),
        resumes: resumes.map(|(game, ply)| ResumePoint { game: game.to_owned(), ply }),
        gold: None,
        silver: None,
        clocks,
    }
}

fn halt(game: &str, ply: u32, clocks: Option<Clocks>) -> OneAct {
    let point = ResumePoint { game: game.to_owned(), ply };
    Act::Halted { point, failure: Failure::ExtraneousProcess, clocks }
}

fn invalidate(game: &str, ply: u32) -> OneAct {
    let point = ResumePoint { game: game.to_owned(), ply };
    Act::Invalidated { point, failure: Failure::Other, clocks: None }
}

fn end(game: &str, outcome: Outcome) -> OneAct {
    Act::GameEnded { game: game.to_owned(), outcome }
}

fn course(readings: RulingReadings, acts: &[OneAct]) -> OneCourse {
    let mut course = OneCourse::new(readings);
    for act in acts {
        course.apply(act).unwrap();
    }
    course
}

#[test]
fn a_resumed_game_has_the_clocks_after_the_ply_even_from_the_game_before_it() {
    let ply = |game: &str, left, time| Act::PlyPlayed { game: game.to_owned(), clocks: clocks(left, time) };
    let mut course = course(
        RulingReadings::default(),
        &[
            round(1, &[("a", "A", "B")]),
            start("a", "one", None, clocks(360, 0)),
            ply("one", 350, 10),
            ply("one", 350, 20),
            ply("one", 340, 30),
            halt("one", 2, None),
        ],
    );
    let due = |course: &OneCourse| course.board(&"a".to_owned()).unwrap().debt.clone().unwrap();
    assert_eq!(due(&course).clocks, clocks(350, 20));
    course.apply(&start("a", "two", Some(("one", 2)), None)).unwrap();
    assert_eq!(course.clocks_at(&"two".to_owned(), 2), clocks(350, 20));
    course.apply(&ply("two", 300, 60)).unwrap();
    // The second point lies before the first: its clocks are those of the first game.
    let follows = course.apply(&halt("two", 1, None)).unwrap();
    assert_eq!(
        follows,
        [Consequence::AttemptDue {
            pairing: "a".to_owned(),
            point: ResumePoint { game: "two".to_owned(), ply: 1 }
        }],
        "the resumed game was unrated already"
    );
    assert_eq!(due(&course).clocks, clocks(350, 10));
    course.apply(&start("a", "three", Some(("two", 1)), clocks(345, 12))).unwrap();
    assert_eq!(
        course.clocks_at(&"three".to_owned(), 1),
        clocks(345, 12),
        "the director restores them as closely as possible"
    );
    assert_eq!(course.clocks_at(&"three".to_owned(), 0), clocks(360, 0));
    assert_eq!(course.clocks_at(&"three".to_owned(), 9), None);
    course.apply(&halt("three", 1, clocks(1, 2))).unwrap();
    assert_eq!(due(&course).clocks, clocks(1, 2), "a ruling may set them");
}

fn two_rounds_paired() -> Vec<OneAct> {
    vec![
        round(1, &[("a", "A", "D"), ("b", "B", "C")]),
        start("a", "g1", None, None),
        Act::PlyPlayed { game: "g1".to_owned(), clocks: None },
        end("g1", Outcome::Gold),
        Act::Forfeited { pairing: "b".to_owned(), outcome: Outcome::DoubleLoss },
        round(2, &[("c", "A", "B"), ("d", "C", "D")]),
    ]
}

#[test]
fn an_invalidated_result_revokes_what_was_paired_upon_it_unless_pairing_begins_a_round() {
    let mut open = course(RulingReadings::default(), &two_rounds_paired());
    let follows = open.apply(&invalidate("g1", 1)).unwrap();
    assert_eq!(
        follows,
        [
            Consequence::MadeUnrated { game: "g1".to_owned() },
            Consequence::ResultRemoved { pairing: "a".to_owned() },
            Consequence::RoundRevoked { round: 2 },
            Consequence::AttemptDue {
                pairing: "a".to_owned(),
                point: ResumePoint { game: "g1".to_owned(), ply: 1 }
            },
        ]
    );
    assert_eq!(open.attempt(&"g1".to_owned()).unwrap().status, AttemptStatus::Invalidated);
    assert!(open.board(&"c".to_owned()).is_none() && open.round(2).is_none());

    let readings = RulingReadings { round_begins: RoundBegins::Paired, ..RulingReadings::default() };
    let mut strict = course(readings, &two_rounds_paired());
    let refusal = strict.apply(&invalidate("g1", 1)).unwrap_err();
    assert_eq!(refusal, Refusal::Frozen { round: 1, begun: 2 });
    assert_eq!(
        refusal.to_string(),
        "round 2 has begun, so nothing of round 1 changes any more (2015 WCC, Technical Problems 1)"
    );
}

#[test]
fn a_resumed_game_is_unrated_unless_read_otherwise() {
    let acts = [
        round(1, &[("a", "A", "B")]),
        start("a", "one", None, None),
        halt("one", 0, None),
        start("a", "two", Some(("one", 0)), None),
    ];
    for (reading, rated) in [(ResumedRating::Unrated, false), (ResumedRating::Rated, true)] {
        let readings = RulingReadings { resumed_rating: reading, ..RulingReadings::default() };
        let course = course(readings, &acts);
        assert!(!course.attempt(&"one".to_owned()).unwrap().rated, "the halted game is unrated in any case");
        assert_eq!(course.attempt(&"two".to_owned()).unwrap().rated, rated);
    }
}

#[test]
fn a_ruling_cannot_touch_a_frozen_round_and_not_the_colours_of_a_game_under_way() {
    let set = |pairing: &str| Act::ResultSet { pairing: pairing.to_owned(), outcome: Outcome::Silver };
    let colours =
        |pairing: &str, gold: &str| Act::ColoursSet { pairing: pairing.to_owned(), gold: gold.to_owned() };
    let mut course = course(RulingReadings::default(), &two_rounds_paired());
    course.apply(&colours("c", "B")).unwrap();
    let c = course.board(&"c".to_owned()).unwrap();
    assert_eq!((c.gold.as_str(), c.silver.as_str()), ("B", "A"));
    let name = str::to_owned;
    assert_eq!(course.apply(&colours("c", "Z")).unwrap_err(), Refusal::ColoursDiffer { pairing: name("c") });
    assert_eq!(course.apply(&colours("a", "D")).unwrap_err(), Refusal::GameStarted { game: name("g1") });

    let mut changed = course.clone();
    assert_eq!(changed.apply(&set("a")).unwrap(), [Consequence::RoundRevoked { round: 2 }]);
    assert_eq!(changed.board(&name("a")).unwrap().result, Some(Outcome::Silver));

    course.apply(&start("c", "h1", None, None)).unwrap();
    assert_eq!(course.apply(&set("a")).unwrap_err(), Refusal::Frozen { round: 1, begun: 2 });
    assert_eq!(course.apply(&colours("c", "A")).unwrap_err(), Refusal::GameStarted { game: name("h1") });
    assert_eq!(course.apply(&set("c")).unwrap(), [Consequence::GameClosed { game: name("h1") }]);
    assert_eq!(course.attempt(&name("h1")).unwrap().status, AttemptStatus::Over);
}

#[test]
fn bad_input_is_refused_with_what_is_wrong() {
    let mut course = course(RulingReadings::default(), &[round(1, &[("a", "A", "B")])]);
    let name = str::to_owned;
    let mut refused = |act: OneAct| course.apply(&act).unwrap_err();
    assert_eq!(refused(round(0, &[])), Refusal::NoSuchRound);
    assert_eq!(refused(round(3, &[])), Refusal::RoundBeforeOpen { round: 3, open: None });
    assert_eq!(refused(round(2, &[])), Refusal::RoundBeforeOpen { round: 2, open: Some(name("a")) });
    let twice = round(1, &[("x", "A", "B"), ("x", "C", "D")]);
    assert_eq!(refused(twice), Refusal::PairingTwice { pairing: name("x") });
    let again = round(1, &[("x", "A", "B"), ("y", "C", "A")]);
    assert_eq!(refused(again), Refusal::PlayerTwice { pairing: name("y") });
    assert_eq!(refused(round(1, &[("x", "A", "A")])), Refusal::PlayerTwice { pairing: name("x") });
    let draw = Act::Forfeited { pairing: name("a"), outcome: Outcome::Draw };
    assert_eq!(refused(draw), Refusal::NoForfeit);
    assert_eq!(refused(end("none", Outcome::Gold)), Refusal::NoSuchGame { game: name("none") });
    assert_eq!(refused(start("none", "g", None, None)), Refusal::NoSuchPairing { pairing: name("none") });
    let from = start("a", "g", Some(("f", 0)), None);
    assert_eq!(refused(from), Refusal::FirstFromTheStart { pairing: name("a") });
    assert_eq!(refused(halt("none", 0, None)), Refusal::HaltNeedsAGameInProgress { game: name("none") });
    assert_eq!(failure_paragraph(Failure::RestartedMidMove), "2015 WCC, Technical Problems 4.4");
    assert_eq!(failure_paragraph(Failure::Other), "2015 WCC, Technical Problems 5");
}
