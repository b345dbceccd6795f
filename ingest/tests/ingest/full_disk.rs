//! A disk that is full while a dataset is written: the old dataset is left, and the same ingest ends when there is room.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use annals_ingest::write::STAGING_FOLDER;

use crate::dataset::{files, parquet_files, store};
use crate::fixture::{text, write};
use crate::killed::{child, copy, state};

/// A file system of so many bytes in memory, which the shell and the child alone see; later it has room.
const SCRIPT: &str = "mount -t tmpfs -o size=$1 none disk || exit 77
    cp -r old disk/data || exit 78
    \"$2\" --exact $3 --nocapture 2> said; echo $? > status; cp -r disk/data full
    mount -o remount,size=64m disk
    \"$2\" --exact $3 && cp -r disk/data room";

fn bytes(folder: &Path) -> u64 {
    let sizes = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        // Each file and folder takes whole pages.
        if path.is_dir() {
            4096 + bytes(&path)
        } else {
            fs::metadata(path).unwrap().len().next_multiple_of(4096)
        }
    });
    sizes.sum()
}

#[test]
fn a_disk_that_is_full_leaves_the_old_dataset_and_the_same_ingest_ends_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write(&at("first"), "0.txt", text(0..500).as_bytes());
    write(&at("second"), "1.txt", text(500..4_000).as_bytes());
    store(&at("old"), &[&at("first")]).unwrap();
    copy(&at("old"), &at("new"));
    store(&at("new"), &[&at("second")]).unwrap();
    let (old, new) = (state(&at("old")), state(&at("new")));
    let (least, most) = (bytes(&at("old")) + 8_192, bytes(&at("new")) + 8_192);

    let (disks, mut refused) = (12, 0);
    for disk in 0..disks {
        let size = least + (most - least) * disk / disks;
        for left in ["full", "room"] {
            let _ = fs::remove_dir_all(at(left));
        }
        let _ = fs::create_dir(at("disk"));
        let told = child(Path::new("disk/data"), Path::new("second"));
        let name = told.get_args().nth(1).unwrap();
        let status = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh"])
            .arg(size.to_string())
            .arg(told.get_program())
            .arg(name)
            .envs(told.get_envs().filter_map(|(key, value)| Some((key, value?))))
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let is_mounted = status.as_ref().is_ok_and(|status| !matches!(status.code(), Some(1 | 77)));
        if disk == 0 && !is_mounted {
            println!("skipped: no small file system can be mounted here ({status:?})");
            return;
        }
        let ended_well = fs::read_to_string(at("status")).unwrap().trim() == "0";
        assert!(state(&at("full")) == if ended_well { new.clone() } else { old.clone() }, "{size} bytes");
        if !ended_well {
            let said = fs::read_to_string(at("said")).unwrap();
            assert!(said.contains("Full {"), "{size} bytes: {said}");
            assert!(!at("full").join(STAGING_FOLDER).exists(), "{size} bytes: staged files are left");
            let listed: Vec<_> = files(&at("full")).into_keys().collect();
            assert_eq!(parquet_files(&at("full")), listed, "{size} bytes");
            refused += 1;
        }
        assert!(status.unwrap().success() && state(&at("room")) == new, "{size} bytes, and then room");
    }
    println!(
        "{disks} sizes of a disk, {refused} of them too small: each left the old dataset, and later the new one"
    );
    assert!(refused > 2);
}
