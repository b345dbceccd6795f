//! The technical rulings: the stored cases, random courses against a judge that looks only at the list of what was accepted,
//! wrong judges that the stored cases must catch, clocks, and rulings that set results and colours.

use annals_events::tournament::{Clocks, Failure, Outcome};
use annals_tournaments::rulings::{
    Act, AttemptStatus, Consequence, Course, PairedBoard, Refusal, ResumePoint, ResumedRating, RoundBegins,
    RulingReadings, failure_paragraph,
};
use serde_json::{Value, json};

use crate::vectors::{Numbers, ask_the_checkers, cases, vectors};

type OneAct = Act<String, String, String>;
type OneCourse = Course<String, String, String>;

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// An act from the form in which the cases are stored.
fn act(event: &Value) -> OneAct {
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

/// A deliberately wrong judge.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wrong {
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
}

/// Judges by the list of accepted events alone: no state is kept, everything is looked up again. The words of a refusal,
/// or none.
fn by_the_list(accepted: &[Value], event: &Value, wrong: Option<Wrong>) -> Option<&'static str> {
    let is = |other| wrong == Some(other);
    let kind = |event: &Value| text(&event["e"]);
    // The pairings that stand: of the last pairing of each round that was not revoked since.
    let void_at = |round: u64| {
        accepted.iter().enumerate().filter(|(_, e)| kind(e) == "void").rev().find_map(|(i, e)| {
            let of = round_of_game(accepted, &e["game"]);
            (of.is_some_and(|of| of < round)).then_some(i)
        })
    };
    let stands = |round: u64| {
        let at = accepted.iter().rposition(|e| kind(e) == "pair" && e["round"] == round)?;
        let revoked = void_at(round).is_some_and(|void| void > at) && !is(Wrong::NextRoundStands);
        (!revoked).then(|| &accepted[at])
    };
    let rounds: Vec<u64> = (1..=9).filter(|&round| stands(round).is_some()).collect();
    let pair_of = |pairing: &Value| {
        rounds.iter().find_map(|&round| {
            let pairs = stands(round)?["pairs"].as_array()?;
            pairs.iter().find(|pair| pair[0] == *pairing).map(|pair| (round, pair.clone()))
        })
    };
    let starts = |pairing: &Value| {
        accepted.iter().filter(|e| kind(e) == "start" && e["pairing"] == *pairing).collect::<Vec<&Value>>()
    };
    let of_game = |game: &Value| accepted.iter().find(|e| kind(e) == "start" && e["game"] == *game);
    let last_of = |game: &Value, kinds: &[&str]| {
        accepted.iter().rposition(|e| kinds.contains(&kind(e).as_str()) && e["game"] == *game)
    };
    let forfeited_at = |pairing: &Value| {
        accepted.iter().rposition(|e| {
            kind(e) == "forfeit"
                && e["pairing"] == *pairing
                && !(is(Wrong::DoubleForfeitLeavesOpen) && e["loser"] == "both")
        })
    };
    let void_of =
        |pairing: &Value| starts(pairing).iter().filter_map(|start| last_of(&start["game"], &["void"])).max();
    let has_result = |pairing: &Value| {
        let ended = starts(pairing).iter().filter_map(|start| last_of(&start["game"], &["end"])).max();
        let forfeited = forfeited_at(pairing).filter(|_| !is(Wrong::ForfeitIsNoResult));
        match ended.max(forfeited) {
            None => false,
            Some(at) => is(Wrong::InvalidatedKeepsItsResult) || void_of(pairing).is_none_or(|void| void < at),
        }
    };
    let open = |game: &Value| {
        let Some(start) = of_game(game) else { return false };
        let over = if is(Wrong::HaltedGoesOn) { &["end"][..] } else { &["end", "halt"][..] };
        let started = accepted.iter().position(|e| e == start).unwrap();
        last_of(game, over).is_none() && forfeited_at(&start["pairing"]).is_none_or(|at| at < started)
    };
    let plies = |game: &Value| {
        let own = accepted.iter().filter(|e| kind(e) == "move" && e["game"] == *game).count() as u64;
        let from = if is(Wrong::ResumedCountFromNothing) {
            None
        } else {
            of_game(game).and_then(|s| s["from_ply"].as_u64())
        };
        own + from.unwrap_or(0)
    };
    let complete = |round: u64| {
        round == 0
            || is(Wrong::RoundsUnordered)
            || stands(round)
                .is_some_and(|e| e["pairs"].as_array().unwrap().iter().all(|pair| has_result(&pair[0])))
    };
    let begun = if is(Wrong::PairingFreezes) {
        rounds.last().copied().unwrap_or(0)
    } else {
        accepted
            .iter()
            .filter(|e| kind(e) == "start")
            .filter_map(|e| round_of_game(accepted, &e["game"]))
            .max()
            .unwrap_or(0)
    };
    let debt = |pairing: &Value| {
        let started = starts(pairing);
        let last = last_of(&started.last()?["game"], &["halt", "void"])?;
        Some((accepted[last]["game"].clone(), accepted[last]["ply"].clone()))
    };
    match kind(event).as_str() {
        "pair" => {
            let round = event["round"].as_u64().unwrap();
            if !complete(round - 1) {
                return Some("previous round not complete");
            }
            (stands(round).is_some() && round <= begun).then_some("round already begun")
        }
        "start" => {
            let Some((round, pair)) = pair_of(&event["pairing"]) else {
                return Some("unknown or revoked pairing");
            };
            let started = starts(&event["pairing"]);
            if of_game(&event["game"]).is_some() {
                return Some("duplicate game id");
            }
            if has_result(&event["pairing"]) {
                return Some("pairing already has a result");
            }
            if started.iter().any(|start| open(&start["game"])) && !is(Wrong::TwoAtOnce) {
                return Some("another attempt is open");
            }
            if !complete(round - 1) {
                return Some("previous round not complete");
            }
            if started.is_empty() {
                if !event["parent"].is_null() {
                    return Some("first attempt has no parent");
                }
            } else {
                let Some((game, ply)) = debt(&event["pairing"]).filter(|_| !is(Wrong::OneAttemptOnly)) else {
                    return Some("no resumption is due");
                };
                if (event["parent"] != game || event["from_ply"] != ply) && !is(Wrong::AnyPoint) {
                    return Some("must resume from the ruled point");
                }
            }
            let differs = |said: &Value, known: &Value| !said.is_null() && said != known;
            let other = differs(&event["gold"], &pair[1]) || differs(&event["silver"], &pair[2]);
            (other && !is(Wrong::ColoursFree)).then_some("colours may not change")
        }
        "move" | "end" => (!open(&event["game"])).then_some("game not open"),
        "forfeit" => {
            let known = pair_of(&event["pairing"]).filter(|_| !has_result(&event["pairing"]));
            let Some((round, _)) = known else { return Some("no open pairing") };
            (!complete(round - 1)).then_some("previous round not complete")
        }
        "halt" => {
            if !open(&event["game"]) {
                return Some("rule 2 needs a game in progress");
            }
            (event["ply"].as_u64().unwrap() > plies(&event["game"]) && !is(Wrong::AnyPly))
                .then_some("point beyond the moves played")
        }
        _ => {
            let start = of_game(&event["game"]).filter(|start| {
                let halted = last_of(&start["game"], &["halt", "void"]).is_some();
                let halted = halted && !is(Wrong::InvalidatedAgain);
                let over = last_of(&start["game"], &["end"]).is_some()
                    || forfeited_at(&start["pairing"]).is_some() && !open(&start["game"]);
                over && !halted
            });
            let Some(start) = start else { return Some("rule 3 needs a finished game") };
            let round = round_of_game(accepted, &event["game"]).unwrap();
            if round < begun && !is(Wrong::NothingFreezes) {
                return Some("rule 1: a later round has begun");
            }
            let last = starts(&start["pairing"]).last().is_some_and(|last| last["game"] == event["game"]);
            if !last || !has_result(&start["pairing"]) {
                return Some("not the result in force");
            }
            (event["ply"].as_u64().unwrap() > plies(&event["game"]) && !is(Wrong::AnyPly))
                .then_some("point beyond the moves played")
        }
    }
}

/// The round of a game: that of the last pairing of its name before it started.
fn round_of_game(accepted: &[Value], game: &Value) -> Option<u64> {
    let at = accepted.iter().position(|e| e["e"] == "start" && e["game"] == *game)?;
    let pairing = &accepted[at]["pairing"];
    accepted[..at].iter().rev().find_map(|e| {
        let pairs = e["pairs"].as_array()?;
        pairs.iter().any(|pair| pair[0] == *pairing).then(|| e["round"].as_u64())?
    })
}

fn refusals_by_the_list(log: &[Value], wrong: Option<Wrong>) -> Vec<(usize, &'static str)> {
    let (mut accepted, mut refused) = (Vec::new(), Vec::new());
    for (i, event) in log.iter().enumerate() {
        match by_the_list(&accepted, event, wrong) {
            None => accepted.push(event.clone()),
            Some(words) => refused.push((i, words)),
        }
    }
    refused
}

/// A course of up to three rounds in which much is tried that is not allowed. Only the first pairing of a round is ever
/// forfeited, so that no round is over before a game of it has started; and no name is used for two pairings.
fn random_course(seed: u64) -> Vec<Value> {
    let mut numbers = Numbers::new(seed);
    let mut log: Vec<Value> = Vec::new();
    let mut course = OneCourse::new(RulingReadings::default());
    let (mut pairings, mut games): (Vec<(String, bool)>, Vec<String>) = (Vec::new(), Vec::new());
    for step in 0..20 + numbers.below(120) {
        // Mostly the names that something is going on with, sometimes any.
        let standing: Vec<String> = (1..=3)
            .rev()
            .filter_map(|round| course.round(round))
            .flatten()
            .filter(|pairing| {
                numbers.chance(if course.board(pairing).unwrap().result.is_some() { 15 } else { 95 })
            })
            .cloned()
            .collect();
        let game = |numbers: &mut Numbers, games: &[String]| {
            let status = |game: &String| course.attempt(game).map(|attempt| attempt.status);
            let open = games.iter().find(|game| status(game) == Some(AttemptStatus::Open));
            match open {
                Some(game) if numbers.chance(70) => game.clone(),
                _ if games.is_empty() => "none".to_owned(),
                _ => games[games.len() - 1 - numbers.below(games.len().min(5))].clone(),
            }
        };
        let event = match numbers.below(24) {
            0 | 1 => {
                let rounds: Vec<u32> = (1..=4).filter(|&round| course.round(round).is_some()).collect();
                let next = rounds.last().copied().unwrap_or(0) + 1;
                let round = if numbers.chance(90) { next } else { 1 + numbers.below(3) as u32 };
                let pairs: Vec<Value> = (0..2)
                    .map(|i| {
                        let name = format!("r{round}.{step}.{i}");
                        json!([name, format!("P{}", 2 * i), format!("P{}", 2 * i + 1)])
                    })
                    .collect();
                // A round with results that has not begun is not paired anew: there the checker has no rule.
                let results = course
                    .round(round)
                    .into_iter()
                    .flatten()
                    .any(|pairing| course.board(pairing).is_some_and(|board| board.result.is_some()));
                if round > 3 || results || course.round(round + 1).is_some() {
                    continue;
                }
                pairings.extend(pairs.iter().zip([true, false]).map(|(pair, first)| (text(&pair[0]), first)));
                json!({"e": "pair", "round": round, "pairs": pairs})
            }
            2..=8 => {
                let pairing = match standing.first() {
                    Some(pairing) if numbers.chance(85) => pairing.clone(),
                    _ => pairings.last().map_or_else(|| "none".to_owned(), |(pairing, _)| pairing.clone()),
                };
                let fresh = if numbers.chance(5) { game(&mut numbers, &games) } else { format!("g{step}") };
                let mut event = json!({"e": "start", "pairing": pairing, "game": fresh});
                let board = course.board(&pairing).cloned();
                if let Some(debt) = board.as_ref().and_then(|board| board.debt.clone())
                    && numbers.chance(90)
                {
                    event["parent"] = json!(debt.point.game);
                    event["from_ply"] = json!(debt.point.ply + u32::from(numbers.chance(10)));
                } else if numbers.chance(5) {
                    event["parent"] = json!(game(&mut numbers, &games));
                    event["from_ply"] = json!(0);
                }
                if let Some(board) = board
                    && numbers.chance(10)
                {
                    event["gold"] = json!(if numbers.chance(50) { &board.gold } else { &board.silver });
                }
                games.push(fresh);
                event
            }
            9..=14 => json!({"e": "move", "game": game(&mut numbers, &games)}),
            15..=18 => {
                let winner = if numbers.chance(50) { "gold" } else { "silver" };
                json!({"e": "end", "game": game(&mut numbers, &games), "winner": winner})
            }
            19 if numbers.chance(30) => {
                let Some((pairing, _)) = pairings.iter().rev().find(|(_, first)| *first) else { continue };
                let loser = ["gold", "silver", "both"][numbers.below(3)];
                json!({"e": "forfeit", "pairing": pairing, "loser": loser})
            }
            19..=21 => json!({"e": "halt", "game": game(&mut numbers, &games), "ply": numbers.below(5)}),
            _ => json!({"e": "void", "game": game(&mut numbers, &games), "ply": numbers.below(5)}),
        };
        let _ = course.apply(&act(&event));
        log.push(event);
    }
    log
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
