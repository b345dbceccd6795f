//! Every kind of page in a real browser: narrow, light, without a message on the console, and without a barrier that axe-core
//! finds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::browsing::Reader;
use crate::server::demonstration;
use crate::serving::{HEAVIEST, PAGES};
use crate::site::values;

/// Failures and answers with much in them, besides the pages of `serving`.
const MORE: &[&str] = &[
    "/nowhere",
    "/tournament/cup/why/3?one=annals-n8000&other=annals-n750",
    "/tournament/cup?as_of=2015-01-20T00:00:00Z&known_at=2015-03-01T00:00:00Z",
    "/explore?game=amazons",
    "/explore?position=rrr.drrr...d...crhm.E.er......M.......h...D...H.H.C..CD.RRRRRRRR&side=gold",
    "/player/annals-n3000?system=elo",
    "/player?name=annals-n3000",
    "/study/upsets",
    "/study/careers",
    "/sql?q=SELECT%20nothing",
    "/sql?q=SELECT%20*%20FROM%20games",
];

/// Elements outside the window, other than within a box that scrolls.
pub const OUTSIDE: &str = "const outside = [...document.body.querySelectorAll('*')].filter(element => {
        const box = element.getBoundingClientRect();
        return box.width && box.right > innerWidth + 1 && !element.closest('.wide, .chart, pre, .turns, svg, .skip');
    });
    return [document.documentElement.scrollWidth > innerWidth, outside.slice(0, 3).map(element => element.outerHTML.slice(0, 200))]";

/// The other hosts that were asked, and the bytes of the page and all that it loaded, as they were sent.
const LOADED: &str = "const entries = performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'));
    return [entries.filter(entry => new URL(entry.name).host !== location.host).map(entry => entry.name),
        entries.reduce((sum, entry) => sum + Math.max(entry.transferSize, entry.encodedBodySize), 0)]";

#[test]
fn every_page_fits_a_narrow_window_and_loads_little_and_only_from_its_server() {
    let Some(reader) = Reader::start() else { return };
    reader.size(320, 640);
    for path in PAGES.iter().chain(MORE) {
        reader.go(path);
        assert_eq!(reader.script(OUTSIDE, &[]), json!([false, []]), "{path}");
        let loaded = reader.script(LOADED, &[]);
        assert_eq!(loaded[0], json!([]), "{path}");
        assert!(loaded[1].as_f64().unwrap() < HEAVIEST as f64, "{path}: {loaded}");
        let console = reader.console();
        let expected = |line: &String| *path == "/nowhere" && line.contains("status of 404");
        assert!(console.iter().all(expected), "{path}: {console:?}");
    }
}

/// The file of axe-core, which npm fetches once into the target folder. `None`, said aloud, where it cannot be fetched.
fn axe() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        std::fs::create_dir_all(&folder).unwrap();
        let words = [
            "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts",
            "--prefix",
        ];
        let run = Command::new("npm").args(words).arg(&folder).arg("axe-core@4").output();
        if !run.is_ok_and(|run| run.status.success()) {
            eprintln!("skipped: npm cannot fetch axe-core");
            return None;
        }
    }
    Some(file)
}

const CHECK: &str = "const done = arguments[arguments.length - 1];
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    // The themes differ in their colours alone.
    const rules = ['color-contrast', 'link-in-text-block'];
    const only = arguments[0] === 'light' ? tags : { type: 'rule', values: rules };
    axe.run({ runOnly: only }).then(found => done(found.violations.map(
        barrier => barrier.id + ': ' + barrier.help + ': ' + barrier.nodes.slice(0, 2).map(node => node.html).join(' '))),
        error => done(['axe: ' + error]))";

#[test]
fn axe_finds_no_barrier_on_any_page_in_light_and_dark() {
    let (Some(reader), Some(axe)) = (Reader::start(), axe()) else { return };
    let axe = std::fs::read_to_string(axe).unwrap();
    for path in PAGES.iter().chain(MORE) {
        reader.go(path);
        reader.script(&axe, &[]);
        for theme in ["light", "dark"] {
            reader.theme(theme);
            assert_eq!(reader.script_to_end(CHECK, &[theme.into()]), json!([]), "{path} ({theme})");
        }
    }
    // It does find a barrier where there is one.
    reader.script(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"/assets/icon.svg\">')",
        &[],
    );
    assert!(reader.script_to_end(CHECK, &["light".into()]).to_string().contains("image-alt"));
    reader.script("document.querySelector('footer').style.color = '#333'", &[]);
    assert!(reader.script_to_end(CHECK, &["dark".into()]).to_string().contains("color-contrast"));
}

#[test]
fn every_link_of_every_page_leads_to_a_page() {
    let (_, server) = &*demonstration();
    let mut known = BTreeSet::new();
    for path in PAGES.iter().chain(MORE) {
        // The links are in the page as it is sent: every page works without a script.
        let links = values(&server.get(path).body, "href");
        // Of many links of one kind, such as the events of the log, two.
        let kind = |link: &str| {
            let path = link.split('?').next().unwrap_or_default();
            let mut parts: Vec<&str> = path.split('/').collect();
            if parts.len() > 2 {
                parts[2] = path.rsplit('.').next().filter(|_| path.contains('.')).unwrap_or_default();
            }
            parts.join("/")
        };
        for link in links.iter().filter(|link| link.starts_with('/')) {
            let same = known.iter().filter(|other: &&String| kind(other) == kind(link)).count();
            if same < 2 && known.insert(link.clone()) {
                let status = server.get(link).status;
                assert!(matches!(status, 200 | 303), "{path} leads to {link}: {status}");
            }
        }
    }
    assert!(known.len() > 30, "{known:?}");
}
