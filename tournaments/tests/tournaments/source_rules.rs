//! Single rules of the sources, each through commands or events: dates, fees, qualifying games, technical failures, playoffs,
//! postal disqualifications, the close.

use std::collections::BTreeMap;

use annals_events::tournament::{
    Closed, Deadline, Disqualification, Disqualified, Effect, Failure, FeeRecorded, ForfeitClaimed,
    GameAttached, GameScheduled, Milestone, Outcome, Placing, RulingGiven, Stage,
};
use annals_events::{PlayerId, PlayerKind, Side, Termination, TournamentEvent};
use annals_rules::{ClockFacts, EndFacts, GameFacts};
use annals_tournaments::commands::Command;
use annals_tournaments::formats::next_stage;
use annals_tournaments::formats::qualifier::explain::qualifier;
use annals_tournaments::rulebook::{DAY, HOUR, MINUTE, Rulebook};
use annals_tournaments::rulings::failure_paragraph;

use crate::director::{Director, game, id, pairing, recorded};
use crate::finals_desk::Desk;
use crate::record::{E, Record, entry, left_open};
use crate::rounds_desk;
use crate::vectors::Numbers;

#[test]
fn every_date_of_2015_is_that_of_the_source() {
    let published = Rulebook::named("wcc-2015").unwrap().published_schedule();
    // Seconds since 1970. Seven in the evening is midnight UTC; a day ends at five in the morning UTC.
    for (milestone, seconds) in [
        (Milestone::RegistrationOpens, 1_417_478_400),
        (Milestone::RegistrationCloses, 1_420_070_400),
        (Milestone::QualifyingOpens, 1_420_156_800),
        (Milestone::QualifyingCloses, 1_422_835_200),
        (Milestone::QualifiersNamed, 1_422_853_200),
        (Milestone::AccountsGiven, 1_423_458_000),
        (Milestone::ProgramsDue, 1_424_649_600),
        (Milestone::TestsDue, 1_425_186_000),
        (Milestone::PlayBegins, 1_425_186_000),
        (Milestone::PlayEnds, 1_426_482_000),
    ] {
        let due = Deadline { milestone, at: seconds * 1_000_000 };
        assert!(published.contains(&due), "{milestone}: {published:?}");
    }
}

#[test]
fn the_fee_of_2009_is_twenty_dollars() {
    let director = Director::with_players("wc-2009", &["A", "B"]);
    let is_violation = |amount| {
        let fee = FeeRecorded { player: id("A"), amount, note: None };
        director.is_violation(&TournamentEvent::FeeRecorded(fee))
    };
    assert_eq!(is_violation(2_000), [""; 0]);
    assert_eq!(is_violation(1_999), ["registration.fee"]);
}

#[test]
fn a_qualifying_game_counts_however_it_ended() {
    let mut record = Record::announced("wcc-2015").with_bots(1);
    let opens = record.date(Milestone::QualifyingOpens);
    for (number, termination) in (1_u32..).zip(Termination::ALL) {
        let start = opens + i64::from(number) * HOUR;
        let mut lost = crate::record::game("bot01", "a", number % 2 == 1, false, start, u64::from(number));
        lost.termination = Some(termination);
        record.rightly(opens + DAY, &E::QualifyingGamePlayed(lost));
    }
    let scores = qualifier(&record.tournament, &record.rulebook).unwrap();
    let games = &scores[0].benchmarks[0].games;
    assert!(games.len() == Termination::ALL.len() && games.iter().all(|game| game.counted.is_some()));
    assert_eq!(scores[0].losses_before, -i64::try_from(games.len()).unwrap());
}

/// A game of the final after two plies, under way or won.
fn in_the_final(outcome: Option<Outcome>) -> Director {
    let mut director = Director::with_players("wcc-2015", &["A", "B", "C", "D"]);
    director.pair(1, Stage::Final, &[("A", "D"), ("B", "C")]);
    director.begin(1);
    let attached = GameAttached { pairing: pairing("r1.1"), attempt: 1, game: game("g1") };
    director.tell(TournamentEvent::GameAttached(attached));
    let clock = ClockFacts { gold_reserve: Some(360), silver_reserve: Some(360), game_time: Some(500) };
    let ended =
        outcome.map(|outcome| EndFacts { at: 0, winner: outcome.winner(), termination: Termination::Goal });
    let facts = GameFacts { plies: 2, clocks: vec![clock; 3], ended, ..GameFacts::default() };
    director.games.0.insert(game("g1"), facts);
    if let Some(outcome) = outcome {
        director.tell(recorded("r1.1", outcome, Termination::Goal));
    }
    director
}

fn ruling(effect: Effect) -> TournamentEvent {
    TournamentEvent::RulingGiven(RulingGiven {
        number: 1,
        effect,
        reason: "as the director found".to_owned(),
        grounds: Vec::new(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    })
}

fn halted(failure: Failure) -> TournamentEvent {
    let (pairing, game) = (pairing("r1.1"), Some(game("g1")));
    ruling(Effect::Halt { pairing, game, ply: 1, failure, clocks: None })
}

fn invalidated(failure: Failure) -> TournamentEvent {
    let (pairing, game) = (pairing("r1.1"), Some(game("g1")));
    ruling(Effect::Invalidate { pairing, game, ply: 1, failure, clocks: None })
}

#[test]
fn a_listed_failure_halts_a_game_under_way_and_invalidates_one_that_is_over_whoever_won() {
    let under_way = in_the_final(None);
    let over = [Outcome::Gold, Outcome::Silver].map(|outcome| in_the_final(Some(outcome)));
    for (failure, paragraph) in [
        (Failure::ExtraneousProcess, Some("4.1")),
        (Failure::MoveLostToGameServer, Some("4.2")),
        (Failure::MoveLostToPlayer, Some("4.3")),
        (Failure::RestartedMidMove, Some("4.4")),
        (Failure::Misconfigured, Some("4.5")),
        (Failure::GameServer, None),
        (Failure::Other, None),
    ] {
        let expected = format!("2015 WCC, Technical Problems {}", paragraph.unwrap_or("5"));
        assert_eq!(failure_paragraph(failure), expected);
        let open: &[&str] = if paragraph.is_some() { &[] } else { &["ruling.cause"] };
        assert_eq!(under_way.is_violation(&halted(failure)), [""; 0], "{failure}");
        assert_eq!(under_way.open(&halted(failure)), open, "{failure}");
        assert_eq!(under_way.is_violation(&invalidated(failure)), ["ruling.invalidate"], "{failure}");
        for over in &over {
            let halt = over.is_violation(&halted(failure));
            assert!(
                !halt.is_empty() && halt.iter().all(|rule| *rule == "ruling.halt"),
                "{failure}: {halt:?}"
            );
            assert_eq!(over.is_violation(&invalidated(failure)), [""; 0], "{failure}");
            assert_eq!(over.open(&invalidated(failure)), open, "{failure}");
        }
    }
}

#[test]
fn neither_championship_has_draws() {
    for (rulebook, stage) in
        [("wcc-2015", Stage::Final), ("wc-2009", Stage::Swiss), ("wc-2009", Stage::Final)]
    {
        let mut director = Director::with_players(rulebook, &["A", "B"]);
        director.pair(1, stage, &[("A", "B")]);
        director.begin(1);
        let drawn = recorded("r1.1", Outcome::Draw, Termination::Score);
        // Nor has a game of hours ended by score at once.
        assert_eq!(director.is_violation(&drawn), ["result.draw", "game.limit"], "{rulebook}, {stage}");
        let pairing = pairing("r1.1");
        let given = Effect::SetResult { pairing, outcome: Outcome::Draw, termination: None };
        assert!(director.is_violation(&ruling(given)).contains(&"result.draw"), "{rulebook}, {stage}");
    }
}

#[test]
fn the_player_who_came_may_wait_longer_than_fifteen_minutes() {
    let mut director = Director::with_players("wc-2009", &["A", "D"]);
    director.pair(1, Stage::Swiss, &[("A", "D")]);
    director.begin(1);
    let (at, pairing) = (director.at, pairing("r1.1"));
    let scheduled = GameScheduled { pairing, at, ground: None, reason: None };
    director.tell(TournamentEvent::GameScheduled(scheduled));
    director.at = at + 40 * MINUTE;
    let claim = TournamentEvent::ForfeitClaimed(ForfeitClaimed {
        pairing,
        claimant: id("A"),
        scheduled_at: Some(at),
        waited_until: Some(at + 40 * MINUTE),
    });
    assert_eq!(director.is_violation(&claim), [""; 0]);
    director.tell(claim);
    assert_eq!(director.is_violation(&recorded("r1.1", Outcome::Gold, Termination::Forfeit)), [""; 0]);
}

/// Plays the next round by lot: its number, and each winner with the loser.
fn play_round(desk: &mut Desk, numbers: &mut Numbers) -> Option<(u32, Vec<(PlayerId, PlayerId)>)> {
    let won = |_: &PlayerId, _: &PlayerId| [Outcome::Gold, Outcome::Silver][numbers.below(2)];
    let round = desk.play(won).ok()?.round;
    let decided = desk.tournament.rounds[&round].boards.values().filter_map(|board| {
        let winner = board.outcome()?.winner()?;
        let player = |side| if side == Side::Gold { board.gold() } else { board.silver() };
        Some((player(winner)?.clone(), player(winner.other())?.clone()))
    });
    Some((round, decided.collect()))
}

/// What the rounds of a final come to: games won and lost, and the round in which each player lost for the last time.
#[derive(Default)]
struct Course {
    wins: BTreeMap<PlayerId, u32>,
    losses: BTreeMap<PlayerId, u32>,
    last_loss: BTreeMap<PlayerId, u32>,
}

impl Course {
    /// Plays the final of 2009 by lot.
    fn of(desk: &mut Desk, numbers: &mut Numbers) -> Course {
        let mut course = Course::default();
        while next_stage(&desk.tournament, &desk.rulebook) == Ok(Stage::Final) {
            let Some((round, winners)) = play_round(desk, numbers) else { break };
            for (winner, loser) in winners {
                *course.wins.entry(winner).or_default() += 1;
                *course.losses.entry(loser.clone()).or_default() += 1;
                course.last_loss.insert(loser, round);
            }
        }
        course
    }

    /// Those with the most games won, of some players.
    fn level(&self, players: &[PlayerId]) -> Vec<PlayerId> {
        let wins = |player: &PlayerId| self.wins.get(player).copied().unwrap_or(0);
        let most = players.iter().map(wins).max();
        players.iter().filter(|player| Some(wins(player)) == most).cloned().collect()
    }
}

/// The next round has to be one game of these two, for this stage; the winner by lot.
fn plays_off(desk: &mut Desk, numbers: &mut Numbers, stage: Stage, players: &[PlayerId]) -> PlayerId {
    let paired = desk.next().unwrap();
    let pair = &paired.pairs[0];
    let mut found = [pair.upper.clone(), pair.lower.clone()];
    found.sort();
    assert_eq!((paired.stage, paired.pairs.len(), &found[..]), (stage, 1, players));
    let (_, winners) = play_round(desk, numbers).unwrap();
    winners[0].0.clone()
}

#[test]
fn ties_for_second_and_third_place_of_2009_are_played_off_as_the_text_says() {
    let (mut two, mut three, mut third) = (0, 0, 0);
    for case in 0..400 {
        let mut numbers = Numbers::new(case);
        let mut desk = Desk::of_seeds("wc-2009", 4 + u32::try_from(case % 4).unwrap());
        let course = Course::of(&mut desk, &mut numbers);
        let champion = desk.at(1);
        let mut rest: Vec<PlayerId> = desk.tournament.entrants.keys().cloned().collect();
        rest.retain(|player| !champion.contains(player));
        assert!(rest.iter().all(|player| course.losses[player] == 2), "all but the first have lost twice");
        let last = course.last_loss.values().max().copied().unwrap();
        let level = course.level(&rest);
        match &level[..] {
            [second] => {
                rest.retain(|player| player != second);
                let level = course.level(&rest);
                if level.len() == 2 {
                    let winner = plays_off(&mut desk, &mut numbers, Stage::ThirdPlayoff, &level);
                    assert_eq!((desk.at(2), desk.at(3)), (vec![second.clone()], vec![winner]));
                    third += 1;
                }
            }
            [_, _] => {
                let winner = plays_off(&mut desk, &mut numbers, Stage::SecondPlayoff, &level);
                assert_eq!(desk.at(2), [winner]);
                two += 1;
            }
            [_, _, _] => {
                let (late, early): (Vec<PlayerId>, Vec<PlayerId>) =
                    level.iter().cloned().partition(|player| course.last_loss[player] == last);
                if late.len() != 1 || early.iter().any(|player| course.last_loss[player] + 1 != last) {
                    continue;
                }
                let winner = plays_off(&mut desk, &mut numbers, Stage::SecondPlayoff, &early);
                let mut pair = vec![winner, late[0].clone()];
                pair.sort();
                let second = plays_off(&mut desk, &mut numbers, Stage::SecondPlayoff, &pair);
                assert_eq!(desk.at(2), [second]);
                three += 1;
            }
            _ => {}
        }
    }
    assert!(two > 10 && three > 1 && third > 10, "{two} ties of two, {three} of three, {third} for third");
}

#[test]
fn a_postal_disqualification_has_a_cause_that_the_record_supports() {
    let mut record = Record::announced("postal-2006");
    record.rightly(1, &entry("ada", PlayerKind::Bot, &[]));
    let out = |cause| {
        let (player, grounds) = ("ada".parse().unwrap(), Vec::new());
        E::Disqualified(Disqualified { player, cause, grounds, reason: None })
    };
    for cause in [Disqualification::OutsideHelp, Disqualification::HardwareChanged] {
        let verdicts = record.ask(2, &out(cause));
        assert_eq!(left_open(&verdicts), ["disqualification.cause"], "{cause}");
    }
    let never_qualified = record.is_violation(2, &out(Disqualification::NotUploaded));
    assert_eq!(never_qualified, ["disqualification.cause"]);
}

/// What a close violates after a change to it.
fn of_the_close(
    closing: &TournamentEvent,
    is_violation: impl Fn(&TournamentEvent) -> Vec<&'static str>,
    change: fn(&mut Closed),
) -> Vec<&'static str> {
    let TournamentEvent::Closed(closed) = closing else { panic!("{closing:?}") };
    let mut closed = closed.clone();
    change(&mut closed);
    let mut rules = is_violation(&TournamentEvent::Closed(closed));
    rules.dedup();
    rules
}

fn exchange(places: &mut [Placing], one: usize, other: usize) {
    let player = places[one].player.clone();
    places[one].player = std::mem::replace(&mut places[other].player, player);
}

#[test]
fn the_close_of_a_championship_has_the_places_the_title_and_the_fund_that_follow() {
    for rulebook in ["wcc-2015", "wc-2009"] {
        let mut desk = Desk::of_seeds(rulebook, 5);
        let favourite = |gold: &PlayerId, silver: &PlayerId| {
            if gold < silver { Outcome::Gold } else { Outcome::Silver }
        };
        while desk.play(favourite).is_ok() {}
        let closing = desk.ask(&Command::Close { note: None }).unwrap().events.remove(0);
        let of = |change| of_the_close(&closing, |event| desk.violations(event), change);
        assert_eq!(of(|_| {}), [""; 0]);
        let first_two = of(|closed| exchange(&mut closed.places, 0, 1));
        assert!(first_two.starts_with(&["place.champion", "place.second"]), "{rulebook}: {first_two:?}");
        let next_two = of(|closed| exchange(&mut closed.places, 1, 2));
        assert!(next_two.starts_with(&["place.second", "place.third"]), "{rulebook}: {next_two:?}");
        assert_eq!(of(|closed| closed.places[0].titles.clear()), ["place.title"], "{rulebook}");
        assert_eq!(of(|closed| closed.fund_left = Some(1)), ["prize.left"], "{rulebook}");
        if rulebook == "wcc-2015" {
            assert_eq!(of(|closed| closed.places[1].contender = false), ["place.contenders"]);
            assert_eq!(of(|closed| closed.places[2].contender = true), ["place.contenders"]);
        }
    }
}

#[test]
fn the_close_of_a_ring_or_of_encounters_has_the_places_by_points() {
    for (rulebook, kind) in [("postal-2006", PlayerKind::Human), ("olympiad-amazons-2000", PlayerKind::Bot)] {
        let mut desk = rounds_desk::Desk::new(rulebook);
        for (number, name) in (1..).zip(["anna", "bela", "cara"]) {
            let rating = 2_000 - i32::try_from(number).unwrap();
            desk.enter(name, kind, Some(rating), Some(number));
        }
        while let Ok(decision) = desk.ask(&Command::Pair { seed: None }) {
            let TournamentEvent::RoundPaired(paired) = &decision.events[0] else { panic!("{decision:?}") };
            desk.start(paired.round);
            for pair in &paired.pairs {
                let at = annals_events::BoardId { round: paired.round, board: pair.board };
                let better = if pair.upper < pair.lower { &pair.upper } else { &pair.lower };
                let side = if pair.player(Side::Gold) == Some(better) { Side::Gold } else { Side::Silver };
                desk.result(at, Outcome::from(side), Termination::Resignation, None);
            }
        }
        let mut asked =
            rounds_desk::Desk { tournament: desk.tournament.clone(), ..rounds_desk::Desk::new(rulebook) };
        asked.seq = desk.seq;
        let closing = asked.ask(&Command::Close { note: None }).unwrap().events.remove(0);
        let of = |change| of_the_close(&closing, |event| desk.is_violation(event), change);
        assert_eq!(of(|_| {}), [""; 0], "{rulebook}");
        assert_eq!(of(|closed| exchange(&mut closed.places, 0, 1)), ["place.order"], "{rulebook}");
        if rulebook == "postal-2006" {
            assert_eq!(of(|closed| closed.fund_left = Some(1)), ["prize.left"]);
        }
    }
}

#[test]
fn after_the_close_the_record_of_play_is_final_and_money_is_still_paid() {
    for rulebook in Rulebook::all() {
        let stage = rulebook.stages.last().unwrap().stage;
        let mut director = Director::with_players(rulebook.name, &["A", "B"]);
        director.pair(1, stage, &[("A", "B")]);
        director.begin(1);
        let result = recorded("r1.1", Outcome::Gold, Termination::Resignation);
        assert!(!director.is_violation(&result).contains(&"closed"), "{}", rulebook.name);
        director.tell(TournamentEvent::Closed(Closed { places: Vec::new(), fund_left: None, note: None }));
        assert!(director.is_violation(&result).contains(&"closed"), "{}", rulebook.name);
        let amount = rulebook.fees.as_ref().map_or(1_000, |fees| fees.registration);
        let fee = TournamentEvent::FeeRecorded(FeeRecorded { player: id("A"), amount, note: None });
        assert!(!director.is_violation(&fee).contains(&"closed"), "{}", rulebook.name);
    }
}
