//! Games, results and forfeits held against the rules: what follows, and what departs from which.

use annals_events::tournament::{
    Effect, Failure, ForfeitClaimed, GameAttached, Outcome, PlayerWithdrawn, ProgramSubmitted,
    ResultRecorded, Stage, Withdrawal,
};
use annals_events::{GameEvent, GameKind, Side, Started, Termination, TournamentEvent, TurnTaken};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{Game, Strictness};
use annals_rules::{EndFacts, GameFacts, GameViolation};
use annals_tournaments::commands::Command;
use annals_tournaments::rulebook::RuleId;
use annals_tournaments::verdict::{Compliance, Verdict};

use crate::director::{Director, game, id, pairing, recorded, result};

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;

fn begun(rulebook: &str, stage: Stage) -> Director {
    let mut director = Director::with_players(rulebook, &["A", "B", "C", "D"]);
    director.pair(1, stage, &[("A", "D"), ("B", "C")]);
    director.begin(1);
    director
}

fn ended(winner: Side, termination: Termination) -> GameFacts {
    let end = EndFacts { at: 0, winner: Some(winner), termination };
    GameFacts { plies: 10, ended: Some(end), rated: Some(true), ..GameFacts::default() }
}

/// A championship with a finished game on the first board.
fn with_game(rulebook: &str, stage: Stage, facts: GameFacts) -> Director {
    let mut director = begun(rulebook, stage);
    director.games.0.insert(game("g1"), facts);
    director.tell(TournamentEvent::GameAttached(GameAttached {
        pairing: pairing("r1.1"),
        attempt: 1,
        game: game("g1"),
    }));
    director
}

fn of_game(outcome: Outcome, termination: Termination) -> TournamentEvent {
    let said = result("r1.1", outcome, Some(termination));
    TournamentEvent::ResultRecorded(ResultRecorded { attempt: Some(1), game: Some(game("g1")), ..said })
}

#[test]
fn a_result_of_a_game_that_was_never_paired_departs() {
    let director = begun("wcc-2015", Stage::Final);
    for board in ["r1.3", "r2.1"] {
        let event = recorded(board, Outcome::Gold, Termination::Goal);
        assert!(director.is_violation(&event).contains(&"result.paired"), "{board}");
    }
    let event = recorded("r1.1", Outcome::Gold, Termination::Goal);
    assert!(director.is_violation(&event).is_empty());
}

#[test]
fn a_second_result_departs_and_the_desk_refuses_it() {
    let mut director = begun("wcc-2015", Stage::Final);
    director.tell(recorded("r1.1", Outcome::Gold, Termination::Goal));
    let event = recorded("r1.1", Outcome::Silver, Termination::Goal);
    assert!(director.is_violation(&event).contains(&"result.once"));
    let (rule, text) = director.refuses(&Command::Record(Box::new(event)));
    assert_eq!(rule, "result.once");
    assert!(text.contains("2015 WCC, Tournament format"), "{text}");
}

#[test]
fn a_result_comes_after_the_start_of_its_round_and_a_forfeit_needs_none() {
    let mut director = Director::with_players("wcc-2015", &["A", "B"]);
    director.pair(1, Stage::Final, &[("A", "B")]);
    let event = recorded("r1.1", Outcome::Gold, Termination::Goal);
    assert!(director.is_violation(&event).contains(&"result.paired"));
    let forfeit = recorded("r1.1", Outcome::Gold, Termination::Forfeit);
    assert!(director.is_violation(&forfeit).is_empty());
    director.tell(forfeit);
    assert!(director.tournament.findings.is_empty(), "{:?}", director.tournament.findings);
}

#[test]
fn a_result_is_that_of_its_game() {
    let director = with_game("wcc-2015", Stage::Final, ended(Side::Gold, Termination::Goal));
    assert!(director.is_violation(&of_game(Outcome::Gold, Termination::Goal)).is_empty());
    assert!(director.is_violation(&of_game(Outcome::Silver, Termination::Goal)).contains(&"result.game"));
    assert!(director.is_violation(&of_game(Outcome::Gold, Termination::Time)).contains(&"result.game"));
    let director = with_game("wcc-2015", Stage::Final, GameFacts { plies: 3, ..GameFacts::default() });
    assert!(director.is_violation(&of_game(Outcome::Gold, Termination::Goal)).contains(&"result.game"));
    // What is not said is the game's.
    let mut director = with_game("wcc-2015", Stage::Final, ended(Side::Silver, Termination::Time));
    let asked = Command::Result {
        pairing: pairing("r1.1"),
        outcome: None,
        termination: None,
        game: None,
        territory: None,
    };
    director.does(&asked);
    let board = &director.tournament.rounds[&1].boards[&1];
    assert_eq!((board.outcome(), board.termination()), (Some(Outcome::Silver), Some(Termination::Time)));
    let other = Command::Result {
        pairing: pairing("r1.2"),
        outcome: None,
        termination: None,
        game: None,
        territory: None,
    };
    assert!(director.refuses(&other).1.contains("no game of r1.2 is attached"));
}

#[test]
fn a_game_is_played_by_its_pair_with_the_clock_and_the_moves_of_the_rules() {
    let good = GameFacts {
        gold: Some("a".to_owned()),
        silver: Some("D".to_owned()),
        time_control: Some("2m/6m/100/0/8h/6m".to_owned()),
        ..ended(Side::Gold, Termination::Goal)
    };
    let is_violation = |facts: GameFacts| {
        let director = with_game("wcc-2015", Stage::Final, facts);
        director.is_violation(&of_game(Outcome::Gold, Termination::Goal))
    };
    assert!(is_violation(good.clone()).is_empty());
    assert!(is_violation(GameFacts { gold: Some("D".to_owned()), ..good.clone() }).contains(&"game.players"));
    let other = Some("1m/6m/100/0/8h/6m".to_owned());
    assert!(is_violation(GameFacts { time_control: other, ..good.clone() }).contains(&"time_control"));
    let because = |code| vec![GameViolation { seq: 7, code, message: "it does not follow".to_owned() }];
    let clock = GameFacts { violations: because("clock_disagrees"), ..good.clone() };
    assert_eq!(is_violation(clock), ["game.clock"]);
    assert_eq!(is_violation(GameFacts { violations: because("no_such_ply"), ..good }), ["game.rules"]);
}

#[test]
fn outcomes_that_only_a_ruling_gives_and_draws_where_there_are_none_depart() {
    let director = begun("wc-2009", Stage::Swiss);
    let is_violation = |outcome, termination| director.is_violation(&recorded("r1.1", outcome, termination));
    assert!(is_violation(Outcome::Draw, Termination::Score).contains(&"result.draw"));
    assert!(is_violation(Outcome::NoDecision, Termination::Abandoned).contains(&"result.game"));
    assert!(is_violation(Outcome::DoubleWin, Termination::Goal).contains(&"result.game"));
    assert!(is_violation(Outcome::DoubleLoss, Termination::Time).contains(&"result.game"));
    assert!(is_violation(Outcome::DoubleLoss, Termination::Forfeit).is_empty());
    assert!(is_violation(Outcome::Draw, Termination::Forfeit).contains(&"result.game"));
    assert!(is_violation(Outcome::Gold, Termination::Goal).is_empty());
}

#[test]
fn territory_is_that_of_a_winner_at_the_end_of_a_game_that_was_played_out() {
    let mut director = begun("olympiad-amazons-2000", Stage::Swiss);
    let said = |outcome, termination, squares| {
        let said = result("r1.1", outcome, Some(termination));
        TournamentEvent::ResultRecorded(ResultRecorded { territory: Some(squares), ..said })
    };
    let is_violation = |director: &Director, event| director.is_violation(&event).contains(&"territory");
    assert!(!is_violation(&director, said(Outcome::Gold, Termination::Immobilization, 12)));
    assert!(is_violation(&director, said(Outcome::DoubleLoss, Termination::Forfeit, 12)));
    assert!(is_violation(&director, said(Outcome::Gold, Termination::Resignation, 12)));
    assert!(!is_violation(&director, said(Outcome::Gold, Termination::Resignation, 0)));
    director.rulebook.read("T33", "B").unwrap();
    assert!(!is_violation(&director, said(Outcome::Gold, Termination::Resignation, 12)));
    assert!(is_violation(&director, said(Outcome::Gold, Termination::Immobilization, 93)));
}

#[test]
fn territory_comes_with_the_word_that_the_game_was_played_out_and_the_game_itself_decides() {
    let said = |termination, territory| {
        let said = result("r1.1", Outcome::Gold, termination);
        TournamentEvent::ResultRecorded(ResultRecorded { game: Some(game("g1")), territory, ..said })
    };
    let of = |director: &Director, event: &TournamentEvent, wanted: bool| {
        let found = if wanted { director.is_violation(event) } else { director.open(event) };
        found.contains(&"territory")
    };
    // Neither the result nor the log says how it ended.
    let mut director = begun("olympiad-amazons-2000", Stage::Swiss);
    let bare = |territory| {
        let said = result("r1.1", Outcome::Gold, None);
        TournamentEvent::ResultRecorded(ResultRecorded { territory, ..said })
    };
    assert!(of(&director, &bare(Some(50)), true));
    assert!(of(&director, &bare(None), false) && !of(&director, &bare(None), true));
    director.rulebook.read("T33", "B").unwrap();
    assert!(!of(&director, &bare(Some(50)), true));
    // The log holds a game that was given up: whatever is said of it, its position counts for nothing.
    let given_up =
        GameFacts { territory: Some((Side::Gold, 92)), ..ended(Side::Gold, Termination::Resignation) };
    let director = with_game("olympiad-amazons-2000", Stage::Swiss, given_up);
    assert!(of(&director, &said(None, Some(92)), true));
    assert!(of(&director, &said(Some(Termination::Immobilization), Some(92)), true));
    assert!(of(&director, &said(None, None), false));
    assert!(director.is_violation(&said(Some(Termination::Resignation), None)).is_empty());
    // And one that was played out.
    let whole =
        GameFacts { territory: Some((Side::Gold, 60)), ..ended(Side::Gold, Termination::Immobilization) };
    let director = with_game("olympiad-amazons-2000", Stage::Swiss, whole);
    assert!(director.is_violation(&said(Some(Termination::Immobilization), Some(60))).is_empty());
    assert!(of(&director, &said(Some(Termination::Immobilization), Some(61)), true));
    assert!(of(&director, &said(None, Some(60)), true));
}

#[test]
fn postal_games_are_rated_without_take_backs_and_adjournments() {
    let is_violation = |facts: GameFacts| {
        let director = with_game("postal-2006", Stage::Ring, facts);
        director.is_violation(&of_game(Outcome::Gold, Termination::Goal))
    };
    let good = ended(Side::Gold, Termination::Goal);
    assert!(is_violation(good.clone()).is_empty());
    assert_eq!(is_violation(GameFacts { rated: Some(false), ..good.clone() }), ["game.rated"]);
    assert_eq!(is_violation(GameFacts { retracted: 1, ..good.clone() }), ["game.no_take_back"]);
    assert_eq!(is_violation(GameFacts { halted: true, ..good }), ["game.no_adjournment"]);
}

fn late(waited: i64) -> (Director, TournamentEvent) {
    let mut director = begun("wc-2009", Stage::Swiss);
    let at = director.at;
    director.tell(TournamentEvent::GameScheduled(annals_events::tournament::GameScheduled {
        pairing: pairing("r1.1"),
        at,
        ground: None,
        reason: None,
    }));
    director.at = at + waited;
    let claim = TournamentEvent::ForfeitClaimed(ForfeitClaimed {
        pairing: pairing("r1.1"),
        claimant: id("A"),
        scheduled_at: Some(at),
        waited_until: Some(at + waited),
    });
    (director, claim)
}

#[test]
fn a_forfeit_is_claimed_by_the_one_who_waited_fifteen_minutes() {
    let (director, claim) = late(15 * MINUTE);
    assert!(director.is_violation(&claim).is_empty());
    assert!(director.open(&claim).contains(&"notice.game_time"), "nobody was told of the time");
    let (director, claim) = late(15 * MINUTE - 1);
    assert_eq!(director.is_violation(&claim), ["forfeit.claim"]);
    let (director, claim) = late(20 * MINUTE);
    let TournamentEvent::ForfeitClaimed(claim) = claim else { panic!() };
    let stranger = ForfeitClaimed { claimant: id("B"), ..claim.clone() };
    assert!(director.is_violation(&TournamentEvent::ForfeitClaimed(stranger)).contains(&"forfeit.claim"));
    let moved = ForfeitClaimed { scheduled_at: Some(1), ..claim };
    assert_eq!(director.is_violation(&TournamentEvent::ForfeitClaimed(moved)), ["forfeit.claim"]);
}

#[test]
fn a_result_without_a_word_of_its_end_is_a_forfeit_only_where_one_was_claimed_and_no_game_was_played() {
    let won = TournamentEvent::ResultRecorded(result("r1.1", Outcome::Gold, None));
    let board = |director: &Director| director.tournament.rounds[&1].boards[&1].clone();
    let (mut director, claim) = late(15 * MINUTE);
    director.tell(claim.clone());
    director.tell(won.clone());
    assert_eq!(board(&director).forfeited_by(), [&id("D")]);
    // The game was played after all.
    let (mut director, claim) = late(15 * MINUTE);
    director.tell(claim.clone());
    let attached = GameAttached { pairing: pairing("r1.1"), attempt: 1, game: game("g1") };
    director.tell(TournamentEvent::GameAttached(attached));
    director.tell(won.clone());
    assert!(!board(&director).is_forfeit() && board(&director).forfeited_by().is_empty());
    // The claim belongs to the attempt that a ruling set aside.
    let (mut director, claim) = late(15 * MINUTE);
    director.tell(claim);
    director.tell(won.clone());
    let effect = Effect::Rematch { pairing: pairing("r1.1"), failure: Failure::GameServer };
    director.tell(TournamentEvent::RulingGiven(annals_events::tournament::RulingGiven {
        number: 1,
        effect,
        reason: "the server was down".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    }));
    assert!(board(&director).claim.is_none());
    director.tell(won);
    assert!(!board(&director).is_forfeit());
}

#[test]
fn who_forfeits_loses_and_is_removed_and_nobody_else_is() {
    let (mut director, _) = late(15 * MINUTE);
    let removal = |name| {
        TournamentEvent::PlayerWithdrawn(PlayerWithdrawn {
            player: id(name),
            how: Withdrawal::Forfeit,
            reason: None,
        })
    };
    assert!(director.is_violation(&removal("D")).contains(&"forfeit.removed"));
    let absent = Command::Forfeit { pairing: pairing("r1.1"), absent: vec![id("D")], waited_until: None };
    let events = director.does(&absent).events;
    assert_eq!(events.len(), 3);
    assert!(matches!(&events[0], TournamentEvent::ForfeitClaimed(claim) if claim.claimant == id("A")));
    assert!(matches!(&events[1], TournamentEvent::ResultRecorded(result) if result.outcome == Outcome::Gold));
    assert!(matches!(&events[2], TournamentEvent::PlayerWithdrawn(out) if out.player == id("D")));
    assert!(director.is_violation(&removal("A")).contains(&"forfeit.removed"));
    let both =
        Command::Forfeit { pairing: pairing("r1.2"), absent: vec![id("B"), id("C")], waited_until: None };
    let events = director.does(&both).events;
    assert_eq!(events.len(), 3, "nobody claims a double forfeit, and both are removed");
    let stranger = Command::Forfeit { pairing: pairing("r1.2"), absent: vec![id("A")], waited_until: None };
    assert_eq!(director.refuses(&stranger).0, "forfeit.claim");
    let nobody = Command::Forfeit { pairing: pairing("r1.2"), absent: Vec::new(), waited_until: None };
    assert!(director.refuses(&nobody).1.contains("no player is named as absent"));
}

#[test]
fn the_first_game_of_a_round_starts_it_with_the_programs_that_go_into_it() {
    let mut director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
    director.pair(1, Stage::Final, &[("A", "D"), ("B", "C")]);
    for name in ["A", "C"] {
        director.tell(TournamentEvent::ProgramSubmitted(ProgramSubmitted {
            player: id(name),
            program: name.to_owned(),
            digest: format!("sha256:{name}"),
            note: None,
        }));
    }
    let start = |at, name| Command::Start { pairing: pairing(at), game: Some(game(name)) };
    let decision = director.ask(&start("r1.1", "g1")).unwrap_or_else(|refusal| panic!("{refusal}"));
    let TournamentEvent::RoundStarted(started) = &decision.events[0] else { panic!() };
    let players: Vec<&str> = started.programs.iter().map(|program| program.player.as_str()).collect();
    assert_eq!(players, ["a", "c"]);
    for event in decision.events {
        director.tell(event);
    }
    assert_eq!(director.does(&start("r1.2", "g2")).events.len(), 1);
    assert_eq!(director.refuses(&start("r1.2", "g1")).0, "result.once");
    assert_eq!(director.refuses(&start("r1.1", "g3")).0, "result.once");
    assert_eq!(director.refuses(&start("r1.9", "g3")).0, "result.paired");
}

#[test]
fn a_game_ends_as_games_ended_at_its_time_and_by_an_illegal_move_only_of_a_program() {
    let [before, after] = [1_136_073_600_000_000, 1_425_168_000_000_000];
    for (rulebook, stage, at, how, fits) in [
        ("postal-2006", Stage::Ring, before, Termination::NoRabbits, true),
        ("postal-2006", Stage::Ring, before, Termination::Repetition, true),
        ("postal-2006", Stage::Ring, before, Termination::Elimination, false),
        ("postal-2006", Stage::Ring, before, Termination::IllegalMove, false),
        ("wcc-2015", Stage::Final, after, Termination::NoRabbits, false),
        ("wcc-2015", Stage::Final, after, Termination::Repetition, false),
        ("wcc-2015", Stage::Final, after, Termination::Elimination, true),
        ("wcc-2015", Stage::Final, after, Termination::IllegalMove, true),
        ("wc-2009", Stage::Final, after, Termination::IllegalMove, false),
    ] {
        let mut director = Director::with_players(rulebook, &["A", "B"]);
        director.at = at;
        director.pair(1, stage, &[("A", "B")]);
        director.begin(1);
        let verdicts = director.judged(&recorded("r1.1", Outcome::Gold, how));
        let period =
            |verdict: &&Verdict| verdict.holds.why().is_some_and(|why| why.contains("expected only a"));
        assert_eq!(verdicts.iter().find(period).is_none(), fits, "{rulebook} {how}: {verdicts:?}");
        director.rulebook.edition = 1;
        let verdicts = director.judged(&recorded("r1.1", Outcome::Gold, how));
        assert!(!verdicts.iter().any(|verdict| period(&verdict)), "edition 1: {rulebook} {how}");
    }
}

/// A game of Arimaa of one minute, begun at the time 0, of which the log has no more than the setups, in twenty seconds.
fn of_a_minute() -> GameFacts {
    let mut game: Game<AnyGame> = Game::new(Strictness::Strict);
    let time_control = Some("2/2/100/10/1m".into());
    let started = Started { time_control, rated: true, ..Started::plain(GameKind::Arimaa, None) };
    let setup = |side, squares: &'static str| {
        let used = Some(10);
        GameEvent::TurnTaken(TurnTaken { used, ..TurnTaken::plain(1, side, squares) })
    };
    let events = [
        GameEvent::Started(Box::new(started)),
        setup(Side::Gold, "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2"),
        setup(Side::Silver, "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 da7 hb7 cc7 ed7 me7 cf7 hg7 dh7"),
    ];
    for (event, at) in events.iter().zip([0, 10, 20]) {
        game.apply(Some(at * SECOND), event).unwrap();
    }
    GameFacts { plies: 2, length: game.length_so_far(), rated: Some(true), ..GameFacts::default() }
}

#[test]
fn an_end_that_only_the_result_states_is_held_against_the_length_of_the_game() {
    let holds = |seconds, how| {
        let mut director = with_game("wcc-2015", Stage::Final, of_a_minute());
        director.at = seconds * SECOND;
        let verdicts = director.judged(&of_game(Outcome::Gold, how)).into_iter();
        let of_the_limit = verdicts.filter(|verdict| verdict.rule.id == RuleId::GameLimit);
        let mut holds: Vec<Compliance> = of_the_limit.map(|verdict| verdict.holds).collect();
        assert_eq!(holds.remove(0), Compliance::Compliant, "the turns of the game");
        holds
    };
    let is_violation = |found: &[Compliance]| matches!(found, [Compliance::Violation { .. }]);
    assert!(is_violation(&holds(59, Termination::Score)), "a second before");
    assert_eq!(holds(60, Termination::Score), [Compliance::Compliant]);
    assert!(is_violation(&holds(60, Termination::Time)), "the flag would fall after the limit");
    assert_eq!(holds(59, Termination::Resignation), []);
    let resigned = holds(60, Termination::Resignation);
    assert!(matches!(resigned[..], [Compliance::Undetermined { .. }]), "before that, or after: {resigned:?}");
}
