//! A historian in a real browser: a game turn by turn, the same game by its position, a player's page, and a page that follows
//! the log.

use std::ops::Deref;
use std::time::Duration;

use serde_json::json;

use crate::browser::{Browser, key};
use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::server::{Demonstration, Server, demonstration};

/// A browser at the pages of the demonstration.
pub struct Reader {
    browser: Browser,
    pub served: Demonstration,
}

impl Deref for Reader {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl Reader {
    /// `None` where no browser is installed.
    pub fn start() -> Option<Reader> {
        let browser = Browser::start()?;
        Some(Reader { browser, served: demonstration() })
    }

    /// Opens a page of the server.
    pub fn go(&self, path: &str) {
        self.open(&format!("http://{}{path}", self.served.1.address));
    }

    /// Presses Tab until an expression gives the focused element.
    pub fn tab_to(&self, expression: &str) {
        assert!(self.tabs_to(expression, 120), "Tab never reaches {expression}");
    }

    /// Runs the program on the home that is served.
    pub fn ask(&self, words: &[&str]) -> String {
        self.served.0.ask(&[&["--home", "annals-demo"], words].concat())
    }
}

/// The board of a page, from its table: a letter or a dot for each square, the highest rank first.
const SQUARES: &str = "[...document.querySelectorAll('table.squares td')].map(td => /^. \\(/.test(td.textContent) ? td.textContent[0] : '.').join('')";

const TURN: &str = "new URLSearchParams(location.search).get('turn')";

#[test]
fn a_historian_plays_through_a_game_by_keys_and_by_clicks() {
    let Some(reader) = Reader::start() else { return };
    let game = reader.served.1.json("/game/cup.r1.1.json");
    let turns = game["game"]["turns"].as_array().unwrap();
    reader.go("/");
    for (words, address) in [("cup", "/tournament/cup"), ("Rounds", "/rounds"), ("r1.1", "/game/")] {
        reader.click_words(words);
        reader
            .wait(&format!("location.pathname.includes('{address}') && document.readyState === 'complete'"));
    }
    // Round 1, board 1 was halted and resumed in a game of its own; the first game has the turns before.
    assert_eq!(reader.text("document.querySelector('h1').textContent"), game_players(&reader).join(" – "));
    reader.go("/game/cup.r1.1");
    reader.keys(key::HOME);
    reader.wait(&format!("{TURN} === '1g'"));
    for (place, turn) in turns.iter().enumerate() {
        let label = turn["label"].as_str().unwrap();
        reader.wait(&format!("{TURN} === '{label}'"));
        reader.wait("document.querySelectorAll('.turns a[aria-current]').length === 1");
        let current = reader.text("document.querySelector('.turns a[aria-current]').textContent");
        assert_eq!(current, format!("{label} {}", turn["steps"].as_str().unwrap()));
        // A setup is drawn with its pieces, any other turn on the board before it.
        let drawn = if place < 2 { place } else { place - 1 };
        assert_eq!(reader.text(SQUARES), turns[drawn]["board"].as_str().unwrap());
        reader.keys(key::RIGHT);
    }
    reader.wait("document.querySelector('main').innerText.includes('The end of the game.')");
    let last = turns.last().unwrap()["board"].as_str().unwrap();
    assert_eq!(reader.text(SQUARES), last);
    // Back in the history of the browser, and back by a key.
    reader.script("history.back()", &[]);
    let label = turns.last().unwrap()["label"].as_str().unwrap();
    reader.wait(&format!("{TURN} === '{label}' && document.querySelector('.turns a[aria-current]').textContent.startsWith('{label}')"));
    reader.keys(key::HOME);
    reader.wait(&format!("{TURN} === '1g'"));
    reader.keys(key::END);
    reader.wait(&format!("{TURN} === null"));

    // The steps of a turn, by clicks and by keys; the last one gives the board after the turn.
    reader.click("[...document.querySelectorAll('.turns a')].find(a => a.textContent.startsWith('7g '))");
    reader.wait(&format!("{TURN} === '7g'"));
    let place = turns.iter().position(|turn| turn["label"] == "7g").unwrap();
    let before = reader.text(SQUARES);
    reader.click_words("step ↓");
    reader.wait("document.querySelector('main').innerText.includes('After 1 of 4 steps')");
    assert_ne!(reader.text(SQUARES), before);
    for step in 2..=4 {
        reader.keys(key::DOWN);
        reader.wait(&format!("document.querySelector('main').innerText.includes('After {step} of 4 steps')"));
    }
    assert_eq!(reader.text(SQUARES), turns[place]["board"].as_str().unwrap());
    reader.keys(key::UP);
    reader.wait("document.querySelector('main').innerText.includes('After 3 of 4 steps')");

    // The other side.
    let left = "Number([...document.querySelectorAll('.board text.edge')].find(t => t.textContent === 'a').getAttribute('x'))";
    reader.keys("f");
    reader.wait(&format!("{left} > 400"));
    reader.click_words("flip");
    reader.wait(&format!("{left} < 100"));
    assert_eq!(reader.console(), Vec::<String>::new());
}

#[test]
fn a_historian_finds_a_game_by_its_position_and_reads_about_a_player() {
    let Some(reader) = Reader::start() else { return };
    reader.go("/game/cup.r1.1?turn=7g");
    let turns = "[...document.querySelectorAll('.turns li')].map(li => li.textContent).join()";
    let (played, board) = (reader.text(turns), reader.text(SQUARES));
    reader.click_words("this position in other games");
    reader.wait("location.pathname === '/explore'");
    assert_eq!(reader.text(SQUARES), board);
    // One game has it: that of the log, under its number in the dataset.
    reader.click("document.querySelector('main a[href^=\"/game/\"]')");
    reader.wait("/^\\/game\\/[0-9]+$/.test(location.pathname)");
    assert_eq!(reader.text(turns), played);

    // A player by the name above the board, and by the keyboard alone.
    reader.click("document.querySelector('h1 a')");
    reader.wait("location.pathname.startsWith('/player')");
    let name = reader.text("document.querySelector('h1').textContent");
    assert!(game_players(&reader).contains(&name), "{name}");
    reader.go("/");
    reader.tab_to("document.querySelector('input[type=search]')");
    reader.keys(&format!("annals-n3000{}", key::ENTER));
    reader.wait("location.pathname === '/player/annals-n3000'");
    let shown = reader.text("document.querySelector('main').textContent");
    let record = reader.ask(&["player", "record", "annals-n3000"]);
    let in_all = record.lines().find_map(|line| line.strip_prefix("In all")).unwrap().trim();
    assert!(shown.contains(in_all), "{in_all}\n{shown}");
}

fn game_players(reader: &Reader) -> [String; 2] {
    let game = reader.served.1.json("/game/cup.r1.1.json");
    ["gold", "silver"].map(|side| game["game"][side]["name"].as_str().unwrap().to_owned())
}

#[test]
fn an_open_page_follows_the_log_and_one_of_the_past_does_not() {
    let Some(browser) = Browser::start() else { return };
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let server = Server::start(&place, "home", &[]);
    let heading = "document.querySelector('table').textContent";
    for (path, follows) in
        [("/tournament/cup", true), ("/tournament/cup?known_at=2015-03-04T00:00:00Z", false)]
    {
        browser.open(&format!("http://{}{path}", server.address));
        browser.script("window.kept = true", &[]);
        let name = format!("Renamed {follows}");
        let heard = "window.heard = false;
            new EventSource('/live').addEventListener('changed', () => { window.heard = true; });";
        browser.script(heard, &[]);
        place.ask(&["player", "rename", "annals-n750", &name, "--actor", "omar"]);
        if follows {
            browser.wait(&format!("{heading}.includes({})", json!(name)));
            assert_eq!(browser.text("String(window.kept)"), "true", "the page was not loaded again");
        } else {
            browser.wait("window.heard");
            std::thread::sleep(Duration::from_millis(500));
            assert!(!browser.text(heading).contains(&name));
            browser.open(&format!("http://{}/tournament/cup", server.address));
            assert!(browser.text(heading).contains(&name));
        }
    }
}

#[test]
fn a_historian_sets_up_a_position_by_clicks_and_by_keys() {
    let Some(reader) = Reader::start() else { return };
    reader.go("/explore");
    reader.click_words("Set up a position");
    let square = |name: &str| format!("document.querySelector('.setup button[aria-label^=\"{name}:\"]')");
    let piece = |letter: &str| format!("document.querySelector('.setup input[value=\"{letter}\"]')");
    let label = |name: &str| reader.text(&format!("{}.getAttribute('aria-label')", square(name)));
    for (letter, name) in [("E", "e4"), ("r", "a8"), ("M", "d2")] {
        reader.click(&piece(letter));
        reader.click(&square(name));
    }
    assert_eq!([label("e4"), label("a8")], ["e4: gold elephant", "a8: silver rabbit"]);
    // A second click takes the piece away.
    reader.click(&square("d2"));
    assert_eq!(label("d2"), "d2: empty");
    // From there by keys: up to the trap, a letter for a piece.
    reader.keys(&format!("{}{}h", key::UP, key::RIGHT));
    assert_eq!(label("e3"), "e3: silver horse");
    let select = "document.querySelector('select[name=side]')";
    reader.script(&format!("{select}.focus()"), &[]);
    reader.keys("silver");
    reader.script(
        "[...document.querySelectorAll('main button')].find(b => b.textContent === 'Show').focus()",
        &[],
    );
    reader.keys(key::ENTER);
    reader.wait("location.search.includes('side=silver') && document.querySelector('figcaption').textContent === 'Silver to move'");
    let mut squares = vec!['.'; 64];
    for (letter, file, rank) in [('E', 4, 4), ('r', 0, 8), ('h', 4, 3)] {
        squares[(8 - rank) * 8 + file] = letter;
    }
    assert_eq!(reader.text(SQUARES), squares.iter().collect::<String>());
    let explored = reader.served.1.json(&reader.text("'/explore.json' + location.search"));
    assert!(explored.is_object(), "{explored}");
    assert_eq!(reader.console(), Vec::<String>::new());
}
