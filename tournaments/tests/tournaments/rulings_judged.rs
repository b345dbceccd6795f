//! Rulings, disputes and appeals held against what the rulebook lets a director do.

use annals_events::tournament::{
    AppealDecided, AppealFiled, Clocks, DisputeFiled, Effect, Evidence, Failure, GameAttached, Outcome,
    PlayerReinstated, RulingGiven, Stage,
};
use annals_events::{Termination, TournamentEvent};
use annals_rules::{ClockFacts, GameFacts};
use annals_tournaments::EntrantStatus;
use annals_tournaments::commands::Command;
use annals_tournaments::verdict::Compliance;

use crate::director::{Director, game, id, paired, pairing, recorded};

fn begun(rulebook: &str, stage: Stage) -> Director {
    let mut director = Director::with_players(rulebook, &["A", "B", "C", "D"]);
    director.pair(1, stage, &[("A", "D"), ("B", "C")]);
    director.begin(1);
    director
}

fn given(number: u32, effect: Effect) -> RulingGiven {
    RulingGiven {
        number,
        effect,
        reason: "as the director found".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    }
}

fn ruling(effect: Effect) -> TournamentEvent {
    TournamentEvent::RulingGiven(given(1, effect))
}

fn dispute(evidence: Vec<Evidence>) -> Command {
    Command::Dispute(DisputeFiled {
        number: 0,
        by: id("A"),
        against: Some(id("D")),
        pairing: Some(pairing("r1.1")),
        claim: "moves of another game were repeated".to_owned(),
        grounds: Vec::new(),
        evidence,
    })
}

fn proof() -> Evidence {
    Evidence { text: "both games".to_owned(), source: None, digest: None, game: None, ply: None, seq: None }
}

#[test]
fn rulings_are_numbered_and_speak_of_what_exists() {
    let director = begun("wcc-2015", Stage::Final);
    assert!(director.is_violation(&ruling(Effect::Nothing)).is_empty());
    for wrong in [
        RulingGiven { number: 2, ..given(1, Effect::Nothing) },
        RulingGiven { dispute: Some(1), ..given(1, Effect::Nothing) },
        RulingGiven { supersedes: Some(1), ..given(1, Effect::Nothing) },
        given(1, Effect::Vacate { pairing: pairing("r4.1") }),
        given(1, Effect::Remove { player: id("nobody") }),
        given(1, Effect::Reinstate { player: id("A") }),
    ] {
        let event = TournamentEvent::RulingGiven(wrong.clone());
        assert_eq!(director.is_violation(&event), ["ruling.number"], "{wrong:?}");
    }
}

fn under_way() -> Director {
    let mut director = begun("wcc-2015", Stage::Final);
    let clock =
        |reserve| ClockFacts { gold_reserve: Some(reserve), silver_reserve: Some(360), game_time: Some(500) };
    let clocks = vec![clock(360), clock(350), clock(340)];
    director.games.0.insert(game("g1"), GameFacts { plies: 2, clocks, ..GameFacts::default() });
    director.tell(TournamentEvent::GameAttached(GameAttached {
        pairing: pairing("r1.1"),
        attempt: 1,
        game: game("g1"),
    }));
    director
}

fn halt(ply: u32, failure: Failure, clocks: Option<Clocks>) -> TournamentEvent {
    ruling(Effect::Halt { pairing: pairing("r1.1"), game: Some(game("g1")), ply, failure, clocks })
}

#[test]
fn a_halt_goes_back_to_a_ply_that_was_played_for_a_cause_with_the_clocks_of_then() {
    let director = under_way();
    let clocks = |gold| Some(Clocks { gold_reserve: gold, silver_reserve: 360, game_time: Some(500) });
    let good = halt(1, Failure::ExtraneousProcess, clocks(350));
    assert!(director.is_violation(&good).is_empty() && director.open(&good).is_empty());
    assert_eq!(director.is_violation(&halt(3, Failure::ExtraneousProcess, None)), ["ruling.resume"]);
    assert_eq!(director.open(&halt(1, Failure::Other, None)), ["ruling.cause"]);
    let differs = halt(1, Failure::ExtraneousProcess, clocks(345));
    assert_eq!(director.open(&differs), ["ruling.clocks"]);
    let told = director.judged(&differs).into_iter().any(
        |verdict| matches!(&verdict.holds, Compliance::Undetermined { why } if why.contains("345 s and was 350 s (-5 s)")),
    );
    assert!(told, "the difference is told");
    let finished = ruling(Effect::Invalidate {
        pairing: pairing("r1.1"),
        game: Some(game("g1")),
        ply: 1,
        failure: Failure::ExtraneousProcess,
        clocks: None,
    });
    assert_eq!(director.is_violation(&finished), ["ruling.invalidate"], "a game under way is halted");
}

#[test]
fn the_clocks_of_a_resumed_game_are_those_that_were_ruled_and_the_old_game_is_unrated() {
    let mut director = under_way();
    director.tell(halt(1, Failure::ExtraneousProcess, None));
    let clock =
        |reserve| ClockFacts { gold_reserve: Some(reserve), silver_reserve: Some(360), game_time: Some(500) };
    let attach = TournamentEvent::GameAttached(GameAttached {
        pairing: pairing("r1.1"),
        attempt: 2,
        game: game("g2"),
    });
    let mut resumed = GameFacts {
        plies: 1,
        resumes: Some((game("g1"), 1)),
        rated: Some(false),
        clocks: vec![clock(360), clock(350)],
        ..GameFacts::default()
    };
    director.games.0.insert(game("g2"), resumed.clone());
    director.games.0.get_mut(&game("g1")).unwrap().rated = Some(false);
    assert!(director.is_violation(&attach).is_empty() && director.open(&attach).is_empty());
    director.games.0.get_mut(&game("g1")).unwrap().rated = Some(true);
    assert_eq!(director.is_violation(&attach), ["ruling.unrated"]);
    director.games.0.get_mut(&game("g1")).unwrap().rated = Some(false);
    resumed.clocks = vec![clock(360), clock(360)];
    director.games.0.insert(game("g2"), resumed);
    assert_eq!(director.open(&attach), ["ruling.clocks"]);
}

#[test]
fn a_rematch_of_2009_is_for_a_fault_of_the_server_and_never_after_a_forfeit() {
    let mut director = begun("wc-2009", Stage::Swiss);
    director.tell(recorded("r1.1", Outcome::Gold, Termination::Time));
    director.tell(recorded("r1.2", Outcome::Gold, Termination::Forfeit));
    let rematch = |at, failure| ruling(Effect::Rematch { pairing: pairing(at), failure });
    assert!(director.is_violation(&rematch("r1.1", Failure::GameServer)).is_empty());
    assert_eq!(director.is_violation(&rematch("r1.1", Failure::Other)), ["ruling.rematch"]);
    assert_eq!(director.is_violation(&rematch("r1.2", Failure::GameServer)), ["forfeit.no_rematch"]);
    director.tell(rematch("r1.1", Failure::GameServer));
    director.games.0.insert(game("again"), GameFacts::default());
    let start = Command::Start { pairing: pairing("r1.1"), game: Some(game("again")) };
    director.does(&start);
    let board = &director.tournament.rounds[&1].boards[&1];
    assert!(board.owed().is_none() && board.games[&2] == game("again"));
}

#[test]
fn a_reading_that_is_ruled_is_one_that_the_text_allows() {
    let director = begun("wcc-2015", Stage::Final);
    let read = |option: &str, reading: &str| {
        ruling(Effect::Read { option: option.to_owned(), reading: reading.to_owned() })
    };
    assert!(director.is_violation(&read("T7", "B")).is_empty());
    for (option, reading) in [("T7", "Z"), ("T99", "A"), ("T33", "B")] {
        assert_eq!(director.is_violation(&read(option, reading)), ["ruling.reading"], "{option} {reading}");
    }
}

#[test]
fn territory_is_ruled_only_where_it_counts_and_for_a_winner() {
    let squares = |at, squares| ruling(Effect::SetTerritory { pairing: pairing(at), squares });
    let rule = |at| squares(at, 20);
    assert_eq!(begun("wcc-2015", Stage::Final).is_violation(&rule("r1.1")), ["ruling.number"]);
    let mut director = begun("olympiad-amazons-2000", Stage::Swiss);
    assert_eq!(director.is_violation(&rule("r1.1")), ["territory"]);
    director.tell(recorded("r1.1", Outcome::Gold, Termination::Resignation));
    assert!(director.is_violation(&rule("r1.1")).is_empty());
    // Eight of the hundred squares have queens.
    assert!(director.is_violation(&squares("r1.1", 92)).is_empty());
    assert_eq!(director.is_violation(&squares("r1.1", 93)), ["territory"]);
}

#[test]
fn the_decision_of_a_postal_director_is_final_and_rests_on_evidence() {
    let mut director = begun("postal-2006", Stage::Ring);
    let bare = director.ask(&dispute(Vec::new())).unwrap();
    assert_eq!(director.open(&bare.events[0]), ["dispute.evidence"]);
    director.does(&dispute(vec![proof()]));
    let decided = |number| RulingGiven {
        dispute: Some(1),
        ..given(
            number,
            Effect::SetResult { pairing: pairing("r1.1"), outcome: Outcome::Gold, termination: None },
        )
    };
    let first = TournamentEvent::RulingGiven(decided(1));
    assert!(director.is_violation(&first).is_empty() && director.open(&first).is_empty());
    director.tell(first);
    let again = RulingGiven { supersedes: Some(1), ..decided(2) };
    assert_eq!(director.is_violation(&TournamentEvent::RulingGiven(again)), ["ruling.final"]);
    let appeal = Command::Appeal(AppealFiled {
        number: 0,
        by: id("D"),
        ruling: Some(1),
        pairing: None,
        claim: "unfair".to_owned(),
        evidence: Vec::new(),
    });
    assert_eq!(director.refuses(&appeal).0, "ruling.final");
}

#[test]
fn an_accepted_appeal_brings_the_removed_player_back_and_is_decided_once() {
    let mut director = begun("wc-2009", Stage::Swiss);
    let absent = Command::Forfeit { pairing: pairing("r1.1"), absent: vec![id("D")], waited_until: None };
    director.does(&absent);
    assert_eq!(director.tournament.entrants[&id("D")].status(), EntrantStatus::Removed);
    let back = ruling(Effect::Reinstate { player: id("D") });
    assert_eq!(director.is_violation(&back), ["forfeit.removed"], "no appeal was accepted");
    let appeal = Command::Appeal(AppealFiled {
        number: 0,
        by: id("D"),
        ruling: None,
        pairing: Some(pairing("r1.1")),
        claim: "the power failed".to_owned(),
        evidence: Vec::new(),
    });
    director.does(&appeal);
    let decide = Command::DecideAppeal { number: 1, accepted: true, reason: "granted".to_owned() };
    assert_eq!(director.does(&decide).events.len(), 2);
    assert_eq!(director.tournament.entrants[&id("D")].status(), EntrantStatus::Entered);
    assert_eq!(director.refuses(&decide).0, "ruling.number");
    let unknown = Command::DecideAppeal { number: 7, accepted: true, reason: String::new() };
    assert!(director.refuses(&unknown).1.contains("there is no appeal 7"));
    let by_another = TournamentEvent::AppealDecided(AppealDecided {
        number: 1,
        by: id("A"),
        accepted: false,
        reason: String::new(),
        grounds: Vec::new(),
    });
    assert!(director.is_violation(&by_another).contains(&"ruling.number"));
}

#[test]
fn an_accepted_appeal_on_another_pairing_does_not_bring_back_a_player_who_forfeited() {
    let mut director = begun("wc-2009", Stage::Swiss);
    let appeal = |pairing| {
        Command::Appeal(AppealFiled {
            number: 0,
            by: id("D"),
            ruling: None,
            pairing,
            claim: "the power failed".to_owned(),
            evidence: Vec::new(),
        })
    };
    let accept = |number| Command::DecideAppeal { number, accepted: true, reason: "granted".to_owned() };
    // One filed before the forfeit names no pairing, and one filed after it names another.
    director.does(&appeal(None));
    let absent = Command::Forfeit { pairing: pairing("r1.1"), absent: vec![id("D")], waited_until: None };
    director.does(&absent);
    director.does(&appeal(Some(pairing("r1.2"))));
    for number in [1, 2] {
        assert_eq!(director.does(&accept(number)).events.len(), 1, "appeal {number} is not on the forfeit");
        let back = PlayerReinstated { player: id("D"), appeal: Some(number), reason: None };
        assert!(director.is_violation(&TournamentEvent::PlayerReinstated(back)).contains(&"forfeit.removed"));
    }
    director.tell(recorded("r1.2", Outcome::Gold, Termination::Goal));
    let next = paired(2, Stage::Swiss, &[("A", "B"), ("C", "D")]);
    assert!(
        director.is_violation(&ruling(Effect::Reinstate { player: id("D") })).contains(&"forfeit.removed")
    );
    assert!(director.is_violation(&next).contains(&"forfeit.removed"));
    director.does(&appeal(None));
    assert_eq!(director.does(&accept(3)).events.len(), 2);
    assert!(!director.is_violation(&next).contains(&"forfeit.removed"));
}

#[test]
fn after_a_second_forfeit_the_appeal_on_the_first_brings_nobody_back() {
    let mut director = begun("wc-2009", Stage::Swiss);
    let absent = |at| Command::Forfeit { pairing: pairing(at), absent: vec![id("D")], waited_until: None };
    let appeal = |at| {
        Command::Appeal(AppealFiled {
            number: 0,
            by: id("D"),
            ruling: None,
            pairing: Some(pairing(at)),
            claim: "the power failed".to_owned(),
            evidence: Vec::new(),
        })
    };
    let accept = |number| Command::DecideAppeal { number, accepted: true, reason: "granted".to_owned() };
    let back = |number| {
        let back = PlayerReinstated { player: id("D"), appeal: Some(number), reason: None };
        TournamentEvent::PlayerReinstated(back)
    };
    director.does(&absent("r1.1"));
    director.does(&appeal("r1.1"));
    assert_eq!(director.does(&accept(1)).events.len(), 2);
    director.tell(recorded("r1.2", Outcome::Gold, Termination::Goal));
    director.pair(2, Stage::Swiss, &[("A", "B"), ("C", "D")]);
    director.begin(2);
    director.does(&absent("r2.2"));
    assert!(director.is_violation(&back(1)).contains(&"forfeit.removed"), "{:?}", director.judged(&back(1)));
    director.does(&appeal("r2.2"));
    assert_eq!(director.does(&accept(2)).events.len(), 2, "both forfeits are appealed");
    director.tell(recorded("r2.1", Outcome::Gold, Termination::Goal));
    let next = paired(3, Stage::Swiss, &[("A", "C"), ("B", "D")]);
    assert!(!director.is_violation(&next).contains(&"forfeit.removed"));
}

#[test]
fn a_place_is_not_given_while_the_rules_decide_it() {
    let director = begun("wcc-2015", Stage::Final);
    let place = ruling(Effect::Place { players: vec![id("A")], place: 1 });
    assert_eq!(director.is_violation(&place), ["place.champion"]);
}
