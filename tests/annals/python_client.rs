//! The Python client: its own tests, and the notebook that uses it. Both read the demonstration. `ANNALS_PYTHON` names the Python, which
//! needs the libraries that CONTRIBUTING.md lists. `ANNALS_UPDATE_DOCS=1` writes the present outputs into the notebook.

use std::env::var_os;
use std::path::{Path, PathBuf};

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;
use crate::python_pages::{has, python};

fn in_source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Runs Python with the client and the program under test, in a folder with a copy of the demonstration.
fn run_on_demonstration(place: &Place, words: &[&str]) {
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "annals-demo");
    let mut command = python(place, words);
    command.env("ANNALS_TEST_HOME", place.path("annals-demo"));
    let output = command.env_remove("ANNALS_HOME").output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{printed}", String::from_utf8_lossy(&output.stdout));
    assert!(!printed.contains("skipped"), "{printed}");
}

#[test]
fn the_tests_of_the_client_pass() {
    let place = Place::new();
    if has(&place, "pandas, polars") {
        let tests = in_source("python/tests");
        run_on_demonstration(&place, &["-m", "unittest", "discover", "-s", tests.to_str().unwrap()]);
    }
}

#[test]
fn the_cells_of_the_notebook_on_the_demonstration_show_what_it_has() {
    let place = Place::new();
    if !has(&place, "nbclient, ipykernel, pandas, polars") {
        return;
    }
    let [program, notebook] = ["tools/run_notebook.py", "docs/tutorial/notebook.ipynb"].map(in_source);
    let mut words = vec![program.to_str().unwrap(), notebook.to_str().unwrap()];
    if var_os("ANNALS_UPDATE_DOCS").is_some() {
        words.push("--update");
    }
    run_on_demonstration(&place, &words);
}
