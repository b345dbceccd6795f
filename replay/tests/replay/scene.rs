//! What the tests share: a folder with a log in it, and short ways to say what happened.

use annals_events::tournament::{
    Announced, Bye, Outcome, Pair, PlayerRegistered, ResultRecorded, RoundPaired, RoundStarted, Stage,
};
use annals_events::{
    BoardId, Event, GameKind, LogId, PlayerId, PlayerKind, RawEnvelope, Side, StreamName, TournamentEvent,
};
use annals_replay::handler::{self, DirectError, Directed, Director, Draft, HandlerError};
use annals_store::{Appended, Log, NewLog, SetClock};
use annals_tournaments::commands::Command;
use tempfile::TempDir;

use super::games;

/// 2020-09-13T12:26:40Z: when every scene begins, and the clock shows a day later.
pub const START: i64 = 1_600_000_000_000_000;
pub const SECOND: i64 = 1_000_000;
pub const DAY: i64 = 86_400 * SECOND;

pub struct Scene {
    _folder: TempDir,
    pub log: Log,
    pub clock: SetClock,
}

impl Scene {
    pub fn new() -> Scene {
        Scene::with_id([0x42; 16])
    }

    pub fn with_id(id: [u8; 16]) -> Scene {
        Scene::begun(id, START + DAY)
    }

    /// A log that was begun at a time.
    pub fn begun(id: [u8; 16], at: i64) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let clock = SetClock::at(at);
        let new = NewLog {
            log_id: LogId(id),
            program: "test".to_owned(),
            note: Some("a log for a test".to_owned()),
            actor: "tester".to_owned(),
        };
        let log = Log::create(&folder.path().join("log.db"), &new, Box::new(clock.clone())).unwrap();
        Scene { _folder: folder, log, clock }
    }

    /// Appends at the desk, a second later.
    pub fn append(&mut self, drafts: &[Draft]) -> Result<Appended, HandlerError> {
        self.clock.advance(SECOND);
        handler::append(&mut self.log, drafts, "director", &[])
    }

    pub fn take(&mut self, draft: Draft) -> u64 {
        self.append(&[draft]).unwrap_or_else(|error| panic!("{error}")).last_seq
    }

    /// The code with which an event is refused.
    pub fn refused(&mut self, draft: Draft) -> String {
        match self.append(&[draft]) {
            Err(HandlerError::Refused(refusal)) => refusal.reason.code().to_owned(),
            other => panic!("not refused: {other:?}"),
        }
    }

    pub fn all(&self) -> Vec<RawEnvelope> {
        self.log.events(1..=u64::MAX).map(Result::unwrap).collect()
    }
}

/// Carries out one request of a director, or shows what it would append.
pub fn direct(
    log: &mut Log,
    stream: &StreamName,
    command: &Command,
    actor: &str,
    dry_run: bool,
) -> Result<Directed, DirectError> {
    let director = Director { stream, at: None, actor, dry_run };
    handler::direct_steps(log, &director, &[command.clone().into()])
}

pub fn stream(name: &str) -> StreamName {
    name.parse().unwrap()
}

pub fn id(name: &str) -> PlayerId {
    name.parse().unwrap()
}

pub fn draft(to: &str, at: i64, event: impl Into<Event<'static>>) -> Draft {
    Draft::new(stream(to), at, event).unwrap()
}

/// The events of a game that is played at random, as drafts.
pub fn game(name: &str, at: i64, seed: u64, plies: usize) -> Vec<Draft> {
    let mut now = at;
    games::play(seed, plies)
        .into_iter()
        .map(|(seconds, event)| {
            now += i64::from(seconds) * SECOND;
            draft(name, now, event)
        })
        .collect()
}

pub fn announced() -> TournamentEvent {
    TournamentEvent::Announced(Announced {
        year: Some(2020),
        currency: Some("USD".to_owned()),
        fund: 10_000,
        directors: vec!["the director".to_owned()],
        ..Announced::plain("Open of the Test", "open-2009", GameKind::Arimaa)
    })
}

pub fn registered(name: &str) -> TournamentEvent {
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

pub fn paired(round: u32, pairs: &[(&str, &str)], bye: Option<&str>) -> TournamentEvent {
    let pair = |(board, (gold, silver)): (usize, &(&str, &str))| Pair {
        board: board as u32 + 1,
        upper: id(gold),
        lower: id(silver),
        upper_side: Some(Side::Gold),
        colour: None,
        encounter: None,
    };
    TournamentEvent::RoundPaired(RoundPaired {
        round,
        stage: Stage::Swiss,
        pairs: pairs.iter().enumerate().map(pair).collect(),
        byes: bye
            .map(|name| Bye { player: id(name), half_points: Some(2), grounds: Vec::new() })
            .into_iter()
            .collect(),
        order: Vec::new(),
        measures: Vec::new(),
        equals: None,
        inferred: false,
    })
}

pub fn round_started(round: u32) -> TournamentEvent {
    TournamentEvent::RoundStarted(RoundStarted { round, pairing: None, game: None, programs: Vec::new() })
}

pub fn result(round: u32, board: u32, outcome: Outcome) -> TournamentEvent {
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

/// A tournament of four players and two rounds, an event a minute.
pub fn tournament(name: &str, at: i64) -> Vec<Draft> {
    let events = vec![
        announced(),
        registered("anna"),
        registered("bela"),
        registered("carl"),
        registered("dora"),
        paired(1, &[("anna", "bela"), ("carl", "dora")], None),
        round_started(1),
        result(1, 1, Outcome::Gold),
        result(1, 2, Outcome::Draw),
        paired(2, &[("anna", "carl"), ("bela", "dora")], None),
        round_started(2),
        result(2, 1, Outcome::Silver),
        result(2, 2, Outcome::Gold),
        TournamentEvent::Closed(annals_events::tournament::Closed {
            places: vec![annals_events::tournament::Placing {
                player: id("carl"),
                place: 1,
                measures: Vec::new(),
                titles: vec!["Champion".to_owned()],
                contender: false,
            }],
            fund_left: None,
            note: None,
        }),
    ];
    let minute = 60 * SECOND;
    events.into_iter().enumerate().map(|(i, event)| draft(name, at + i as i64 * minute, event)).collect()
}

pub fn correction(to: &str, corrects: u64, change: annals_events::log::Change) -> Draft {
    let correction = annals_events::log::Correction { corrects, change, reason: "as was found".to_owned() };
    draft(to, START + DAY, annals_events::LogEvent::Correction(correction))
}

pub fn strike(to: &str, corrects: u64) -> Draft {
    correction(to, corrects, annals_events::log::Change::Strike)
}

pub fn replace(to: &str, corrects: u64, event: impl Into<Event<'static>>, at: Option<i64>) -> Draft {
    let event = event.into();
    let (payload, schema) = (event.to_payload().unwrap(), event.event_type().schema());
    correction(to, corrects, annals_events::log::Change::Replace { payload, schema, effective_at: at })
}
