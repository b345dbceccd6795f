//! Files: what is read back is what was written, the same input gives the same bytes, and trouble is told.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use annals_features::columns::named;
use annals_features::{FeatureError, Filter, Format, Options, Target, collect, read, write};

use crate::shared::{grown, to};

fn options() -> Options {
    Options::new(named(&["paper", "scalars"]).unwrap())
}

#[test]
fn a_table_is_read_back_as_it_was_collected_from_either_kind_of_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = [grown(folder.path(), 25, 1), grown(folder.path(), 15, 2)];
    let collected = collect(&files, &Filter::default(), 2).unwrap();
    assert!(collected.description.contains("grown_15_2.txt, grown_25_1.txt"), "{}", collected.description);
    for (name, plain) in [("a.parquet", false), ("b.parquet", true), ("c.safetensors", false)] {
        let path = folder.path().join(name);
        let format = Format::of(&path).unwrap();
        let report = write(&files, &options(), &to(&path, format, plain), &()).unwrap();
        assert_eq!(
            (report.positions, report.games),
            (collected.len() as u64, collected.game_ids.len() as u64)
        );
        assert_eq!(read(&path).unwrap(), collected, "{name}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "nothing else is left behind: {left:?}");
}

#[test]
fn the_same_input_gives_the_same_bytes_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let files = [grown(folder.path(), 40, 3)];
    for format in Format::ALL.iter().copied() {
        let bytes = [1, 2, 5].map(|threads| {
            let path = folder.path().join(format!("t{threads}.{}", format.word()));
            let options = Options { threads, ..Options::new(named(&["all"]).unwrap()) };
            let options = Options { filter: Filter { max_height: Some(3), ..Filter::default() }, ..options };
            write(&files, &options, &to(&path, format, false), &()).unwrap();
            fs::read(path).unwrap()
        });
        assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2], "{}", format.word());
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told_and_one_that_is_there_stays_when_it_fails() {
    let folder = tempfile::tempdir().unwrap();
    let files = [grown(folder.path(), 5, 1)];
    let at =
        |path: PathBuf, options: &Options| write(&files, options, &to(&path, Format::Parquet, false), &());
    let error = at(folder.path().join("none/t.parquet"), &options()).unwrap_err();
    assert!(
        error.to_string().contains("none/t.parquet") && matches!(error, FeatureError::Output(_)),
        "{error}"
    );
    let error = at(folder.path().to_owned(), &options()).unwrap_err();
    assert!(matches!(error, FeatureError::Output(_)), "{error}");

    let there = folder.path().join("t.parquet");
    fs::write(&there, "as it was").unwrap();
    let nobody = Options { filter: Filter { endings: Vec::new(), ..Filter::default() }, ..options() };
    assert!(matches!(at(there.clone(), &nobody).unwrap_err(), FeatureError::Empty { .. }));
    let kept = write(&files, &options(), &Target { force: false, ..to(&there, Format::Parquet, false) }, &());
    assert!(matches!(kept.unwrap_err(), FeatureError::Output(_)));
    let stopped = options();
    stopped.cancel.store(true, Ordering::Relaxed);
    assert!(matches!(at(there.clone(), &stopped).unwrap_err(), FeatureError::Stopped));
    assert_eq!(fs::read_to_string(&there).unwrap(), "as it was");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn files_that_are_no_tables_or_lack_something_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let files = [grown(folder.path(), 5, 1)];
    assert!(matches!(read(&at("t.csv")), Err(FeatureError::UnknownFormat { .. })));
    assert!(matches!(read(&at("t.npz")), Err(FeatureError::OneWay { .. })));
    assert!(matches!(read(&at("t.parquet")), Err(FeatureError::Read { .. })));
    let scalars = Options::new(named(&["scalars"]).unwrap());
    for name in ["t.parquet", "t.safetensors"] {
        let (path, format) = (at(name), Format::of(&at(name)).unwrap());
        write(&files, &scalars, &to(&path, format, false), &()).unwrap();
        let error = read(&path).unwrap_err();
        assert!(matches!(error, FeatureError::NoColumn { column: "paper", .. }), "{error}");

        write(&files, &options(), &to(&path, format, false), &()).unwrap();
        let whole = fs::read(&path).unwrap();
        assert!(read(&path).is_ok());
        for length in [0, 4, 9, 100, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let error = read(&path).unwrap_err();
            assert!(matches!(error, FeatureError::Damaged { .. }), "{name} of {length} bytes: {error}");
        }
    }
}
