//! Datasets on a web host and in an object store. The web host is a few lines here, so that requests can be counted; the
//! object store is `moto_server`, of the Python that `ANNALS_PYTHON` names.

use std::collections::BTreeMap;
use std::env::var_os;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::program::{Place, Run};
use crate::server::Server;

/// Bytes that were sent, by file.
type Sent = Arc<Mutex<BTreeMap<String, (u64, u64)>>>;

/// How a web host answers.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Ranges,
    WholeFiles,
    /// As the pages of an application.
    EveryName,
    /// Connections are closed.
    Away,
}

/// A web host for the files of a folder: HEAD, and GET of ranges.
fn host(folder: PathBuf) -> (String, Sent) {
    let (address, sent, _) = host_with(folder, Manner::Ranges);
    (address, sent)
}

fn host_with(folder: PathBuf, manner: Manner) -> (String, Sent, Arc<Mutex<Manner>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sent, manner) = (Sent::default(), Arc::new(Mutex::new(manner)));
    let (counted, present) = (sent.clone(), manner.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (folder, counted, present) = (folder.clone(), counted.clone(), present.clone());
            std::thread::spawn(move || serve(&stream, &folder, &counted, &present));
        }
    });
    (address, sent, manner)
}

fn serve(stream: &TcpStream, folder: &Path, sent: &Sent, manner: &Mutex<Manner>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut request = String::new();
        reader.read_line(&mut request).ok().filter(|read| *read > 0)?;
        let (mut range, mut line) = (None, String::new());
        while reader.read_line(&mut line).ok()? > 2 {
            if let Some(given) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
                let (from, to) = given.trim().split_once('-')?;
                range = Some((from.parse::<u64>().ok()?, to.parse::<u64>().ok()?));
            }
            line.clear();
        }
        match *manner.lock().ok()? {
            Manner::Ranges => {}
            Manner::WholeFiles => range = None,
            Manner::EveryName => {
                let mut stream = stream;
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").ok()?;
                continue;
            }
            Manner::Away => return None,
        }
        let (method, path) = request.split_once(' ')?;
        let name = path.split(' ').next()?.trim_start_matches('/');
        let mut stream = stream;
        let Ok(mut file) = fs::File::open(folder.join(name)) else {
            stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").ok()?;
            continue;
        };
        let size = file.metadata().ok()?.len();
        let (from, to) = range.map_or((0, size), |(from, to)| (from, (to + 1).min(size)));
        let status = if range.is_some() { "206 Partial Content" } else { "200 OK" };
        let length = to - from;
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nContent-Range: bytes {from}-{}/{size}\r\n\
             Last-Modified: Mon, 02 Feb 2026 00:00:00 GMT\r\nAccept-Ranges: bytes\r\n\r\n",
            to.saturating_sub(1)
        )
        .ok()?;
        if method == "GET" {
            let mut part = vec![0; usize::try_from(length).ok()?];
            file.seek(SeekFrom::Start(from)).ok()?;
            file.read_exact(&mut part).ok()?;
            stream.write_all(&part).ok()?;
            let mut sent = sent.lock().ok()?;
            let counts = sent.entry(name.to_owned()).or_default();
            *counts = (counts.0 + length, size);
        }
    }
}

/// A home with 3,000 games.
fn home() -> Place {
    let place = Place::new();
    place.grow("games.txt", 3_000, 7);
    place.ask(&["ingest", "games.txt"]);
    place
}

fn at(place: &Place, address: &str, environment: &[(&str, &str)], words: &[&str]) -> Run {
    let all: Vec<&str> = ["--home", "empty", "--dataset", address].iter().chain(words).copied().collect();
    let cache = place.path("cache");
    let mut command = place.command(&all);
    let output = command.env("XDG_CACHE_HOME", cache).envs(environment.iter().copied()).output().unwrap();
    Run {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        talk: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

const COUNT: &[&str] = &["query", "SELECT count(*) FROM games WHERE game_id = 1001500"];

#[test]
fn of_files_on_a_web_host_only_ranges_are_requested_and_footers_once() {
    let place = home();
    place.ask(&["publish", "public"]);
    let (address, sent) = host(place.path("public"));
    let show = ["game", "show", "1001500", "--turn", "last"];
    let there = at(&place, &address, &[], &show);
    assert_eq!((there.status, &there.out), (0, &place.ask(&show)), "{there:?}");
    sent.lock().unwrap().clear();
    fs::remove_dir_all(place.path("cache")).unwrap();
    let one_column = ["query", "SELECT max(ply) FROM turns WHERE game_id > 1001500"];
    assert_eq!(at(&place, &address, &[], &one_column).out, place.ask(&one_column));
    let first: BTreeMap<String, (u64, u64)> = std::mem::take(&mut *sent.lock().unwrap());
    let turns: Vec<_> = first.iter().filter(|(name, _)| name.starts_with("turns/")).collect();
    assert!(!turns.is_empty());
    let (read, size) =
        turns.iter().fold((0, 0), |(read, size), (_, counts)| (read + counts.0, size + counts.1));
    assert!(read * 2 < size, "{read} of {size} bytes of the turns were requested");

    // Footers and page indexes are kept on this machine.
    let kept = fs::read_dir(place.path("cache/annals/footers")).unwrap().count();
    assert!(kept > 0);
    assert_eq!(at(&place, &address, &[], COUNT).status, 0);
    sent.lock().unwrap().clear();
    assert_eq!(at(&place, &address, &[], COUNT).out, place.ask(COUNT));
    let second: u64 = sent.lock().unwrap().values().map(|counts| counts.0).sum();
    let tails: u64 =
        first.iter().filter(|(name, _)| name.ends_with(".parquet")).map(|(_, counts)| counts.0).sum();
    assert!(second < tails, "{second} bytes the second time, {tails} the first");

    // A kept footer that was damaged is requested again.
    for entry in fs::read_dir(place.path("cache/annals/footers")).unwrap().flatten() {
        let mut bytes = fs::read(entry.path()).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(entry.path(), bytes).unwrap();
    }
    assert_eq!(at(&place, &address, &[], COUNT).out, place.ask(COUNT));
    let run =
        at(&place, &address, &[], &["learn", "features", "--rating-floor", "none", "-o", "there.parquet"]);
    assert_eq!(run.status, 0, "{run:?}");
    place.ask(&["learn", "features", "--rating-floor", "none", "-o", "here.parquet"]);
    let bytes = |name| fs::read(place.path(name)).unwrap();
    assert!(bytes("here.parquet") == bytes("there.parquet"), "the feature tables differ");
    let run = place.run(&["publish", &address]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("cannot be written") && run.talk.contains("hint: "), "{run:?}");
}

#[test]
fn without_a_network_or_rights_the_error_says_so() {
    let place = Place::new();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = format!("http://{closed}");
    let keys =
        [("AWS_ACCESS_KEY_ID", "none"), ("AWS_SECRET_ACCESS_KEY", "none"), ("AWS_REGION", "eu-central-1")];
    let s3 = [&keys[..], &[("AWS_ENDPOINT_URL", address.as_str()), ("AWS_ALLOW_HTTP", "true")]].concat();
    for (dataset, environment) in [(address.as_str(), &[][..]), ("s3://bucket/prefix", &s3)] {
        let run = at(&place, dataset, environment, COUNT);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.talk.contains("cannot be read") && run.talk.contains("hint: check the network"),
            "{run:?}"
        );
    }
    let (empty, _) = host(place.path(""));
    let run = at(&place, &empty, &[], COUNT);
    assert!(run.status == 2 && run.talk.contains("there is no dataset in http://"), "{run:?}");
}

#[test]
fn a_web_host_without_ranges_or_with_an_answer_for_every_name_is_named_as_the_cause() {
    let place = Place::new();
    place.grow("games.txt", 100, 7);
    place.ask(&["ingest", "games.txt"]);
    place.ask(&["publish", "public"]);
    for (manner, cause, hint) in [
        (Manner::WholeFiles, "sends whole files only, not ranges of them", "host with range requests"),
        (
            Manner::EveryName,
            "has an answer for every name",
            "the folder of the host that has the numbered manifests",
        ),
    ] {
        let (address, _, _) = host_with(place.path("public"), manner);
        for words in [COUNT, &["study", "run", "growth"][..], &["game", "list"], &["doctor"]] {
            let run = at(&place, &address, &[], words);
            assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?}: {run:?}");
            assert!(run.talk.contains(cause) && run.talk.contains(hint), "{words:?}: {run:?}");
        }
    }
    let (address, _, _) = host_with(place.path("public"), Manner::Ranges);
    assert_eq!(at(&place, &address, &[], &["doctor"]).status, 0);
    fs::write(place.path("public/manifest-1.json"), "{}").unwrap();
    let run = at(&place, &address, &[], COUNT);
    assert!(run.status == 2 && run.talk.contains("is damaged") && run.talk.contains("hint: "), "{run:?}");
}

#[test]
fn a_server_has_pages_while_its_store_answers_and_an_error_when_it_does_not() {
    let place = home();
    place.ask(&["publish", "public"]);
    let (address, _, manner) = host_with(place.path("public"), Manner::Ranges);
    let server = Server::start(&place, "empty", &["--dataset", &address]);
    let games = server.page("/games.json");
    // Longer than the server takes a dataset at an address to be the last one.
    let later = Duration::from_millis(5_200);
    for _ in 0..2 {
        std::thread::sleep(later);
        assert_eq!(server.page("/games.json"), games);
        // A page that is kept, and one that is not.
        assert!(server.page("/game/1001500").contains("1001500"));
        *manner.lock().unwrap() = Manner::Away;
        std::thread::sleep(later);
        for path in ["/games.json", "/game/1001500.json", "/players.json", "/sql.json?q=SELECT+1+FROM+games"]
        {
            let response = server.get(path);
            assert_eq!(response.status, 500, "{path}: {response:?}");
            assert!(response.body.contains(&address), "{path}: {response:?}");
            assert!(response.body.contains("cannot be read"), "{path}: {response:?}");
        }
        *manner.lock().unwrap() = Manner::Ranges;
    }
    std::thread::sleep(later);
    assert_eq!(server.page("/games.json"), games);
    // What was published meanwhile is shown.
    place.grow("more.txt", 3_010, 8);
    place.ask(&["ingest", "more.txt"]);
    place.ask(&["publish", "public"]);
    std::thread::sleep(later);
    assert_ne!(server.page("/games.json"), games);
    assert_eq!(server.end(), Some(0));
}

/// An object store, ended when it is dropped.
struct Moto {
    process: Child,
    endpoint: String,
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Moto {
    /// Starts it with the bucket `games`; none, said aloud, without the package.
    fn start() -> Option<Moto> {
        let python = var_os("ANNALS_PYTHON").unwrap_or_else(|| "python3".into());
        let has = Command::new(&python).args(["-c", "import moto.server"]).stderr(Stdio::null()).status();
        if !has.is_ok_and(|status| status.success()) {
            assert!(var_os("ANNALS_PYTHON").is_none(), "ANNALS_PYTHON has no moto[server]");
            eprintln!("skipped: python3 has no moto[server] (ANNALS_PYTHON names another)");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let port = port.to_string();
        let mut command = Command::new(&python);
        let code = "import sys; from moto.server import main; main(['-H', '127.0.0.1', '-p', sys.argv[1]])";
        command.args(["-c", code, &port]).stdout(Stdio::null()).stderr(Stdio::null());
        let moto = Moto { process: command.spawn().unwrap(), endpoint: format!("http://127.0.0.1:{port}") };
        for _ in 0..300 {
            if moto.put_bucket(&port).is_some() {
                return Some(moto);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the object store did not start");
    }

    fn put_bucket(&self, port: &str) -> Option<()> {
        request(port, "PUT", "/games").filter(|answer| answer.starts_with("HTTP/1.1 200")).map(drop)
    }

    fn delete(&self, object: &str) {
        let (_, port) = self.endpoint.rsplit_once(':').unwrap();
        let answer = request(port, "DELETE", object).unwrap();
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    }

    fn environment(&self) -> Vec<(&str, &str)> {
        vec![
            ("AWS_ENDPOINT_URL", &self.endpoint),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
            ("AWS_REGION", "us-east-1"),
        ]
    }
}

fn request(port: &str, method: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).ok()?;
    // The signature is not compared.
    let credential = "Credential=test/20260202/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0";
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: AWS4-HMAC-SHA256 {credential}\r\n\
         Content-Length: 0\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

#[test]
fn a_dataset_in_an_object_store_is_published_and_read() {
    let Some(moto) = Moto::start() else { return };
    let place = home();
    let publish = |place: &Place, home: &str| {
        let mut command = place.command(&["--home", home, "publish", "s3://games/arimaa", "--json"]);
        command.envs(moto.environment());
        command
    };
    let output = publish(&place, "home").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for words in [
        &["query", "SELECT year, count(*), max(key) FROM turns GROUP BY year ORDER BY year"][..],
        &["game", "show", "1001500", "--turn", "last"],
        &["study", "run", "growth"],
    ] {
        let there = at(&place, "s3://games/arimaa", &moto.environment(), words);
        assert_eq!((there.status, &there.out), (0, &place.ask(words)), "{there:?}");
    }

    // Writers at once: each number has one winner, and what is read last is one of them, whole.
    for writer in 0..4 {
        place.grow(&format!("{writer}.txt"), 40 + writer, 100 + writer);
        place.ask(&["--home", &format!("writer-{writer}"), "ingest", &format!("{writer}.txt")]);
    }
    for _ in 0..5 {
        let writers: Vec<Child> = (0..4)
            .map(|writer| publish(&place, &format!("writer-{writer}")))
            .map(|mut command| command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
            .collect();
        let mut numbers = Vec::new();
        for writer in writers {
            let output = writer.wait_with_output().unwrap();
            let talk = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => {
                    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                    if shown["is_new"] == true {
                        numbers.push(shown["number"].as_u64().unwrap());
                    }
                }
                Some(2) => assert!(talk.contains("another publication has created"), "{talk}"),
                other => panic!("{other:?}: {talk}"),
            }
        }
        numbers.sort_unstable();
        let distinct = numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        assert!(!numbers.is_empty() && distinct, "{numbers:?}");
        let there =
            at(&place, "s3://games/arimaa", &moto.environment(), &["query", "SELECT count(*) FROM games"]);
        assert_eq!(there.status, 0, "{there:?}");
    }

    // The last number counts, whichever were deleted before.
    let count = &["query", "SELECT count(*) FROM games"];
    let last = at(&place, "s3://games/arimaa", &moto.environment(), count);
    for deleted in ["/games/arimaa/manifest-2.json", "/games/arimaa/manifest-1.json"] {
        moto.delete(deleted);
        let there = at(&place, "s3://games/arimaa", &moto.environment(), count);
        assert_eq!((there.status, &there.out), (0, &last.out), "without {deleted}: {there:?}");
    }
    let checked = at(&place, "s3://games/arimaa", &moto.environment(), &["doctor"]);
    assert!(checked.status == 0 && checked.out.contains("every file has the content"), "{checked:?}");

    // A bucket that does not exist.
    let run = at(&place, "s3://elsewhere/arimaa", &moto.environment(), COUNT);
    let publishing =
        place.command(&["publish", "s3://elsewhere/arimaa"]).envs(moto.environment()).output().unwrap();
    assert_eq!((run.status, publishing.status.code()), (2, Some(2)), "{run:?}");
    for talk in [run.talk, String::from_utf8_lossy(&publishing.stderr).into_owned()] {
        assert!(
            talk.contains("its bucket does not exist") && talk.contains("hint: create the bucket"),
            "{talk}"
        );
    }
}
