//! A process that is killed at any instant leaves the old dataset or the new one, never one that looks whole and is not;
//! and the same ingest after it ends with the same bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use annals_ingest::manifest::{MANIFEST_FILE, Manifest};

use crate::dataset::{files, options, parquet_files, store};
use crate::fixture::{cases, gzip, tar, text, write};

const CHILD: &str = "ANNALS_TEST_KILLED_CHILD";

/// Not a test by itself: what the killed process does.
#[test]
fn a_process_that_may_be_killed_ingests_what_it_is_told() {
    let Some(told) = std::env::var_os(CHILD) else { return };
    let told = told.into_string().expect("UTF-8");
    let (dataset, input) = told.split_once('|').expect("two folders");
    annals_ingest::run::ingest(&options(Path::new(dataset), &[Path::new(input)]), &()).expect("ingested");
}

pub fn child(dataset: &Path, input: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("the test binary"));
    command
        .args(["--exact", "killed::a_process_that_may_be_killed_ingests_what_it_is_told"])
        .env(CHILD, format!("{}|{}", dataset.display(), input.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What a dataset is at one time: its manifest, if there is one, with every listed file there and whole.
pub fn state(dataset: &Path) -> Option<Vec<u8>> {
    Manifest::read(dataset).expect("a manifest is whole or not there")?;
    files(dataset);
    Some(fs::read(dataset.join(MANIFEST_FILE)).expect("readable"))
}

#[test]
fn a_kill_at_any_instant_leaves_the_old_dataset_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    write(&first, "0.txt", text(0..2_000).as_bytes());
    for i in 1..6 {
        write(&second, &format!("{i}.txt"), text(i * 2_000..i * 2_000 + 2_000).as_bytes());
    }
    let packed: Vec<_> = (6..9).map(|i| (format!("{i}.txt"), text(i * 2_000..i * 2_000 + 2_000))).collect();
    let packed: Vec<_> = packed.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    write(&second, "packed.tgz", &gzip(&tar(&packed)));

    // The old dataset, the new one, and how long it takes.
    let old_home = folder.path().join("old");
    store(&old_home, &[&first]).unwrap();
    let old = state(&old_home);
    let new_home = copy(&old_home, &folder.path().join("new"));
    let begun = Instant::now();
    assert!(child(&new_home, &second).status().unwrap().success());
    let whole = begun.elapsed();
    let (new, new_files) = (state(&new_home), files(&new_home));

    let home = copy(&old_home, &folder.path().join("home"));
    let (mut kills, mut done, mut again) = (0, 0, 0);
    let wanted = cases(50);
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    println!("seed {random:#x}, {wanted} kills, {whole:?} without one");
    while kills < wanted {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut process = child(&home, &second).spawn().unwrap();
        std::thread::sleep(whole.mul_f64(random as f64 / u64::MAX as f64 * 1.1));
        process.kill().unwrap();
        let ended = process.wait().unwrap();
        kills += 1;
        let now = state(&home);
        if now == new {
            // It was quick enough, or was killed after the commit: begin anew.
            done += 1;
            assert_eq!(files(&home), new_files);
            fs::remove_dir_all(&home).unwrap();
            copy(&old_home, &home);
        } else {
            assert!(now == old, "kill {kills}: neither the old dataset nor the new one");
            assert!(!ended.success(), "it ended well and published nothing");
            again += 1;
        }
    }
    println!("{kills} kills: {again} left the old dataset, {done} the new one");
    assert!(again > 0 && (done > 0 || wanted < 20), "the kills did not meet the ingest");

    // What the last ones left behind is no obstacle, and is cleaned away.
    store(&home, &[&second]).unwrap();
    assert_eq!(state(&home), new);
    store(&home, &[&second]).unwrap();
    assert_eq!(parquet_files(&home), new_files.keys().cloned().collect::<Vec<_>>());
}

#[test]
fn killed_again_and_again_an_ingest_comes_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    for i in 0..12 {
        write(&input, &format!("{i:02}.txt"), text(i * 4_000..i * 4_000 + 4_000).as_bytes());
    }
    let fresh = folder.path().join("fresh");
    let begun = Instant::now();
    assert!(child(&fresh, &input).status().unwrap().success());
    let patience = (begun.elapsed() / 2).max(Duration::from_millis(600));

    // Killed half way every time: what is finished adds up.
    let home = folder.path().join("home");
    let mut rounds = 0;
    while state(&home).is_none() {
        rounds += 1;
        assert!(rounds < 40, "it never ends");
        let mut process = child(&home, &input).spawn().unwrap();
        let begun = Instant::now();
        while begun.elapsed() < patience && process.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        process.kill().unwrap();
        process.wait().unwrap();
    }
    println!("{rounds} rounds of {patience:?}");
    assert_eq!(files(&home), files(&fresh));
}

pub fn copy(from: &Path, to: &Path) -> PathBuf {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
    to.to_owned()
}
