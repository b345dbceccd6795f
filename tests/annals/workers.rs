//! `annals worker` as processes, and queries that send parts of their plans to them.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;

const TOKEN: &str = "0123456789abcdef-token";

pub struct WorkerProcess {
    pub child: Child,
    /// `127.0.0.1:PORT`.
    pub address: String,
}

impl WorkerProcess {
    pub fn start(place: &Place, options: &[&str]) -> WorkerProcess {
        let words = [&["--home", "annals-demo", "worker", "--listen", "127.0.0.1:0"], options].concat();
        let mut child = place.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        WorkerProcess { child, address: line.trim().to_owned() }
    }
}

impl WorkerProcess {
    /// Ends it, and returns the number of tasks that it counted itself.
    fn tasks(mut self) -> u64 {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
        let mut said = String::new();
        self.child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success(), "{said}");
        let last = said.lines().last().unwrap();
        let tasks = last.strip_prefix("note: ").and_then(|rest| rest.split(' ').next());
        tasks.and_then(|tasks| tasks.replace(',', "").parse().ok()).unwrap_or_else(|| panic!("{said}"))
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The demonstration, with a file that lists workers and lets scans of any size be distributed.
fn place(workers: &[&WorkerProcess], place: &Place) {
    let addresses: Vec<&str> = workers.iter().map(|worker| worker.address.as_str()).collect();
    place.write("cluster.toml", format!("workers = {addresses:?}\nscan_bytes = 1\n"));
}

pub fn demonstration() -> Place {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
    place
}

pub fn on_demonstration<'w>(words: &[&'w str]) -> Vec<&'w str> {
    [&["--home", "annals-demo"], words].concat()
}

/// Whether two answers agree: sums of floating-point numbers depend on their order, so these may differ in the last digits.
fn agree(one: &str, other: &str) -> bool {
    let agree = |(a, b): (&str, &str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        _ => a == b,
    };
    let fields = |text: &str| text.split([',', '\n']).map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (fields(one), fields(other));
    one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| agree((a, b)))
}

/// Queries with joins, windows, functions of Annals, the log and small tables.
const QUERIES: [&str; 8] = [
    "SELECT count(*) AS n, sum(ply) AS plies, min(year) AS first FROM turns",
    "SELECT game_id, max(ply) AS plies FROM turns GROUP BY game_id ORDER BY plies DESC, game_id LIMIT 20",
    "SELECT g.termination, count(*) AS turns FROM turns AS t JOIN games AS g ON g.game_id = t.game_id GROUP BY 1 ORDER BY 1",
    "SELECT t.game_id, t.ply, sum(t.g_rabbits) OVER (PARTITION BY t.game_id ORDER BY t.ply) AS s FROM turns AS t ORDER BY 1, 2 LIMIT 50",
    "SELECT piece_at(board, 'e4') AS piece, count(*) AS n FROM turns GROUP BY 1 ORDER BY 1",
    "SELECT e.type, count(*) AS n FROM events AS e GROUP BY 1 ORDER BY 1",
    "SELECT e.type, count(*) AS n FROM events AS e JOIN (SELECT count(*) AS turns FROM turns) AS t ON e.seq <= t.turns GROUP BY 1 ORDER BY 1",
    "SELECT s.rank, s.name, (SELECT count(*) FROM turns) AS turns FROM standings('cup') AS s ORDER BY 1, 2",
];

#[test]
fn queries_and_studies_have_equal_answers_here_and_on_one_two_and_four_workers() {
    let home = demonstration();
    let workers: Vec<WorkerProcess> = (0..4).map(|_| WorkerProcess::start(&home, &[])).collect();
    let query = |sql: &str, more: &[&str]| {
        home.run(&on_demonstration(&[&["query", "--format", "csv", "--explain", sql], more].concat()))
    };
    let listed = home.ask_json(&on_demonstration(&["study", "list", "--json"]));
    let studies: Vec<String> =
        listed.as_array().unwrap().iter().map(|study| study["name"].as_str().unwrap().to_owned()).collect();
    assert!(studies.len() > 15, "{studies:?}");
    let study = |name: &str, more: &[&str]| {
        let words = [&["study", "run", name, "--format", "csv"], more].concat();
        home.ask(&on_demonstration(&words))
    };
    let local: Vec<String> = QUERIES.iter().map(|sql| query(sql, &[]).out).collect();
    let local_studies: Vec<String> = studies.iter().map(|name| study(name, &[])).collect();
    for count in [1, 2, 4] {
        place(&workers.iter().take(count).collect::<Vec<_>>(), &home);
        let on_workers = ["--workers", "cluster.toml"];
        let mut most_tasks = 0;
        for (sql, local) in QUERIES.iter().zip(&local) {
            let run = query(sql, &on_workers);
            assert_eq!(run.status, 0, "{sql}\n{run:?}");
            assert!(agree(&run.out, local), "{count} workers, {sql}\n{}\nalone\n{local}", run.out);
            let tasks = run.talk.lines().find_map(|line| {
                let (_, tasks) = line.strip_prefix("workers: ")?.split_once(" stages in ")?;
                tasks.strip_suffix(" tasks")?.parse::<usize>().ok()
            });
            most_tasks = most_tasks.max(tasks.unwrap_or(0));
        }
        // One worker alone would only add a connection: the planner leaves such a query here.
        assert!(count == 1 || most_tasks >= 2, "{most_tasks} tasks on {count} workers");
        for (name, local) in studies.iter().zip(&local_studies) {
            let answer = study(name, &on_workers);
            assert!(agree(&answer, local), "{count} workers, {name}\n{answer}\nalone\n{local}");
        }
    }
    // By their own counters all of them ran parts of plans.
    let tasks: Vec<u64> = workers.into_iter().map(WorkerProcess::tasks).collect();
    assert!(tasks.iter().all(|tasks| *tasks > 0), "{tasks:?}");
}

#[test]
fn a_small_query_runs_here_and_a_token_and_missing_workers_are_named() {
    let home = demonstration();
    let worker = WorkerProcess::start(&home, &["--token", TOKEN]);
    let query = |workers: &str, token: &str| {
        let words = on_demonstration(&[
            "query",
            "--explain",
            "SELECT count(ply) AS n FROM turns",
            "--workers",
            workers,
        ]);
        let output = home.command(&words).env("ANNALS_TOKEN", token).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, _, said) = query(&worker.address, TOKEN);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("workers: none, the query ran here"), "{said}");
    for token in ["", "another-token-of-length"] {
        let (status, _, said) = query(&worker.address, token);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("requires a token") && !said.contains(TOKEN), "{said}");
    }
    let (status, _, said) = query("127.0.0.1:1", TOKEN);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("127.0.0.1:1") && said.contains("does not answer"), "{said}");
    // One that does not answer is left out.
    let (status, _, said) = query(&format!("127.0.0.1:1,{}", worker.address), TOKEN);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("note: http://127.0.0.1:1/ does not answer"), "{said}");
    let open = home.run(&on_demonstration(&["worker", "--listen", "0.0.0.0:0"]));
    assert_eq!(open.status, 2, "{open:?}");
    assert!(open.talk.contains("is reached from other machines"), "{open:?}");
}
