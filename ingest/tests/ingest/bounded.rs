//! Memory has a bound: what does not fit into a budget waits in temporary files, and the dataset is the same to the byte
//! whatever the budget and the number of threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use annals_ingest::manifest::MANIFEST_FILE;
use annals_ingest::run::{Moment, Options, Progress, ingest};
use annals_ingest::write::STAGING_FOLDER;

use crate::dataset::{files, options, table};
use crate::fixture::{fields, header, write};

/// Games of many players who change their names and ratings, with and without account numbers; some against themselves.
fn people(ids: impl Iterator<Item = u64>, spelling: &str) -> String {
    let mut text = header() + "\n";
    for id in ids {
        let (gold, silver) = (id * 7 % 611, id * 13 % 467);
        let mut fields = fields(id);
        fields[1] = if gold % 3 == 0 { String::new() } else { gold.to_string() };
        fields[2] = silver.to_string();
        fields[3] = format!("{spelling}{gold}{}", if id % 29 == 0 { " the old" } else { "" });
        fields[4] = format!("p{silver}{}", id / 900);
        fields[9] = (1000 + id % 900).to_string();
        fields[19] = (1_100_000_000 + id % 4 * 32_000_000).to_string();
        fields[20] = (1_100_000_600 + id % 4 * 32_000_000).to_string();
        if id % 31 == 0 {
            (fields[2], fields[4]) = (fields[1].clone(), fields[3].clone());
        }
        text += &fields.join("\t");
        text.push('\n');
    }
    text
}

/// Three sources that overlap: ids that rise, ids that are scattered, and the same games spelt otherwise.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let scattered = (1..2_501).map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 12);
    let texts = [
        people((0..3_000).chain(100..140), "p"),
        people(scattered.chain(2_900..3_100), "p"),
        people((2_000..2_600).chain(40_000..41_000), "q"),
    ];
    let names = ["a.txt", "b.txt", "c.txt"];
    names.iter().zip(texts).map(|(name, text)| write(folder, name, text.as_bytes())).collect()
}

/// Looks at every moment whether a file with a name waits in the staging folder that is no table's.
struct NothingLeft<'d>(&'d Path);

impl Progress for NothingLeft<'_> {
    fn at(&self, _: Moment) {
        for entry in fs::read_dir(self.0.join(STAGING_FOLDER)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let known = entry.path().is_dir() || name.starts_with("open-") || name.starts_with("journal");
            assert!(known, "{name}");
        }
    }
}

/// The digests of all files, and the manifest.
type Dataset = (BTreeMap<String, String>, Vec<u8>);

fn dataset(folder: &Path, sources: &[PathBuf], held_bytes: usize, threads: usize) -> Dataset {
    let given: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let mut options = Options { threads, ..options(folder, &given) };
    options.limits.held_bytes = held_bytes;
    let summary = ingest(&options, &NothingLeft(folder)).unwrap();
    assert_eq!(
        summary.reasons,
        BTreeMap::from([("duplicate".into(), 140), ("duplicate_differs".into(), 600)])
    );
    (files(folder), fs::read(folder.join(MANIFEST_FILE)).unwrap())
}

#[test]
fn the_bytes_do_not_depend_on_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(folder.path());
    let normal = folder.path().join("normal");
    let whole = dataset(&normal, &sources, 64 << 20, 2);
    // Some sixty games, and a dozen players, are held at a time.
    for (held_bytes, threads) in [(4 << 10, 1), (4 << 10, 3), (40 << 10, 2)] {
        let tiny = folder.path().join(format!("{held_bytes}-{threads}"));
        let found = dataset(&tiny, &sources, held_bytes, threads);
        assert!(found == whole, "{held_bytes} bytes, {threads} threads");
    }
    let players = table(&normal, "players");
    assert!(players.rows() > 800, "{}", players.rows());
    assert!(players.list_lengths("other_names").iter().filter(|names| **names > 0).count() > 300);
}

#[test]
fn one_file_after_the_other_finds_the_same_duplicates_within_any_budget() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(folder.path());
    let mut seen = None;
    for held_bytes in [4 << 10, 64 << 20] {
        let home = folder.path().join(held_bytes.to_string());
        for source in &sources {
            let mut options = options(&home, &[source]);
            options.limits.held_bytes = held_bytes;
            ingest(&options, &()).unwrap();
        }
        let reasons = table(&home, "rejects").counts("reason");
        assert_eq!((reasons["duplicate"], reasons["duplicate_differs"]), (140, 600));
        let found = files(&home);
        assert!(*seen.get_or_insert_with(|| found.clone()) == found, "{held_bytes} bytes");
    }
}
