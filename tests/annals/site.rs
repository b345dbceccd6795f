//! `annals site`: files that need no server, with what the server and the command line answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::browser::{Browser, key};
use crate::program::Place;
use crate::server::Server;
use crate::tournament;

/// The name of a player that a browser could mistake for a script, and that no file system takes.
const HOSTILE: &str = "<script>alert('\"&')</script>/..";

/// A tournament with a corrected result and a hostile name, and its site in `public`.
fn written(options: &[&str]) -> (Place, BTreeMap<String, Vec<u8>>) {
    let place = Place::new();
    tournament::recorded(&place);
    place.ask(&["player", "rename", "cara", HOSTILE, "--actor", "omar", "--at", "2015-03-23T09:00"]);
    place.ask(&[&["site", "-o", "public"], options].concat());
    assert!(!place.path("lock").exists(), "a file beside the site");
    let files = files(&place.path("public"));
    (place, files)
}

/// All files of a folder by their paths in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => all.extend(
                files(&entry.path()).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)),
            ),
            false => drop(all.insert(name, std::fs::read(entry.path()).unwrap())),
        }
    }
    all
}

fn text(files: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    let bytes = files.get(path).unwrap_or_else(|| panic!("no {path} in {:?}", files.keys()));
    String::from_utf8(bytes.clone()).unwrap()
}

/// The values of an attribute in a page.
pub fn values(page: &str, attribute: &str) -> BTreeSet<String> {
    let before = format!(" {attribute}=\"");
    let values = page.split(&before).skip(1).filter_map(|rest| rest.split('"').next());
    values.map(|value| value.replace("&amp;", "&")).collect()
}

#[test]
fn every_link_of_every_page_leads_to_a_file_of_the_site() {
    let (_place, files) = written(&["--moments", "all"]);
    let mut links = 0;
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let page = String::from_utf8(bytes.clone()).unwrap();
        assert!(!page.contains("<script>alert") && !page.contains("<form method"), "{path}");
        for link in values(&page, "href").union(&values(&page, "src")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            assert!(!file.starts_with('/') && !file.contains(':') && !file.contains('?'), "{path}: {link}");
            let mut parts: Vec<&str> = path.split('/').collect();
            parts.pop();
            for part in file.split('/').filter(|part| !part.is_empty()) {
                if part == ".." { assert!(parts.pop().is_some(), "{path}: {link}") } else { parts.push(part) }
            }
            let target = if file.is_empty() { path.clone() } else { parts.join("/") };
            assert!(files.contains_key(&target), "{path}: {link}");
            let ids = values(&text(&files, &target), "id");
            assert!(anchor.is_empty() || ids.contains(anchor), "{path}: {link} of {ids:?}");
            links += 1;
        }
    }
    assert!(links > 1_000, "{links}");
    for path in [
        "index.html",
        "receipt.txt",
        "assets/annals.css",
        "tournament/spring-2015/standings.csv",
        "tournament/spring-2015/standings.trf",
        "tournament/spring-2015/standings.known_at-round-1.html",
        "tournament/spring-2015/changes.as_of-round-2.html",
        "tournament/spring-2015/why/2.html",
        "game/spring-2015.r1.1.html",
        "game/spring-2015.r1.1.txt",
        "tournament/spring-2015/ledger.known_at-round-2.html",
        "player/cara.html",
        "log/5.html",
        "log/5/proof.json",
    ] {
        assert!(files.contains_key(path), "{path} of {:#?}", files.keys());
    }
}

#[test]
fn a_page_has_what_the_server_and_the_command_line_answer() {
    let (place, files) = written(&["--tournament", "spring-2015"]);
    let server = Server::start(&place, "home", &[]);
    let json = |path: &str| serde_json::from_slice::<serde_json::Value>(&files[path]).unwrap();
    for (file, address) in [
        ("standings.json", "standings.json"),
        ("standings.known_at-round-1.json", "standings.json?known_at=round:1"),
        ("standings.as_of-round-2.json", "standings.json?as_of=round:2"),
        ("rounds.json", "rounds.json"),
        ("games.json", "games.json"),
        ("changes.known_at-round-2.json", "changes.json?known_at=round:2&since_known_at=round:1"),
    ] {
        let served = server.json(&format!("/tournament/spring-2015/{address}"));
        assert_eq!(json(&format!("tournament/spring-2015/{file}")), served, "{file}");
    }
    assert_eq!(json("game/spring-2015.r1.1.json"), server.json("/game/spring-2015.r1.1.json"));
    let printed = |words: &[&str]| place.ask(words);
    assert_eq!(
        text(&files, "tournament/spring-2015/standings.csv"),
        printed(&["tournament", "standings", "spring-2015", "--format", "csv"])
    );
    assert_eq!(
        text(&files, "tournament/spring-2015/standings.trf"),
        printed(&["tournament", "export", "spring-2015", "--format", "trf"])
    );
    assert_eq!(
        text(&files, "game/spring-2015.r1.1.txt"),
        printed(&["game", "export", "game/spring-2015.r1.1"])
    );
    assert_eq!(text(&files, "receipt.txt"), printed(&["log", "head"]));
    assert_eq!(json("log/5/proof.json"), place.ask_json(&["log", "prove", "5"]));
    // The content of a page without forms is that of the server, but for its links.
    let tag = regex::Regex::new("<[^>]*>").unwrap();
    let content = |page: &str| {
        let content = page.split("class=\"content\"").nth(1).and_then(|rest| rest.split("</section>").next());
        tag.replace_all(content.unwrap(), " ").into_owned()
    };
    for view in ["standings", "crosstable", "rounds", "rulings", "ledger", "history", "overview"] {
        let served = server.page(&format!("/tournament/spring-2015/{view}"));
        let own = text(&files, &format!("tournament/spring-2015/{view}.html"));
        assert_eq!(content(&own), content(&served), "{view}");
        assert!(own.contains("<code>annals serve</code>"), "{view}");
    }
}

#[test]
fn the_same_log_gives_the_same_files_and_replaces_only_a_site() {
    let (place, first) = written(&["--moments", "none"]);
    assert!(!first.keys().any(|path| path.contains("round-1")), "{:?}", first.keys());
    place.write("public/left.txt", "of an earlier site");
    place.ask(&["site", "--moments", "none", "-o", "public"]);
    assert!(files(&place.path("public")) == first, "the files differ");
    let names = || {
        std::fs::read_dir(place.path("."))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect::<Vec<_>>()
    };
    assert!(!names().iter().any(|name| name.to_string_lossy().starts_with(".annals-")), "{:?}", names());

    let refused = |words: &[&str], says: &[&str]| {
        let run = place.run(&[&["site"], words].concat());
        assert_eq!(run.status, 2, "{words:?}: {run:?}");
        for words in says {
            assert!(run.talk.contains(words), "{run:?}");
        }
    };
    std::fs::create_dir(place.path("other")).unwrap();
    place.write("other/mine.txt", "mine");
    refused(
        &["-o", "other"],
        &["other has other files", "annals-site.json", "state: nothing was written", "hint:"],
    );
    refused(&["-o", "other/mine.txt"], &["cannot write other/mine.txt"]);
    refused(&["-o", "no/such/folder"], &["no/such/folder"]);
    refused(&["--tournament", "nobody", "-o", "new"], &["no tournament", "hint:"]);
    refused(&["--moments", "some", "-o", "new"], &["invalid value"]);
    assert!(!place.path("new").exists());

    // Nothing of a damaged log is published, and the earlier site stays.
    let path = place.path("home/log.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(9).rposition(|found| found == b"\"steps\":\"").unwrap() + 9;
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    refused(&["-o", "public"], &["the log is damaged"]);
    assert!(files(&place.path("public")) == first, "the earlier site changed");
    let none = Place::new().run(&["site", "-o", "public"]);
    assert!(none.status == 2 && none.talk.contains("no event log"), "{none:?}");
}

#[test]
fn a_reader_opens_the_site_from_disk() {
    let Some(browser) = Browser::start() else { return };
    let (place, _) = written(&[]);
    let index = format!("file://{}", place.path("public/index.html").display());
    browser.open(&index);
    let ready = |part: &str| {
        browser.wait(&format!("location.pathname.includes('{part}') && document.readyState === 'complete'"))
    };
    for (words, part) in [("spring-2015", "/standings.html"), ("Rounds", "/rounds.html"), ("r1.1", "/game/")]
    {
        browser.click_words(words);
        ready(part);
    }
    // The game by keys.
    let shown = "[...document.querySelectorAll('.moment')].filter(each => each.getClientRects().length).map(each => each.id).join()";
    let current = "[...document.querySelectorAll('.turns a[aria-current]')].map(each => each.hash).join()";
    for (pressed, label) in [
        ("", "2s"),
        (key::HOME, "1g"),
        (key::RIGHT, "1s"),
        (key::RIGHT, "2g"),
        (key::LEFT, "1s"),
        (key::END, "2s"),
    ] {
        browser.keys(pressed);
        browser.wait(&format!("{shown} === '{label}'"));
        browser.wait(&format!("{current} === '#{label}'"));
    }
    browser.keys(key::LEFT);
    browser.wait(&format!("{shown} === '2g'"));
    let drawn = "[...document.querySelectorAll('.moment')].find(each => each.getClientRects().length).querySelector('figcaption').textContent";
    assert_eq!(browser.text(drawn), "2g Ee2n Ee3n");
    // A dot of the map leads to the first point at which its event is recorded, by a pointer and by keys.
    let map = index.replace("index.html", "tournament/spring-2015/standings.html");
    browser.open(&map);
    browser.click("document.querySelector('.map a')");
    ready("/standings.known_at-round-1.html");
    browser.open(&map);
    assert!(browser.tabs_to("document.querySelector('.map a')", 60));
    for (pressed, dot) in [(key::RIGHT, 1), (key::UP, 2), (key::LEFT, 1), (key::HOME, 0)] {
        browser.keys(pressed);
        browser.wait(&format!("document.activeElement === document.querySelectorAll('.map a')[{dot}]"));
    }
    browser.keys(key::ENTER);
    ready("/standings.known_at-round-1.html");
    // A proof, without a server.
    browser.open(&index.replace("index.html", "log/5.html"));
    let verdict = |receipt: &str| {
        browser.script(
            "document.forms.proof.receipt.value = arguments[0]; document.forms.proof.requestSubmit()",
            &[receipt.into()],
        );
        browser.wait("document.querySelector('#verdict .yes, #verdict .no')");
        browser.text("document.getElementById('verdict').innerText")
    };
    let receipt = place.ask(&["log", "head"]);
    let said = verdict(&receipt);
    assert!(said.starts_with("Proven:") && !said.contains("NO:"), "{said}");
    let root = receipt.find("root=").unwrap() + 5;
    let other = if receipt.as_bytes()[root] == b'0' { "1" } else { "0" };
    let said = verdict(&format!("{}{other}{}", &receipt[..root], &receipt[root + 1..]));
    assert!(said.starts_with("NOT proven"), "{said}");
    assert_eq!(browser.console(), Vec::<String>::new());
}
