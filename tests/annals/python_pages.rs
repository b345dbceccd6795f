//! The Python of the documents: the guide to reading the dataset, and the notebook. Needs a Python with the libraries, which
//! `ANNALS_PYTHON` names (default `python3`). `ANNALS_UPDATE_DOCS=1` writes the present output into the notebook.

use std::env::var_os;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::program::{Place, real_archive};

/// Runs the cells of a notebook in one interpreter and prints the outputs as a JSON list.
const RUN_CELLS: &str = r#"
import contextlib, io, json, sys
outputs, names = [], {}
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec("".join(cell["source"]), names)
        outputs.append(printed.getvalue())
print(json.dumps(outputs))
"#;

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/how-to").join(name)
}

/// A folder with the dataset of February 2026; none without the archive.
fn february() -> Option<Place> {
    let archive = real_archive()?;
    let place = Place::new();
    place.ask(&["ingest", archive.join("allgames202602.txt").to_str().unwrap()]);
    Some(place)
}

/// Python in a folder.
pub fn python(place: &Place, words: &[&str]) -> Command {
    let mut command = Command::new(var_os("ANNALS_PYTHON").unwrap_or_else(|| "python3".into()));
    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/python");
    command.args(words).current_dir(place.path("")).env("ANNALS_HOME", "home").env("PYTHONPATH", client);
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("ANNALS_PROGRAM", env!("CARGO_BIN_EXE_annals"));
    command
}

fn output(place: &Place, words: &[&str]) -> Option<Output> {
    python(place, words).output().ok()
}

/// Whether Python has a library, with pyarrow.
fn imports(place: &Place, library: &str) -> bool {
    let output = output(place, &["-c", &format!("import {library}, pyarrow")]);
    output.is_some_and(|output| output.status.success())
}

/// Whether Python has libraries, with pyarrow; prints that the test is skipped if not. With `ANNALS_PYTHON` it must have them.
pub fn has(place: &Place, library: &str) -> bool {
    let has = imports(place, library);
    assert!(has || var_os("ANNALS_PYTHON").is_none(), "ANNALS_PYTHON has no {library} with pyarrow");
    if !has {
        eprintln!("skipped: python3 has no {library} with pyarrow (ANNALS_PYTHON names another)");
    }
    has
}

#[test]
fn the_python_of_the_guide_reads_the_dataset() {
    assert_eq!(snippets_that_read_the_dataset("read-the-data.md", |_| true), 3);
}

/// Spark is large, so it is tried where Python has it.
#[test]
fn the_python_of_other_engines_reads_the_dataset() {
    let is_there = |library: &str| {
        let found = library != "pyspark.sql" || imports(&Place::new(), library);
        if !found {
            eprintln!("skipped: Python has no {library}");
        }
        found
    };
    assert_eq!(snippets_that_read_the_dataset("other-engines.md", is_there), 2);
}

/// Runs the Python of a page, of which the first block defines `files`; each other block prints the number of games. Returns their
/// number; without the archive that of the page.
fn snippets_that_read_the_dataset(name: &str, is_tried: impl Fn(&str) -> bool) -> usize {
    let page = fs::read_to_string(page(name)).unwrap();
    let mut blocks = page.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next());
    let files = blocks.next().unwrap();
    let Some(place) = february() else { return blocks.count() };
    let mut libraries = 0;
    for block in blocks {
        libraries += 1;
        let library = block.lines().find_map(|line| line.strip_prefix("import ")).unwrap();
        if is_tried(library) && has(&place, library) {
            let output = output(&place, &["-c", &format!("{files}\n{block}")]).unwrap();
            assert!(output.status.success(), "{block}\n{}", String::from_utf8_lossy(&output.stderr));
            assert!(String::from_utf8_lossy(&output.stdout).contains("147"), "{block}");
        }
    }
    libraries
}

#[test]
fn a_fold_that_the_python_of_the_page_writes_can_be_evaluated() {
    let Some(place) = february() else { return };
    if !has(&place, "pyarrow.compute") {
        return;
    }
    let page = fs::read_to_string(page("../reference/features.md")).unwrap();
    let blocks = page.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next());
    let subset = blocks.filter(|block| block.contains("fold0.parquet")).last().unwrap();
    place.ask(&["learn", "features", "--output", "positions.parquet"]);
    let output = output(&place, &["-c", subset]).unwrap();
    assert!(output.status.success(), "{subset}\n{}", String::from_utf8_lossy(&output.stderr));
    let network =
        ["--network", "conv filters=2 kernel=4 hidden=8", "--epochs", "1", "--output", "m.safetensors"];
    let trained = place.run(&[&["learn", "train", "positions.parquet"][..], &network].concat());
    assert_eq!(trained.status, 0, "{trained:?}");
    let run = place.run(&["learn", "evaluate", "m.safetensors", "fold0.parquet"]);
    assert!(run.status == 0 && run.out.contains("MSE"), "{run:?}");
}

#[test]
fn the_cells_of_the_notebook_print_what_it_shows() {
    let Some(place) = february() else { return };
    if !has(&place, "pandas") {
        return;
    }
    let path = page("analysis.ipynb");
    let output = output(&place, &["-c", RUN_CELLS, path.to_str().unwrap()]).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Vec<String> = serde_json::from_slice(&output.stdout).unwrap();
    let mut notebook: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let cells = notebook["cells"].as_array_mut().unwrap();
    let cells: Vec<&mut Value> = cells.iter_mut().filter(|cell| cell["cell_type"] == "code").collect();
    assert_eq!(cells.len(), printed.len());
    let is_update = var_os("ANNALS_UPDATE_DOCS").is_some();
    for (cell, printed) in cells.into_iter().zip(printed) {
        let lines: Vec<&str> = printed.split_inclusive('\n').collect();
        let outputs = json!([{ "name": "stdout", "output_type": "stream", "text": lines }]);
        if is_update {
            cell["outputs"] = outputs;
        } else {
            assert_eq!(cell["outputs"], outputs, "ANNALS_UPDATE_DOCS=1 rewrites it");
        }
    }
    if is_update {
        fs::write(&path, format!("{}\n", serde_json::to_string_pretty(&notebook).unwrap())).unwrap();
    }
}
