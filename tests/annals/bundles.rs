//! Evidence in one file: what it holds by default and on request, its size, the verdict in the last line, files of the
//! earlier format; and whether two receipts are of one history.

use std::path::Path;
use std::process::Command;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::tournament::START;

const FORMAT_1: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/bundles/format_1.json");

/// The receipt of the head of that file.
const RECEIPT_1: &str = "annals-head/1 log=44efc9524c1226cbbae6d680de2e68b4 seq=21 \
    hash=fd7886eeb15aace6f7b664542cf5dcaaa80db3bd4df694e79d450a3672d75002 \
    root=75fe90dfcaf04c75cac1485012583288e6f1583d95f67861d548a87466e9dd8d";

/// The last line that the Python program prints, and its exit status; none without Python.
fn python(bundle: &Path, receipt: &str) -> Option<(i32, String)> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/check_bundle.py");
    let output = Command::new("python3").arg(script).arg(bundle).arg(receipt).output().ok()?;
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    Some((output.status.code().unwrap_or(-1), out.lines().last().unwrap_or_default().to_owned()))
}

#[test]
fn the_evidence_of_a_championship_is_small_and_its_verdict_is_the_last_line() {
    let (played, _) = &*DEMONSTRATION;
    let place = Place::new();
    place.copy_folder(&played.path("annals-demo"), "home");
    let receipt = place.ask(&["log", "head"]).trim().to_owned();
    place.ask(&["log", "bundle", "cup", "-o", "cup.json"]);
    let size = std::fs::metadata(place.path("cup.json")).unwrap().len();
    assert!(size < 2_000_000, "{size} bytes");
    place.ask(&["log", "bundle", "cup", "--games", "-o", "all.json"]);
    for (file, streams) in [("cup.json", "521 events of 1 stream"), ("all.json", "events of 387 streams")] {
        let checked = place.ask(&["log", "check-bundle", file, "--receipt", &receipt]);
        let last = checked.lines().last().unwrap();
        assert!(last.starts_with("proven under the receipt: ") && last.ends_with(streams), "{last}");
        if let Some((status, last)) = python(&place.path(file), &receipt) {
            assert!(status == 0 && last.starts_with("proven: "), "{last}");
        }
    }

    // Without one of the roots between the events nothing is proven.
    let mut bundle: serde_json::Value =
        serde_json::from_slice(&std::fs::read(place.path("cup.json")).unwrap()).unwrap();
    bundle["nodes"].as_array_mut().unwrap().pop();
    place.write("cut.json", bundle.to_string());
    let run = place.run(&["log", "check-bundle", "cut.json"]);
    assert_eq!((run.status, run.out.lines().last()), (1, Some("not proven")), "{run:?}");
    if let Some((status, last)) = python(&place.path("cut.json"), &receipt) {
        assert_eq!((status, last.as_str()), (1, "not proven"));
    }
}

#[test]
fn a_file_of_the_earlier_format_is_still_checked() {
    let place = Place::new();
    let words = ["log", "check-bundle", FORMAT_1, "--receipt", RECEIPT_1];
    let checked = place.ask(&words);
    assert!(checked.ends_with("proven under the receipt: 17 events of 2 streams\n"), "{checked}");
    if let Some((status, last)) = python(Path::new(FORMAT_1), RECEIPT_1) {
        assert!(status == 0 && last.starts_with("proven: 17 events"), "{last}");
    }
    // Its paths prove nothing under the name of the present format.
    let text = std::fs::read_to_string(FORMAT_1).unwrap();
    for (name, forged) in [
        ("other format", text.replacen("annals-bundle/1", "annals-bundle/2", 1)),
        ("changed", text.replacen("Anna", "Hanna", 1)),
    ] {
        assert_ne!(forged, text);
        place.write("forged.json", forged);
        let run = place.run(&["log", "check-bundle", "forged.json", "--receipt", RECEIPT_1]);
        assert_eq!((run.status, run.out.lines().last()), (1, Some("not proven")), "{name}: {run:?}");
    }
}

#[test]
fn two_receipts_are_compared_by_one_command() {
    let place = Place::new();
    place.ask(&["log", "init", "--simulated", "--at", "2015-02-01", "--actor", "omar"]);
    let early = place.ask(&["log", "head"]);
    let early = early.trim();
    place.write("start.jsonl", START);
    place.ask(&["log", "append", "start.jsonl", "--actor", "omar", "--at", "2015-03-01T09:00"]);
    let late = place.ask(&["log", "head"]).trim().to_owned();
    let check = |a: &str, b: &str| place.run(&["log", "verify", "--quick", "--receipt", a, "--receipt", b]);
    let run = check(early, &late);
    assert!(run.status == 0 && run.out.contains("consistent: the 2 receipts are of one history"), "{run:?}");
    let run = check(&late, RECEIPT_1);
    assert!(run.status == 1 && run.out.contains("not consistent: "), "{run:?}");
}

#[test]
fn a_malformed_finding_is_named_by_the_python_program() {
    let bundle: serde_json::Value = serde_json::from_slice(&std::fs::read(FORMAT_1).unwrap()).unwrap();
    let place = Place::new();
    for (finding, fault) in [
        (r#"{"seq":1}"#, "has no valid `code`"),
        (r#"{"seq":1,"code":"x"}"#, "has no valid `message`"),
        (r#"{"seq":"one","code":"x","message":"y"}"#, "has no valid `seq`"),
        (r#""one""#, "has no valid `seq`"),
    ] {
        let mut bundle = bundle.clone();
        let findings = bundle["verdicts"][0]["findings"].as_array_mut().unwrap();
        findings.insert(0, serde_json::from_str(finding).unwrap());
        place.write("malformed.json", bundle.to_string());
        if let Some((status, last)) = python(&place.path("malformed.json"), RECEIPT_1) {
            let named = last.contains("finding 1 about ") && last.contains(fault);
            assert!(status == 1 && named, "{finding}: {last}");
        }
    }
    let mut lacking = bundle.clone();
    lacking.as_object_mut().unwrap().remove("verdicts");
    place.write("lacking.json", lacking.to_string());
    if let Some((status, last)) = python(&place.path("lacking.json"), RECEIPT_1) {
        assert_eq!((status, last.as_str()), (1, "NO  the bundle can be read: it has no `verdicts`"));
    }
}
