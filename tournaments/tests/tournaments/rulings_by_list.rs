//! The technical rulings judged by the list of what was accepted, without any state; the same with one thing wrong; and
//! courses in which much is tried that is not allowed.

use serde_json::{Value, json};

use crate::rulings::{Told, text};
use crate::vectors::Numbers;

/// A deliberately wrong judge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wrong {
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

pub fn refusals_by_the_list(log: &[Value], wrong: Option<Wrong>) -> Vec<(usize, &'static str)> {
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
pub fn random_course(seed: u64) -> Vec<Value> {
    let mut numbers = Numbers::new(seed);
    let mut log: Vec<Value> = Vec::new();
    let mut told = Told::new();
    let (mut pairings, mut games): (Vec<(String, bool)>, Vec<String>) = (Vec::new(), Vec::new());
    for step in 0..20 + numbers.below(120) {
        // Mostly the names that something is going on with, sometimes any.
        let has_result =
            |told: &Told, name: &str| told.board(name).is_some_and(|board| board.outcome().is_some());
        let mut standing = told.pairings();
        standing.retain(|name| numbers.chance(if has_result(&told, name) { 15 } else { 95 }));
        let game =
            |numbers: &mut Numbers, games: &[String]| match games.iter().find(|game| told.is_open(game)) {
                Some(game) if numbers.chance(70) => game.clone(),
                _ if games.is_empty() => "none".to_owned(),
                _ => games[games.len() - 1 - numbers.below(games.len().min(5))].clone(),
            };
        let event = match numbers.below(24) {
            0 | 1 => {
                let rounds: Vec<u32> = (1..=4).filter(|&round| told.is_paired(round)).collect();
                let next = rounds.last().copied().unwrap_or(0) + 1;
                let round = if numbers.chance(90) { next } else { 1 + numbers.below(3) as u32 };
                let pairs: Vec<Value> = (0..2)
                    .map(|i| {
                        let name = format!("r{round}.{step}.{i}");
                        json!([name, (["A", "C"][i]), (["B", "D"][i])])
                    })
                    .collect();
                // A round with results that has not begun is not paired anew: there the checker has no rule.
                let results = told.pairings().iter().any(|name| {
                    told.place(name).is_some_and(|at| at.round == round) && has_result(&told, name)
                });
                if round > 3 || results || told.is_paired(round + 1) {
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
                let board = told.board(&pairing).cloned();
                if let Some((parent, ply)) = board.as_ref().and_then(Told::due)
                    && numbers.chance(90)
                {
                    event["parent"] = json!(parent);
                    event["from_ply"] = json!(ply + u32::from(numbers.chance(10)));
                } else if numbers.chance(5) {
                    event["parent"] = json!(game(&mut numbers, &games));
                    event["from_ply"] = json!(0);
                }
                if let Some(board) = board
                    && numbers.chance(10)
                {
                    event["gold"] =
                        json!(Told::letter(if numbers.chance(50) { board.upper() } else { board.lower() }));
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
        told.tell(&event);
        log.push(event);
    }
    log
}
