//! `annals serve`: every page says what the command line says, access is limited, and nothing that is sent ends the server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::server::{Server, demonstration};

/// Every kind of page.
pub const PAGES: &[&str] = &[
    "/",
    "/tournaments",
    "/tournament/cup",
    "/tournament/cup/crosstable",
    "/tournament/cup/rounds",
    "/tournament/cup/rulings",
    "/tournament/cup/ledger",
    "/tournament/cup/notices",
    "/tournament/cup/history",
    "/tournament/cup/overview",
    "/tournament/cup/changes?since_as_of=round:3",
    "/tournament/cup/audit",
    "/tournament/cup/chart",
    "/tournament/cup/why/3",
    "/tournament/cup/why/bye/3",
    "/tournament/cup/why/colour/r3.2",
    "/tournament/cup/why/qualifier",
    "/games",
    "/game/cup.r1.1",
    "/game/cup.r1.1?turn=7g&step=2",
    "/game/cup.r1.1?as_of=2015-03-01T13:20",
    "/explore",
    "/players",
    "/player/annals-n3000",
    "/search?q=nothing",
    "/log",
    "/log?type=ruling_given",
    "/log/30086",
    "/log/1/proof",
    "/studies",
    "/study/endings",
    "/sql",
    "/sql?q=SELECT%20count(*)%20FROM%20games",
    "/tournament/cup/audit?verdict=compliant",
    "/player/annals-n3000?system=whr",
];

/// Bytes of a page that a reader loads, with all assets.
pub const HEAVIEST: usize = 150 << 10;

#[test]
fn every_page_is_html_and_json_and_loads_nothing_from_elsewhere() {
    let (_, server) = &*demonstration();
    let assets: usize = ["annals.css", "annals.js", "explore.js", "proof.js", "sql.js", "icon.svg"]
        .map(|name| server.page(&format!("/assets/{name}")).len())
        .iter()
        .sum();
    for path in PAGES {
        let packed = server.get_with(path, &["Accept-Encoding: gzip"]);
        let response = server.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.body);
        assert!(response.head.contains("default-src 'none'; script-src 'self'"), "{path}: {}", response.head);
        assert!(response.head.contains("nosniff") && response.head.contains("text/html"), "{path}");
        assert!(response.body.contains("<main id=\"main\""), "{path}");
        for outside in ["src=\"http", "href=\"http", "src=\"//", " style=\"", "<style", "onclick"] {
            assert!(!response.body.contains(outside), "{path} has {outside}");
        }
        assert!(packed.head.contains("content-encoding: gzip"), "{path}: {}", packed.head);
        // Lossily read, the body is not shorter than as it was sent.
        assert!(packed.body.len() / 2 + assets < HEAVIEST, "{path} has {} bytes", packed.body.len());
        let (name, query) = path.split_once('?').unwrap_or((path, ""));
        let name = if name == "/" { "/index" } else { name };
        let json = server.json(&format!("{name}.json?{query}"));
        assert!(json.is_object() || json.is_array() || json.is_null(), "{path}");
        let accepted = server.get_with(path, &["Accept: application/json"]);
        assert_eq!(serde_json::from_str::<Value>(&accepted.body).unwrap(), json, "{path}");
    }
}

#[test]
fn json_that_no_command_prints_has_the_fields_that_are_documented() {
    let (place, server) = &*demonstration();
    let document = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/pages.md");
    let document = std::fs::read_to_string(document).unwrap();
    let table = document.split("## Other JSON").nth(1).unwrap();
    for (address, row) in [
        ("/games.json", "| `/games` |"),
        ("/study/growth.json", "| `/study/NAME` |"),
        ("/log.json", "| `/log` |"),
        ("/log/812.json", "| `/log/SEQ` |"),
    ] {
        let row = table.lines().find(|line| line.starts_with(row)).unwrap_or_else(|| panic!("{row}"));
        let json = server.json(address);
        for field in json.as_object().unwrap().keys() {
            assert!(row.contains(&format!("`{field}`")), "{address}: {field}: {row}");
        }
    }
    let rows = place.ask_json(&["--home", "annals-demo", "study", "run", "growth", "--json"]);
    assert_eq!(server.json("/study/growth.json")["rows"], rows);
}

#[test]
fn the_picture_of_a_player_names_its_rating_system() {
    let (_, server) = &*demonstration();
    let failure = server.get("/player/annals-n3000.svg");
    assert_eq!(failure.status, 400);
    assert!(failure.body.contains("`?system=whr` names one"), "{}", failure.body);
    assert!(server.page("/player/annals-n3000.svg?system=whr").starts_with("<svg "));
    assert_eq!(server.get("/player/nobody-at-all.svg").status, 404);
}

/// The cells of all tables of a page, in order.
fn cells(page: &str) -> Vec<String> {
    let tag = regex::Regex::new("<[^>]*>").unwrap();
    let main = page.split("class=\"content\"").nth(1).unwrap_or(page);
    let cells = main.split("<td").skip(1).filter_map(|rest| rest.split_once('>')?.1.split("</td>").next());
    cells.map(|cell| tag.replace_all(cell, "").replace("&amp;", "&")).collect()
}

#[test]
fn the_standings_at_any_point_are_those_of_the_command_line() {
    let (place, server) = &*demonstration();
    let history = server.json("/tournament/cup/history.json");
    let events = history["events"].as_array().unwrap();
    let time = |event: &Value, key: &str| {
        jiff::Timestamp::from_microsecond(event[key].as_i64().unwrap()).unwrap().to_string()
    };
    // Events from the whole of the record, each slider alone and both together.
    let mut compared = 0;
    for (place_of, event) in events.iter().enumerate().skip(30).step_by(61) {
        let (as_of, known_at) = (time(event, "at"), time(event, "recorded_at"));
        let choices: [&[(&str, &str)]; 3] =
            [&[("as_of", &as_of)], &[("known_at", &known_at)], &[("as_of", &as_of), ("known_at", &known_at)]];
        let chosen = choices[place_of % 3];
        let query: Vec<String> = chosen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let options = chosen
            .iter()
            .flat_map(|(name, value)| [format!("--{}", name.replace('_', "-")), (*value).to_owned()]);
        let options: Vec<String> = options.collect();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        for (view, command) in [("standings", "standings"), ("crosstable", "crosstable")] {
            let words =
                [&["--home", "annals-demo", "tournament", command, "cup", "--json"], &options[..]].concat();
            let path = format!("/tournament/cup/{view}.json?{}", query.join("&"));
            assert_eq!(server.json(&path), without_verdict(place.ask_json(&words)), "{path}");
        }
        let table =
            [&["--home", "annals-demo", "tournament", "standings", "cup", "--format", "csv"], &options[..]]
                .concat();
        let names: Vec<String> = place
            .ask(&table)
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(1).unwrap().to_owned())
            .collect();
        let page = cells(&server.page(&format!("/tournament/cup?{}", query.join("&"))));
        let shown: Vec<&String> = page.iter().filter(|cell| names.contains(cell)).collect();
        assert_eq!(shown, names.iter().collect::<Vec<_>>(), "{query:?}");
        compared += 1;
    }
    assert!(compared >= 7, "{compared}");
}

/// An answer of the command line without what was verified.
fn without_verdict(mut answer: Value) -> Value {
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("verified");
    }
    answer
}

#[test]
fn a_game_an_event_and_a_player_are_those_of_the_command_line() {
    let (place, server) = &*demonstration();
    let ask = |words: &[&str]| place.ask_json(&[&["--home", "annals-demo"], words].concat());
    let game = server.json("/game/cup.r1.1.json?turn=7g");
    assert_eq!(game["moment"], ask(&["game", "show", "game/cup.r1.1", "--turn", "7g", "--json"])["moment"]);
    let running = server.json("/game/cup.r1.1.json?as_of=2015-03-01T13:20:00Z");
    let replay = ask(&["replay", "game/cup.r1.1", "--as-of", "2015-03-01T13:20:00Z", "--json"]);
    assert_eq!(running["state"]["clocks"], replay["clocks"]);
    let proof: Value =
        serde_json::from_str(&place.ask(&["--home", "annals-demo", "log", "prove", "812"])).unwrap();
    assert_eq!(server.json("/log/812/proof.json"), proof);
    let record = ask(&["player", "record", "annals-n3000", "--json"]);
    assert_eq!(server.json("/player/annals-n3000.json")["record"], without_verdict(record));
    let explained =
        ask(&["tournament", "explain", "cup", "3", "--why-not", "annals-n8000", "annals-n750", "--json"]);
    let why = server.json("/tournament/cup/why/3.json?one=annals-n8000&other=annals-n750");
    assert_eq!(why["why_not"], explained["why_not"]);
    let csv =
        server.get("/sql.csv?q=SELECT+termination,+count(*)+AS+games+FROM+games+GROUP+BY+1+ORDER+BY+2+DESC");
    let sql = "SELECT termination, count(*) AS games FROM games GROUP BY 1 ORDER BY 2 DESC";
    assert_eq!(csv.body, place.ask(&["--home", "annals-demo", "query", "--format", "csv", sql]));
}

#[test]
fn what_cannot_be_shown_has_a_status_and_a_reason() {
    let (_, server) = &*demonstration();
    for (path, status, words) in [
        ("/nowhere", 404, "there is no page"),
        ("/tournament/nobody", 404, "the log has no tournament"),
        ("/tournament/cup/everything", 404, "has no view"),
        ("/tournament/cup?as_of=yesterday", 400, "not a valid point in time"),
        ("/tournament/cup?as_of=seq:99999999", 404, "there is no event"),
        ("/tournament/cup?tz=Nowhere", 400, "not a valid time zone"),
        ("/tournament/cup/why/everything", 400, "cannot be explained"),
        ("/game/nobody", 404, "no stream"),
        ("/game/99999999999999999999999", 400, "too large"),
        ("/game/cup.r1.1?turn=900g", 400, "no turn of this game"),
        ("/player/nobody", 404, "nobody"),
        ("/explore?position=xyz", 400, "the side to move is missing"),
        ("/log/0", 404, "no event 0"),
        ("/log/99999999", 404, "no event 99999999"),
        ("/log/abc", 400, "number of an event"),
        ("/study/nothing", 404, "nothing"),
        ("/study/gold_by_rating?width=-1", 400, "width"),
        ("/sql.csv?q=DELETE+FROM+games", 400, "refused"),
        ("/sql.csv?q=SELECT+*+FROM+nowhere", 400, "nowhere"),
        ("/sql.csv?q=COPY+games+TO+%27/tmp/x.csv%27", 400, "refused"),
        ("/sql.csv?q=CREATE+EXTERNAL+TABLE+t+STORED+AS+CSV+LOCATION+%27/etc/passwd%27", 400, "refused"),
        ("/assets/passwd", 404, "no such file"),
        ("/assets/../../etc/passwd", 404, "there is no page"),
        ("/%2e%2e/%2e%2e/etc/passwd", 404, "there is no page"),
    ] {
        let response = server.get(path);
        assert_eq!(response.status, status, "{path}: {}", response.body);
        assert!(response.body.contains(words), "{path}: {}", response.body);
    }
}

#[test]
fn a_hostile_request_is_refused_and_the_server_goes_on() {
    let (_, server) = &*demonstration();
    let status = |lines: &[&str]| server.get_with("/", lines).status;
    assert_eq!(status(&["Host: evil.example"]), 421);
    assert_eq!(status(&["Host: localhost:1"]), 200, "a name of loopback, through a tunnel");
    assert_eq!(status(&["Origin: http://evil.example"]), 403);
    let host = format!("Host: {}", server.address);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
        let response =
            server.send(format!("{method} / HTTP/1.1\r\n{host}\r\nConnection: close\r\n\r\n").as_bytes());
        assert_eq!(response.status, 405, "{method}");
    }
    assert_eq!(server.get(&format!("/player/{}", "a".repeat(9_000))).status, 414);
    assert!(matches!(server.get(&format!("/{}", "a".repeat(60_000))).status, 400 | 414 | 431));
    assert!(matches!(server.send(b"\x16\x03\x01\x02\x00 nonsense \r\n\r\n").status, 0 | 400));
    let hostile = server.get("/player/%3Cscript%3Ealert(1)%3C%2Fscript%3E%E2%80%AE");
    assert_eq!(hostile.status, 404);
    assert!(
        !hostile.body.contains("<script>alert") && !hostile.body.contains('\u{202e}'),
        "{}",
        hostile.body
    );
    // A thousand readers that send half a head.
    let slow: Vec<TcpStream> = (0..1_000)
        .map_while(|_| {
            let mut stream = TcpStream::connect(&server.address).ok()?;
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").ok()?;
            Some(stream)
        })
        .collect();
    assert!(slow.len() > 200, "{}", slow.len());
    let started = Instant::now();
    assert_eq!(server.get("/tournaments").status, 200);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn a_query_without_end_is_stopped_and_others_are_answered() {
    let (_, server) = &*demonstration();
    let endless = "/sql.csv?q=SELECT+count(*)+FROM+range(10000000)+AS+a,+range(10000000)+AS+b+WHERE+a.value+%25+7+=+b.value+%25+5";
    // This reader leaves at once.
    let mut left = TcpStream::connect(&server.address).unwrap();
    left.write_all(format!("GET {endless} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    drop(left);
    assert_eq!(server.get("/sql.csv?q=SELECT+1+AS+one").body, "one\n1\n");
    let response = server.get(endless);
    assert_eq!(response.status, 503, "{}", response.body);
    assert!(response.body.contains("took more than"), "{}", response.body);
}

#[cfg(target_os = "linux")]
#[test]
fn a_join_ends_with_its_reader_and_with_its_time() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
    let server = Server::start(&place, "annals-demo", &[]);
    // Two of them compare many rows and find few or none: nothing comes out of them for minutes.
    for join in [
        "events+AS+a,+events+AS+b+WHERE+a.payload+%3C+b.payload",
        "turns+AS+a,+turns+AS+b,+turns+AS+c+WHERE+(a.ply*b.ply+c.ply)+%25+7+=+9",
        "events+AS+a+JOIN+events+AS+b+ON+a.type+=+b.type+AND+a.seq+*+b.seq+=+-1",
    ] {
        let path = format!("/sql.csv?q=SELECT+count(*)+FROM+{join}");
        let mut left = TcpStream::connect(&server.address).unwrap();
        left.write_all(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes())
            .unwrap();
        std::thread::sleep(Duration::from_secs(3));
        drop(left);
        server.is_idle(join);
    }
    let path = "/sql.csv?q=SELECT+count(*)+FROM+events+AS+a,+events+AS+b+WHERE+a.payload+%3C+b.payload";
    let late = server.get(path);
    assert_eq!(late.status, 503, "{late:?}");
    server.is_idle("after its time");
    // One call would make more than the memory that a query has.
    for large in ["repeat('x',+2000000000)", "repeat('x',+1000000)+||+payload+FROM+events"] {
        let refused = server.get(&format!("/sql.csv?q=SELECT+{large}"));
        assert!(refused.status == 400 && refused.body.contains("256 MiB are allowed"), "{refused:?}");
    }
    assert_eq!(server.get("/sql.csv?q=SELECT+1+AS+one").body, "one\n1\n");
}

#[test]
fn another_address_needs_a_token_and_a_token_is_needed_then() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
    let open = place.run(&["--home", "annals-demo", "serve", "--listen", "0.0.0.0:0"]);
    assert!(open.status == 2 && open.talk.contains("--token"), "{open:?}");
    let weak = place.run(&["--home", "annals-demo", "serve", "--token", "short"]);
    assert!(weak.status == 2 && weak.talk.contains("at least 16"), "{weak:?}");
    let empty = place.run(&["serve"]);
    assert!(empty.status == 2 && empty.talk.contains("annals demo"), "{empty:?}");
    let token = "0123456789abcdef";
    let server = Server::start(&place, "annals-demo", &["--token", token]);
    assert_eq!(server.get("/").status, 401);
    assert_eq!(server.get_with("/", &[&format!("Authorization: Bearer {token}")]).status, 200);
    let kept = server.get(&format!("/log?token={token}&type=ruling_given"));
    assert_eq!(kept.status, 303);
    assert!(kept.head.contains("location: /log?type=ruling_given"), "{}", kept.head);
    assert!(kept.head.contains("httponly; samesite=strict"), "{}", kept.head);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn open_pages_hear_of_an_append_and_a_damaged_log_is_not_shown() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let server = Server::start(&place, "home", &[]);
    let before = server.json("/log.json")["head"]["seq"].as_u64().unwrap();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(stream, "GET /live HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
    let mut lines = BufReader::new(stream).lines();
    assert!(lines.by_ref().map_while(Result::ok).any(|line| line.contains("text/event-stream")));
    place.ask(&["player", "rename", "annals-n750", "<script>alert(1)</script>", "--actor", "omar"]);
    assert!(lines.map_while(Result::ok).any(|line| line == "event: changed"));
    assert_eq!(server.json("/log.json")["head"]["seq"], before + 1);
    let page = server.page("/tournament/cup");
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"), "{page}");

    // One byte of a stored event is altered by force.
    let path = place.path("home/log.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(9).rposition(|found| found == b"\"steps\":\"").unwrap() + 9;
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    // A log that takes long is verified in the background; until then each page has a note.
    let limit = Instant::now() + Duration::from_secs(60);
    let refused = loop {
        let page = server.get("/tournament/cup");
        if page.status == 500 {
            break page;
        }
        assert!(page.body.contains("is being verified again") && Instant::now() < limit, "{}", page.body);
    };
    assert!(refused.body.contains("the log is damaged, so nothing of it is shown"), "{}", refused.body);
}
