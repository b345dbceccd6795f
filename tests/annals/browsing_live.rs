//! Open pages that follow the log: a change before the stream of events is open, a match turn by turn, a reader who writes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::browser::Browser;
use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::server::Server;
use crate::tournament::START;

/// The game of [`crate::tournament::ROUND_1`] until Silver is to set up.
const GAME: &str = r#"
{"stream":"game/live","type":"game.started","effective_at":"2015-03-01T18:00","payload":{"game":"arimaa","gold":{"name":"Anna"},"rated":false,"silver":{"name":"Bela"}}}
{"stream":"game/live","type":"game.turn_taken","effective_at":"2015-03-01T18:00:40","payload":{"number":1,"side":"gold","steps":"Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2"}}
"#;

/// A turn that the server rejected, and the one that was played then.
const REJECTED: &str = r#"
{"stream":"game/live","type":"game.turn_rejected","effective_at":"2015-03-01T18:01","payload":{"number":1,"reason":"the camel is missing","side":"silver","steps":"ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 ce7 cf7 dg7 hh7"}}
{"stream":"game/live","type":"game.turn_taken","effective_at":"2015-03-01T18:02","payload":{"number":1,"side":"silver","steps":"ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7"}}
"#;

/// The next turn.
const TURN: &str = r#"
{"stream":"game/live","type":"game.turn_taken","effective_at":"2015-03-01T18:03","payload":{"number":2,"side":"gold","steps":"Ee2n Ee3n"}}
"#;

/// A home with a tournament before its first round and a game that is played.
fn playing() -> Place {
    let place = Place::new();
    place.ask(&["log", "init", "--actor", "omar"]);
    append(&place, START);
    append(&place, GAME);
    place
}

fn append(place: &Place, events: &str) {
    place.write("events.jsonl", events);
    place.ask(&["log", "append", "events.jsonl", "--actor", "omar"]);
}

/// The head that a page was made from.
fn head(page: &str) -> &str {
    page.split("data-head=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap()
}

#[test]
fn the_stream_of_events_begins_with_the_head_that_pages_name() {
    let place = playing();
    let server = Server::start(&place, "home", &[]);
    let first = || {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        write!(stream, "GET /live HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        assert!(lines.any(|line| line == "event: head"));
        lines.next().unwrap().strip_prefix("data: ").unwrap().to_owned()
    };
    let before = server.page("/tournament/spring-2015");
    assert_eq!(first(), head(&before));
    append(&place, REJECTED);
    let now = first();
    assert_ne!(now, head(&before));
    for path in ["/game/live", "/log", "/tournament/spring-2015"] {
        assert_eq!(head(&server.page(path)), now, "{path}");
    }
    // What does not read the log has no head.
    assert!(!server.get("/nowhere").body.contains("data-head"));
}

/// Opens the stream of events only when the test calls `openStream`.
const LATE: &str = "const Real = window.EventSource;
    window.EventSource = function (address) {
        const wanted = [];
        let real;
        this.addEventListener = (...listener) => wanted.push(listener);
        this.close = () => real && real.close();
        window.openStream = () => {
            real = new Real(address);
            for (const listener of wanted) real.addEventListener(...listener);
        };
    };";

#[test]
fn a_page_shows_what_was_appended_before_its_stream_was_open() {
    let Some(browser) = Browser::start() else { return };
    let place = playing();
    let server = Server::start(&place, "home", &[]);
    let added = browser.chromium("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": LATE }));
    browser.open(&format!("http://{}/game/live", server.address));
    let turns = "document.querySelectorAll('.turns li').length";
    assert_eq!(browser.text(turns), "2");
    append(&place, REJECTED);
    assert_eq!(browser.text(turns), "2");
    browser.script("window.openStream()", &[]);
    browser.wait(&format!("{turns} === 3"));
    browser.chromium("Page.removeScriptToEvaluateOnNewDocument", &added);
}

#[test]
fn the_open_page_of_a_game_shows_each_turn_as_it_is_recorded_and_what_was_rejected() {
    let Some(browser) = Browser::start() else { return };
    let place = playing();
    let server = Server::start(&place, "home", &[]);
    browser.open(&format!("http://{}/game/live", server.address));
    browser.script("window.kept = true", &[]);
    append(&place, REJECTED);
    browser.wait("document.querySelectorAll('.turns li').length === 3");
    let list = browser.text("document.querySelectorAll('.turns li')[1].innerText");
    assert!(list.contains("a turn was rejected here"), "{list}");
    append(&place, TURN);
    browser.wait("document.querySelector('.turns').innerText.includes('Ee2n Ee3n')");
    // The board of the present position: the elephant is on e4.
    browser.wait(
        "document.querySelectorAll('table.squares tbody tr')[4].children[5].textContent === 'E (gold)'",
    );
    assert_eq!(browser.text("String(window.kept)"), "true", "the page was not loaded again");
    browser.click("[...document.querySelectorAll('.turns a')].find(a => a.textContent.startsWith('1s '))");
    browser.wait("document.querySelector('.remarks')");
    let remarks = browser.text("document.querySelector('.remarks').innerText");
    assert!(remarks.contains("was rejected: the camel is missing."), "{remarks}");
    assert!(remarks.contains("The rules reject it, too"), "{remarks}");
    browser.click("document.querySelector('.remarks a')");
    browser.wait("location.pathname.startsWith('/log/')");
    assert!(browser.text("document.querySelector('main').innerText").contains("the camel is missing"));
}

#[test]
fn what_a_reader_writes_stays_until_the_field_is_left() {
    let Some(browser) = Browser::start() else { return };
    let place = playing();
    let server = Server::start(&place, "home", &[]);
    browser.open(&format!("http://{}/game/live", server.address));
    let heard = "window.heard = false;
        new EventSource('/live').addEventListener('changed', () => { window.heard = true; });";
    browser.script(heard, &[]);
    let field = "document.querySelector('input[name=as_of]')";
    browser.script(&format!("{field}.focus()"), &[]);
    browser.keys("2015");
    append(&place, REJECTED);
    browser.wait("window.heard");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(browser.text(&format!("{field}.value")), "2015");
    assert_eq!(browser.text("document.querySelectorAll('.turns li').length"), "2");
    browser.script(&format!("{field}.blur()"), &[]);
    browser.wait("document.querySelectorAll('.turns li').length === 3");
}

/// A game of the Amazons after its first turn, with a turn that was rejected then and one that was taken back.
const AMAZONS: &str = r#"
{"stream":"game/amazons","type":"game.started","effective_at":"2015-03-01T18:00","payload":{"game":"amazons","gold":{"name":"Anna"},"rated":false,"silver":{"name":"Bela"}}}
{"stream":"game/amazons","type":"game.turn_taken","effective_at":"2015-03-01T18:01","payload":{"number":1,"side":"gold","steps":"d1-d2(d3)"}}
{"stream":"game/amazons","type":"game.turn_rejected","effective_at":"2015-03-01T18:02","payload":{"number":1,"reason":"no way","side":"silver","steps":"d10-d1(d5)"}}
{"stream":"game/amazons","type":"game.turn_taken","effective_at":"2015-03-01T18:03","payload":{"number":1,"side":"silver","steps":"d10-d9(d8)"}}
{"stream":"game/amazons","type":"game.turn_retracted","effective_at":"2015-03-01T18:04","payload":{"reason":"a slip"}}
"#;

#[test]
fn a_game_of_the_amazons_shows_territory_and_what_happened_between_its_turns() {
    let place = Place::new();
    place.ask(&["log", "init", "--actor", "omar"]);
    append(&place, AMAZONS);
    let server = Server::start(&place, "home", &[]);
    let page = server.page("/game/amazons");
    let words = "only White reaches 0 vacant squares (◇), only Black 0 (■), both 91, neither 0 (–).";
    assert!(page.contains(&format!("Territory after 1w: {words}")), "{page}");
    assert!(page.contains("<td>both reach it</td>") && page.contains("class=\"reach white\""), "{page}");
    assert!(page.contains("⚑ a turn was rejected here; a turn was taken back here"), "{page}");
    assert!(page.contains("<b>1b</b> d10-d1(d5) was rejected: no way."), "{page}");
    assert!(page.contains("<b>1b</b> d10-d9(d8) was taken back: a slip."), "{page}");
    let remarks = server.json("/game/amazons.json");
    let remarks: Vec<_> = remarks["remarks"].as_array().unwrap().iter().collect();
    let kinds: Vec<_> = remarks.iter().map(|remark| (&remark["kind"], &remark["place"])).collect();
    assert_eq!(kinds, [(&json!("rejected"), &json!(1)), (&json!("taken_back"), &json!(1))]);
    // The position after the turn that is shown.
    assert!(server.page("/game/amazons?turn=1w").contains("Territory after 1w"));
}

#[test]
fn an_open_page_loses_the_note_on_the_verification_when_it_ends() {
    let Some(browser) = Browser::start() else { return };
    let place = Place::new();
    // A log whose verification takes long in a build for tests.
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let server = Server::start(&place, "home", &[]);
    browser.open(&format!("http://{}/tournament/cup", server.address));
    for name in ["First Name", "Second Name"] {
        place.ask(&["player", "rename", "annals-n750", name, "--actor", "omar"]);
        let main = "document.querySelector('main').innerText";
        browser.wait(&format!("{main}.includes('{name}')"));
        browser.wait(&format!("!{main}.includes('is being verified again')"));
        assert!(browser.text(main).contains(name));
    }
}
