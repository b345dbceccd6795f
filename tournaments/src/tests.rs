//! A small tournament, event by event.

use annals_events::tournament::{
    Bye, Effect, FeeRecorded, GameAttached, Outcome, Pair, PlayerRegistered, PrizeAwarded, ResultRecorded,
    RoundPaired, RoundStarted, RulingGiven, Stage,
};
use annals_events::{BoardId, PlayerId, PlayerKind, Side, TournamentEvent};

use crate::{EntrantStatus, Tournament, standings};

fn id(name: &str) -> PlayerId {
    name.parse().unwrap()
}

fn registered(name: &str) -> TournamentEvent {
    TournamentEvent::PlayerRegistered(PlayerRegistered {
        player: id(name),
        name: name.to_uppercase(),
        kind: PlayerKind::Bot,
        developers: Vec::new(),
        account: None,
        rating: Some(1500),
        number: None,
        country: None,
    })
}

fn pair(board: u32, gold: &str, silver: &str) -> Pair {
    Pair {
        board,
        upper: id(gold),
        lower: id(silver),
        upper_side: Some(Side::Gold),
        colour: None,
        encounter: None,
    }
}

fn paired(round: u32, pairs: Vec<Pair>, bye: Option<&str>) -> TournamentEvent {
    TournamentEvent::RoundPaired(RoundPaired {
        round,
        stage: Stage::Final,
        pairs,
        byes: bye
            .map(|name| Bye { player: id(name), half_points: None, grounds: Vec::new() })
            .into_iter()
            .collect(),
        order: Vec::new(),
        measures: Vec::new(),
        equals: None,
        inferred: false,
    })
}

fn result(round: u32, board: u32, outcome: Outcome) -> TournamentEvent {
    TournamentEvent::ResultRecorded(ResultRecorded {
        pairing: BoardId { round, board },
        outcome,
        termination: None,
        attempt: None,
        game: None,
        territory: None,
        note: None,
    })
}

fn ruled(number: u32, effect: Effect) -> TournamentEvent {
    TournamentEvent::RulingGiven(RulingGiven {
        number,
        effect,
        reason: "as the director found".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    })
}

fn fold(events: &[TournamentEvent]) -> Tournament {
    let mut tournament = Tournament::default();
    for (i, event) in events.iter().enumerate() {
        tournament.evolve(i as u64 + 1, 1_000 * i as i64, event);
    }
    tournament
}

fn three_players() -> Vec<TournamentEvent> {
    vec![
        registered("a"),
        registered("b"),
        registered("c"),
        paired(1, vec![pair(1, "a", "b")], Some("c")),
        TournamentEvent::RoundStarted(RoundStarted {
            round: 1,
            pairing: None,
            game: None,
            programs: Vec::new(),
        }),
        result(1, 1, Outcome::Silver),
    ]
}

#[test]
fn results_and_byes_make_the_score() {
    let tournament = fold(&three_players());
    let scores = standings(&tournament);
    let points: Vec<(&str, u32)> =
        scores.iter().map(|(player, score)| (player.as_str(), score.half_points)).collect();
    assert_eq!(points, [("b", 2), ("c", 2), ("a", 0)]);
    assert_eq!((scores[0].1.wins, scores[1].1.byes, scores[2].1.losses), (1, 1, 1));
    assert!(tournament.rounds[&1].is_over());
    assert!(tournament.findings.is_empty(), "{:?}", tournament.findings);
}

#[test]
fn a_second_result_does_not_change_the_first_and_is_told() {
    let mut events = three_players();
    events.push(result(1, 1, Outcome::Gold));
    let tournament = fold(&events);
    assert_eq!(tournament.rounds[&1].boards[&1].outcome(), Some(Outcome::Silver));
    assert_eq!(tournament.findings[0].code, "second_result");
    assert_eq!(tournament.findings[0].seq, 7);
}

#[test]
fn a_ruling_changes_the_result_and_says_that_it_is_one() {
    let mut events = three_players();
    let pairing = BoardId { round: 1, board: 1 };
    events.push(ruled(1, Effect::SetResult { pairing, outcome: Outcome::Gold, termination: None }));
    let tournament = fold(&events);
    let board = &tournament.rounds[&1].boards[&1];
    assert_eq!((board.outcome(), board.ruled()), (Some(Outcome::Gold), true));
    assert_eq!(standings(&tournament)[0].0, id("a"));

    events
        .push(ruled(2, Effect::Rematch { pairing, failure: annals_events::tournament::Failure::GameServer }));
    events.push(result(1, 1, Outcome::Draw));
    let tournament = fold(&events);
    assert_eq!(tournament.rounds[&1].boards[&1].outcome(), Some(Outcome::Draw));
    assert!(tournament.findings.is_empty());
}

#[test]
fn territory_without_a_result_is_a_finding() {
    let pairing = BoardId { round: 1, board: 1 };
    let territory = ruled(1, Effect::SetTerritory { pairing, squares: 9 });
    let mut events = three_players();
    events.push(territory.clone());
    let board = fold(&events).rounds[&1].boards[&1].clone();
    assert_eq!((board.territory(), board.territory_ruled(), board.ruled()), (Some(9), true, false));

    let tournament = fold(&[paired(1, vec![pair(1, "a", "b")], None), territory]);
    let board = &tournament.rounds[&1].boards[&1];
    assert_eq!((board.territory(), board.territory_ruled()), (None, false));
    assert_eq!(tournament.findings.last().map(|finding| finding.code), Some("no_result"));
}

#[test]
fn the_last_decision_about_colours_holds() {
    let pairing = BoardId { round: 1, board: 1 };
    let gold = |number, name| ruled(number, Effect::SetColours { pairing, gold: id(name) });
    let events = [
        paired(1, vec![pair(1, "a", "b")], None),
        TournamentEvent::ColourChosen(annals_events::tournament::ColourChosen {
            pairing,
            player: id("a"),
            side: Side::Silver,
            ground: None,
        }),
        gold(1, "a"),
    ];
    let board = fold(&events).rounds[&1].boards[&1].clone();
    assert_eq!((board.gold(), board.silver()), (Some(&id("a")), Some(&id("b"))));
    assert!(board.chosen().is_some() && board.drawn().is_none());
    let again = [&events[..], &[gold(2, "a")]].concat();
    assert_eq!(fold(&again).rounds[&1].boards[&1], board, "the same colours again change nothing");
}

#[test]
fn what_names_something_unknown_is_a_finding_and_nothing_is_lost() {
    let tournament = fold(&[
        result(1, 1, Outcome::Gold),
        ruled(1, Effect::Remove { player: id("nobody") }),
        paired(1, vec![pair(1, "a", "b")], None),
        paired(1, vec![pair(1, "b", "a")], None),
    ]);
    let codes: Vec<&str> = tournament.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(
        codes,
        [
            "no_such_pairing", "no_such_player", "not_entered", "not_entered", "not_entered", "not_entered",
            "paired_twice"
        ]
    );
    assert_eq!(
        tournament.rounds[&1].boards[&1].gold(),
        Some(&id("a")),
        "the first pairing stands until revoked"
    );
    assert_eq!(tournament.rulings.len(), 1);
}

#[test]
fn the_fund_is_what_came_in_less_what_went_out() {
    let fee = |name: &str| {
        TournamentEvent::FeeRecorded(FeeRecorded { player: id(name), amount: 1_000, note: None })
    };
    let prize = TournamentEvent::PrizeAwarded(PrizeAwarded {
        player: id("a"),
        amount: 1_500,
        games_won: None,
        half_points: None,
        thing: None,
        ground: None,
    });
    let attached = TournamentEvent::GameAttached(GameAttached {
        pairing: BoardId { round: 1, board: 1 },
        attempt: 1,
        game: "wcc-2015.r1.1".parse().unwrap(),
    });
    let tournament = fold(&[
        registered("a"),
        fee("a"),
        fee("b"),
        prize,
        paired(1, vec![pair(1, "a", "b")], None),
        attached,
    ]);
    assert_eq!(crate::fund::recorded(&tournament).left, 500);
    assert_eq!(tournament.entrants[&id("a")].status(), EntrantStatus::Entered);
    assert_eq!(tournament.rounds[&1].boards[&1].games[&1].as_str(), "wcc-2015.r1.1");
}
