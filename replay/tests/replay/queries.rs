//! Questions about tournaments, asked of a log without the program around it.

use annals_events::people::{IdentitiesMerged, PlayerKnown};
use annals_events::tournament::{Effect, Outcome, PrizeAwarded, PrizeReturned, RulingGiven};
use annals_events::{BoardId, PeopleEvent, PlayerKind, TournamentEvent};
use annals_replay::Cut;
use annals_replay::queries::{
    Phase, QueryError, TournamentAt, champions, crosstable, explain, list, record, rounds, rulings, standings,
};
use annals_report::ToDocument as _;

use super::scene::{DAY, SECOND, START, Scene, draft, id, stream, tournament};

const MINUTE: i64 = 60 * SECOND;

/// A tournament of four players and two rounds by a rulebook that nobody knows.
fn played() -> Scene {
    let mut scene = Scene::new();
    for event in tournament("tournament/open", START) {
        scene.take(event);
    }
    scene
}

fn open(scene: &Scene, cut: Cut) -> TournamentAt<'_> {
    TournamentAt::at(&scene.log, &stream("tournament/open"), &cut).unwrap()
}

#[test]
fn a_tournament_of_an_unknown_rulebook_is_ordered_by_its_score_and_says_so() {
    let scene = played();
    let answer = standings::ask(&open(&scene, Cut::NOW));
    assert_eq!(answer.order, "score");
    assert!(answer.order_lacking.as_ref().is_some_and(|why| why.contains("open-2009")), "{answer:?}");
    let order: Vec<(&str, u32, u32)> =
        answer.rows.iter().map(|row| (row.name.as_str(), row.rank, row.half_points)).collect();
    assert_eq!(order, [("CARL", 1, 3), ("ANNA", 2, 2), ("BELA", 2, 2), ("DORA", 4, 1)]);
    assert_eq!(answer.rows[0].place, Some(1), "the close says so");
    let refused = explain::round(&open(&scene, Cut::NOW), 1, &explain::Asked::default());
    assert!(matches!(refused, Err(QueryError::NoRulebook { .. })));
}

#[test]
fn the_crosstable_shows_each_game_from_both_sides() {
    let scene = played();
    let table = crosstable::ask(&open(&scene, Cut::NOW)).table();
    assert_eq!(
        table.head,
        ["no", "player", "carl", "anna", "bela", "dora", "byes", "points", "rank", "derived"]
    );
    let text = table.csv();
    assert!(text.contains("1,carl,,1s,,½g,,1.5,1,false\n"), "{text}");
    assert!(text.contains("2,anna,0g,,1g,,,1,2,false\n"), "{text}");
}

#[test]
fn a_ruling_is_shown_with_the_standings_before_and_after() {
    let mut scene = Scene::new();
    for event in tournament("tournament/open", START).into_iter().take(9) {
        scene.take(event);
    }
    let pairing = BoardId { round: 1, board: 1 };
    let effect = Effect::SetResult { pairing, outcome: Outcome::Silver, termination: None };
    let ruling = RulingGiven {
        number: 1,
        effect,
        reason: "the log of the server".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    };
    let at = START + 20 * MINUTE;
    let seq = scene.take(draft("tournament/open", at, TournamentEvent::RulingGiven(ruling)));
    let answer = rulings::ask(&open(&scene, Cut::NOW)).unwrap();
    let ruling = &answer.rulings[0];
    assert_eq!((ruling.seq, ruling.actor.as_deref(), ruling.changed), (seq, Some("director"), true));
    let points = |rows: &[standings::StandingRow], player: &str| {
        rows.iter().find(|row| row.player == id(player)).map(|row| row.half_points)
    };
    assert_eq!((points(&ruling.before, "anna"), points(&ruling.after, "anna")), (Some(2), Some(0)));
    assert_eq!((points(&ruling.before, "bela"), points(&ruling.after, "bela")), (Some(0), Some(2)));
    // On the one clock the ruling was not given yet, on the other it was not known.
    let before = open(&scene, Cut::as_of(at - 1));
    assert!(rulings::ask(&before).unwrap().rulings.is_empty());
    assert_eq!(points(&standings::ask(&before).rows, "anna"), Some(2));
    let unknown = open(&scene, Cut::at_seq(seq - 1));
    assert!(rulings::ask(&unknown).unwrap().rulings.is_empty());
}

#[test]
fn a_record_is_summed_over_all_tournaments_and_merged_identities() {
    let mut scene = played();
    for event in tournament("tournament/second", START + DAY / 2) {
        scene.take(event);
    }
    let two = record::ask(&scene.log, "Carl", &Cut::NOW).unwrap();
    assert_eq!((two.tournaments.len(), two.total.games, two.total.won), (2, 4, 2));
    let anna = two.opponents.iter().find(|other| other.opponent == id("anna")).unwrap();
    assert_eq!((anna.tally.games, anna.tally.won, anna.tournaments.len()), (2, 2, 2));
    let known = |name: &str| {
        PeopleEvent::PlayerKnown(PlayerKnown {
            player: id(name),
            name: name.to_uppercase(),
            kind: PlayerKind::Bot,
            country: None,
            developers: Vec::new(),
            earlier_version: None,
        })
    };
    for name in ["carl", "dora"] {
        scene.take(draft(&format!("people/{name}"), START, known(name)));
    }
    let merged = IdentitiesMerged { kept: id("carl"), merged: id("dora"), reason: None };
    scene.take(draft("people/carl", START + MINUTE, PeopleEvent::IdentitiesMerged(merged)));
    let one = record::ask(&scene.log, "dora", &Cut::NOW).unwrap();
    assert_eq!((one.player, one.identities.len(), one.total.games), (id("carl"), 2, 8));
    let nobody = record::ask(&scene.log, "zoe", &Cut::NOW);
    assert!(matches!(nobody, Err(QueryError::NoSuchPlayer { .. })));
}

#[test]
fn the_list_and_the_roll_follow_the_clock() {
    let scene = played();
    let at = |cut: &Cut| list::ask(&scene.log, cut).unwrap().tournaments;
    assert_eq!(at(&Cut::NOW)[0].state, Phase::Closed);
    assert_eq!(at(&Cut::NOW)[0].champions[0].name, "CARL");
    assert_eq!(at(&Cut::as_of(START + 2 * MINUTE))[0].state, Phase::Registration);
    assert_eq!(at(&Cut::as_of(START + 6 * MINUTE))[0].state, Phase::Playing);
    assert!(at(&Cut::as_of(START - 1)).is_empty());
    assert_eq!(champions::ask(&scene.log, &Cut::NOW).unwrap().tournaments.len(), 1);
    assert!(champions::ask(&scene.log, &Cut::as_of(START + 2 * MINUTE)).unwrap().tournaments.is_empty());
}

#[test]
fn a_prize_that_came_back_is_once_in_the_fund_of_the_roll() {
    let mut scene = Scene::new();
    let mut events = tournament("tournament/open", START);
    let closed = events.pop().unwrap();
    for event in events {
        scene.take(event);
    }
    let (player, amount) = (id("carl"), 4_000);
    let awarded = TournamentEvent::PrizeAwarded(PrizeAwarded {
        player: player.clone(),
        amount,
        games_won: None,
        half_points: None,
        thing: None,
        ground: None,
    });
    let reason = "engine help".to_owned();
    let returned = TournamentEvent::PrizeReturned(PrizeReturned { player, amount, ground: None, reason });
    for event in [awarded, returned] {
        scene.take(draft("tournament/open", closed.effective_at, event));
    }
    scene.take(closed);
    let roll = champions::ask(&scene.log, &Cut::NOW).unwrap();
    assert_eq!((roll.tournaments[0].prizes, roll.tournaments[0].fund), (4_000, 10_000));
}

#[test]
fn a_round_that_is_not_there_is_said_not_to_be() {
    let scene = played();
    let opened = open(&scene, Cut::NOW);
    assert_eq!(rounds::ask(&opened, Some(2)).unwrap().rounds.len(), 1);
    let error = rounds::ask(&opened, Some(7)).unwrap_err().to_string();
    assert!(error.contains("no round 7") && error.contains("paired are 1, 2"), "{error}");
}
