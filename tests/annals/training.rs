//! Networks from games to the search: generated games, training that is resumed, a model that plays, and what is refused.

use serde_json::Value;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;

/// Some fast games, and a small network.
fn place_with_games() -> Place {
    let place = Place::new();
    let games = ["engine", "selfplay", "--games", "16", "--seed", "4", "--nodes", "40", "-o", "games.txt"];
    assert_eq!(place.run(&games).status, 0);
    place
}

const SMALL: [&str; 10] = [
    "learn",
    "train",
    "games.txt",
    "--network",
    "conv filters=2 kernel=4 hidden=8",
    "--batch-size",
    "64",
    "--epochs",
    "3",
    "--all-games",
];

fn small<'w>(words: &[&'w str]) -> Vec<&'w str> {
    [&SMALL[..], words].concat()
}

#[test]
fn a_network_learns_from_generated_games_and_the_engine_searches_by_it() {
    let place = place_with_games();
    let told = place.ask_json(&small(&["--folds", "3", "--output", "small.safetensors", "--json"]));
    assert_eq!(
        (&told["network"], &told["split"]),
        (&"conv filters=2 kernel=4x4 hidden=8".into(), &"game".into())
    );
    assert_eq!(told["folds"][0]["errors"].as_array().map(Vec::len), Some(3));
    let names: Vec<&Value> =
        told["all"]["baselines"].as_array().unwrap().iter().map(|baseline| &baseline["name"]).collect();
    assert_eq!(names, ["constant", "material", "mobility", "annals"]);
    assert!(!place.path("small.safetensors.checkpoint").exists());

    // The same again gives the same file, on one thread too.
    place.ask(&small(&["--folds", "3", "--output", "again.safetensors", "--threads", "1"]));
    let bytes = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert_eq!(bytes("small.safetensors"), bytes("again.safetensors"));

    let start = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    let words = [
        "engine",
        "evaluate",
        start,
        "--evaluator",
        "net:small.safetensors",
        "--search",
        "nodes=500",
        "--json",
    ];
    let answer = place.ask_json(&words);
    assert_eq!(answer["evaluations"][0]["evaluator"], "net:small.safetensors");
    assert!(answer["best"]["turn"].is_string(), "{answer}");
    let settings = "evaluator=net:small.safetensors,nodes=40";
    place.ask(&[
        "engine", "selfplay", "--games", "1", "--settings", settings, "--against", "nodes=40", "-o",
        "net.txt",
    ]);
    assert!(std::fs::read_to_string(place.path("net.txt")).unwrap().contains("annals-net-small-n40"));
}

#[test]
fn a_network_is_evaluated_on_games_and_on_tables_with_the_baselines_of_its_training() {
    let place = place_with_games();
    let trained = place.ask_json(&small(&["--folds", "3", "--output", "small.safetensors", "--json"]));
    let other = ["engine", "selfplay", "--games", "6", "--seed", "9", "--nodes", "40", "-o", "other.txt"];
    assert_eq!(place.run(&other).status, 0);
    let evaluate = |data: &[&str]| {
        let words = [&["learn", "evaluate", "small.safetensors"], data, &["--json"]].concat();
        let run = place.run(&words);
        assert_eq!(run.status, 0, "{run:?}");
        (serde_json::from_str::<Value>(&run.out).unwrap(), run.talk)
    };
    let (of_games, talk) = evaluate(&["other.txt", "--all-games"]);
    assert_eq!((&of_games["network"], &of_games["games"]), (&trained["network"], &6.into()));
    assert_eq!(of_games["training_positions"], trained["folds"][0]["training_positions"]);
    let names: Vec<&Value> =
        of_games["all"]["baselines"].as_array().unwrap().iter().map(|baseline| &baseline["name"]).collect();
    assert_eq!(names, ["constant", "material", "mobility", "annals"]);
    assert!(of_games["all"]["network"]["calibration_error"].is_f64(), "{of_games}");
    assert!(talk.contains("this is not the data of the training"), "{talk}");
    // A table of the same games and positions gives the same figures.
    let table = ["learn", "features", "other.txt", "-o", "t.safetensors", "--features", "paper"];
    let all = ["--rating-floor", "none", "--endings", "g,m,e,t,r,i,f,a,s,p,n", "--max-height", "none"];
    assert_eq!(place.run(&[&table[..], &all].concat()).status, 0);
    assert_eq!(evaluate(&["t.safetensors"]).0["all"], of_games["all"]);
    let (_, talk) = evaluate(&["games.txt", "--all-games", "--threads", "1"]);
    assert!(talk.contains("trained on positions of this data"), "{talk}");
    let printed = place.ask(&["learn", "evaluate", "small.safetensors", "other.txt", "--all-games"]);
    assert!(printed.contains("calibration error (ECE)") && printed.contains("mobility"), "{printed}");
    assert!(printed.contains("MSE of the network minus that of a baseline"), "{printed}");
    let missing = place.run(&["learn", "evaluate", "none.safetensors", "other.txt"]);
    assert!(missing.status == 2 && missing.talk.contains("there is no model none"), "{missing:?}");
    place.write("low.txt", header() + "\n" + &row("5", &format!("{SETUPS}2w Ee2n\\n2b")));
    let empty = place.run(&["learn", "evaluate", "small.safetensors", "low.txt"]);
    assert!(empty.status == 2 && empty.talk.contains("--all-games"), "{empty:?}");
}

#[test]
fn a_network_with_pooling_and_layer_normalization_is_trained_and_searched_with() {
    let place = place_with_games();
    let network = "conv filters=3 kernel=3 hidden=8 pool=max:2x2 norm=layer";
    let words = [
        "learn", "train", "games.txt", "--network", network, "--epochs", "2", "--batch-size", "64",
        "--all-games",
    ];
    let printed = place.ask_json(&[&words[..], &["--output", "net.safetensors", "--json"]].concat());
    // 54 weights for each filter and its bias, 9 pooled values of each, gains and shifts of 36 sums of each and of 8 units.
    let parameters = 54 * 3 + 3 + 27 * 8 + 8 + 8 + 1 + 2 * (36 * 3) + 2 * 8;
    assert_eq!((&printed["parameters"], &printed["network"]), (&parameters.into(), &PRINTED.into()));
    let start = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    let answer =
        place.ask_json(&["engine", "evaluate", start, "--evaluator", "net:net.safetensors", "--json"]);
    assert_eq!(answer["evaluations"][0]["evaluator"], "net:net.safetensors");
    let run = place.run(&["learn", "train", "games.txt", "--network", "conv kernel=7 pool=max:3x3"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.talk.contains("a pooling window of 3x3 does not fit into the 2x2 values"), "{run:?}");
}

#[test]
fn annals1_is_trained_by_its_own_settings_compared_and_searched_with() {
    let place = place_with_games();
    let words = ["learn", "train", "games.txt", "--network", "annals1", "--epochs", "2", "--all-games"];
    let train = |more: &[&str]| place.run(&[&words[..], more].concat());
    let run = train(&["--held-out", "3", "--output", "net.safetensors", "--json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let printed: Value = serde_json::from_str(&run.out).unwrap();
    let settings = &printed["settings"];
    assert_eq!((&printed["network"], &printed["parameters"]), (&"annals1".into(), &21_009.into()));
    assert_eq!((&settings["optimizer"], &settings["loss"]), (&"adam".into(), &"log".into()));
    assert_eq!((&settings["mirror"], &settings["held_out"]), (&true.into(), &3.into()));
    let compared =
        place.ask_json(&["learn", "evaluate", "net.safetensors", "games.txt", "--all-games", "--json"]);
    let difference = &compared["differences"][1];
    assert_eq!(difference["baseline"], "material");
    let of = |key: &str| difference[key].as_f64().unwrap();
    assert!(of("low") < of("mse") && of("mse") < of("high"), "{difference}");
    let start = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    let answer =
        place.ask_json(&["engine", "evaluate", start, "--evaluator", "net:net.safetensors", "--json"]);
    assert_eq!(answer["evaluations"][0]["evaluator"], "net:net.safetensors");
    let run = train(&["--held-out", "1"]);
    assert!(run.status == 2 && run.talk.contains("at least 2, or 0 for none"), "{run:?}");
    let run =
        place.run(&["learn", "train", "games.txt", "--network", "conv6", "--loss", "log", "--all-games"]);
    assert!(run.status == 2 && run.talk.contains("unless the network has output=sigmoid"), "{run:?}");
}

/// The network as the program writes it out.
const PRINTED: &str = "conv filters=3 kernel=3x3 hidden=8 pool=max:2x2 norm=layer";

#[test]
fn a_grid_lists_every_combination_with_the_best_first() {
    let place = place_with_games();
    let words =
        ["learn", "grid", "games.txt", "--all-games", "--network", "conv filters=2 kernel=4 hidden=8"];
    let grid =
        ["--optimizers", "sgd,nesterov", "--dropouts", "0", "--regularizers", "L1", "--kernels", "3x3,1x8"];
    let rest = ["--epochs", "1", "--batch-size", "100", "--json"];
    let told = place.ask_json(&[&words[..], &grid, &rest].concat());
    let cells = told["cells"].as_array().unwrap();
    let errors: Vec<f64> = cells.iter().map(|cell| cell["figures"]["mse"].as_f64().unwrap()).collect();
    assert_eq!(errors.len(), 4);
    assert!(errors.is_sorted(), "{errors:?}");
}

#[test]
fn what_cannot_be_trained_says_what_to_do() {
    let place = place_with_games();
    let refused = |words: &[&str]| {
        let run = place.run(words);
        assert_eq!(run.status, 2, "{run:?}");
        run.talk
    };
    assert!(
        refused(&["learn", "train", "games.txt", "--network", "resnet"])
            .contains("there is no network `resnet`")
    );
    assert!(refused(&["learn", "train", "nothing.txt"]).contains("nothing.txt"));
    assert!(
        refused(&small(&["--eval-folds", "9"])).contains("--eval-folds 9 is not between 1 and --folds 5")
    );
    assert!(refused(&small(&["--learning-rate", "0"])).contains("the learning rate is 0"));
    std::fs::write(place.path("m.safetensors.checkpoint"), "half").unwrap();
    let unfinished = refused(&small(&["--output", "m.safetensors"]));
    assert!(unfinished.contains("of a training that did not end") && unfinished.contains("--resume"));
    let damaged = refused(&small(&["--folds", "3", "--output", "m.safetensors", "--resume"]));
    assert!(damaged.contains("is truncated or damaged"), "{damaged}");
    assert!(refused(&small(&["--folds", "4000000000"])).contains("not in 2..=1000"));
    assert!(refused(&["learn", "grid", "games.txt", "--folds", "1"]).contains("not in 2..=1000"));
    // Before anything is read: the data that is named does not exist either.
    for out in ["none/m.safetensors", ".", "games.txt/m.safetensors"] {
        let unwritable = refused(&["learn", "train", "nothing.txt", "--output", out]);
        assert!(unwritable.contains("cannot write") && unwritable.contains("reason: "), "{unwritable}");
    }
    let unwritable = refused(&["learn", "grid", "nothing.txt", "--checkpoint", "none/c"]);
    assert!(unwritable.contains("cannot write none/c"), "{unwritable}");
    assert!(refused(&small(&["--resume"])).contains("name the same --output or --checkpoint"));
    place.write("low.txt", header() + "\n" + &row("5", &format!("{SETUPS}2w Ee2n\\n2b")));
    let none = refused(&["learn", "train", "low.txt"]);
    assert!(none.contains("no position is left") && none.contains("--all-games"), "{none}");
    let start = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    // A plain name is one name, commas and all; and the ending of a table may be in capitals.
    assert!(
        refused(&["engine", "evaluate", start, "--evaluator", "net:a,b"]).contains("there is no model a,b")
    );
    let table = [
        "learn", "features", "games.txt", "--rating-floor", "none", "--features", "scalars", "--output",
        "T.PARQUET",
    ];
    assert_eq!(place.run(&table).status, 0);
    let column = refused(&["learn", "train", "T.PARQUET"]);
    assert!(column.contains("has no column `paper`") && column.contains("hint:"), "{column}");
    assert!(
        refused(&["engine", "evaluate", start, "--evaluator", "net:none"]).contains("there is no model none")
    );
}

#[test]
fn a_cross_validation_and_a_grid_keep_what_is_done_where_they_are_told_to() {
    let place = place_with_games();
    let cross = |more: &[&str]| {
        place.run(&[&small(&["--folds", "2", "--eval-folds", "2", "--json"])[..], more].concat())
    };
    let whole = cross(&[]);
    assert_eq!(whole.status, 0, "{whole:?}");
    let kept = cross(&["--checkpoint", "cross", "--resume"]);
    assert!(
        kept.talk.contains("there is no checkpoint cross.0") && kept.talk.contains("cross.1"),
        "{kept:?}"
    );
    assert_eq!((kept.status, &kept.out), (0, &whole.out));
    assert!(!place.path("cross.0").exists() && !place.path("cross.1").exists());
    std::fs::write(place.path("cross.1"), "half").unwrap();
    assert!(cross(&["--checkpoint", "cross"]).talk.contains("cross.1 of a training that did not end"));

    let grid = |more: &[&str]| {
        let words =
            ["learn", "grid", "games.txt", "--all-games", "--network", "conv filters=2 kernel=4 hidden=8"];
        let rest = [
            "--optimizers", "sgd", "--dropouts", "0", "--regularizers", "L1", "--kernels", "3x3", "--epochs",
            "1",
        ];
        place.run(&[&words[..], &rest, &["--json"], more].concat())
    };
    let whole = grid(&[]);
    let kept = grid(&["--checkpoint", "grid"]);
    assert_eq!((kept.status, &kept.out), (0, &whole.out), "{kept:?}");
    assert!(!place.path("grid").exists());
    std::fs::write(place.path("grid"), "half a letter").unwrap();
    assert!(grid(&["--checkpoint", "grid"]).talk.contains("continue from it with --resume"));
    let foreign = grid(&["--checkpoint", "grid", "--resume"]);
    assert!(
        foreign.status == 2 && foreign.talk.contains("is not a grid checkpoint of Annals"),
        "{foreign:?}"
    );
}

#[test]
fn the_fold_that_a_training_left_out_is_scored_again_to_the_digit() {
    let place = place_with_games();
    place.ask(&[
        "learn", "features", "games.txt", "-o", "table.parquet", "--features", "paper", "--rating-floor",
        "none",
    ]);
    for split in ["game", "position"] {
        let of_split = ["--folds", "3", "--split", split];
        let how = [&of_split[..], &["--eval-folds", "1", "--output", "net.safetensors", "--force", "--json"]]
            .concat();
        let train = [&["learn", "train", "table.parquet", "--seed", "3"][..], &SMALL[3..9], &how].concat();
        let trained = place.ask_json(&train);
        let evaluate = |more: &[&str]| {
            let words = ["learn", "evaluate", "net.safetensors", "table.parquet", "--seed", "3", "--json"];
            let run = place.run(&[&words[..], &of_split, more].concat());
            assert_eq!(run.status, 0, "{run:?}");
            (serde_json::from_str::<Value>(&run.out).unwrap(), run.talk)
        };
        let (scored, talk) = evaluate(&["--fold", "0"]);
        assert_eq!(scored["all"], trained["folds"][0]["validation"], "{split}");
        assert_eq!(scored["validation"]["fold"], 0);
        assert!(scored["differences"][1]["low"].is_f64() && talk.is_empty(), "{talk}");
        // The network was trained on the other folds.
        let (other, talk) = evaluate(&["--fold", "1"]);
        assert!(other["all"] != scored["all"] && talk.contains("the figures are biased upward"), "{talk}");
    }
    // A part of the same games is other data, which the note says.
    let games = std::fs::read_to_string(place.path("games.txt")).unwrap();
    let first: Vec<&str> = games.lines().take(5).collect();
    place.write("part.txt", first.join("\n") + "\n");
    let part = place.run(&["learn", "evaluate", "net.safetensors", "part.txt", "--rating-floor", "none"]);
    assert!(
        part.status == 0 && part.talk.contains("games that are in both bias the figures upward"),
        "{part:?}"
    );
    let words = ["learn", "evaluate", "net.safetensors", "table.parquet"];
    let printed = place.ask(&[&words[..], &["--fold", "0", "--folds", "3"]].concat());
    assert!(printed.contains("evaluated on fold 0 of 3 by game: "), "{printed}");
    let refused = place.run(&[&words[..], &["--fold", "3", "--folds", "3"]].concat());
    assert!(
        refused.status == 2 && refused.talk.contains("expected a fold from 0 to 2, found 3"),
        "{refused:?}"
    );
    let alone = place.run(&[&words[..], &["--folds", "3"]].concat());
    assert!(alone.status == 2 && alone.talk.contains("--fold <K>"), "{alone:?}");
}

#[cfg(feature = "sql")]
#[test]
fn a_subset_without_the_description_of_its_table_names_what_is_missing() {
    let place = place_with_games();
    place.ask(&small(&["--folds", "3", "--output", "small.safetensors"]));
    place.ask(&[
        "learn", "features", "games.txt", "-o", "table.parquet", "--features", "paper", "--rating-floor",
        "none",
    ]);
    let fold = "SELECT * FROM t WHERE fold = 0";
    place.ask(&["query", "--table", "t=table.parquet", "-o", "fold.parquet", fold]);
    for words in
        [&["learn", "evaluate", "small.safetensors", "fold.parquet"][..], &["learn", "train", "fold.parquet"]]
    {
        let run = place.run(words);
        assert!(
            run.status == 2 && run.talk.contains("has no key `annals.features` in the metadata"),
            "{run:?}"
        );
        assert!(run.talk.contains("annals learn evaluate MODEL TABLE --fold K"), "{run:?}");
        assert!(run.talk.contains("docs/reference/features.md"), "{run:?}");
    }
}
