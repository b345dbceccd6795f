//! How fast the log replays, held against SQLite and serde_json reading the same rows in the same run.
//!
//! `cargo bench -p annals-replay --bench replay` (`ANNALS_LONG=1` for a log of a million events, whose figures are
//! quoted). One thread throughout. The peer is a bare `SELECT` of the type and the payload of every event, each payload
//! parsed into a `serde_json::Value` and dropped: it knows no schema, no rule, and folds nothing.

#[path = "../tests/replay/games.rs"]
mod games;

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use annals_events::tournament::{
    Announced, Outcome, Pair, PlayerRegistered, ResultRecorded, RoundPaired, RoundStarted, Stage,
};
use annals_events::{
    BoardId, Entry, Event, EventId, GameKind, LogId, PlayerId, PlayerKind, Side, StreamName, TournamentEvent,
};
use annals_replay::{Cut, LogSummary, Replayed, Scope, audit_games, game_at, tournament_at, view_at};
use annals_store::{Log, NewEvent, NewLog, SetClock, Transaction};

const START: i64 = 1_600_000_000_000_000;
const SECOND: i64 = 1_000_000;

fn main() {
    let events: u64 = if std::env::var_os("ANNALS_LONG").is_some() { 1_000_000 } else { 100_000 };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.db");
    let (tournament_events, games) = fill(&path, events);
    let opening = Instant::now();
    let log = Log::open(&path).unwrap();
    let opened_in = opening.elapsed();
    let events = log.last_seq().unwrap();
    println!("a log of {events} events: {games} games, a tournament of {tournament_events} events");
    println!("  opened in {:.1} ms", ms(opened_in));
    // `-- games` folds the games again and again and does nothing else: for a profiler.
    if std::env::args().any(|argument| argument == "games") {
        let (_, time) = on_one_core(|| (0..30).for_each(|_| drop(audit_games(&log, &Cut::NOW, None))));
        println!("  {:.2} million events/s", 30.0 * events as f64 / time.as_secs_f64() / 1e6);
        return;
    }
    whole(&log, &path, events);
    single(&log, games);
}

/// The whole log, again and again by turns.
fn whole(log: &Log, path: &Path, events: u64) {
    let rounds = 7;
    let (mut games, mut figures, mut peers, mut scans) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..=rounds {
        let (audit, audit_time) = on_one_core(|| audit_games(log, &Cut::NOW, None).unwrap());
        assert!(audit.findings.is_empty(), "{:?}", audit.findings.first());
        let (summary, summary_time) =
            on_one_core(|| Replayed::<LogSummary>::rebuild(log, Scope::Log, &Cut::NOW).unwrap());
        assert_eq!(summary.folded(), events);
        let (seen, peer_time) = on_one_core(|| select_and_parse(path));
        assert_eq!(seen, events);
        let (scanned, scan_time) = on_one_core(|| {
            let mut bytes = 0;
            log.scan(1..=events, |event| {
                bytes += event.payload.len();
                Ok::<_, annals_store::ReadError>(std::ops::ControlFlow::Continue(()))
            })
            .unwrap();
            bytes
        });
        assert!(scanned > 0);
        if round > 0 {
            games.push(audit_time);
            figures.push(summary_time);
            peers.push(peer_time);
            scans.push(scan_time);
        }
    }
    let rate = |time: Duration| events as f64 / time.as_secs_f64() / 1e6;
    let [games, figures, peers, scans] = [games, figures, peers, scans].map(median);
    println!("replay of the whole log, millions of events per second of processor time (median of {rounds})");
    for (what, time) in [
        ("read alone, every column checked", scans),
        ("figures of the whole log", figures),
        ("every game decoded and folded by the rules", games),
        ("peer: SELECT type, payload; serde_json::Value", peers),
    ] {
        let ratio = peers.as_secs_f64() / time.as_secs_f64();
        println!("  {what:<46} {:>6.2}   {ratio:>5.2} of the peer", rate(time));
    }
}

/// One game and one tournament at random points.
fn single(log: &Log, games: u64) {
    let mut numbers = games::Numbers::from_seed(3);
    let tournament: StreamName = "tournament/open".parse().unwrap();
    let last = log.stream_info(&tournament).unwrap().unwrap();
    let span = last.version as i64 * 60;
    let (mut of_games, mut of_tournaments, mut of_views) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..200 {
        let game: StreamName = format!("game/{}", numbers.below(games)).parse().unwrap();
        let at = at_of_game(&game) + numbers.below(4_000) as i64 * SECOND;
        let (state, time) = timed(|| game_at(log, &game, &Cut::as_of(at)).unwrap());
        assert!(state.game().started_at().is_some());
        of_games.push(time);
        let (_, time) = timed(|| view_at(log, &game, &Cut::as_of(at)).unwrap());
        of_views.push(time);
    }
    for _ in 0..60 {
        let at = START + numbers.below(span as u64) as i64 * SECOND;
        let (state, time) = timed(|| tournament_at(log, &tournament, &Cut::as_of(at)).unwrap());
        assert!(state.findings().is_empty());
        of_tournaments.push(time);
    }
    println!("one of them as of a random time, after the log is open, ms (median, slowest)");
    for (what, times) in [
        ("a game", of_games),
        ("a game with its view", of_views),
        ("a tournament of 10,000 events", of_tournaments),
    ] {
        let slowest = times.iter().copied().max().unwrap_or_default();
        println!("  {what:<32} {:>8.3} {:>8.3}", ms(median(times)), ms(slowest));
    }
}

fn at_of_game(name: &StreamName) -> i64 {
    START + name.name().parse::<i64>().unwrap() * 30 * SECOND
}

/// Fills a log with games that are played at random and one tournament; how many events the tournament has, how many
/// games there are.
fn fill(path: &Path, events: u64) -> (u64, u64) {
    let new = NewLog {
        log_id: LogId([7; 16]),
        program: "benchmark".to_owned(),
        note: None,
        actor: "benchmark".to_owned(),
    };
    let clock = SetClock::at(START);
    let mut log = Log::create(path, &new, Box::new(clock.clone())).unwrap();
    let played: Vec<_> = (0..40).map(|seed| games::play(seed, 70 + seed as usize)).collect();
    let tournament = tournament();
    let tournament_events = tournament.len() as u64;
    let mut waiting = tournament;
    let mut games = 0;
    let mut count = 1;
    while count < events {
        while waiting.len() < 20_000 && count + (waiting.len() as u64) < events {
            let name: StreamName = format!("game/{games}").parse().unwrap();
            let mut at = at_of_game(&name);
            for (n, (seconds, event)) in played[games as usize % played.len()].iter().enumerate() {
                at += i64::from(*seconds) * SECOND;
                waiting.push(new_event(&name, games + 1, n as u64, at, event.clone().into()));
            }
            games += 1;
        }
        count += waiting.len() as u64;
        clock.advance(SECOND);
        log.append(&Transaction::of(std::mem::take(&mut waiting))).unwrap();
    }
    (tournament_events, games)
}

fn new_event(stream: &StreamName, number: u64, version: u64, at: i64, event: Event<'static>) -> NewEvent {
    let id = EventId::for_import(number.to_be_bytes(), version + 1);
    NewEvent::new(stream.clone(), id, at, "benchmark", &Entry::from(event)).unwrap()
}

/// A tournament of some 10,000 events: 100 players, 99 rounds of 50 boards, an event a minute.
fn tournament() -> Vec<NewEvent> {
    let player = |n: usize| -> PlayerId { format!("player-{n}").parse().unwrap() };
    let announced = TournamentEvent::Announced(Announced {
        year: Some(2020),
        ..Announced::plain("Open", "open-2009", GameKind::Arimaa)
    });
    let mut told = vec![announced];
    told.extend((0..100).map(|n| {
        TournamentEvent::PlayerRegistered(PlayerRegistered {
            player: player(n),
            name: format!("Player {n}"),
            kind: PlayerKind::Bot,
            developers: Vec::new(),
            account: None,
            rating: Some(1500 + n as i32),
            number: None,
            country: None,
        })
    }));
    for round in 1..=99_u32 {
        let pairs = (0..50_usize)
            .map(|board| Pair {
                board: board as u32 + 1,
                upper: player(board),
                lower: player(99 - (board + round as usize) % 50),
                upper_side: Some(Side::Gold),
                colour: None,
                encounter: None,
            })
            .collect();
        told.push(TournamentEvent::RoundPaired(RoundPaired {
            round,
            stage: Stage::Swiss,
            pairs,
            byes: Vec::new(),
            order: Vec::new(),
            measures: Vec::new(),
            equals: None,
            inferred: false,
        }));
        let started = RoundStarted { round, pairing: None, game: None, programs: Vec::new() };
        told.push(TournamentEvent::RoundStarted(started));
        for board in 1..=50 {
            let pairing = BoardId { round, board };
            let game = format!("open.{pairing}").parse().unwrap();
            told.push(TournamentEvent::GameAttached(annals_events::tournament::GameAttached {
                pairing,
                attempt: 1,
                game,
            }));
            told.push(TournamentEvent::ResultRecorded(ResultRecorded {
                pairing,
                outcome: if board % 2 == 0 { Outcome::Gold } else { Outcome::Silver },
                termination: None,
                attempt: Some(1),
                game: None,
                territory: None,
                note: None,
            }));
        }
    }
    let stream: StreamName = "tournament/open".parse().unwrap();
    told.into_iter()
        .enumerate()
        .map(|(n, event)| new_event(&stream, 0, n as u64, START + n as i64 * 60 * SECOND, event.into()))
        .collect()
}

fn select_and_parse(path: &Path) -> u64 {
    let connection = rusqlite::Connection::open(path).unwrap();
    let mut statement = connection.prepare("SELECT type, payload FROM event ORDER BY seq").unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut seen = 0;
    while let Some(row) = rows.next().unwrap() {
        let payload = row.get_ref(1).unwrap().as_str().unwrap();
        let value: serde_json::Value = serde_json::from_str(payload).unwrap();
        assert!(value.is_object() && !row.get_ref(0).unwrap().as_str().unwrap().is_empty());
        seen += 1;
    }
    seen
}

/// The processor time that this thread has used: what one core can do, whatever else the machine is doing. Where the
/// system does not tell it, the time on the wall.
fn used() -> Duration {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let begun = *BEGUN.get_or_init(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

fn on_one_core<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = used();
    let result = work();
    (result, used().saturating_sub(start))
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
