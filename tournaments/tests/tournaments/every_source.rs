//! Rules that all four sources share, under each of them: announcements, entries, rounds, games, results, rulings, the close.

use annals_events::tournament::{
    Announced, Deadline, Effect, GameAttached, Milestone, Outcome, PairingRevoked, PlayerRating,
    RatingsRecorded, ResultRecorded, RulingGiven, Stage, Withdrawal,
};
use annals_events::{GameKind, Side, Termination, TournamentEvent};
use annals_rules::{EndFacts, GameFacts, GameViolation};
use annals_tournaments::commands::{AnnounceOrder, announcement};

use crate::director::{Director, game, paired, pairing, recorded, result};
use crate::record::{E, Record, entry, id, left};

/// Each rulebook, a stage of it, and the time control of that stage.
const STAGES: [(&str, Stage, &str); 5] = [
    ("wcc-2015", Stage::Final, "2m/6m/100/0/8h/6m"),
    ("wc-2009", Stage::Swiss, "60s/5m/75/0/4h/4m"),
    ("wc-2009", Stage::Final, "90s/5m/75/0/6h/5m"),
    ("postal-2006", Stage::Ring, "1d/80d/100/0/300d/21d"),
    ("olympiad-amazons-2000", Stage::RoundRobin, "game 30m"),
];

/// The first round of a stage, begun.
fn begun(rulebook: &str, stage: Stage) -> Director {
    let mut director = Director::with_players(rulebook, &["A", "B", "C", "D"]);
    director.pair(1, stage, &[("A", "D"), ("B", "C")]);
    director.begin(1);
    director
}

#[test]
fn an_announcement_comes_first_and_names_rulebook_readings_terms_and_dates_in_order() {
    for (rulebook, ..) in STAGES {
        let record = Record::empty(rulebook);
        let E::Announced(right) = record.announcement() else { unreachable!() };
        let is_violation = |change: &dyn Fn(&mut Announced)| {
            let mut announced = right.clone();
            change(&mut announced);
            record.is_violation(0, &E::Announced(announced))
        };
        let other_game = match right.game {
            GameKind::Arimaa => GameKind::Amazons,
            GameKind::Amazons => GameKind::Arimaa,
        };
        let at_once = [Milestone::RegistrationCloses, Milestone::PlayBegins];
        assert_eq!(is_violation(&|_| {}), [""; 0], "{rulebook}");
        assert_eq!(is_violation(&|a| a.edition = 99), ["announcement.rulebook"], "{rulebook}");
        assert_eq!(is_violation(&|a| drop(a.options.pop_first())), ["announcement.readings"], "{rulebook}");
        assert_eq!(is_violation(&|a| a.game = other_game), ["announcement.terms"], "{rulebook}");
        assert_eq!(
            is_violation(&|a| a.schedule = at_once.map(|milestone| Deadline { milestone, at: 5 }).to_vec()),
            ["announcement.schedule"],
            "{rulebook}"
        );
        let announced = Record::announced(rulebook);
        assert_eq!(announced.is_violation(0, &E::Announced(right)), ["announcement.first"], "{rulebook}");
    }
}

#[test]
fn a_player_enters_once_and_only_those_who_entered_are_rated_or_leave() {
    for (rulebook, ..) in STAGES {
        let mut record = Record::empty(rulebook);
        record.say(0, &E::Announced(announcement(&record.rulebook, AnnounceOrder::default())));
        let kind = record.rulebook.players[0];
        let rated = |name: &str| {
            let ratings = vec![PlayerRating { player: id(name), rating: 1500 }];
            E::RatingsRecorded(RatingsRecorded { ratings, source: None })
        };
        record.rightly(1, &entry("anna", kind, &["D"]));
        record.rightly(1, &rated("anna"));
        assert_eq!(record.is_violation(2, &entry("anna", kind, &["E"])), ["registration.once"], "{rulebook}");
        assert_eq!(record.is_violation(2, &rated("bela")), ["registration.known"], "{rulebook}");
        let out = left("bela", Withdrawal::Own);
        assert_eq!(record.is_violation(2, &out), ["registration.known"], "{rulebook}");
        let out = left("anna", Withdrawal::Own);
        record.rightly(2, &out);
        assert_eq!(record.is_violation(3, &out), ["registration.standing"], "{rulebook}");
    }
}

#[test]
fn a_round_waits_for_the_results_before_it_and_stays_once_it_has_begun() {
    for (rulebook, stage, _) in STAGES {
        let director = begun(rulebook, stage);
        let next = director.is_violation(&paired(2, stage, &[("A", "B"), ("C", "D")]));
        assert!(next.contains(&"round.order"), "{rulebook}: {next:?}");
        let reason = "a slip".to_owned();
        let revoked = TournamentEvent::PairingRevoked(PairingRevoked { round: 1, board: None, reason });
        assert_eq!(director.is_violation(&revoked), ["round.revoked"], "{rulebook}");
    }
}

/// What the result of a game violates: White or Gold of r1.1 won, and the log has these facts of the game.
fn of_game(rulebook: &str, stage: Stage, facts: GameFacts) -> Vec<&'static str> {
    let mut director = begun(rulebook, stage);
    let termination = facts.ended.as_ref().map(|end| end.termination);
    director.games.0.insert(game("g1"), facts);
    director.tell(TournamentEvent::GameAttached(GameAttached {
        pairing: pairing("r1.1"),
        attempt: 1,
        game: game("g1"),
    }));
    director.is_violation(&TournamentEvent::ResultRecorded(ResultRecorded {
        attempt: Some(1),
        game: Some(game("g1")),
        ..result("r1.1", Outcome::Gold, termination)
    }))
}

/// A game that the first of the two players won.
fn won(winner: Side) -> GameFacts {
    let end = EndFacts { at: 0, winner: Some(winner), termination: Termination::Resignation };
    GameFacts {
        plies: 10,
        gold: Some("a".to_owned()),
        silver: Some("d".to_owned()),
        rated: Some(true),
        ended: Some(end),
        ..GameFacts::default()
    }
}

/// What the log finds in a game.
fn because(code: &'static str) -> Vec<GameViolation> {
    vec![GameViolation { seq: 7, code, message: "it is not so".to_owned() }]
}

#[test]
fn games_of_every_stage_have_the_time_control_of_their_source() {
    for (rulebook, stage, control) in STAGES {
        for (.., other) in STAGES {
            let facts = GameFacts { time_control: Some(other.to_owned()), ..won(Side::Gold) };
            let is_violation = of_game(rulebook, stage, facts);
            let expected: &[&str] = if other == control { &[] } else { &["time_control"] };
            assert_eq!(is_violation, expected, "{rulebook}, {stage}: {other}");
        }
    }
}

#[test]
fn a_game_is_that_of_its_pair_by_the_rules_of_the_game_and_the_clock_and_gives_the_result() {
    for (rulebook, stage, _) in STAGES {
        let is_violation = |facts| of_game(rulebook, stage, facts);
        let good = won(Side::Gold);
        assert_eq!(is_violation(good.clone()), [""; 0], "{rulebook}");
        assert_eq!(is_violation(won(Side::Silver)), ["result.game"], "{rulebook}");
        let stranger = GameFacts { gold: Some("B".to_owned()), ..good.clone() };
        assert_eq!(is_violation(stranger), ["game.players"], "{rulebook}");
        let late = GameFacts { violations: because("out_of_time"), ..good.clone() };
        assert_eq!(is_violation(late), ["game.clock"], "{rulebook}");
        let illegal = GameFacts { violations: because("wrong_side"), ..good };
        assert_eq!(is_violation(illegal), ["game.rules"], "{rulebook}");
    }
}

#[test]
fn a_pairing_has_one_result_and_nothing_else_has_any() {
    for (rulebook, stage, _) in STAGES {
        let mut director = begun(rulebook, stage);
        let unpaired = recorded("r1.3", Outcome::Gold, Termination::Resignation);
        assert_eq!(director.is_violation(&unpaired), ["result.paired"], "{rulebook}");
        let first = recorded("r1.1", Outcome::Gold, Termination::Resignation);
        assert_eq!(director.is_violation(&first), [""; 0], "{rulebook}");
        director.tell(first);
        let second = recorded("r1.1", Outcome::Silver, Termination::Resignation);
        assert_eq!(director.is_violation(&second), ["result.once"], "{rulebook}");
    }
}

#[test]
fn rulings_are_numbered_in_order_and_choose_a_reading_that_the_text_has() {
    for (rulebook, stage, _) in STAGES {
        let director = begun(rulebook, stage);
        let is_violation = |number, effect| {
            director.is_violation(&TournamentEvent::RulingGiven(RulingGiven {
                number,
                effect,
                reason: "as the director found".to_owned(),
                grounds: Vec::new(),
                evidence: Vec::new(),
                dispute: None,
                supersedes: None,
            }))
        };
        assert_eq!(is_violation(1, Effect::Nothing), [""; 0], "{rulebook}");
        assert_eq!(is_violation(2, Effect::Nothing), ["ruling.number"], "{rulebook}");
        let read = |reading: &str| Effect::Read {
            option: director.rulebook.ambiguous[0].to_owned(),
            reading: reading.to_owned(),
        };
        assert_eq!(is_violation(1, read("A")), [""; 0], "{rulebook}");
        assert_eq!(is_violation(1, read("Z")), ["ruling.reading"], "{rulebook}");
    }
}
