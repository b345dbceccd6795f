//! Queries on workers, with what can fail between them. Each worker is reached through a relay. It passes bytes on until a
//! fault happens there: connections end, or nothing passes any more; the worker is killed, and perhaps started again; or
//! another dataset is published. The answer is right, or there is an error and no answer.
//!
//! A seed determines the query, the faults, and how many bytes pass before them. The order of the bytes of several
//! connections is that of the machine.
//!
//! ```sh
//! ANNALS_SEEDS=1000 cargo test -p annals --features cluster --test annals -- worker_faults --nocapture
//! ANNALS_SEED=17 cargo test -p annals --features cluster --test annals -- worker_faults --nocapture
//! ```

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::program::{Place, Run};
use crate::workers::{WorkerProcess, demonstration, on_demonstration};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// One connection ends.
    Ends,
    /// All connections end, and no other is made.
    Unreachable,
    /// Nothing passes any more, and no connection ends.
    Silent,
    /// Nothing passes for some time.
    Slow,
    Killed,
    /// Killed, and started again at once.
    Restarted,
    /// A dataset with more games is published.
    Published,
}

#[derive(Default)]
struct State {
    /// The address of the worker itself.
    worker: String,
    /// The fault, and how many bytes pass before it.
    plan: Option<(u64, Fault)>,
    happened: Option<Fault>,
    is_unreachable: bool,
    /// Bytes wait.
    is_held: bool,
    connections: Vec<TcpStream>,
}

impl State {
    fn end_connections(&mut self) {
        self.connections.drain(..).for_each(|connection| drop(connection.shutdown(Shutdown::Both)));
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Connects both sides.
    fn connect(self: &Arc<Shared>, near: TcpStream) {
        let mut state = self.state();
        let far = (!state.is_unreachable).then(|| TcpStream::connect(&state.worker));
        let Some(Ok(far)) = far else { return drop(near.shutdown(Shutdown::Both)) };
        for (from, to) in [(&near, &far), (&far, &near)] {
            state.connections.push(from.try_clone().unwrap());
            let (from, to, shared) = (from.try_clone().unwrap(), to.try_clone().unwrap(), Arc::clone(self));
            thread::spawn(move || shared.pass(from, to));
        }
    }

    /// Passes bytes on until the connection ends, here or there.
    fn pass(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut bytes = [0; 4096];
        while let Ok(count) = from.read(&mut bytes)
            && count > 0
        {
            let (before, ends) = self.before_fault(count);
            let mut sent = to.write_all(&bytes[..before]);
            if sent.is_ok() && !ends {
                drop(self.changed.wait_while(self.state(), |state| state.is_held).unwrap());
                sent = to.write_all(&bytes[before..count]);
            }
            if ends || sent.is_err() {
                break;
            }
        }
        for stream in [from, to] {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// How many of some bytes pass before the fault, which then happens, and whether their connection ends there.
    fn before_fault(&self, count: usize) -> (usize, bool) {
        let mut state = self.state();
        let left = match &mut state.plan {
            None => return (if state.is_held { 0 } else { count }, false),
            Some((left, _)) if *left > count as u64 => {
                *left -= count as u64;
                return (count, false);
            }
            Some((left, _)) => usize::try_from(*left).unwrap(),
        };
        let fault = state.plan.take().unwrap().1;
        state.happened = Some(fault);
        match fault {
            Fault::Ends => {}
            Fault::Unreachable => {
                state.is_unreachable = true;
                state.end_connections();
            }
            _ => state.is_held = true,
        }
        (left, matches!(fault, Fault::Ends | Fault::Unreachable))
    }
}

/// A worker, and the listener before it.
struct Relay {
    address: String,
    shared: Arc<Shared>,
    process: WorkerProcess,
}

impl Relay {
    fn start(place: &Place) -> Relay {
        let process = WorkerProcess::start(place, &[]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let shared = Arc::<Shared>::default();
        let of_listener = Arc::clone(&shared);
        thread::spawn(move || listener.incoming().flatten().for_each(|near| of_listener.connect(near)));
        Relay { address, shared, process }
    }

    /// Ends what is left of the last query; the worker is there again, and will meet a fault.
    fn prepare(&mut self, place: &Place, plan: Option<(u64, Fault)>) {
        let mut state = self.shared.state();
        state.end_connections();
        if state.happened == Some(Fault::Killed) {
            self.process = WorkerProcess::start(place, &[]);
        }
        *state = State { worker: self.process.address.clone(), plan, ..State::default() };
        self.shared.changed.notify_all();
    }

    /// Does what a fault asks for besides its connections, while bytes wait.
    fn act(&mut self, world: &mut World) {
        let mut state = self.shared.state();
        let Some(fault) = state.happened.filter(|fault| *fault != Fault::Silent && state.is_held) else {
            return;
        };
        match fault {
            Fault::Slow => thread::sleep(Duration::from_millis(200)),
            Fault::Published => world.publish(),
            Fault::Killed | Fault::Restarted => {
                self.process.child.kill().unwrap();
                self.process.child.wait().unwrap();
                if fault == Fault::Restarted {
                    self.process = WorkerProcess::start(&world.place, &[]);
                    state.worker.clone_from(&self.process.address);
                }
            }
            Fault::Ends | Fault::Unreachable | Fault::Silent => unreachable!(),
        }
        state.is_held = false;
        self.shared.changed.notify_all();
    }
}

/// Queries in several stages, with one order of their rows and without floating-point numbers.
const QUERIES: [&str; 5] = [
    "SELECT game_id, max(ply) AS plies FROM turns GROUP BY game_id ORDER BY plies DESC, game_id",
    "SELECT g.termination, count(*) AS turns FROM turns AS t JOIN games AS g ON g.game_id = t.game_id GROUP BY 1 ORDER BY 1",
    "SELECT a.game_id, count(*) AS n, sum(b.ply) AS s FROM turns AS a JOIN turns AS b ON a.game_id = b.game_id \
     GROUP BY 1 ORDER BY 1",
    "SELECT t.game_id, t.ply, sum(t.g_rabbits) OVER (PARTITION BY t.game_id ORDER BY t.ply) AS s FROM turns AS t ORDER BY 1, 2",
    "SELECT t.game_id, t.ply, t.board FROM turns AS t JOIN games AS g ON g.game_id = t.game_id ORDER BY 1, 2",
];

/// After this a query counts as one that does not end: a silent worker is given up after 30 s.
const TOO_LONG: Duration = Duration::from_secs(90);

struct World {
    place: Place,
    /// The datasets published so far.
    published: u32,
    /// The right answers, by dataset and query.
    right: BTreeMap<(u32, &'static str), String>,
}

impl World {
    fn publish(&mut self) {
        self.published += 1;
        let name = format!("more-{}.txt", self.published);
        self.place.grow(&name, 3, self.published);
        self.place.ask(&on_demonstration(&["ingest", &name]));
    }

    fn right(&mut self, query: &'static str) -> String {
        let ask = || self.place.ask(&on_demonstration(&["query", "--format", "csv", query]));
        self.right.entry((self.published, query)).or_insert_with(ask).clone()
    }

    /// Runs a query on workers that meet faults. Returns its output, and the contents of its file.
    fn run(&mut self, query: &'static str, relays: &mut [Relay]) -> (Run, Option<String>) {
        let addresses: Vec<&str> = relays.iter().map(|relay| relay.address.as_str()).collect();
        self.place.write("cluster.toml", format!("workers = {addresses:?}\nscan_bytes = 1\n"));
        let answer = self.place.path("answer.csv");
        let _ = std::fs::remove_file(&answer);
        let words =
            ["query", "--explain", "--format", "csv", "-o", "answer.csv", "--workers", "cluster.toml"];
        let words = on_demonstration(&[&words[..], &[query]].concat());
        let mut child = self.place.command(&words).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.code().unwrap_or(-1);
            }
            if begun.elapsed() > TOO_LONG {
                child.kill().unwrap();
            }
            relays.iter_mut().for_each(|relay| relay.act(self));
            thread::sleep(Duration::from_millis(5));
        };
        let mut talk = String::new();
        child.stderr.take().unwrap().read_to_string(&mut talk).unwrap();
        (Run { status, out: String::new(), talk }, std::fs::read_to_string(answer).ok())
    }
}

fn dice(of: &[u64], limit: u64) -> u64 {
    let digest =
        Sha256::new_with_prefix(of.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
    u64::from_le_bytes(digest.finalize()[..8].try_into().unwrap()) % limit
}

/// The fault of a relay: each seed has one fault at least, except one in eight.
fn plan(seed: u64, relay: u64) -> Option<(u64, Fault)> {
    let is_first = relay == dice(&[seed, 12], 2) && dice(&[seed, 13], 8) > 0;
    if !is_first && dice(&[seed, relay, 0], 5) > 0 {
        return None;
    }
    let fault = match dice(&[seed, relay, 1], 32) {
        0..8 => Fault::Ends,
        8..13 => Fault::Unreachable,
        13..15 => Fault::Silent,
        15..19 => Fault::Slow,
        19..25 => Fault::Killed,
        25..29 => Fault::Restarted,
        _ => Fault::Published,
    };
    let most = 1 << dice(&[seed, relay, 2], 20);
    Some((dice(&[seed, relay, 3], most), fault))
}

#[test]
fn whatever_fails_on_the_way_to_workers_an_answer_is_right_or_there_is_none() {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse::<u64>().ok());
    let mut world = World { place: demonstration(), published: 0, right: BTreeMap::new() };
    let mut relays: Vec<Relay> = (0..3).map(|_| Relay::start(&world.place)).collect();
    let seeds = match number("ANNALS_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("ANNALS_SEEDS").unwrap_or(30),
    };
    let mut counts = BTreeMap::<String, u32>::new();
    for seed in seeds {
        let count = 2 + usize::try_from(dice(&[seed, 10], 2)).unwrap();
        let query = QUERIES[usize::try_from(dice(&[seed, 11], QUERIES.len() as u64)).unwrap()];
        let right = world.right(query);
        for (number, relay) in (0..).zip(&mut relays) {
            relay.prepare(&world.place, plan(seed, number));
        }
        let (run, answer) = world.run(query, &mut relays[..count]);
        let happened: Vec<Fault> = relays.iter().filter_map(|relay| relay.shared.state().happened).collect();
        let of = format!("seed {seed}: {happened:?}, {}\n{}", query, run.talk);
        if number("ANNALS_SEED").is_some() {
            println!("{of}");
        }
        match answer {
            Some(answer) => {
                assert_eq!(run.status, 0, "{of}");
                assert_eq!(answer, right, "{of}");
                let is_here = run.talk.contains("workers: none");
                *counts
                    .entry(format!("answered {}", if is_here { "here" } else { "on workers" }))
                    .or_default() += 1;
            }
            None => {
                assert!(run.status == 2 && run.talk.contains("error: "), "{of}");
                assert!(!run.talk.contains("panicked"), "{of}");
                assert!(!happened.is_empty(), "{of}");
                *counts.entry("refused".to_owned()).or_default() += 1;
            }
        }
        for fault in happened {
            *counts.entry(format!("{fault:?}")).or_default() += 1;
        }
    }
    println!("{counts:#?}");
}
