//! The program under test in a folder of its own, and what a test says when the real archive is not at hand.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder with a home in it, and the program to run there.
pub struct Place {
    folder: TempDir,
}

/// What a run of the program gave.
#[derive(Debug)]
pub struct Run {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub talk: String,
}

impl Place {
    /// An empty folder.
    pub fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    /// An empty folder for a `static`, which is never dropped: it is below the target folder, so that `cargo clean` deletes it.
    pub fn kept() -> Place {
        Place { folder: tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap() }
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    /// Copies the files of a folder, without folders in it, into a new folder here.
    pub fn copy_folder(&self, from: &Path, name: &str) {
        std::fs::create_dir(self.path(name)).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), self.path(name).join(entry.file_name())).unwrap();
            }
        }
    }

    /// Copies a folder with all that is in it.
    pub fn copy_tree(&self, from: &Path, name: &str) {
        std::fs::create_dir_all(self.path(name)).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            let name = format!("{name}/{}", entry.file_name().to_str().unwrap());
            match entry.file_type().unwrap().is_dir() {
                true => self.copy_tree(&entry.path(), &name),
                false => drop(std::fs::copy(entry.path(), self.path(&name)).unwrap()),
            }
        }
    }

    /// Grows an archive into a file.
    pub fn grow(&self, name: &str, games: u32, seed: u32) {
        let run =
            self.run(&["synthesize", "--games", &games.to_string(), "--seed", &seed.to_string(), "-o", name]);
        assert_eq!(run.status, 0, "{run:?}");
    }

    /// The program in the folder, with the home `home` there.
    pub fn command(&self, words: &[&str]) -> Command {
        // Most tests that record begin with events of their own, and need the empty log only for them.
        let is_match = words.first() == Some(&"engine") && words.contains(&"--log");
        let records = words.starts_with(&["log", "append"]) || is_match;
        let has_log = ["home/log.db", "home/log.anchor"].iter().any(|name| self.path(name).exists());
        if records && !has_log && !words.contains(&"--home") {
            self.ask(&["log", "init", "--actor", "omar"]);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.current_dir(self.folder.path()).env("ANNALS_HOME", "home").env("NO_COLOR", "1").args(words);
        // What programs before this one kept must not be what is tested.
        command.env("XDG_CACHE_HOME", self.path(".cache"));
        command
    }

    /// Runs the program.
    pub fn run(&self, words: &[&str]) -> Run {
        let output = self.command(words).output().unwrap();
        Run {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            talk: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Runs the program, which has to succeed, and gives its standard output.
    pub fn ask(&self, words: &[&str]) -> String {
        let run = self.run(words);
        assert_eq!(run.status, 0, "annals {words:?}\n{}\n{}", run.out, run.talk);
        run.out
    }

    /// Runs the program, which has to succeed, and gives its standard output as JSON.
    pub fn ask_json(&self, words: &[&str]) -> serde_json::Value {
        let out = self.ask(words);
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
    }
}

/// The variables of the environment that can name the actor of an append.
pub const ACTOR_VARIABLES: [&str; 4] = ["USER", "LOGNAME", "USERNAME", "ANNALS_ACTOR"];

/// The name of the account under which the tests run.
pub fn system_user() -> String {
    let output = Command::new("id").arg("-un").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The folder with the two real archive files; `None`, said aloud, where a user does not have them.
pub fn real_archive() -> Option<PathBuf> {
    let folder = std::env::var_os("ANNALS_ARCHIVE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/archive"), PathBuf::from);
    if folder.join("allgames2002.txt").exists() && folder.join("allgames202602.txt").exists() {
        return Some(folder);
    }
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "the real archive files are missing in {}; name their folder in ANNALS_ARCHIVE",
        folder.display()
    );
    eprintln!("skipped: no archive files in {}; name their folder in ANNALS_ARCHIVE", folder.display());
    None
}
