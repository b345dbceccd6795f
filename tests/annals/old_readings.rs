//! How the texts of a rulebook are read that an announcement of edition 1 does not name: `show` and the audit list them.

use serde_json::Value;

use crate::program::Place;

fn imported(log: &str) -> Place {
    let place = Place::new();
    let file = format!("{}/tests/golden/v1/{log}.jsonl", env!("CARGO_MANIFEST_DIR"));
    place.ask(&["log", "import", &file, "--actor=omar"]);
    place
}

fn tournament(place: &Place) -> String {
    let list = place.ask_json(&["tournament", "list", "--json"]);
    list["tournaments"][0]["tournament"].as_str().unwrap().to_owned()
}

#[test]
fn an_audit_names_the_defaults_that_were_not_announced() {
    for (log, defaults) in [
        ("championship-2009", "T29=C, T34=B, T35=B, T42=B, T43=B, T45=B, T48=A, T50=A"),
        ("championship-2015", "T36=B, T37=B, T38=A, T39=A, T40=A, T41=C, T45=B, T46=B, T48=A"),
        ("postal-2006", "T44=A, T45=B"),
        ("olympiad-five", "T47=B, T49=A"),
    ] {
        let place = imported(log);
        let tournament = tournament(&place);
        let line = format!("read by the default of edition 1, not by the announcement: {defaults}\n");
        let text = place.run(&["tournament", "audit", &tournament]).out;
        assert!(text.contains(&line), "{log}: {}", text.lines().take(4).collect::<String>());
        let json: Value =
            serde_json::from_str(&place.run(&["tournament", "audit", &tournament, "--json"]).out).unwrap();
        let listed = json["readings_by_default"].as_array().unwrap().iter();
        let listed: Vec<&str> = listed.map(|reading| reading.as_str().unwrap()).collect();
        assert_eq!(listed.join(", "), defaults, "{log}");

        let shown = place.ask_json(&["tournament", "show", &tournament, "--json"]);
        let readings = shown["readings"].as_array().unwrap();
        let by_default = readings.iter().filter(|reading| reading["by_default"] == true);
        let shown: Vec<String> = by_default
            .map(|line| format!("{}={}", line["number"].as_str().unwrap(), line["letter"].as_str().unwrap()))
            .collect();
        assert_eq!(shown.join(", "), defaults, "{log}");
        let page = place.ask(&["tournament", "show", &tournament]);
        let marked = page.matches("default of the edition, not as announced").count();
        assert_eq!(marked, shown.len(), "{page}");
    }
}

#[test]
fn an_announcement_of_the_present_edition_leaves_nothing_to_a_default() {
    let place = Place::new();
    place.ask(&["tournament", "announce", "cup", "--rulebook", "wcc-2015", "--actor=omar"]);
    let audit = place.run(&["tournament", "audit", "cup"]);
    assert!(!audit.out.contains("by the default of"), "{audit:?}");
    let shown = place.ask_json(&["tournament", "show", "cup", "--json"]);
    let readings = shown["readings"].as_array().unwrap();
    assert!(readings.len() > 20 && readings.iter().all(|reading| reading["by_default"] == false), "{shown}");
}
