//! The postal tournament through events: the stored draws, places by points, and what must be refused.

use std::collections::BTreeSet;

use annals_events::tournament::{Outcome, RoundPaired, Withdrawal};
use annals_events::{BoardId, PlayerKind, Side, Termination};
use annals_tournaments::commands::Command;
use annals_tournaments::formats::{next_round, places, ranking};
use annals_tournaments::{crosstable, formats};
use serde_json::json;

use crate::rounds_desk::{Desk, id, paired};
use crate::vectors::vectors;

fn desk(size: usize) -> Desk {
    let mut desk = Desk::new("postal-2006");
    for at in 1..=size {
        let rating = 2400 - 10 * i32::try_from(at).unwrap();
        let kind = if at % 2 == 0 { PlayerKind::Human } else { PlayerKind::Bot };
        desk.enter(&format!("p{at:02}"), kind, Some(rating), None);
    }
    desk
}

#[test]
fn the_stored_draws_are_published_with_their_positions_and_distances() {
    let Some(file) = vectors("ring2006.json") else { return };
    for (size, stored) in file.as_object().unwrap() {
        let mut desk = desk(size.parse().unwrap());
        let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
        let games: Vec<_> = next
            .paired
            .pairs
            .iter()
            .map(|pair| {
                let distance = next.paired.measures[0].values[0];
                let gold = pair.player(Side::Gold).unwrap();
                let silver = pair.player(Side::Silver).unwrap();
                assert!(pair.upper < pair.lower && distance <= 5);
                assert_eq!(pair.colour.as_ref().unwrap().rule, "ring.colour");
                json!([gold, silver])
            })
            .collect();
        let wanted: Vec<_> =
            stored["games"].as_array().unwrap().iter().map(|game| json!([game[0], game[1]])).collect();
        assert_eq!(games, wanted, "{size} players");
        let mut ring: Vec<_> = next
            .paired
            .order
            .iter()
            .map(|line| (line.measures[1].values[0], line.player.to_string()))
            .collect();
        ring.sort();
        let ring: Vec<_> = ring.into_iter().map(|(_, player)| player).collect();
        assert_eq!(json!(ring), stored["ring"]);
        assert!(next.coins.is_empty());
        desk.publish(paired(next.paired));
        let again = desk.ask(&Command::Pair { seed: None }).unwrap_err();
        assert!(again.to_string().contains("round.order"), "{again}");
    }
}

#[test]
fn a_changed_draw_departs_from_the_rule_that_asks_for_it() {
    for size in [9, 12, 20] {
        let desk = desk(size);
        let round = next_round(&desk.tournament, &desk.rulebook).unwrap().paired;
        let rules = |change: &dyn Fn(&mut RoundPaired)| {
            let mut changed = round.clone();
            change(&mut changed);
            desk.is_violation(&paired(changed))
        };
        assert!(rules(&|_| {}).is_empty());
        assert_eq!(rules(&|round| drop(round.pairs.pop())), ["ring.pairing"]);
        assert_eq!(rules(&|round| round.pairs.push(round.pairs[0].clone())), ["round.order", "ring.pairing"]);
        assert_eq!(rules(&|round| round.pairs[1].board = 1), ["round.order"], "two pairs on one board");
        assert_eq!(
            rules(&|round| round.pairs[3].upper_side = round.pairs[3].upper_side.map(Side::other)),
            ["ring.colour"]
        );
        assert_eq!(rules(&|round| round.pairs[3].upper_side = None), ["ring.colour"]);
        assert_eq!(rules(&|round| round.order.swap(0, 1)), ["ring.order"]);
        assert_eq!(rules(&|round| round.round = 2), ["round.order"]);
    }
}

#[test]
fn places_go_by_points_and_equal_points_share_one() {
    let mut desk = desk(5);
    let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
    desk.publish(paired(next.paired.clone()));
    desk.start(1);
    desk.withdraw("p05", Withdrawal::Own);
    for pair in &next.paired.pairs {
        let absent = [&pair.upper, &pair.lower].contains(&&id("p05"));
        // The better rated wins, but the first two draw.
        let outcome = if pair.upper == id("p01") && pair.lower == id("p02") {
            Outcome::Draw
        } else {
            Outcome::from(pair.upper_side.unwrap())
        };
        let termination = match outcome {
            _ if absent => Termination::Forfeit,
            Outcome::Draw => Termination::NoRabbits,
            _ => Termination::Goal,
        };
        assert!(!places(&desk.tournament, &desk.rulebook).unwrap().decided);
        desk.result(BoardId { round: 1, board: pair.board }, outcome, termination, None);
    }
    let found = places(&desk.tournament, &desk.rulebook).unwrap();
    assert!(found.decided && found.ruling_needed.is_none());
    let rows: Vec<(u32, String, i64)> = found
        .placings
        .iter()
        .map(|line| (line.place, line.player.to_string(), line.measures[0].values[0]))
        .collect();
    let row = |place, name: &str, points| (place, name.to_owned(), points);
    assert_eq!(
        rows,
        [row(1, "p01", 7), row(1, "p02", 7), row(3, "p03", 4), row(4, "p04", 2), row(5, "p05", 0)]
    );
    assert_eq!(
        ranking(&desk.tournament, &desk.rulebook).unwrap().iter().filter(|line| line.active).count(),
        4
    );
    let table = crosstable::crosstable(&desk.tournament, &desk.rulebook);
    let last = &table.rows[4];
    assert!(!last.active && last.lost == 4);
    assert!(last.cells.iter().flatten().all(|cell| cell.games.iter().all(|game| game.forfeit)));
    assert_eq!(last.cells.iter().filter(|cell| cell.is_some()).count(), 4);
    assert_eq!(table.rows[0].cells[1].as_ref().unwrap().half_points, 1);
    assert!(table.rows[0].cells[0].is_none());
}

#[test]
fn a_missing_rating_is_named_and_distance_explains_who_does_not_meet() {
    let mut without = desk(3);
    without.enter("newcomer", PlayerKind::Human, None, None);
    let refusal = without.ask(&Command::Pair { seed: None }).unwrap_err();
    assert_eq!(refusal.rule.unwrap().id.name(), "ring.order");
    assert!(refusal.what.contains("newcomer"));

    let desk = desk(12);
    let next = next_round(&desk.tournament, &desk.rulebook).unwrap();
    let explained = &next.reasons;
    assert_eq!(explained.pairs.len(), 60);
    let golds: BTreeSet<&str> = explained
        .colours
        .iter()
        .filter_map(|line| line.reason.what.strip_prefix("p01 has Gold against "))
        .collect();
    assert_eq!(golds.len(), 5);
    let answer = formats::why_not(&next, &desk.rulebook, &id("p01"), Some(&id("p12"))).unwrap();
    assert!(!answer.possible && answer.answer.contains("6 apart"), "{answer:?}");
    assert!(formats::why_not(&next, &desk.rulebook, &id("p01"), Some(&id("p11"))).unwrap().possible);
}
