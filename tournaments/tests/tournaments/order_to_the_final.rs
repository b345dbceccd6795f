//! The published order that leads to a final: who goes on, when it can be struck, and where the crosstable puts those who stayed
//! behind.

use annals_events::tournament::{Outcome, Qualified, QualifyingRank, Stage};
use annals_events::{PlayerId, TournamentEvent};
use annals_tournaments::commands::Command;
use annals_tournaments::crosstable::crosstable;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::RuleId;
use annals_tournaments::verdict::Compliance;

use super::finals_desk::{Desk, favourite, seed};
use super::record::round;

/// Eleven entrants, of whom ten are paired in a round of the Swiss; Gold wins on all boards but the last, whose
/// game is not decided.
fn after_the_swiss() -> Desk {
    let mut desk = Desk::new("wc-2009");
    for number in 1..=11 {
        desk.enter(&seed(number), Some(2_000 - 10 * i32::try_from(number).unwrap()));
    }
    let pairs = [("s01", "s02"), ("s03", "s04"), ("s05", "s06"), ("s07", "s08"), ("s09", "s10")];
    desk.push(round(1, Stage::Swiss, &pairs));
    desk.start(1);
    for board in 1..=4 {
        desk.result(1, board, Outcome::Gold);
    }
    desk.result(1, 5, Outcome::NoDecision);
    desk
}

fn in_order(seeded: u32) -> TournamentEvent {
    let place = |rank| QualifyingRank {
        player: seed(rank),
        rank,
        seed: (rank <= seeded).then_some(rank),
        measures: Vec::new(),
    };
    let order = (1..=10).map(place).collect();
    TournamentEvent::Qualified(Qualified { from: Stage::Swiss, to: Stage::Final, order, grounds: Vec::new() })
}

#[test]
fn where_only_games_are_recorded_the_number_who_go_on_is_at_most_that_of_the_rulebook() {
    let mut desk = after_the_swiss();
    desk.rulebook = desk.rulebook.of_games_only();
    let number = |seeded| {
        let verdicts = desk.check(&in_order(seeded));
        let number =
            verdicts.iter().find(|verdict| verdict.subject.to_string() == "the order of the swiss, number");
        number.expect("a verdict").holds.clone()
    };
    assert_eq!((number(7), number(8)), (Compliance::Compliant, Compliance::Compliant));
    assert!(matches!(number(9), Compliance::Violation { .. }));
}

#[test]
fn a_second_order_asks_to_strike_the_first_until_the_final_is_paired() {
    let mut desk = Desk::of_seeds("wc-2009", 4);
    let again = Command::Record(Box::new(in_order(8)));
    let next = |desk: &Desk| desk.ask(&again).expect_err("there is one").next;
    assert_eq!(next(&desk), Some(Remedy::Strike(5)), "it follows four entries");
    desk.play(favourite).expect("a round");
    assert_eq!(next(&desk), Some(Remedy::Breach(RuleId::FieldPlaces)));
}

#[test]
fn who_was_paired_before_the_final_follows_the_finalists_in_the_crosstable() {
    let mut desk = after_the_swiss();
    desk.push(in_order(8));
    while desk.play(favourite).is_ok() {}
    let table = crosstable(&desk.tournament, &desk.rulebook);
    let rows: Vec<(u32, PlayerId)> = table.rows.iter().map(|row| (row.rank, row.player.clone())).collect();
    assert_eq!(rows.len(), 10, "the last entrant is in no round: {rows:?}");
    assert_eq!(rows[8..], [(9, seed(9)), (10, seed(10))], "their game is not decided");
}
