//! The Swiss of 2009 through events: the stored events from the first entry to the finalists, and what must be refused.

use annals_events::tournament::{
    Effect, Lot, LotsDrawn, Outcome, PairingRevoked, RoundPaired, RoundsDeclared, Stage, Withdrawal,
};
use annals_events::{BoardId, PlayerKind, Side, Termination, TournamentEvent};
use annals_tournaments::commands::Command;
use annals_tournaments::formats::{next_round, ranking};
use annals_tournaments::refusal::Remedy;
use annals_tournaments::verdict::Compliance;
use annals_tournaments::{crosstable, formats, lot};
use serde_json::{Value, json};

use crate::rounds_desk::{Desk, by_hand, coin, id, paired};
use crate::vectors::vectors;

fn small(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

fn lots(round: &Value) -> LotsDrawn {
    LotsDrawn {
        round: small(&round["round"]),
        lots: round["lots"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, number)| Lot { player: id(name), number: number.as_u64().unwrap() })
            .collect(),
        draw: by_hand(),
    }
}

fn desk(event: &Value) -> Desk {
    let mut desk = Desk::new("wc-2009");
    // The stored seeds are the places in the Swiss.
    desk.rulebook.read("T42", "B").unwrap();
    for (name, rating) in event["players"].as_object().unwrap() {
        let rating = i32::try_from(rating.as_i64().unwrap()).unwrap();
        desk.enter(name, PlayerKind::Human, Some(rating), None);
    }
    desk
}

/// Plays a stored event; `look` sees each round before it is published, and the state on which it is.
fn play(event: &Value, mut look: impl FnMut(&Desk, &RoundPaired)) -> Desk {
    let mut desk = desk(event);
    let declared = desk.ask(&Command::DeclareRounds).unwrap();
    let TournamentEvent::RoundsDeclared(declared) = &declared.events[0] else { panic!("{declared:?}") };
    assert_eq!(declared.rounds, small(&event["swiss_rounds"]));
    for stored in event["swiss"].as_array().unwrap() {
        let number = small(&stored["round"]);
        let refusal = next_round(&desk.tournament, &desk.rulebook).unwrap_err();
        assert_eq!(refusal.rule.unwrap().id.name(), "swiss.lots");
        desk.publish(TournamentEvent::LotsDrawn(lots(stored)));
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
        compare(&next.paired, stored);
        look(&desk, &next.paired);
        desk.publish(paired(next.paired.clone()));
        let explained = &next.reasons;
        assert_eq!(explained.pairs.len(), next.paired.pairs.len());
        for (board, game) in (1..).zip(stored["games"].as_array().unwrap()) {
            let pairing = BoardId { round: number, board };
            let by_coin = game[3] == json!(2);
            assert_eq!(next.coins.iter().any(|(coin, _)| *coin == pairing), by_coin, "{pairing}");
            if by_coin {
                desk.publish(coin(pairing, game[0].as_str().unwrap()));
            }
            let gold = desk.tournament.rounds[&number].boards[&board].gold().cloned();
            assert_eq!(gold, Some(id(game[0].as_str().unwrap())), "{pairing}");
        }
        desk.start(number);
        let forfeits: Vec<u64> =
            stored["forfeits"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        for (board, game) in (1..).zip(stored["games"].as_array().unwrap()) {
            let outcome = match game[2].as_str().unwrap() {
                "g" => Outcome::Gold,
                "s" => Outcome::Silver,
                _ => Outcome::DoubleLoss,
            };
            let forfeit = forfeits.contains(&u64::from(board - 1));
            let termination = if forfeit { Termination::Forfeit } else { Termination::Goal };
            desk.result(BoardId { round: number, board }, outcome, termination, None);
        }
        for player in stored["withdrawn"].as_array().unwrap() {
            desk.withdraw(player.as_str().unwrap(), Withdrawal::Forfeit);
        }
    }
    desk
}

fn compare(paired: &RoundPaired, stored: &Value) {
    let order: Vec<Value> = paired
        .order
        .iter()
        .map(|line| {
            let value =
                |name: &str| line.measures.iter().find(|measure| measure.name == name).unwrap().values[0] / 2;
            json!([line.player.as_str().to_uppercase(), value("points"), value("opponents")])
        })
        .collect();
    assert_eq!(json!(order), stored["order"]);
    let bye = paired.byes.first().map(|bye| bye.player.as_str().to_uppercase());
    assert_eq!(json!(bye), stored["bye"]);
    assert!(paired.byes.iter().all(|bye| bye.half_points == Some(2)));
    for (pair, game) in paired.pairs.iter().zip(stored["games"].as_array().unwrap()) {
        let (one, other) = (id(game[0].as_str().unwrap()), id(game[1].as_str().unwrap()));
        assert!(
            (pair.upper == one && pair.lower == other) || (pair.upper == other && pair.lower == one),
            "{pair:?} {game}"
        );
        if game[3] == json!(1) {
            assert_eq!(pair.player(Side::Gold), Some(&one));
        } else {
            assert_eq!(pair.upper_side, None);
        }
        let ground = pair.colour.as_ref().unwrap();
        assert_eq!(ground.rule, "swiss.colour");
    }
    assert_eq!(paired.pairs.len(), stored["games"].as_array().unwrap().len());
}

#[test]
fn the_stored_events_go_through_the_desk_to_their_finalists() {
    let Some(file) = vectors("wc2009_events.json") else { return };
    let mut rounds = 0;
    for event in file.as_array().unwrap() {
        let mut desk = play(event, |_, _| rounds += 1);
        let ranked = ranking(&desk.tournament, &desk.rulebook).unwrap();
        let table: Vec<Value> = ranked
            .iter()
            .map(|line| {
                let halves = |at: usize| line.measures[at].values[0] / 2;
                json!([line.player.as_str().to_uppercase(), halves(0), halves(1)])
            })
            .collect();
        assert_eq!(json!(table), event["swiss_table"], "event {}", event["id"]);
        let out: Vec<String> = ranked
            .iter()
            .filter(|line| !line.active)
            .map(|line| line.player.as_str().to_uppercase())
            .collect();
        assert_eq!(out.len(), event["withdrawn"].as_array().unwrap().len());
        let qualified =
            annals_tournaments::formats::outcome_of(&desk.tournament, &desk.rulebook, Stage::Swiss).unwrap();
        let mut seeds: Vec<(u32, String)> = qualified
            .order
            .iter()
            .filter_map(|line| Some((line.seed?, line.player.as_str().to_uppercase())))
            .collect();
        seeds.sort();
        let finalists: Vec<&String> = seeds.iter().map(|(_, player)| player).collect();
        assert_eq!(json!(finalists), event["finalists"]);
        assert!(seeds.iter().map(|(seed, _)| *seed).eq(1..=u32::try_from(seeds.len()).unwrap()));

        let mut swapped = qualified.clone();
        swapped.order[0].seed = Some(2);
        swapped.order[1].seed = Some(1);
        let rules = desk.is_violation(&TournamentEvent::Qualified(swapped));
        assert!(rules.contains(&"field.seeds") && !rules.contains(&"swiss.order"), "{rules:?}");
        let mut turned = qualified.clone();
        turned.order.swap(0, 1);
        let rules = desk.is_violation(&TournamentEvent::Qualified(turned));
        assert_eq!(rules, ["swiss.order", "field.seeds"]);
        let mut seven = qualified.clone();
        seven.order.iter_mut().find(|line| line.seed == Some(7)).unwrap().seed = None;
        let rules = desk.is_violation(&TournamentEvent::Qualified(seven));
        assert!(rules.contains(&"field.places") && !rules.contains(&"swiss.order"), "{rules:?}");
        desk.publish(TournamentEvent::Qualified(qualified));

        let table = crosstable::crosstable(&desk.tournament, &desk.rulebook);
        let games: usize =
            table.rows.iter().flat_map(|row| row.cells.iter().flatten()).map(|cell| cell.games.len()).sum();
        let boards: usize = desk.tournament.rounds.values().map(|round| round.boards.len()).sum();
        assert_eq!(games, 2 * boards);
        assert_eq!(serde_json::to_value(&table).unwrap()["rows"].as_array().unwrap().len(), table.rows.len());
    }
    assert!(rounds > 60, "{rounds}");
}

#[test]
fn whatever_is_changed_in_a_published_round_departs_from_the_rule_that_asks_for_it() {
    let Some(file) = vectors("wc2009_events.json") else { return };
    let mut changed = [0; 4];
    for event in file.as_array().unwrap().iter().take(12) {
        play(event, |desk, round| {
            let rules = |round: RoundPaired| desk.is_violation(&paired(round));
            assert_eq!(rules(round.clone()), Vec::<&str>::new());

            let mut swapped = round.clone();
            let first = swapped.pairs[0].lower.clone();
            swapped.pairs[0].lower = std::mem::replace(&mut swapped.pairs[1].lower, first);
            assert!(rules(swapped).contains(&"swiss.pairing"));
            changed[0] += 1;

            let mut coloured = round.clone();
            let pair = &mut coloured.pairs[0];
            pair.upper_side = Some(pair.upper_side.map_or(Side::Gold, Side::other));
            assert_eq!(rules(coloured), ["swiss.colour"]);
            changed[1] += 1;

            if let Some(bye) = round.byes.first() {
                let mut other = round.clone();
                other.byes[0].player = round.pairs[0].lower.clone();
                other.pairs[0].lower = bye.player.clone();
                let rules = rules(other);
                assert!(rules.contains(&"swiss.bye") && rules.contains(&"swiss.pairing"), "{rules:?}");
                let mut worth = round.clone();
                worth.byes[0].half_points = Some(0);
                assert_eq!(desk.is_violation(&paired(worth)), ["swiss.bye"]);
                changed[2] += 1;
            }

            let mut order = round.clone();
            let last = order.order.len() - 1;
            let player = order.order[last].player.clone();
            order.order[last].player = std::mem::replace(&mut order.order[0].player, player);
            assert_eq!(desk.is_violation(&paired(order)), ["swiss.order"]);
            changed[3] += 1;
        });
    }
    assert!(changed.iter().all(|count| *count >= 10), "{changed:?}");
}

fn nine() -> Desk {
    let mut desk = Desk::new("wc-2009");
    for (at, name) in ["anna", "bela", "cara", "dora", "emil", "fay", "gus", "hal", "ida"].iter().enumerate()
    {
        desk.enter(name, PlayerKind::Human, Some(2000 - 50 * i32::try_from(at).unwrap()), None);
    }
    desk
}

#[test]
fn lots_and_the_number_of_rounds_come_first() {
    let mut desk = nine();
    let refusal = desk.ask(&Command::Pair { seed: Some("s".to_owned()) }).unwrap_err();
    assert_eq!(refusal.rule.unwrap().id.name(), "swiss.declared");
    let declared = |rounds| {
        TournamentEvent::RoundsDeclared(RoundsDeclared {
            stage: Stage::Swiss,
            rounds,
            players: 9,
            grounds: Vec::new(),
        })
    };
    assert_eq!(desk.is_violation(&declared(4)), ["swiss.rounds"]);
    assert!(desk.is_violation(&declared(3)).is_empty());
    desk.ask(&Command::DeclareRounds).unwrap();
    let refusal = desk.ask(&Command::Pair { seed: Some("s".to_owned()) }).unwrap_err();
    assert_eq!(refusal.rule.unwrap().id.name(), "swiss.lots");
    assert_eq!(refusal.next, Some(Remedy::DrawLots));
    desk.ask(&Command::DrawLots { seed: "s".to_owned(), commitment: None }).unwrap();
    let twice = desk.ask(&Command::DrawLots { seed: "t".to_owned(), commitment: None }).unwrap_err();
    assert_eq!(twice.rule.unwrap().id.name(), "swiss.lots");
    let decision = desk.ask(&Command::Pair { seed: Some("s".to_owned()) }).unwrap();
    assert_eq!(decision.events.len(), 5);
    assert!(decision.verdicts.iter().all(|verdict| verdict.holds == Compliance::Compliant));
    assert!(desk.tournament.rounds[&1].boards.values().all(|board| board.gold().is_some()));
    assert_eq!(desk.is_violation(&declared(3)), ["swiss.declared"]);
}

#[test]
fn lots_are_one_for_each_and_as_the_seed_has_them() {
    let desk = nine();
    let players: Vec<_> = desk.tournament.entrants.keys().cloned().collect();
    let good = LotsDrawn { round: 1, lots: lot::lots("s", 1, &players), draw: lot::draw_of("s", None) };
    let is_violation = |change: &dyn Fn(&mut LotsDrawn)| {
        let mut drawn = good.clone();
        change(&mut drawn);
        desk.is_violation(&TournamentEvent::LotsDrawn(drawn)) == ["swiss.lots"]
    };
    assert!(!is_violation(&|_| {}));
    assert!(is_violation(&|drawn| drawn.round = 2));
    assert!(is_violation(&|drawn| drawn.lots[0].number = 2));
    assert!(is_violation(&|drawn| drawn.lots[0].player = drawn.lots[1].player.clone()));
    assert!(is_violation(&|drawn| drop(drawn.lots.pop())));
    assert!(is_violation(&|drawn| drawn.lots[0].player = id("nobody")));
    assert!(is_violation(&|drawn| drawn.draw.seed = Some("t".to_owned())));
    assert!(is_violation(&|drawn| drawn.draw.commitment = Some(lot::commitment("t"))));
    assert!(!is_violation(&|drawn| drawn.draw.commitment = Some(lot::commitment("s"))));
    // By hand any numbers that differ will do.
    assert!(!is_violation(&|drawn| {
        drawn.lots[0].number = 77;
        drawn.draw = by_hand();
    }));
}

#[test]
fn a_coin_falls_once_as_the_seed_has_it_and_nobody_chooses() {
    let mut desk = nine();
    desk.ask(&Command::DeclareRounds).unwrap();
    desk.ask(&Command::DrawLots { seed: "s".to_owned(), commitment: None }).unwrap();
    let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
    desk.publish(paired(next.paired.clone()));
    let pairing = BoardId { round: 1, board: 1 };
    let pair = &next.paired.pairs[0];
    let gold = lot::gold("s", 1, &pair.upper, &pair.lower);
    let other = if *gold == pair.upper { &pair.lower } else { &pair.upper };
    let drawn = |gold: &annals_events::PlayerId| {
        TournamentEvent::ColourDrawn(annals_events::tournament::ColourDrawn {
            pairing,
            gold: gold.clone(),
            draw: lot::draw_of("s", None),
            ground: None,
        })
    };
    assert_eq!(desk.is_violation(&drawn(other)), ["swiss.colour"]);
    assert_eq!(desk.is_violation(&coin(pairing, "ida")), ["swiss.colour"]);
    desk.publish(drawn(gold));
    assert_eq!(desk.is_violation(&drawn(gold)), ["swiss.colour"]);
    let choice = Command::ChooseColour { pairing, player: pair.upper.clone(), side: Side::Silver };
    assert_eq!(desk.ask(&choice).unwrap_err().rule.unwrap().id.name(), "swiss.colour");
}

#[test]
fn the_walk_says_why_a_pair_is_not_made_and_who_has_no_bye() {
    let mut desk = nine();
    desk.ask(&Command::DeclareRounds).unwrap();
    desk.ask(&Command::DrawLots { seed: "s".to_owned(), commitment: None }).unwrap();
    let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
    let why = |one: &str, other: Option<&str>| {
        formats::why_not(&next, &desk.rulebook, &id(one), other.map(id).as_ref()).unwrap()
    };
    let answer = why("anna", Some("bela"));
    assert!(!answer.possible && answer.answer.contains("reaches emil before"), "{answer:?}");
    assert!(why("anna", Some("emil")).possible);
    assert!(why("ida", None).possible);
    let answer = why("hal", None);
    assert!(!answer.possible && answer.answer.contains("ida"), "{answer:?}");
    assert_eq!(answer.paragraph.as_deref(), Some("2009 WC, Preliminary 10"));
    assert!(why("ida", Some("anna")).answer.contains("has the bye"));
    assert!(formats::why_not(&next, &desk.rulebook, &id("nobody"), None).is_err());
}

#[test]
fn lots_decide_between_equals_and_those_of_the_last_round_in_the_final_order() {
    let mut desk = Desk::new("wc-2009");
    for name in ["anna", "bela", "cara", "dora", "emil", "fay", "gus", "hal", "ida"] {
        desk.enter(name, PlayerKind::Human, Some(1800), None);
    }
    desk.ask(&Command::DeclareRounds).unwrap();
    // Nothing tells them apart before lots are drawn.
    assert!(ranking(&desk.tournament, &desk.rulebook).unwrap().iter().all(|line| line.rank == 1));
    for round in 1..=3 {
        desk.ask(&Command::DrawLots { seed: format!("lots {round}"), commitment: None }).unwrap();
        let pairing = desk.ask(&Command::Pair { seed: Some("coins".to_owned()) }).unwrap();
        let TournamentEvent::RoundPaired(paired) = &pairing.events[0] else { panic!("{pairing:?}") };
        let drawn: Vec<_> = if round == 1 { paired.order.clone() } else { Vec::new() };
        let lots = &desk.tournament.lots[&round].fact;
        for (line, lot) in drawn.iter().zip(&lots.lots) {
            assert_eq!(line.player, lot.player);
        }
        desk.start(round);
        let boards: Vec<u32> = desk.tournament.rounds[&round].boards.keys().copied().collect();
        for board in boards {
            let early = desk.ask(&Command::DrawLots { seed: "early".to_owned(), commitment: None });
            assert_eq!(early.unwrap_err().rule.unwrap().id.name(), "swiss.lots");
            // Nobody wins a game, so only byes bring points, and many stay level.
            desk.result(BoardId { round, board }, Outcome::DoubleLoss, Termination::Abandoned, None);
        }
    }
    let order = |desk: &Desk| {
        annals_tournaments::formats::outcome_of(&desk.tournament, &desk.rulebook, Stage::Swiss)
            .map(|qualified| qualified.order)
    };
    let by_last_round = order(&desk).unwrap();
    let lots_of = |order: &[annals_events::tournament::QualifyingRank], lots: &LotsDrawn| {
        order.iter().all(|line| {
            let lot = lots.lots.iter().find(|lot| lot.player == line.player).unwrap();
            line.measures[3].values == [i64::try_from(lot.number).unwrap()]
        })
    };
    assert!(lots_of(&by_last_round, &desk.tournament.lots[&3].fact));
    let draw = Command::DrawLots { seed: "afterwards".to_owned(), commitment: None };
    assert_eq!(desk.ask(&draw).unwrap_err().rule.unwrap().id.name(), "swiss.lots");

    desk.rulebook.read("T28", "drawn_afterwards").unwrap();
    assert_eq!(order(&desk).unwrap_err().rule.unwrap().id.name(), "swiss.lots");
    desk.ask(&draw).unwrap();
    let afterwards = order(&desk).unwrap();
    assert!(lots_of(&afterwards, &desk.tournament.lots[&4].fact));
    let level: Vec<_> =
        afterwards.windows(2).filter(|two| two[0].measures[..3] == two[1].measures[..3]).collect();
    assert!(!level.is_empty());
    assert!(level.iter().all(|two| two[0].measures[3].values < two[1].measures[3].values));
    let ranks = |order: &[annals_events::tournament::QualifyingRank]| -> Vec<u32> {
        order.iter().map(|line| line.rank).collect()
    };
    assert_eq!(ranks(&afterwards), (1..=9).collect::<Vec<u32>>());
    assert_eq!(ranks(&by_last_round), ranks(&afterwards));
}

#[test]
fn who_leaves_under_a_first_round_that_is_revoked_did_not_begin_the_swiss() {
    let mut desk = Desk::new("wc-2009");
    for at in 1..=11 {
        desk.enter(&format!("p{at:02}"), PlayerKind::Human, Some(2000 - at), None);
    }
    desk.ask(&Command::DeclareRounds).unwrap();
    let lots = Command::DrawLots { seed: "lots".to_owned(), commitment: None };
    let pair = Command::Pair { seed: Some("coins".to_owned()) };
    desk.ask(&lots).unwrap();
    desk.ask(&pair).unwrap();
    desk.withdraw("p11", Withdrawal::Own);
    assert_eq!(ranking(&desk.tournament, &desk.rulebook).unwrap().len(), 11, "p11 began round 1");
    let (round, board, reason) = (1, None, "p11 left".to_owned());
    desk.ask(&Command::Record(Box::new(TournamentEvent::PairingRevoked(PairingRevoked {
        round,
        board,
        reason,
    }))))
    .unwrap();
    desk.ask(&pair).unwrap();
    let ranked = ranking(&desk.tournament, &desk.rulebook).unwrap();
    assert!(ranked.len() == 10 && ranked.iter().all(|line| line.player != id("p11")));
}

#[test]
fn a_first_place_given_when_all_have_left_before_the_final_is_closed_with_its_title() {
    let mut desk = Desk::new("wc-2009");
    let names = ["anna", "bela", "cara", "dora", "emil", "fay", "gus", "hal", "ida"];
    for name in names {
        desk.enter(name, PlayerKind::Human, Some(1800), None);
    }
    desk.ask(&Command::DeclareRounds).unwrap();
    desk.ask(&Command::DrawLots { seed: "lots".to_owned(), commitment: None }).unwrap();
    desk.ask(&Command::Pair { seed: Some("coins".to_owned()) }).unwrap();
    desk.start(1);
    for board in 1..=4 {
        desk.result(BoardId { round: 1, board }, Outcome::DoubleLoss, Termination::Abandoned, None);
    }
    for name in names {
        desk.withdraw(name, Withdrawal::Own);
    }
    let places = |desk: &Desk| formats::places(&desk.tournament, &desk.rulebook).unwrap();
    assert!(places(&desk).ruling_needed.is_some() && !places(&desk).decided);
    assert!(
        places(&desk).placings.is_empty(),
        "the Swiss selects the players of the final, and gives no place"
    );
    let leader = formats::ranking(&desk.tournament, &desk.rulebook).unwrap()[0].player.clone();
    let ruled = id(if leader == id("bela") { "cara" } else { "bela" });
    // The director is free to give the first place to another player than the leader of the Swiss.
    let given = desk
        .ask(&Command::Rule {
            effect: Effect::Place { players: vec![ruled.clone()], place: 1 },
            reason: "the last to leave".to_owned(),
            evidence: Vec::new(),
            dispute: None,
            supersedes: None,
        })
        .unwrap();
    assert!(!given.verdicts.iter().any(annals_tournaments::verdict::Verdict::is_violation), "{given:?}");
    assert!(places(&desk).ruling_needed.is_none() && places(&desk).decided);
    let closing = desk.ask(&Command::Close { note: None }).unwrap();
    assert!(!closing.verdicts.iter().any(annals_tournaments::verdict::Verdict::is_violation), "{closing:?}");
    let [TournamentEvent::Closed(closed)] = &closing.events[..] else { panic!("{closing:?}") };
    let first: Vec<_> = closed.places.iter().filter(|placing| placing.place == 1).collect();
    assert_eq!(first.iter().map(|placing| &placing.player).collect::<Vec<_>>(), [&ruled]);
    assert_eq!(first[0].titles, ["Arimaa World Champion"]);
    assert_eq!(closed.places.len(), names.len());
    assert!(closed.places.iter().skip(1).all(|placing| placing.titles.is_empty()));
}
