//! Positions of the Amazons: numbers that can be counted by hand, the same from a game file as from its dataset.

use std::path::{Path, PathBuf};

use annals_events::GameKind;
use annals_features::columns::named_of;
use annals_features::{FeatureError, Filter, Format, Options, write};
use annals_ingest::run::{Options as Ingest, ingest};

use crate::numbers::columns_of;
use crate::shared::{grown, to};

/// White is walled in by its own arrow, and Black's queen reaches what is left; then a game that Black resigned.
const GAMES: &str = "\
White: Ada
Black: Bela
Date: 2000-08-22
Position: w [...../...B./xx.../.x.../Wx...]
Result: 0-1 (immobilization)

1. a1-a2(a1) d4-e4(d4)

White: Ada
Black: Bela
Date: 2000-08-21
Result: 1-0 (resignation)

1. d1-d7(g7) a7-b8(b3)
2. g1-g4(g1)
";

fn games(folder: &Path) -> PathBuf {
    let path = folder.join("games.moves");
    std::fs::write(&path, GAMES).unwrap();
    path
}

fn options() -> Options {
    let filter = Filter::everything();
    Options {
        game: GameKind::Amazons,
        filter,
        ..Options::new(named_of(GameKind::Amazons, &["amazons"]).unwrap())
    }
}

#[test]
fn every_number_of_a_small_board_is_as_counted_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.parquet");
    let report =
        write(&[games(folder.path())], &options(), &to(&table, Format::Parquet, false), &()).unwrap();
    assert_eq!((report.games, report.positions), (2, 5));
    let columns = columns_of(&table);
    let row = |name: &str| &columns[name][..2];
    assert_eq!((row("height"), row("ply"), row("label")), (&[0, 1][..], &[2, 1][..], &[0, 1][..]));
    assert_eq!((row("files"), row("ranks")), (&[5, 5][..], &[5, 5][..]));
    assert_eq!((row("vacant"), row("arrows")), (&[17, 18][..], &[6, 5][..]));
    assert_eq!((row("own_queen_moves"), row("opp_queen_moves")), (&[0, 12][..], &[7, 0][..]));
    assert_eq!((row("own_mobile_queens"), row("opp_mobile_queens")), (&[0, 1][..], &[1, 0][..]));
    assert_eq!((row("own_moves")[0], row("opp_moves")[1]), (0, 0));
    assert!(row("own_moves")[1] > 12 && row("opp_moves")[0] > 7);
    for by in ["queen_territory", "king_territory", "territory"] {
        assert_eq!(row(&format!("own_{by}")), [0, 18], "{by}");
        assert_eq!(row(&format!("opp_{by}")), [17, 0], "{by}");
    }
    assert_eq!(
        (row("queen_ties"), row("king_ties"), row("separated")),
        (&[0, 0][..], &[0, 0][..], &[1, 1][..])
    );
    // After the first move of the usual board nothing is separated, and both reach everything.
    let last = |name: &str| columns[name][4];
    assert_eq!((last("vacant"), last("arrows"), last("separated")), (91, 1, 0));
    assert_eq!((last("own_territory"), last("opp_territory"), last("own_mobile_queens")), (91, 91, 4));
    assert_eq!(last("own_queen_territory") + last("opp_queen_territory") + last("queen_ties"), 91);
}

#[test]
fn games_of_both_kinds_give_the_same_tables_from_files_and_from_their_dataset() {
    let folder = tempfile::tempdir().unwrap();
    let files = vec![games(folder.path()), grown(folder.path(), 4, 3)];
    let dataset = folder.path().join("dataset");
    ingest(&Ingest::new(&dataset, &files), &()).unwrap();
    let arimaa = Options {
        filter: Filter::everything(),
        ..Options::new(named_of(GameKind::Arimaa, &["paper"]).unwrap())
    };
    for (options, left_out) in [(options(), 4), (arimaa, 2)] {
        let [direct, back] = [files.clone(), vec![dataset.clone()]].map(|sources| {
            let path = folder.path().join("t.parquet");
            let report = write(&sources, &options, &to(&path, Format::Parquet, false), &()).unwrap();
            (report, std::fs::read(path).unwrap())
        });
        assert_eq!(direct.0, back.0);
        assert_eq!(direct.0.left_out["other_game"], left_out);
        assert!(direct.1 == back.1);
    }
}

#[test]
fn planes_of_arimaa_are_refused_of_the_amazons() {
    for name in ["paper", "modern", "own_goal_steps", "counts"] {
        let error = named_of(GameKind::Amazons, &["amazons", name]).unwrap_err();
        assert!(matches!(&error, FeatureError::OtherGame { name: found, .. } if found == name));
        assert!(error.to_string().contains("is one of Arimaa, and the table is of the Amazons"), "{error}");
    }
}
