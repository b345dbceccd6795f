//! A dataset in a folder when the power fails: a manifest gets its name after all that it names is on the disk. `strace`
//! shows the calls to the kernel, so the program knows nothing of the test.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use annals_ingest::manifest::{MANIFEST_FILE, Manifest};

use crate::fixture::{text, write};
use crate::killed::child;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Call {
    Written(PathBuf),
    /// A file, or the names in a folder.
    Synced(PathBuf),
    Named(PathBuf),
    Moved(PathBuf, PathBuf),
    Removed(PathBuf),
}

/// Calls that succeeded, in the order of their ends.
fn calls(log: &str) -> Vec<Call> {
    let mut begun: HashMap<&str, &str> = HashMap::new();
    let mut calls = Vec::new();
    for line in log.lines() {
        let (process, rest) = line.split_once(' ').expect("a process");
        let rest = rest.trim_start();
        if let Some(call) = rest.strip_suffix("<unfinished ...>") {
            begun.insert(process, call);
            continue;
        }
        let call = match rest.split_once(" resumed>") {
            Some((_, end)) => format!("{}{end}", begun.remove(process).expect("a call that began")),
            None => rest.to_owned(),
        };
        if !call.contains(") = -1") {
            calls.extend(understood(&call));
        }
    }
    calls
}

fn understood(call: &str) -> Option<Call> {
    let (name, arguments) = call.split_once('(')?;
    let quoted: Vec<PathBuf> = arguments.split('"').skip(1).step_by(2).map(PathBuf::from).collect();
    // The path of the first descriptor.
    let open = || Some(PathBuf::from(arguments.split_once('<')?.1.split_once('>')?.0));
    match name {
        "write" | "pwrite64" | "writev" | "ftruncate" | "copy_file_range" => open().map(Call::Written),
        "fsync" | "fdatasync" => open().map(Call::Synced),
        "openat" if arguments.contains("O_CREAT") => Some(Call::Named(quoted[0].clone())),
        "mkdir" => Some(Call::Named(quoted[0].clone())),
        "rename" => Some(Call::Moved(quoted[0].clone(), quoted[1].clone())),
        "unlink" => Some(Call::Removed(quoted[0].clone())),
        "unlinkat" => Some(Call::Removed(open()?.join(&quoted[0]))),
        _ => None,
    }
}

/// The files of a dataset.
fn listed(dataset: &Path) -> BTreeSet<PathBuf> {
    Manifest::open(dataset).unwrap().files.iter().map(|file| dataset.join(&file.path)).collect()
}

/// What a loss of power could destroy while the files of `new` replace those of `old` in a dataset.
fn check(
    calls: &[Call],
    dataset: &Path,
    old: &BTreeSet<PathBuf>,
    new: &BTreeSet<PathBuf>,
) -> Result<(), String> {
    let manifest = dataset.join(MANIFEST_FILE);
    let is_listed = |path: &Path| new.iter().any(|file| file.starts_with(path));
    // What is not on the disk: bytes of files, and names.
    let (mut bytes, mut names): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) = Default::default();
    let mut is_published = false;
    for call in calls {
        match call {
            Call::Written(path) => drop(bytes.insert(path.clone())),
            Call::Named(path) => drop(names.insert(path.clone())),
            Call::Synced(path) => {
                bytes.remove(path);
                names.retain(|name| name.parent() != Some(path));
            }
            Call::Moved(from, to) => {
                if bytes.remove(from) {
                    bytes.insert(to.clone());
                }
                names.remove(from);
                names.insert(to.clone());
                if *to == manifest {
                    is_published = true;
                    let lost = bytes.union(&names).find(|path| is_listed(path) || bytes.contains(&manifest));
                    if let Some(lost) = lost {
                        return Err(format!("{} was not synced when it was published", lost.display()));
                    }
                }
            }
            Call::Removed(path) if old.contains(path) && (!is_published || names.contains(&manifest)) => {
                return Err(format!("{} was removed before the new manifest was synced", path.display()));
            }
            Call::Removed(_) => {}
        }
    }
    if is_published && !names.contains(&manifest) {
        Ok(())
    } else {
        Err("the name of the manifest was not synced".to_owned())
    }
}

/// Ingests in another process; none where it cannot be traced.
fn recorded(dataset: &Path, input: &Path) -> Option<Vec<Call>> {
    let log = input.join("calls");
    let ingest = child(dataset, input);
    let mut strace = Command::new("strace");
    let traced = "trace=openat,mkdir,rename,unlink,unlinkat,write,pwrite64,writev,ftruncate,copy_file_range,fsync,fdatasync";
    strace.args(["-f", "-y", "-qq", "-s", "0", "-e", traced, "-o"]).arg(&log);
    strace.arg("--").arg(ingest.get_program()).args(ingest.get_args());
    ingest.get_envs().for_each(|(name, value)| {
        strace.env(name, value.expect("a value"));
    });
    if !strace.output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: this system has no `strace`, or does not permit to trace a process");
        return None;
    }
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(log).unwrap();
    Some(calls(&text))
}

#[test]
fn what_a_manifest_names_is_synced_before_it_gets_its_name() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().canonicalize().unwrap();
    let (first, second, dataset) = (folder.join("first"), folder.join("second"), folder.join("dataset"));
    write(&first, "0.txt", text(0..2_000).as_bytes());
    write(&second, "1.txt", text(2_000..6_000).as_bytes());

    let Some(calls) = recorded(&dataset, &first) else { return };
    let files = listed(&dataset);
    assert_eq!(check(&calls, &dataset, &BTreeSet::new(), &files), Ok(()));
    // Without any one of these syncs there is something to lose.
    let is_sync = |call: &Call| matches!(call, Call::Synced(path) if path.starts_with(&folder));
    let without = |at: usize| [&calls[..at], &calls[at + 1..]].concat();
    let syncs: Vec<usize> = (0..calls.len()).filter(|at| is_sync(&calls[*at])).collect();
    for at in &syncs {
        assert!(check(&without(*at), &dataset, &BTreeSet::new(), &files).is_err(), "{:?}", calls[*at]);
    }
    println!("a new dataset: {} calls, {} syncs, each of them needed", calls.len(), syncs.len());
    assert!(syncs.len() > 8);

    let calls = recorded(&dataset, &second).unwrap();
    let replaced = listed(&dataset);
    assert_ne!(replaced, files);
    assert_eq!(check(&calls, &dataset, &files, &replaced), Ok(()));
}
