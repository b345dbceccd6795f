//! The engine under any controller: what it answers, word for word, and that nothing makes it hang.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use annals_engine::aei::{ServeError, Served, serve};
use annals_engine::evaluation::{Evaluator, Registry};
use annals_engine::player::Settings;
use annals_engine::search::Limits;
use annals_rules::arimaa::Steps;

const GOLD: &str = "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Ed2 Me2 Cf2 Hg2 Rh2";
const SILVER: &str = "ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 ed7 me7 cf7 hg7 rh7";

/// What a controller writes, as the engine reads it; the end of the input when the writer is gone.
struct Input {
    bytes: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            match self.bytes.recv() {
                Ok(bytes) => self.rest = bytes,
                Err(_) => return Ok(0),
            }
        }
        let taken = self.rest.len().min(into.len());
        into[..taken].copy_from_slice(&self.rest[..taken]);
        self.rest.drain(..taken);
        Ok(taken)
    }
}

/// What the engine writes, as the controller reads it.
struct Output(std::sync::mpsc::Sender<Vec<u8>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An evaluator that takes its time, so that a search can be met at work.
struct Slow(Duration);

impl Evaluator for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn about(&self) -> &str {
        "sleeps at every position"
    }

    fn evaluate(&self, _: &Steps) -> i32 {
        thread::sleep(self.0);
        0
    }
}

/// A session with an engine.
struct Session {
    to: Option<std::sync::mpsc::Sender<Vec<u8>>>,
    from: Receiver<Vec<u8>>,
    text: String,
    running: JoinHandle<Result<Served, ServeError>>,
}

const PATIENCE: Duration = Duration::from_secs(20);

impl Session {
    fn begin(settings: Settings) -> Session {
        let mut registry = Registry::standard();
        registry.register(Arc::new(Slow(Duration::from_micros(500))));
        let (to, bytes) = channel();
        let (sender, from) = channel();
        let running = thread::spawn(move || {
            serve(Input { bytes, rest: Vec::new() }, Output(sender), &settings, &registry)
        });
        Session { to: Some(to), from, text: String::new(), running }
    }

    fn nodes(nodes: u64) -> Session {
        Session::begin(Settings { limits: Limits::nodes(nodes), ..Settings::default() })
    }

    fn raw(&self, bytes: &[u8]) {
        let _ = self.to.as_ref().unwrap().send(bytes.to_vec());
    }

    fn say(&self, lines: &str) {
        self.raw(format!("{lines}\n").as_bytes());
    }

    /// Everything up to a line that begins so.
    fn until(&mut self, begin: &str) -> Vec<String> {
        let since = Instant::now();
        let mut lines = Vec::new();
        loop {
            while let Some((line, rest)) = self.text.split_once('\n') {
                let (line, rest) = (line.to_owned(), rest.to_owned());
                self.text = rest;
                lines.push(line);
                if lines.last().is_some_and(|line| line.starts_with(begin)) {
                    return lines;
                }
            }
            assert!(since.elapsed() < PATIENCE, "no `{begin}` among {lines:#?}");
            match self.from.recv_timeout(Duration::from_millis(200)) {
                Ok(bytes) => self.text.push_str(&String::from_utf8(bytes).unwrap()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the session ended without `{begin}`: {lines:#?}")
                }
            }
        }
    }

    /// The lines before `readyok`, asked for after something.
    fn answers(&mut self, lines: &str) -> Vec<String> {
        self.say(lines);
        self.say("isready");
        let mut said = self.until("readyok");
        said.pop();
        said
    }

    /// How it ended, and what was said last.
    fn end(mut self) -> (Result<Served, ServeError>, String) {
        self.to = None;
        let since = Instant::now();
        while !self.running.is_finished() {
            assert!(since.elapsed() < PATIENCE, "the session does not end");
            thread::sleep(Duration::from_millis(5));
        }
        let rest = self.from.try_iter().flatten().collect::<Vec<u8>>();
        (self.running.join().unwrap(), self.text + &String::from_utf8(rest).unwrap())
    }
}

#[test]
fn a_dialogue_with_fixed_nodes_is_the_same_word_for_word() {
    let play = || {
        let mut session = Session::nodes(300);
        session.say("aei");
        let mut said = session.until("aeiok");
        session.say("newgame\ngo");
        said.extend(session.until("bestmove"));
        let own = said.last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
        session.say(&format!("makemove {own}\nmakemove {SILVER}\ngo"));
        said.extend(session.until("bestmove"));
        session.say("quit");
        let (served, rest) = session.end();
        assert_eq!((served.unwrap(), rest.as_str()), (Served::Quit, ""));
        said.retain(|line| !line.starts_with("info time"));
        said
    };
    let first = play();
    assert_eq!(first, play());
    assert_eq!(
        first[..5],
        ["protocol-version 1", "id name Annals", "id author Annals", "id version 0.4.0", "aeiok"]
    );
    assert_eq!(first[5].split(' ').count(), 17, "a setup of sixteen pieces: {}", first[5]);
    for key in ["info depth ", "info nodes ", "info score ", "info pv "] {
        assert!(first.iter().any(|line| line.starts_with(key)), "no {key}: {first:#?}");
    }
    let best = first.last().unwrap().strip_prefix("bestmove ").unwrap();
    let pv = first.iter().rfind(|line| line.starts_with("info pv ")).unwrap();
    assert!(pv.strip_prefix("info pv ").unwrap().starts_with(best), "{pv} does not begin with {best}");
}

#[test]
fn before_the_session_is_opened_nothing_else_is_done() {
    let mut session = Session::nodes(200);
    session.say("newgame\ngo\naei");
    let said = session.until("aeiok");
    assert!(said[..2].iter().all(|line| line.contains("begins with `aei`")), "{said:#?}");
    assert_eq!(said[2], "protocol-version 1");
}

#[test]
fn errors_leave_the_position_as_it_was() {
    let mut session = Session::nodes(200);
    session.say("aei");
    session.until("aeiok");
    let error = |session: &mut Session, lines: &str, why: &str| {
        let said = session.answers(lines);
        assert!(
            said.len() == 1 && said[0].starts_with("log Error:") && said[0].contains(why),
            "{why}: {said:#?}"
        );
    };
    error(&mut session, "go", "newgame or setposition");
    error(&mut session, "go ponder", "newgame or setposition");
    error(&mut session, "makemove Ea1n", "newgame or setposition");
    error(&mut session, "aei", "begun already");
    let board = |a8: &str| format!("setposition g [{a8}{}]", " ".repeat(64 - a8.len()));
    session.say(&format!("newgame\nmakemove {GOLD}\nmakemove {SILVER}"));
    error(&mut session, &board("EE"), "2 elephants");
    error(&mut session, &board(&format!("{}E", " ".repeat(18))), "no friend next to it");
    error(&mut session, &board("Q"), "'Q'");
    error(&mut session, "setposition g [too short]", "64 are wanted");
    error(&mut session, "setposition x [ ]", "side to move");
    error(&mut session, "setposition", "setposition g [");
    error(&mut session, "makemove Ed2s", "");
    error(&mut session, "makemove Ed2n Ed3s", "as it was");
    error(&mut session, "makemove", "");
    error(&mut session, &format!("makemove {GOLD}"), "");
    error(&mut session, "makemove takeback", "");
    error(&mut session, "setoption name hash value many", "whole number");
    error(&mut session, "setoption name evaluator value oracle", "there is no evaluator `oracle`");
    error(&mut session, "setoption depth 4", "setoption name");
    let warned = session.answers("setoption name colour value red");
    assert_eq!(warned, ["log Warning: there is no option `colour`"]);
    // After all that it is still Gold's first turn after the setups.
    assert!(session.answers("makemove Ed2n").is_empty());
    session.say("go");
    session.until("bestmove");
    assert!(matches!(session.end().0, Ok(Served::EndOfInput)));
}

#[test]
fn positions_are_set_between_turns_and_within_the_setups() {
    let mut session = Session::nodes(200);
    session.say("aei");
    session.until("aeiok");
    // The goal is one step away.
    session.say(&format!("setposition g [{}R{}r{}]\ngo", " ".repeat(8), " ".repeat(22), " ".repeat(32)));
    let goal = session.until("bestmove").pop().unwrap();
    let over = session.answers(&format!("{}\ngo", goal.replace("bestmove", "makemove")));
    assert!(over[0].contains("gold won by goal"), "{goal}: {over:#?}");
    assert_eq!(over[1], "bestmove resign");
    // The empty board is the beginning, and Gold's setup alone is followed by Silver's.
    session.say(&format!("setposition g [{}]\ngo", " ".repeat(64)));
    assert_eq!(session.until("bestmove").last().unwrap().split(' ').count(), 17);
    let gold = "RHCEMCHRRRRDDRRR";
    session.say(&format!("setposition s [{}{gold}]\ngo", " ".repeat(48)));
    let silver = session.until("bestmove").pop().unwrap();
    assert!(
        silver.split(' ').skip(1).all(|word| word.starts_with(|c: char| c.is_ascii_lowercase())),
        "{silver}"
    );
    session.say("quit");
    assert!(matches!(session.end().0, Ok(Served::Quit)));
}

fn thinking() -> Session {
    let settings =
        Settings { evaluator: "slow".to_owned(), limits: Limits::depth(40), ..Settings::default() };
    let mut session = Session::begin(settings);
    session.say(&format!("aei\nnewgame\nmakemove {GOLD}\nmakemove {SILVER}"));
    session.until("aeiok");
    session
}

#[test]
fn while_it_thinks_it_answers_and_stops_when_it_is_told_to() {
    let mut session = thinking();
    session.say("go\nisready");
    session.until("readyok");
    let error = session.answers("go");
    assert!(error.iter().any(|line| line.contains("running already")), "{error:#?}");
    session.say("stop");
    session.until("bestmove");
    assert_eq!(session.answers("stop"), ["log Debug: there is no search to stop"]);
}

#[test]
fn it_quits_at_once_while_it_thinks() {
    let mut session = thinking();
    session.say("go\nisready");
    session.until("readyok");
    let since = Instant::now();
    session.say("quit");
    assert!(matches!(session.end().0, Ok(Served::Quit)));
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
}

#[test]
fn pondering_ends_without_an_answer_by_a_turn_and_with_one_by_stop() {
    let mut session = thinking();
    let said = session.answers("go ponder\nmakemove Ed2n");
    assert!(!said.iter().any(|line| line.starts_with("bestmove")), "{said:#?}");
    session.say("go ponder");
    session.say("stop");
    assert!(session.until("bestmove").last().unwrap().len() > "bestmove ".len());
}

#[test]
fn a_clock_of_zero_or_overdrawn_still_gets_a_turn() {
    let mut session = Session::begin(Settings { limits: Limits::default(), ..Settings::default() });
    session.say(&format!("aei\nnewgame\nmakemove {GOLD}\nmakemove {SILVER}"));
    for clock in [
        "setoption name tcmove value 0\nsetoption name tcreserve value 0",
        "setoption name greserve value -5\nsetoption name moveused value 100",
        "setoption name tcmove value 0.01",
    ] {
        session.say(&format!("{clock}\ngo"));
        session.until("bestmove");
    }
}

#[test]
fn what_is_no_message_ends_the_session_and_what_is_too_long_is_passed_over() {
    let nonsense: [&[u8]; 4] = [b"hello\n", b"\xff\xfe\x00\x01\n", &[b'x'; 3_000_000], b"AEI\n"];
    for bytes in nonsense {
        let mut session = Session::nodes(100);
        session.say("aei\n\n  \n");
        session.until("aeiok");
        session.raw(bytes);
        let (served, said) = session.end();
        assert!(matches!(served, Ok(Served::NoMessage)), "{served:?}");
        assert!(said.starts_with("log Error:") && said.len() < 300, "{said}");
    }
    let mut session = Session::nodes(100);
    session.say("aei");
    session.until("aeiok");
    session.say("newgame");
    let said = session.answers(&format!("makemove {}", "Ra1 ".repeat(500_000)));
    assert!(said[0].contains("more than 16384 bytes"), "{said:#?}");
    session.say("go");
    session.until("bestmove R");
}

#[test]
fn a_controller_that_never_reads_does_not_keep_the_session_from_ending() {
    /// Takes nothing, ever.
    struct Blocked(Arc<Mutex<()>>);
    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            drop(self.0.lock());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let gate = Arc::new(Mutex::new(()));
    let held = gate.lock().unwrap();
    let since = Instant::now();
    let input: &[u8] = b"aei\nisready\nquit\n";
    let served = serve(input, Blocked(Arc::clone(&gate)), &Settings::default(), &Registry::standard());
    assert!(matches!(served, Ok(Served::Quit)));
    assert!(since.elapsed() < Duration::from_secs(10), "{:?}", since.elapsed());
    drop(held);
}

#[test]
fn an_evaluator_that_is_not_there_is_said_at_once() {
    let settings = Settings { evaluator: "oracle".to_owned(), ..Settings::default() };
    let input: &[u8] = b"aei\n";
    let error = serve(input, io::sink(), &settings, &Registry::standard()).unwrap_err();
    assert!(error.to_string().contains("there is no evaluator `oracle`"), "{error}");
}

/// How often an answer is among lines.
fn answers_among(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}

#[test]
fn what_is_refused_during_a_search_leaves_the_search_alone() {
    let mut session = thinking();
    session.say("go\nisready");
    session.until("readyok");
    for refused in ["makemove Ed2s", "makemove nonsense", "setposition g [EE]", "setposition x [ ]"] {
        let said = session.answers(refused);
        assert!(said.iter().any(|line| line.starts_with("log Error:")), "{refused}: {said:#?}");
        assert_eq!(answers_among(&said), 0, "{refused}: {said:#?}");
    }
    let running = session.answers("go");
    assert!(running.iter().any(|line| line.contains("running already")), "{running:#?}");
    session.say("stop");
    session.until("bestmove");
    // While it ponders, too.
    session.say("go ponder\nmakemove Ed2s\nstop");
    session.until("bestmove");
}

#[test]
fn a_turn_that_is_owed_is_said_before_anything_that_follows() {
    for (lines, owed) in [
        ("go\nstop\nmakemove Ed2n", 1),
        ("go\nstop\nnewgame", 1),
        ("go\nstop\nsetposition g [R                                                              r]", 1),
        ("go\nstop\ngo\nstop", 2),
        ("go ponder\nstop\ngo\nstop", 2),
        ("go ponder\nstop\ngo ponder\nstop", 2),
        ("go ponder\nstop\nmakemove Ed2n\ngo\nstop", 2),
        ("go ponder\nmakemove Ed2n\ngo\nstop", 1),
        ("go\nmakemove Ed2n\ngo\nstop\nstop", 1),
    ] {
        let mut session = thinking();
        let said = session.answers(lines);
        assert_eq!(answers_among(&said), owed, "{lines}: {said:#?}");
        assert!(!said.iter().any(|line| line.starts_with("log Error:")), "{lines}: {said:#?}");
    }
    let session = thinking();
    session.say("go\nstop\nquit");
    let (served, said) = session.end();
    assert!(matches!(served, Ok(Served::Quit)) && said.contains("bestmove "), "{said}");
}

#[test]
fn setups_have_to_be_whole_and_nothing_follows_the_end_of_a_game() {
    let mut session = Session::nodes(200);
    session.say("aei");
    session.until("aeiok");
    let one = |session: &mut Session, lines: &str, why: &str| {
        let said = session.answers(lines);
        assert!(said.len() == 1 && said[0].contains(why), "{lines}: {said:#?}");
    };
    session.say("newgame");
    one(&mut session, "makemove Ra1", "log Error: the position stands as it was: turn 1 of gold is illegal");
    session.say(&format!("makemove {GOLD}"));
    one(&mut session, "makemove ra8", "turn 1 of silver is illegal");
    one(&mut session, "makemove Ed2n", "silver has yet to set up its pieces");
    assert!(session.answers(&format!("makemove {SILVER}")).is_empty());
    let goal = format!("setposition g [{}R{}r{}]", " ".repeat(8), " ".repeat(22), " ".repeat(32));
    assert!(session.answers(&format!("{goal}\nmakemove Ra7n")).is_empty());
    let over = "log Error: the position stands as it was: the game is over: gold won by goal";
    one(&mut session, "makemove rh4s", over);
    session.say("go ponder\nstop");
    assert_eq!(session.until("bestmove").last().unwrap(), "bestmove resign");
}

#[test]
fn captures_that_are_missing_or_wrong_are_put_right_with_a_warning() {
    let board = format!(
        "{}r{}E{}r{}R{}",
        " ".repeat(8),
        " ".repeat(17),
        " ".repeat(7),
        " ".repeat(20),
        " ".repeat(8)
    );
    let position = format!("setposition g [{board}]");
    for (turn, warned) in [("rc4s Ec5s", true), ("rc4s rc3x Ec5s", false), ("rc4s rf3x Ec5s", true)] {
        let mut session = Session::nodes(200);
        session.say("aei");
        session.until("aeiok");
        let said = session.answers(&format!("{position}\nmakemove {turn}"));
        assert_eq!(said.len(), usize::from(warned), "{turn}: {said:#?}");
        assert!(
            said.iter().all(|line| line.starts_with("log Warning:") && line.contains("`rc4s rc3x Ec5s`"))
        );
        session.say("go");
        session.until("bestmove r");
    }
}

#[test]
fn a_table_that_cannot_be_had_is_told_and_a_turn_is_found_all_the_same() {
    let mut session =
        Session::begin(Settings { hash_mib: u32::MAX, limits: Limits::nodes(200), ..Settings::default() });
    session.say(&format!("aei\nnewgame\nmakemove {GOLD}\nmakemove {SILVER}\ngo"));
    let said = session.until("bestmove");
    let warning =
        "log Warning: there is not enough memory for a table of 4294967295 MiB, only for one of 32 MiB";
    assert!(said.iter().any(|line| line.starts_with(warning)), "{said:#?}");
}

#[test]
fn the_turns_of_a_line_after_the_first_begin_with_the_letter_of_their_side() {
    let mut session = Session::begin(Settings {
        limits: Limits { depth: Some(6), ..Limits::default() },
        ..Settings::default()
    });
    session.say(&format!("aei\nnewgame\nmakemove {GOLD}\nmakemove {SILVER}\ngo"));
    let said = session.until("bestmove");
    let line = said.iter().rfind(|line| line.starts_with("info pv ")).unwrap();
    let mut turns = line.strip_prefix("info pv ").unwrap().split(" s ");
    let first = turns.next().unwrap();
    assert_eq!(said.last().unwrap(), &format!("bestmove {first}"));
    let second = turns.next().unwrap();
    assert!(second.split(' ').all(|step| step.len() == 4), "{line}");
    assert!(!first.contains(" g") && turns.next().is_none(), "{line}");
}
