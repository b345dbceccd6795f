//! An auditor in a real browser: each of the two times alone against the command line, why a pair was not made, and proofs that
//! the browser computes.

use serde_json::json;

use crate::browser::key;
use crate::browsing::Reader;

/// The standings of the page: of each row the cells under some heads.
const ROWS: &str = "(() => {
    const table = document.querySelector('section.content table');
    if (!table) return [];
    const heads = [...table.querySelectorAll('th')].map(th => th.textContent);
    const wanted = ['Rank', 'Name', 'Points', 'Won', 'Lost'];
    return [...table.querySelectorAll('tbody tr')].map(tr => wanted.map(head => {
        const at = heads.indexOf(head);
        return at < 0 ? '' : tr.children[at].textContent.trim();
    }).join());
})().join('\\n')";

/// The same columns as `tournament standings` prints them.
fn printed(reader: &Reader, option: &str, time: &str) -> String {
    let csv = reader.ask(&["tournament", "standings", "cup", option, time, "--format", "csv"]);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    // The page leaves out a column without a value.
    let at =
        ["rank", "name", "points", "won", "lost"].map(|head| heads.iter().position(|other| *other == head));
    let rows = lines.map(|row| at.map(|at| at.map_or("", |at| row[at])).join(","));
    rows.collect::<Vec<_>>().join("\n")
}

/// Compares the page with the command line at the time that its address has, alone; gives the time.
fn compared(reader: &Reader, parameter: &str) -> String {
    let other = if parameter == "as_of" { "known_at" } else { "as_of" };
    let value = |name: &str| reader.text(&format!("new URLSearchParams(location.search).get('{name}')"));
    let time = value(parameter);
    assert_eq!(value(other), "null", "one slider moves one time");
    let field = reader.text(&format!("document.querySelector('input[name={parameter}]').value"));
    assert_eq!(field, time);
    let option = format!("--{}", parameter.replace('_', "-"));
    assert_eq!(reader.text(ROWS), printed(reader, &option, &time), "{parameter} {time}");
    time
}

#[test]
fn each_slider_alone_gives_the_standings_of_the_command_line() {
    let Some(reader) = Reader::start() else { return };
    for parameter in ["as_of", "known_at"] {
        reader.go("/tournament/cup");
        let slider = format!("document.querySelector('input.slider[data-for={parameter}]')");
        let moved = |act: &dyn Fn()| {
            let before = reader.text("location.search");
            reader.script("window.shown = document.getElementById('main')", &[]);
            act();
            reader.wait(&format!(
                "location.search !== {} && window.shown !== document.getElementById('main')",
                json!(before)
            ));
            compared(&reader, parameter)
        };
        reader.tab_to(&slider);
        // Steps of one event, from the last one; the focus stays on the slider.
        let last = moved(&|| reader.keys(key::LEFT));
        let step = |key: &'static str| moved(&|| reader.keys(key));
        let before = step(key::LEFT);
        assert!(before < last, "{before} {last}");
        assert_eq!(step(key::RIGHT), last);
        let first = step(key::HOME);
        assert!(first < before);
        step(key::RIGHT);
        // The pointer in the middle of the slider, and the links to the events before and after.
        let middle = moved(&|| reader.click(&slider));
        assert!(first < middle && middle < last, "{middle}");
        let link = |words: &str| {
            format!(
                "[...document.querySelector('input[name={parameter}]').closest('fieldset').querySelectorAll('a')].find(a => a.textContent === '{words}')"
            )
        };
        assert!(moved(&|| reader.click(&link("← earlier"))) < middle);
        assert_eq!(moved(&|| reader.click(&link("later →"))), middle);
        // A time of the reader's own, in a field.
        reader.tab_to(&format!("document.querySelector('input[name={parameter}]')"));
        reader.script("document.activeElement.value = ''", &[]);
        assert_eq!(
            moved(&|| reader.keys(&format!("2015-03-04T00:00:00Z{}", key::ENTER))),
            "2015-03-04T00:00:00Z"
        );
        reader.click("document.querySelector('a.now')");
        reader.wait("location.search === ''");
    }
    assert_eq!(reader.console(), Vec::<String>::new());
}

#[test]
fn an_auditor_asks_why_a_pair_was_not_made() {
    let Some(reader) = Reader::start() else { return };
    let explained =
        reader.ask(&["tournament", "explain", "cup", "3", "--why-not", "annals-n8000", "annals-n750"]);
    let reason = explained.lines().find(|line| line.contains("against annals-n750?")).unwrap().trim();
    reader.go("/tournament/cup/rounds");
    reader.click_words("round 3");
    reader.wait("location.pathname.endsWith('/why/3')");
    for (field, player) in [("one", "annals-n8000"), ("other", "annals-n750")] {
        reader.tab_to(&format!("document.querySelector('select[name={field}]')"));
        // A list takes the entry that begins with what is typed.
        reader.keys(player);
    }
    reader.tab_to("document.querySelector('form.since button')");
    reader.keys(key::ENTER);
    reader.wait("location.search.includes('annals-n750')");
    let shown = reader.text("document.querySelector('main').textContent");
    assert!(shown.contains(reason), "{reason}\n{shown}");
    // The whole of the answer is on the page, in the words of the command line.
    let columns = regex::Regex::new(" {2,}").unwrap();
    for line in explained.lines().skip(1) {
        for cell in columns.split(line.trim()) {
            assert!(shown.contains(cell), "{cell}\n{shown}");
        }
    }
}

/// A server that lies: what it answers to a request for a proof, with one text replaced.
const LIE: &str = "const [was, is] = arguments; const real = window.real = window.real || window.fetch;
    window.fetch = async (...request) => {
        const response = await real(...request);
        const text = await response.text();
        if (!text.includes(was)) throw new Error('nothing to alter');
        return new Response(text.replace(was, is), { status: response.status, headers: response.headers });
    };";

#[test]
fn a_proof_is_verified_in_the_browser_and_fails_when_one_byte_is_changed() {
    let Some(reader) = Reader::start() else { return };
    let receipt = reader.ask(&["log", "head"]).trim().to_owned();
    let proof = reader.ask(&["log", "prove", "812"]);
    let proof: serde_json::Value = serde_json::from_str(&proof).unwrap();
    let event = &proof["event"];
    // A receipt from before the last event, of the anchor's second line.
    let anchor = std::fs::read_to_string(reader.served.0.path("annals-demo/log.anchor")).unwrap();
    let older = anchor.lines().nth(1).unwrap();
    let older = older.split(" log=").nth(1).and_then(|rest| rest.split(" peaks=").next()).unwrap();
    let older = format!("annals-head/1 log={older}");
    reader.go("/log/812");
    let verdict = |receipt: &str| {
        reader.script(
            "document.getElementById('verdict').replaceChildren(); document.forms.proof.receipt.value = ''",
            &[],
        );
        reader.script("document.activeElement.blur()", &[]);
        reader.tab_to("document.querySelector('textarea[name=receipt]')");
        reader.keys(receipt);
        reader.keys(key::TAB);
        reader.keys(key::ENTER);
        reader.wait("document.getElementById('verdict').textContent");
        reader.wait("document.querySelector('#verdict .yes, #verdict .no')");
        reader.text("document.getElementById('verdict').innerText")
    };
    for receipt in [&receipt, &older] {
        let said = verdict(receipt);
        assert!(said.starts_with("Proven:") && !said.contains("NO:"), "{said}");
    }
    let changed = |text: &str, at: usize| {
        let other = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    };
    // One byte of the receipt: of its hash, of its root, of the identity of the log.
    for name in ["hash=", "root=", "log="] {
        let said = verdict(&changed(&receipt, receipt.find(name).unwrap() + name.len() + 3));
        assert!(said.starts_with("NOT proven") || said.starts_with("Not verified"), "{name}: {said}");
    }
    let said = verdict("annals-head/1 nonsense");
    assert!(said.starts_with("Not verified: this is not a receipt"), "{said}");
    // One byte of what the server sends: of the payload, of each other field, and of a sibling on the path.
    let payload = json!(event["payload"]).to_string();
    let turn = payload.replace("Hb3w", "Hb3e");
    assert_ne!(payload, turn);
    let text = |name: &str| event[name].as_str().unwrap().to_owned();
    let mut lies = vec![(payload, turn, "NO: the fields of the event give its hash")];
    for name in ["stream", "id", "type", "actor", "previous_hash"] {
        lies.push((
            format!("\"{}\"", text(name)),
            format!("\"{}\"", changed(&text(name), 2)),
            "NO: the fields",
        ));
    }
    for name in ["effective_at", "recorded_at", "version", "schema"] {
        let number = event[name].as_i64().unwrap();
        lies.push((format!("\"{name}\":{number}"), format!("\"{name}\":{}", number + 1), "NO: the fields"));
    }
    lies.push((text("hash"), changed(&text("hash"), 7), "NO: the event is under the root"));
    let sibling = proof["path"][3].as_str().unwrap();
    lies.push((sibling.to_owned(), changed(sibling, 9), "NO: the event is under the root"));
    for (was, is, words) in lies {
        reader.script(LIE, &[json!(was), json!(is)]);
        let said = verdict(&receipt);
        assert!(said.starts_with("NOT proven") && said.contains(words), "{was} {is}: {said}");
    }
    reader.script("window.fetch = window.real", &[]);
    let said = verdict(&receipt);
    assert!(said.starts_with("Proven:"), "{said}");
}
