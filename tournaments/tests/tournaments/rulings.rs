//! The technical rulings: the stored cases, random courses against a judge that looks only at the list of what was accepted,
//! wrong judges that the stored cases must catch, clocks, and rulings that set results and colours.

use annals_events::tournament::{Failure, Outcome};
use annals_tournaments::rulings::{Act, Course, PairedBoard, Refusal, ResumePoint, RulingReadings};
use serde_json::{Value, json};

use crate::rulings_by_list::{Wrong, random_course, refusals_by_the_list};
use crate::vectors::{ask_the_checkers, cases, vectors};

pub type OneAct = Act<String, String, String>;
pub type OneCourse = Course<String, String, String>;

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// An act from the form in which the cases are stored.
pub fn act(event: &Value) -> OneAct {
    let point = || ResumePoint {
        game: text(&event["game"]),
        ply: u32::try_from(event["ply"].as_u64().unwrap()).unwrap(),
    };
    let failure = Failure::MoveLostToPlayer;
    match event["e"].as_str().unwrap() {
        "pair" => Act::RoundPaired {
            round: u32::try_from(event["round"].as_u64().unwrap()).unwrap(),
            boards: event["pairs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|pair| PairedBoard {
                    pairing: text(&pair[0]),
                    gold: text(&pair[1]),
                    silver: text(&pair[2]),
                })
                .collect(),
        },
        "start" => Act::GameStarted {
            pairing: text(&event["pairing"]),
            game: text(&event["game"]),
            resumes: event["parent"].as_str().map(|parent| ResumePoint {
                game: parent.to_owned(),
                ply: u32::try_from(event["from_ply"].as_u64().unwrap()).unwrap(),
            }),
            gold: event["gold"].as_str().map(str::to_owned),
            silver: event["silver"].as_str().map(str::to_owned),
            clocks: None,
        },
        "move" => Act::PlyPlayed { game: text(&event["game"]), clocks: None },
        "end" => Act::GameEnded {
            game: text(&event["game"]),
            outcome: if event["winner"] == "gold" { Outcome::Gold } else { Outcome::Silver },
        },
        "forfeit" => Act::Forfeited {
            pairing: text(&event["pairing"]),
            outcome: match event["loser"].as_str().unwrap() {
                "gold" => Outcome::Silver,
                "silver" => Outcome::Gold,
                _ => Outcome::DoubleLoss,
            },
        },
        "halt" => Act::Halted { point: point(), failure, clocks: None },
        _ => Act::Invalidated { point: point(), failure, clocks: None },
    }
}

/// A refusal in the words of the stored cases.
fn in_stored_words(event: &Value, refusal: &Refusal<String, String>) -> &'static str {
    let forfeit = event["e"] == "forfeit";
    match refusal {
        Refusal::RoundBeforeOpen { .. } => "previous round not complete",
        Refusal::RoundBegun { .. } => "round already begun",
        Refusal::NoSuchPairing { .. } | Refusal::HasResult { .. } if forfeit => "no open pairing",
        Refusal::NoSuchPairing { .. } => "unknown or revoked pairing",
        Refusal::GameTwice { .. } => "duplicate game id",
        Refusal::HasResult { .. } => "pairing already has a result",
        Refusal::AnotherOpen { .. } => "another attempt is open",
        Refusal::NothingDue { .. } => "no resumption is due",
        Refusal::WrongPoint { .. } => "must resume from the ruled point",
        Refusal::FirstFromTheStart { .. } => "first attempt has no parent",
        Refusal::ColoursDiffer { .. } => "colours may not change",
        Refusal::NoSuchGame { .. } | Refusal::NotOpen { .. } => "game not open",
        Refusal::HaltNeedsAGameInProgress { .. } => "rule 2 needs a game in progress",
        Refusal::InvalidationNeedsAFinishedGame { .. } => "rule 3 needs a finished game",
        Refusal::NotInForce { .. } => "not the result in force",
        Refusal::BeyondThePlies { .. } => "point beyond the moves played",
        Refusal::Frozen { .. } => "rule 1: a later round has begun",
        other => panic!("no stored case is refused with {other}"),
    }
}

/// Applies a stored course: the refusals with their places.
fn refusals(course: &mut OneCourse, log: &[Value]) -> Vec<(usize, &'static str)> {
    let mut refused = Vec::new();
    for (i, event) in log.iter().enumerate() {
        let before = course.clone();
        let act = act(event);
        match course.apply(&act) {
            Ok(_) => assert!(before.judge(&act).is_ok()),
            Err(refusal) => {
                assert_eq!(before, *course, "an act that is refused changes nothing");
                assert!(refusal.paragraph().starts_with("2015 WCC, "));
                refused.push((i, in_stored_words(event, &refusal)));
            }
        }
    }
    refused
}

fn stored() -> Vec<(String, Vec<Value>, Vec<String>)> {
    let Some(file) = vectors("rulings.json") else { return Vec::new() };
    file.as_array()
        .unwrap()
        .iter()
        .map(|case| {
            let rejected = case["rejected"].as_array().unwrap().iter().map(text).collect();
            (text(&case["name"]), case["log"].as_array().unwrap().clone(), rejected)
        })
        .collect()
}

#[test]
fn the_sixteen_stored_cases_are_judged_as_stored() {
    let cases = stored();
    for (name, log, rejected) in &cases {
        let mut course = OneCourse::new(RulingReadings::default());
        let words: Vec<&str> = refusals(&mut course, log).into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, *rejected, "{name}");
    }
    assert!(cases.is_empty() || cases.len() == 16);
}

#[test]
fn every_prefix_of_a_course_gives_the_same_state_again() {
    for (_, log, _) in stored() {
        let mut course = OneCourse::new(RulingReadings::default());
        for end in 0..log.len() {
            let _ = course.apply(&act(&log[end]));
            let mut again = OneCourse::new(RulingReadings::default());
            refusals(&mut again, &log[..=end]);
            assert_eq!(course, again);
        }
    }
}

#[test]
fn random_courses_are_judged_as_by_the_list_of_what_was_accepted() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..cases(400, 10_000) {
        let log = random_course(seed);
        let mut course = OneCourse::new(RulingReadings::default());
        let refused = refusals(&mut course, &log);
        assert_eq!(refused, refusals_by_the_list(&log, None), "seed {seed}");
        for (_, words) in refused {
            *seen.entry(words).or_insert(0) += 1;
        }
    }
    assert!(seen.len() == 15 && seen.values().all(|times| *times > 4), "every refusal occurs: {seen:?}");
}

#[test]
fn every_wrong_judge_is_caught_by_a_stored_case_or_a_random_course() {
    let cases = stored();
    if cases.is_empty() {
        return;
    }
    use Wrong::*;
    let mut by_stored = 0;
    for wrong in [
        PairingFreezes,
        NothingFreezes,
        AnyPoint,
        AnyPly,
        OneAttemptOnly,
        ColoursFree,
        HaltedGoesOn,
        InvalidatedKeepsItsResult,
        RoundsUnordered,
        NextRoundStands,
        ForfeitIsNoResult,
        DoubleForfeitLeavesOpen,
        TwoAtOnce,
        ResumedCountFromNothing,
        InvalidatedAgain,
    ] {
        let stored = cases.iter().any(|(_, log, rejected)| {
            let words: Vec<&str> =
                refusals_by_the_list(log, Some(wrong)).into_iter().map(|(_, words)| words).collect();
            words != *rejected
        });
        by_stored += usize::from(stored);
        let random = || {
            (0..400).any(|seed| {
                let log = random_course(seed);
                refusals_by_the_list(&log, Some(wrong))
                    != refusals(&mut OneCourse::new(RulingReadings::default()), &log)
            })
        };
        assert!(stored || random(), "{wrong:?} is not caught");
    }
    assert!(by_stored >= 11, "the stored cases catch {by_stored}");
}

#[test]
fn the_checker_itself_judges_random_courses_alike() {
    let logs: Vec<Vec<Value>> = (0..3_000).map(|seed| random_course(500_000 + seed)).collect();
    let program = "
import json, sys, rulings
print(json.dumps([rulings.apply(log)[1] for log in json.load(sys.stdin)]))
";
    let Some(answer) = ask_the_checkers(program, &json!(logs)) else { return };
    for (i, log) in logs.iter().enumerate() {
        let refused = refusals(&mut OneCourse::new(RulingReadings::default()), log);
        assert_eq!(json!(refused), answer[i], "course {i}");
    }
}
