//! Networks from games to the search: generated games, training that is resumed, a model that plays, and what is refused.

use serde_json::Value;

use crate::program::Place;

/// Some fast games, and a small network.
fn place_with_games() -> Place {
    let place = Place::new();
    let games = ["selfplay", "--games", "16", "--seed", "4", "--nodes", "40", "-o", "games.txt"];
    assert_eq!(place.run(&games).status, 0);
    place
}

const SMALL: [&str; 9] = [
    "train",
    "games.txt",
    "--network",
    "conv filters=2 kernel=4 hidden=8",
    "--batch",
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
    let told = place.ask_json(&small(&["--folds", "3", "--out", "small.safetensors", "--json"]));
    assert_eq!(
        (&told["network"], &told["split"]),
        (&"conv filters=2 kernel=4x4 hidden=8".into(), &"game".into())
    );
    assert_eq!(told["folds"][0]["errors"].as_array().map(Vec::len), Some(3));
    let names: Vec<&Value> =
        told["all"]["baselines"].as_array().unwrap().iter().map(|beside| &beside["name"]).collect();
    assert_eq!(names, ["constant", "material", "mobility", "annals"]);
    assert!(!place.path("small.safetensors.checkpoint").exists());

    // The same again gives the same file, on one thread too.
    place.ask(&small(&["--folds", "3", "--out", "again.safetensors", "--threads", "1"]));
    let bytes = |name: &str| std::fs::read(place.path(name)).unwrap();
    assert_eq!(bytes("small.safetensors"), bytes("again.safetensors"));

    let start = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    let words =
        ["evaluate", start, "--evaluator", "net:small.safetensors", "--search", "nodes=500", "--json"];
    let answer = place.ask_json(&words);
    assert_eq!(answer["evaluations"][0]["evaluator"], "net:small.safetensors");
    assert!(answer["best"]["turn"].is_string(), "{answer}");
    let settings = "evaluator=net:small.safetensors,nodes=40";
    place.ask(&[
        "selfplay",
        "--games",
        "1",
        "--settings",
        settings,
        "--against",
        "nodes=40",
        "-o",
        "net.txt",
    ]);
    assert!(std::fs::read_to_string(place.path("net.txt")).unwrap().contains("annals-net-small-n40"));
}

#[test]
fn a_grid_lists_every_combination_with_the_best_first() {
    let place = place_with_games();
    let words =
        ["train", "grid", "games.txt", "--all-games", "--network", "conv filters=2 kernel=4 hidden=8"];
    let grid = ["--rules", "sgd,nesterov", "--dropouts", "0", "--regularisers", "L1", "--kernels", "3x3,1x8"];
    let rest = ["--epochs", "1", "--batch", "100", "--json"];
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
    assert!(refused(&["train", "games.txt", "--network", "resnet"]).contains("there is no network `resnet`"));
    assert!(refused(&["train", "nothing.txt"]).contains("nothing.txt"));
    assert!(refused(&small(&["--judged", "9"])).contains("--judged 9 is not between 1 and --folds 5"));
    assert!(refused(&small(&["--learning-rate", "0"])).contains("the learning rate is 0"));
    std::fs::write(place.path("m.safetensors.checkpoint"), "half").unwrap();
    let unfinished = refused(&small(&["--out", "m.safetensors"]));
    assert!(unfinished.contains("of a training that did not end") && unfinished.contains("--resume"));
    let damaged = refused(&small(&["--folds", "3", "--out", "m.safetensors", "--resume"]));
    assert!(damaged.contains("is truncated or damaged"), "{damaged}");
    let start = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    assert!(refused(&["evaluate", start, "--evaluator", "net:none"]).contains("there is no model none"));
}
