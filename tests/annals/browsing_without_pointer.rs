//! The keyboard alone: Tab reaches everything that a pointer can use, in the order of the page, visibly, and leaves again.

use serde_json::{Value, json};

use crate::browser::key;
use crate::browsing::Reader;
use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::server::Server;
use crate::site::values;

/// What a reader can use, in order, with one dot of the map, from which arrow keys lead to the others.
const USABLE: &str = "window.usable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex=\"0\"]')]
        .filter(element => element.getAttribute('tabindex') !== '-1' && element.type !== 'hidden' && element.getClientRects().length
            && (element.closest('details:not([open])') === null || element.tagName === 'SUMMARY'));
    return window.usable.length";

/// The focused element: its place among these, and whether an outline shows it within the window.
const FOCUSED: &str = "window.focusedNow = () => { const element = document.activeElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const visible = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
        && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    return [window.usable.indexOf(element), visible, element.outerHTML.slice(0, 200)]; };
    return window.focusedNow()";

/// Notes the focused element after each key.
const NOTE: &str = "window.noted = [];
    addEventListener('keyup', () => { window.noted.push(window.focusedNow()); }, true)";

#[test]
fn tab_reaches_everything_in_order_and_visibly_and_is_not_trapped() {
    let Some(reader) = Reader::start() else { return };
    for path in [
        "/",
        "/tournament/cup",
        "/tournament/cup/audit",
        "/tournament/cup/why/3",
        "/game/cup.r1.1?turn=7g&step=2",
        "/explore",
        "/player/annals-n3000",
        "/log/812",
        "/study/upsets",
        "/sql?q=SELECT%20*%20FROM%20games%20LIMIT%203",
    ] {
        reader.go(path);
        let count = reader.script(USABLE, &[]).as_u64().unwrap();
        assert!(count > 10, "{path}");
        reader.script(FOCUSED, &[]);
        reader.script(NOTE, &[]);
        reader.keys(&key::TAB.repeat(usize::try_from(count).unwrap()));
        let noted = reader.script("return window.noted", &[]);
        let mut places = Vec::new();
        for focused in noted.as_array().unwrap() {
            assert_eq!(focused[1], true, "{path}: the focus is not visible: {focused}");
            places.push(focused[0].as_u64().unwrap_or_else(|| panic!("{path}: {focused}")));
        }
        let all: Vec<u64> = (0..count).collect();
        assert_eq!(places, all, "{path}");
        // One further leaves the page for the browser; Shift and Tab come back.
        reader.keys(key::TAB);
        assert_eq!(reader.script("return document.activeElement === document.body", &[]), true, "{path}");
        reader.keys(&format!("{}{}", key::SHIFT, key::TAB));
        assert_eq!(reader.script(FOCUSED, &[])[0], json!(count - 1), "{path}");
    }
}

#[test]
fn the_first_key_skips_to_the_content_and_the_dots_of_the_map_are_links_elsewhere() {
    let Some(reader) = Reader::start() else { return };
    reader.go("/tournament/cup");
    reader.keys(&format!("{}{}", key::TAB, key::ENTER));
    reader.wait("document.activeElement.id === 'main'");
    // On a busy machine the browser may lose a key that comes while it scrolls to the content.
    for _ in 0..3 {
        if reader.text("document.activeElement.id") == "main" {
            reader.keys(key::TAB);
        }
    }
    assert_eq!(reader.text("document.activeElement.textContent"), "Standings");
    let dots = reader
        .script("return [...document.querySelectorAll('.map a')].map(a => a.getAttribute('href'))", &[]);
    let dots: Vec<&Value> = dots.as_array().unwrap().iter().collect();
    assert!(dots.len() > 100);
    // The latest events are on the first page, the others on those that follow.
    reader.click_words("Events");
    let mut found = 0;
    loop {
        reader.wait("location.pathname === '/log' && document.querySelector('main tbody')");
        let links = reader
            .script("return [...document.querySelectorAll('tbody a')].map(a => a.getAttribute('href'))", &[]);
        found += dots.iter().filter(|dot| links.as_array().unwrap().contains(dot)).count();
        if reader.script("return document.querySelector('a[rel=next]') === null", &[]) == true {
            break;
        }
        let search = reader.text("location.search");
        reader.tab_to("document.querySelector('a[rel=next]')");
        reader.keys(key::ENTER);
        reader.wait(&format!("location.search !== {}", json!(search)));
    }
    assert_eq!(found, dots.len());
}

#[test]
fn the_dots_of_the_map_are_one_stop_and_arrows_move_along_them() {
    let Some(reader) = Reader::start() else { return };
    reader.go("/tournament/cup");
    reader.tab_to("document.querySelector('.map a[tabindex=\"0\"]')");
    let place = "[...document.querySelectorAll('.map a')].indexOf(document.activeElement)";
    let count: usize = reader.text("document.querySelectorAll('.map a').length").parse().unwrap();
    for (pressed, reached) in [
        (key::RIGHT, 1),
        (key::UP, 2),
        (key::DOWN, 1),
        (key::LEFT, 0),
        (key::LEFT, 0),
        (key::END, count - 1),
        (key::RIGHT, count - 1),
        (key::LEFT, count - 2),
    ] {
        reader.keys(pressed);
        reader.wait(&format!("{place} === {reached}"));
    }
    reader.script(USABLE, &[]);
    assert_eq!(reader.script(FOCUSED, &[])[1], true, "the focus is visible");
    // Tab leaves the map, and Shift and Tab come back to the same dot.
    reader.keys(key::TAB);
    reader.wait("!document.activeElement.closest('.map')");
    reader.keys(&format!("{}{}", key::SHIFT, key::TAB));
    reader.wait(&format!("{place} === {}", count - 2));
    let address = reader.text("document.activeElement.getAttribute('href')");
    reader.keys(key::ENTER);
    reader.wait(&format!("location.pathname === {}", json!(address)));
}

#[test]
fn a_correction_and_a_late_entry_are_on_the_map_of_many_events() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let history = place.ask_json(&["tournament", "history", "cup", "--json"]);
    let registered = history["events"].as_array().unwrap().iter();
    let registered = registered.filter(|event| event["event"] == "tournament.player_registered");
    let seqs: Vec<String> = registered.take(4).map(|event| event["seq"].to_string()).collect();
    assert_eq!(seqs.len(), 4);
    for seq in &seqs {
        let words = ["log", "correct", seq, "rating=1499", "--reason", "late", "--actor", "omar"];
        place.ask(&words);
    }
    let server = Server::start(&place, "home", &[]);
    let page = server.page("/tournament/cup");
    let dots = values(page.split("class=\"map\"").nth(1).unwrap().split("</figure>").next().unwrap(), "href");
    let head = server.json("/log.json")["head"]["seq"].as_u64().unwrap();
    for seq in head - 3..=head {
        assert!(dots.contains(&format!("/log/{seq}")), "{seq} of {dots:?}");
    }
}
