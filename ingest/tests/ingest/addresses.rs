//! Datasets published at an address: what is read there is what was published, a publication is whole or not there, and
//! of several at once each number has one winner.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use annals_ingest::location::{Location, Objects, Publication, PublishError, Stamp, publish};
use annals_ingest::manifest::{Manifest, ManifestError};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::dataset::store;
use crate::fixture::{cases, text, write};

const CHILD: &str = "ANNALS_TEST_PUBLISHING_CHILD";

/// A dataset of the games with these numbers.
fn stored(folder: &Path, name: &str, games: std::ops::Range<u64>) -> std::path::PathBuf {
    let (inputs, dataset) = (folder.join(format!("{name}-inputs")), folder.join(name));
    write(&inputs, "games.txt", text(games).as_bytes());
    store(&dataset, &[&inputs]).unwrap();
    dataset
}

fn published(dataset: &Path, address: &Path, commit: u8) -> Result<Publication, PublishError> {
    publish(dataset, &Objects::in_folder(address).unwrap(), None, [commit; 16], |_, _| ())
}

/// The files at an address with their contents.
fn contents(address: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![address.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.path().is_dir() {
                true => folders.push(entry.path()),
                false => {
                    drop(found.insert(entry.path().display().to_string(), fs::read(entry.path()).unwrap()))
                }
            }
        }
    }
    found
}

/// Reads every file of a dataset at an address, and compares it with its entry.
fn check(address: &Path) -> Manifest {
    for text in [address.display().to_string(), format!("file://{}", address.display())] {
        let dataset = Location::parse(&text).unwrap().open().unwrap();
        for entry in &dataset.manifest.files {
            let reader =
                ParquetRecordBatchReaderBuilder::try_new(dataset.file(entry).open().unwrap()).unwrap();
            let rows = reader.build().unwrap().map(|batch| batch.unwrap().num_rows() as u64).sum::<u64>();
            assert_eq!(rows, entry.rows, "{}", entry.path);
        }
    }
    Location::from(address).open().unwrap().manifest
}

#[test]
fn what_is_read_at_an_address_is_what_was_published() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (stored(folder.path(), "first", 0..50), stored(folder.path(), "second", 0..80));
    let address = folder.path().join("an address with spaces & signs");
    let publication = published(&first, &address, 1).unwrap();
    assert!(publication.is_new && publication.number == 1 && publication.present.files == 0);
    assert_eq!(check(&address), Manifest::open(&first).unwrap());
    let before = contents(&address);

    let again = published(&first, &address, 2).unwrap();
    assert!(!again.is_new && again.number == 1 && again.copied.files == 0, "{again:?}");
    assert_eq!(contents(&address), before);

    let next = published(&second, &address, 3).unwrap();
    assert!(next.is_new && next.number == 2 && next.copied.files > 0, "{next:?}");
    assert_eq!(check(&address), Manifest::open(&second).unwrap());
    let after = contents(&address);
    assert!(before.iter().all(|(name, content)| after.get(name) == Some(content)), "an old file changed");

    // The first one again is a new number, and all of its files are there.
    let back = published(&first, &address, 4).unwrap();
    assert!(back.is_new && back.number == 3 && back.copied.files == 0, "{back:?}");
    assert_eq!(check(&address), Manifest::open(&first).unwrap());
}

#[test]
fn the_last_manifest_is_found_among_any_number() {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("address");
    for number in 1..=20 {
        let dataset = stored(folder.path(), &format!("dataset-{number}"), 0..3 + number);
        assert_eq!(published(&dataset, &address, 1).unwrap().number, number);
        assert_eq!(Location::from(&*address).stamp().unwrap(), Some(Stamp::Number(number)));
        assert_eq!(check(&address), Manifest::open(&dataset).unwrap());
    }
}

#[test]
fn nothing_damaged_is_published_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = stored(folder.path(), "one", 0..50);
    let address = folder.path().join("address");
    published(&dataset, &address, 1).unwrap();
    let whole = contents(&address);

    // A byte of a page changed at the source: its size is right, its digest is not.
    let other = stored(folder.path(), "two", 0..60);
    let entry = Manifest::open(&other).unwrap().table("turns").next().unwrap().clone();
    let mut bytes = fs::read(other.join(&entry.path)).unwrap();
    bytes[100] ^= 1;
    fs::write(other.join(&entry.path), bytes).unwrap();
    let error = published(&other, &address, 2).unwrap_err();
    assert!(matches!(error, PublishError::Damaged { .. }), "{error}");
    let names = |name: &&String| name.contains("manifest");
    let now = contents(&address);
    assert_eq!(now.keys().filter(names).count(), 1);
    assert!(whole.iter().all(|(name, content)| now.get(name) == Some(content)));

    // Every changed byte of the numbered manifest that is not white space.
    let path = address.join("manifest-1.json");
    let text = fs::read(&path).unwrap();
    for at in (0..text.len()).step_by(7).filter(|at| !text[*at].is_ascii_whitespace()) {
        let mut changed = text.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        let opened = Location::from(&*address).open();
        let error = opened.map(|dataset| dataset.manifest).unwrap_err();
        use ManifestError as E;
        assert!(
            matches!(error, E::Address(_) | E::Damaged { .. } | E::OtherVersion(_)),
            "byte {at}: {error}"
        );
    }
}

#[test]
fn addresses_that_are_none_are_refused() {
    for text in [
        "ftp://host/x",
        "s3://",
        "https:///x",
        "s3://bucket/x?y=1",
        "http://u:p@host/x",
        "https://user@host/x",
        "://",
        "file://host/x",
    ] {
        assert!(Location::parse(text).is_err(), "{text}");
    }
    let missing = Location::from(Path::new("/does/not/exist"));
    assert!(matches!(missing.open(), Err(ManifestError::Missing { .. })));
    assert!(matches!(
        Location::parse("file:///does/not/exist").unwrap().open(),
        Err(ManifestError::Missing { .. })
    ));
}

/// Not a test by itself: publishes one dataset to each of the addresses, as soon as all processes are ready.
#[test]
fn a_process_publishes_to_each_address_in_turn() {
    let Some(told) = std::env::var_os(CHILD) else { return };
    let told: Vec<String> = told.into_string().unwrap().split('|').map(str::to_owned).collect();
    let [folder, child, processes, rounds] = told.as_slice() else { panic!("four words") };
    let (folder, child) = (Path::new(folder), child.parse::<u8>().unwrap());
    let (processes, rounds) = (processes.parse::<usize>().unwrap(), rounds.parse::<usize>().unwrap());
    let dataset = folder.join(format!("dataset-{child}"));
    for round in 0..rounds {
        let ready = folder.join(format!("ready-{round}"));
        fs::create_dir_all(&ready).unwrap();
        fs::write(ready.join(child.to_string()), "").unwrap();
        while fs::read_dir(&ready).unwrap().count() < processes {
            std::thread::sleep(std::time::Duration::from_micros(50));
        }
        let line = match published(&dataset, &folder.join(format!("address-{round}")), child) {
            Ok(won) => format!("{round} won {}", won.number),
            Err(PublishError::Conflict { .. }) => format!("{round} lost"),
            Err(error) => panic!("{error}"),
        };
        fs::write(folder.join(format!("outcome-{round}-{child}")), line).unwrap();
    }
}

/// Real processes on one file system.
#[test]
fn of_publications_at_once_each_number_has_one_winner() {
    const PROCESSES: usize = 4;
    let rounds = cases(1_000) as usize;
    let folder = tempfile::tempdir().unwrap();
    for child in 0..PROCESSES {
        stored(folder.path(), &format!("dataset-{child}"), 0..3 + child as u64);
    }
    let start = |child: usize| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "addresses::a_process_publishes_to_each_address_in_turn"])
            .env(CHILD, format!("{}|{child}|{PROCESSES}|{rounds}", folder.path().display()))
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..PROCESSES).map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let mut lost = 0;
    for round in 0..rounds {
        let outcomes = (0..PROCESSES).map(|child| {
            let line = fs::read_to_string(folder.path().join(format!("outcome-{round}-{child}"))).unwrap();
            line.rsplit_once("won ").map(|(_, number)| (number.parse::<u64>().unwrap(), child))
        });
        let mut winners: Vec<(u64, usize)> = outcomes.flatten().collect();
        winners.sort_unstable();
        lost += PROCESSES - winners.len();
        let numbers: Vec<u64> = winners.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, (1..=winners.len() as u64).collect::<Vec<_>>(), "round {round}");
        let address = folder.path().join(format!("address-{round}"));
        for (number, child) in winners {
            let text = fs::read_to_string(address.join(format!("manifest-{number}.json"))).unwrap();
            let commit = format!("{child:02x}").repeat(16);
            assert!(text.contains(&commit), "round {round}: number {number} is not that of process {child}");
        }
        if round % 50 == 0 {
            check(&address);
        }
    }
    println!("{rounds} races, {lost} publications lost");
    assert!(lost > 0, "no race was lost: the processes did not meet");
}
