//! Proofs, checked by this program and by the page of Python that knows nothing of it.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use annals_events::Hash;
use annals_store::{
    BUNDLE, ConsistencyProof, Head, InclusionProof, Log, ProofError, Transaction, check_bundle, prove_streams,
};
use serde_json::Value;

use crate::scene::{Scene, numbered, sample};

fn script() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tools/check_proof.py"))
}

fn python_is_there() -> bool {
    let there = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "proofs are not checked: there is no python3");
        eprintln!("skipped: there is no python3 to check proofs independently");
    }
    there
}

/// Runs the script's checks over many proofs, each with its receipts, in one process: how many hold.
fn check_all(folder: &std::path::Path, proofs: &[(String, Vec<Head>)]) -> usize {
    let mut lines = String::new();
    for (proof, receipts) in proofs {
        let receipts: Vec<String> = receipts.iter().map(Head::to_string).collect();
        writeln!(lines, "{{\"proof\":{proof},\"receipts\":{}}}", serde_json::to_string(&receipts).unwrap())
            .unwrap();
    }
    let file = folder.join("proofs.jsonl");
    fs::write(&file, lines).unwrap();
    let driver = "import importlib.util, json, sys\n\
        spec = importlib.util.spec_from_file_location('check_proof', sys.argv[1])\n\
        module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)\n\
        results = [module.check(d['proof'], d['receipts']) for d in map(json.loads, open(sys.argv[2]))]\n\
        print(sum(all(r.values()) for r in results))";
    let output =
        Command::new("python3").args(["-B", "-c", driver]).arg(script()).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

#[test]
fn every_proof_of_every_log_up_to_200_events_holds() {
    let scene = Scene::empty();
    let mut log = scene.create();
    let mut heads = vec![log.acknowledged().unwrap()];
    let mut documents = Vec::new();
    let (mut inclusions, mut consistencies) = (0, 0);
    for size in 1..=200u64 {
        if size > 1 {
            heads.push(log.append(&Transaction::of(vec![numbered(size)])).unwrap().head);
        }
        // All sizes in the long run; in the short one the small ones and those around powers of two.
        let near = (size + 1).next_power_of_two() - size <= 2 || size.is_power_of_two();
        if size > sample(20, 200) as u64 && !near {
            continue;
        }
        let head = heads[size as usize - 1];
        for seq in 1..=size {
            let proof = log.prove_inclusion(seq).unwrap();
            assert!(proof.holds(), "{seq} of {size}");
            assert_eq!(proof.head, head);
            inclusions += 1;
            documents.push((serde_json::to_string(&proof).unwrap(), vec![head]));
            let old = heads[seq as usize - 1];
            let proof = log.prove_consistency(&old).unwrap();
            assert!(proof.holds(), "{seq} in {size}");
            consistencies += 1;
            documents.push((serde_json::to_string(&proof).unwrap(), vec![old, head]));
        }
    }
    if python_is_there() {
        assert_eq!(check_all(scene.folder.path(), &documents), documents.len());
    }
    println!("{inclusions} inclusion and {consistencies} consistency proofs hold, here and in Python");
}

#[test]
fn the_time_of_checking_a_bundle_grows_with_its_length_and_no_faster() {
    let scene = Scene::with_events(3);
    let log = Log::open(&scene.path()).unwrap();
    let proven = prove_streams(&log, &["game/3".parse().unwrap()]).unwrap();
    let mut events = Vec::new();
    for seq in 1..=4_000 {
        let mut event = serde_json::to_value(&proven.events[0]).unwrap();
        event["seq"] = seq.into();
        events.push(event);
    }
    let findings = "{\"seq\":4000},".repeat(1_000_000);
    let text = format!(
        r#"{{"format":"{BUNDLE}","about":"game/3","head":{},"streams":[],"events":{},"verdicts":[{{"stream":"game/3","findings":[{}]}}]}}"#,
        serde_json::to_string(&proven.head).unwrap(),
        serde_json::to_string(&events).unwrap(),
        findings.trim_end_matches(',')
    );
    let begun = std::time::Instant::now();
    let check = check_bundle(&text, None).unwrap();
    assert_eq!((check.claimed, check.is_proven()), (1_000_000, false));
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_proof_that_is_changed_in_any_field_holds_neither_here_nor_in_python() {
    let scene = Scene::with_events(11);
    let log = Log::open(&scene.path()).unwrap();
    let head = log.acknowledged().unwrap();
    let wrong = Hash([0x55; 32]);
    let inclusion = log.prove_inclusion(6).unwrap();
    let change = |change: &dyn Fn(&mut InclusionProof)| {
        let mut proof = inclusion.clone();
        change(&mut proof);
        assert!(!proof.holds(), "{proof:?}");
        (serde_json::to_string(&proof).unwrap(), vec![proof.head])
    };
    let mut changed = vec![
        change(&|p| p.format = "annals-inclusion/2".to_owned()),
        change(&|p| p.event.seq = 5),
        change(&|p| p.event.stream.push('x')),
        change(&|p| p.event.version += 1),
        change(&|p| p.event.id.0[0] ^= 1),
        change(&|p| p.event.event_type = "game.halted".to_owned()),
        change(&|p| p.event.schema = 2),
        change(&|p| p.event.effective_at -= 1),
        change(&|p| p.event.recorded_at -= 1),
        change(&|p| p.event.actor = "fritz".to_owned()),
        change(&|p| p.event.payload.push(' ')),
        change(&|p| p.event.previous_hash = wrong),
        change(&|p| p.event.hash = wrong),
        change(&|p| p.head.seq = 17),
        change(&|p| p.head.root = wrong),
        change(&|p| p.path[1] = wrong),
        change(&|p| p.path.swap(0, 1)),
        change(&|p| p.path.push(wrong)),
        change(&|p| {
            p.path.pop();
        }),
    ];
    let mut log = scene.open();
    scene.fill(&mut log, 23);
    let consistency = log.prove_consistency(&head).unwrap();
    let change = |change: &dyn Fn(&mut ConsistencyProof)| {
        let mut proof = consistency.clone();
        change(&mut proof);
        assert!(!proof.holds(), "{proof:?}");
        (serde_json::to_string(&proof).unwrap(), vec![proof.old, proof.new])
    };
    changed.extend([
        change(&|p| p.old.root = wrong),
        change(&|p| p.new.root = wrong),
        change(&|p| p.old.hash = wrong),
        change(&|p| p.old.seq = 10),
        change(&|p| p.new.seq = 33),
        change(&|p| p.new.log.0[0] ^= 1),
        change(&|p| p.path[0] = wrong),
        change(&|p| {
            p.path.pop();
        }),
        change(&|p| p.last_of_old[0] = wrong),
    ]);
    if python_is_there() {
        let good = vec![
            (serde_json::to_string(&inclusion).unwrap(), vec![inclusion.head]),
            (serde_json::to_string(&consistency).unwrap(), vec![consistency.old, consistency.new]),
        ];
        assert_eq!(check_all(scene.folder.path(), &good), 2);
        assert_eq!(check_all(scene.folder.path(), &changed), 0);
        // In a tree of 12 the path has the same shape as in one of 11: only the receipt tells the two apart.
        let mut another_size = inclusion.clone();
        another_size.head.seq = 12;
        let text = serde_json::to_string(&another_size).unwrap();
        assert_eq!(check_all(scene.folder.path(), &[(text, vec![inclusion.head])]), 0);
        let another_receipt = vec![(good[0].0.clone(), vec![consistency.new])];
        assert_eq!(check_all(scene.folder.path(), &another_receipt), 0);
    }
    println!("{} changes of a field, none of which holds, here or in Python", changed.len());
}

#[test]
fn a_proof_that_is_spelled_otherwise_holds_neither_here_nor_in_python() {
    let scene = Scene::with_events(11);
    let mut log = scene.open();
    let head = log.acknowledged().unwrap();
    let inclusion = serde_json::to_value(log.prove_inclusion(6).unwrap()).unwrap();
    scene.fill(&mut log, 23);
    let consistency = log.prove_consistency(&head).unwrap();
    let receipts = vec![consistency.old, consistency.new];
    let consistency = serde_json::to_value(consistency).unwrap();
    // Eight bytes that are a number are also a text of the same bytes.
    let as_text = |number: u64| Value::String(String::from_utf8(number.to_be_bytes().to_vec()).unwrap());
    let event = |key: &str| inclusion["event"][key].clone();
    let number = |key: &str| as_text(event(key).as_u64().unwrap());
    let text = |key: &str| event(key).as_str().unwrap().to_owned();
    let spaced = |text: &str| Value::String(format!("{} {}", &text[..2], &text[2..]));
    let mut respelled = Vec::new();
    for (place, value) in [
        ("/event/seq", number("seq")),
        ("/event/version", number("version")),
        ("/event/schema", number("schema")),
        ("/event/schema", true.into()),
        ("/event/version", 1.0.into()),
        ("/event/effective_at", Value::String("0".to_owned())),
        ("/event/id", format!(" {}", text("id")).into()),
        ("/event/id", spaced(&text("id"))),
        ("/event/hash", text("hash").to_uppercase().into()),
        ("/event/previous_hash", spaced(&text("previous_hash"))),
        ("/event/actor", Value::Null),
        ("/event/more", 1.into()),
        ("/more", 1.into()),
        ("/path", serde_json::json!({})),
        ("/path/0", inclusion["path"][0].as_str().unwrap().to_uppercase().into()),
        ("/head/seq", "11".into()),
        ("/format", Value::Null),
    ] {
        let mut proof = inclusion.clone();
        let (parent, key) = place.rsplit_once('/').unwrap();
        match proof.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
            object => object[key] = value,
        }
        assert!(proof != inclusion, "{place} was not changed");
        let here = serde_json::from_value::<InclusionProof>(proof.clone());
        assert!(here.is_err() || !here.unwrap().holds(), "{place} holds here");
        respelled.push((proof.to_string(), vec![head]));
    }
    let mut proof = consistency.clone();
    proof["old"]["root"] = proof["old"]["root"].as_str().unwrap().to_uppercase().into();
    respelled.push((proof.to_string(), receipts.clone()));
    if python_is_there() {
        let good = vec![(inclusion.to_string(), vec![head]), (consistency.to_string(), receipts)];
        assert_eq!(check_all(scene.folder.path(), &good), 2);
        assert_eq!(check_all(scene.folder.path(), &respelled), 0);
        // A key that is there twice can be read in two ways.
        let twice = inclusion.to_string().replacen("\"schema\":1", "\"schema\":1,\"schema\":1", 1);
        let file = scene.file("twice.json");
        fs::write(&file, twice).unwrap();
        let run = Command::new("python3").arg("-B").arg(script()).arg(&file).arg(head.to_string()).output();
        let run = run.unwrap();
        assert_eq!(run.status.code(), Some(1), "{run:?}");
        assert!(String::from_utf8_lossy(&run.stderr).contains("twice"), "{run:?}");
    }
    println!("{} other spellings, none of which holds, here or in Python", respelled.len());
}

#[test]
fn the_script_says_by_its_exit_status_what_it_found() {
    if !python_is_there() {
        return;
    }
    let scene = Scene::with_events(9);
    let log = Log::open(&scene.path()).unwrap();
    let proof = scene.file("proof.json");
    fs::write(&proof, serde_json::to_string_pretty(&log.prove_inclusion(4).unwrap()).unwrap()).unwrap();
    let run = |receipts: &[String]| {
        Command::new("python3")
            .arg("-B")
            .arg(script())
            .arg(&proof)
            .args(receipts)
            .output()
            .unwrap()
            .status
            .code()
    };
    let receipt = log.acknowledged().unwrap().to_string();
    assert_eq!(run(std::slice::from_ref(&receipt)), Some(0));
    assert_eq!(run(&[receipt.replace("seq=9", "seq=8")]), Some(1));
    assert_eq!(run(&[]), Some(2));
    assert!(fs::read_to_string(script()).unwrap().lines().count() <= 170);
}

#[test]
fn nothing_is_proven_that_is_not_there() {
    let scene = Scene::with_events(9);
    let log = Log::open(&scene.path()).unwrap();
    for seq in [0, 10, u64::MAX] {
        assert_eq!(log.prove_inclusion(seq).unwrap_err(), ProofError::NoSuchEvent { seq, last: 9 });
    }
    let head = log.acknowledged().unwrap();
    let refused = |old: Head, words: &str| {
        let error = log.prove_consistency(&old).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    };
    refused(Head { seq: 10, ..head }, "the log ends at 9");
    refused(Head { hash: Hash([1; 32]), ..head }, "event 9 has another hash");
    refused(Head { root: Hash([1; 32]), ..head }, "another Merkle root");
    refused(Head { log: annals_events::LogId([1; 16]), ..head }, "the receipt is of log 0101");
}
