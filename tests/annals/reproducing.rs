//! The paper's experiment as one command: what its report holds, that it is the same again, goes on after a kill, and shows the
//! leak on real games.

use std::sync::OnceLock;

#[cfg(unix)]
use nix::sys::signal::Signal;
use serde_json::Value;

#[cfg(unix)]
use crate::killing::{ended, length};
use crate::program::{Place, Run, real_archive};

/// Small enough for seconds: a small network, few epochs, four combinations of the grid.
const TINY: [&str; 14] = [
    "--networks",
    "conv filters=2 kernel=4 hidden=8 image=files",
    "--epochs",
    "2",
    "--batch-size",
    "64",
    "--window",
    "600",
    "--grid-epochs",
    "1",
    "--dropouts",
    "0,0.01",
    "--regularizers",
    "L1,none",
];

const PAPER: [&str; 4] = ["--optimizers", "nesterov", "--kernels", "4x4"];

fn words<'w>(out: &'w str, rest: &[&'w str]) -> Vec<&'w str> {
    [&["learn", "reproduce", "--output", out][..], &TINY, &PAPER, rest].concat()
}

/// Quick games of self-play that mostly end on the board.
const SELF_PLAY: [&str; 4] = ["--games", "24", "--nodes", "80"];

/// The same as an archive; they are made once for all tests.
fn games() -> &'static str {
    static GAMES: OnceLock<String> = OnceLock::new();
    GAMES.get_or_init(|| {
        let place = Place::new();
        place.ask(&[&["engine", "selfplay", "-o", "games.txt"], &SELF_PLAY[..]].concat());
        std::fs::read_to_string(place.path("games.txt")).unwrap()
    })
}

/// A place with those games in a file.
fn place_with_games() -> Place {
    let place = Place::new();
    place.write("games.txt", games());
    place
}

fn figures(place: &Place, out: &str) -> Value {
    let text = std::fs::read_to_string(place.path(out).join("figures.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn page(place: &Place, out: &str) -> String {
    std::fs::read_to_string(place.path(out).join("report.html")).unwrap()
}

fn refused(run: Run) -> String {
    assert_eq!(run.status, 2, "{run:?}");
    run.talk
}

#[test]
fn a_report_on_self_play_holds_every_figure_beside_the_papers() {
    let place = Place::new();
    let run = place.run(&words("report", &SELF_PLAY));
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("stages to do, about") && run.out.contains("The data leakage is"), "{run:?}");

    // The games are those of `annals engine selfplay`.
    assert_eq!(std::fs::read_to_string(place.path("report/selfplay.txt")).unwrap(), games());
    place.write("again.txt", games());

    let told = figures(&place, "report");
    let subject = &told["subjects"][0];
    assert_eq!((told["subjects"].as_array().map(Vec::len), &subject["key"]), (Some(1), &"selfplay".into()));
    assert_eq!(told["printed"]["headline"], serde_json::json!([0.171, 0.735]));
    assert_eq!(told["printed"]["steps"], 23_310);
    let variant = &subject["variants"][0];
    let experiments = variant["experiments"].as_array().unwrap();
    let splits: Vec<&Value> = experiments.iter().map(|one| &one["split"]).collect();
    assert_eq!(splits, ["position", "game"]);
    for one in experiments {
        // These are few games, so every fold was judged by, and every position once.
        assert_eq!(one["folds"].as_array().map(Vec::len), Some(5));
        assert_eq!(one["score"]["all"]["positions"], variant["positions"]);
        assert_eq!(one["baselines"].as_array().map(Vec::len), Some(4));
        assert_eq!(one["whole"]["all"]["positions"], variant["positions"]);
        assert!(one["zigzag"].as_array().is_some_and(|all| !all.is_empty()));
        assert_eq!(
            (one["filters"].as_array().map(Vec::len), one["filters"][0].as_array().map(Vec::len)),
            (Some(2), Some(8))
        );
    }
    for grid in variant["grid"].as_array().unwrap() {
        assert_eq!((grid["cells"].as_array().map(Vec::len), &grid["positions"]), (Some(4), &600.into()));
    }
    let page = page(&place, "report");
    for words in [
        "0.0803",
        "the paper, split by position",
        "a row is one of six filters",
        "None of these games was resigned",
        "annals learn train all.parquet",
        "zigzag",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let inner = page.matches("href=\"#").count();
    assert!(!page.contains("src=") && page.matches("href=").count() == inner, "the page needs no other file");
    assert_eq!(page.matches("<svg").count(), 9);
    for name in ["headline-mse", "figure-4", "figure-5-by-game", "figure-5-whole", "calibration", "training"]
    {
        for ending in ["svg", "png", "csv"] {
            let file = place.path("report").join(format!("pictures/selfplay-{name}.{ending}"));
            assert!(file.exists(), "{}", file.display());
        }
    }

    // By hand the same figures come out.
    let features = [
        "learn", "features", "again.txt", "--generated-only", "--rating-floor", "1800", "--features",
        "paper", "--output", "all.parquet",
    ];
    place.ask(&features);
    let hand = [
        "--network", TINY[1], "--split", "game", "--eval-folds", "5", "--batch-size", "64", "--epochs", "2",
        "--json",
    ];
    let hand = place.ask_json(&[&["learn", "train", "all.parquet"], &hand[..]].concat());
    let same = |at: &str| {
        let [one, other] = [&experiments[1]["score"]["all"][at], &hand["all"]["network"]["all"][at]];
        assert!((one.as_f64().unwrap() - other.as_f64().unwrap()).abs() < 1e-12, "{at}: {one} {other}");
    };
    ["mse", "accuracy", "log_loss"].into_iter().for_each(same);
    // A network of the report is one that the engine searches by.
    let model = "net:report/models/selfplay-all-network-1-by-game.safetensors";
    let start = "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]";
    place.ask(&["engine", "evaluate", start, "--evaluator", model]);
}

#[test]
fn the_report_is_the_same_on_one_thread_and_without_some_of_its_stages() {
    let place = place_with_games();
    place.ask(&words("one", &["games.txt", "--threads", "1"]));
    place.ask(&words("two", &["games.txt", "--threads", "2"]));
    let files = |out: &str| {
        (page(&place, out), std::fs::read_to_string(place.path(out).join("figures.json")).unwrap())
    };
    assert_eq!(files("one"), files("two"));

    // One stage is there.
    let stages = place.path("two").join("stages");
    let kept = ["selfplay-all-network-1-by-game.json"];
    for entry in std::fs::read_dir(&stages).unwrap() {
        let path = entry.unwrap().path();
        if !kept.contains(&path.file_name().unwrap().to_str().unwrap()) {
            std::fs::remove_file(path).unwrap();
        }
    }
    std::fs::remove_file(place.path("two").join("report.html")).unwrap();
    let run = place.run(&words("two", &["games.txt"]));
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("1 of 4 stages are finished already"), "{run:?}");
    assert_eq!(files("one"), files("two"));
    // All of it is there now.
    let run = place.run(&words("two", &["games.txt"]));
    assert!(
        run.talk.contains("4 of 4 stages are finished already") && !run.talk.contains("to do"),
        "{run:?}"
    );
    assert_eq!(files("one"), files("two"));
}

#[test]
#[cfg(unix)]
fn the_report_is_the_same_after_kills_in_self_play_and_between_and_in_trainings() {
    let place = Place::new();
    let games = ["--games", "40", "--nodes", "80", "--eval-folds", "1"];
    place.ask(&words("whole", &games));
    let checkpoint = format!("selfplay-1-80-{}.checkpoint", annals_engine::VERSION);
    // The header of an archive has less than 400 bytes.
    let moments = [
        (&*checkpoint, 400),
        (&checkpoint, 20_000),
        ("selfplay.json", 0),
        ("selfplay-all-network-1-by-position.checkpoint", 0),
        ("selfplay-all-network-1-by-position.json", 0),
        ("selfplay-all-network-1-by-game.checkpoint", 0),
        ("selfplay-all-grid-by-position.json", 0),
    ];
    let killed = |(file, bytes): &(&str, u64)| {
        let file = place.path("killed/stages").join(file);
        ended(&place, &words("killed", &games), Signal::SIGKILL, || length(&file) > *bytes).0
    };
    let kills = moments.iter().filter(|moment| killed(moment)).count();
    assert!(kills >= 4, "{kills} kills");
    place.ask(&words("killed", &games));
    for file in ["selfplay.txt", "figures.json", "report.html"] {
        let [whole, killed] =
            ["whole", "killed"].map(|run| std::fs::read(place.path(run).join(file)).unwrap());
        assert!(whole == killed, "{file} differs");
    }
    assert!(!place.path("killed/stages").join(checkpoint).exists());
}

#[test]
fn what_cannot_be_reproduced_says_what_to_do() {
    let place = Place::new();
    let refuse = |out: &str, rest: &[&str]| refused(place.run(&words(out, rest)));
    // Nothing to learn from.
    let nothing = refuse("report", &["--games", "0"]);
    assert!(
        nothing.contains("there are no games for training") && nothing.contains("--games 3000"),
        "{nothing}"
    );
    let missing = refuse("report", &["nothing.txt"]);
    assert!(missing.contains("nothing.txt"), "{missing}");
    // Too few games for five folds.
    let few = refuse("report", &["--games", "2", "--nodes", "200"]);
    assert!(few.contains("too few to split by game") && few.contains("generate more with --games"), "{few}");
    // Folders that are no place for it.
    place.write("letter.txt", "dear");
    std::fs::create_dir(place.path("full")).unwrap();
    place.write("full/letter.txt", "dear");
    let full = refuse("full", &SELF_PLAY);
    assert!(full.contains("full is not empty") && full.contains("name a new directory"), "{full}");
    let file = refuse("letter.txt", &SELF_PLAY);
    assert!(file.contains("letter.txt cannot be opened as a folder"), "{file}");
    let below = refuse("letter.txt/report", &SELF_PLAY);
    assert!(below.contains("letter.txt/report cannot be") && below.contains("--output"), "{below}");
    // Kernels and rates that there are not.
    let kernel = refused(place.run(&["learn", "reproduce", "--output", "report", "--kernels", "8x8"]));
    assert!(kernel.contains("8x8 does not fit"), "{kernel}");
    let rate = refused(place.run(&["learn", "reproduce", "--output", "report", "--dropouts", "1.5"]));
    assert!(rate.contains("`1.5` is not a valid dropout rate"), "{rate}");
}

#[test]
fn a_stage_of_another_run_or_a_damaged_one_is_refused() {
    let place = Place::new();
    let tiny = [&SELF_PLAY[..], &["--eval-folds", "1"]].concat();
    place.ask(&words("report", &tiny));
    let again = place.run(&words("report", &tiny));
    assert!(again.talk.contains("24 games of self-play are there"), "{again:?}");
    let other = refused(place.run(&words("report", &[&tiny[..], &["--seed", "2"]].concat())));
    assert!(other.contains("is of another run: `seed` was 1, and is 2 now"), "{other}");
    assert!(other.contains("name another directory with --output"), "{other}");
    let stage = place.path("report").join("stages/selfplay-all-network-1-by-game.json");
    let text = std::fs::read_to_string(&stage).unwrap();
    std::fs::write(&stage, &text[..text.len() / 2]).unwrap();
    let cut = refused(place.run(&words("report", &tiny)));
    assert!(
        cut.contains("network-1-by-game.json is truncated or damaged") && cut.contains("delete it"),
        "{cut}"
    );
    std::fs::write(&stage, &text).unwrap();
    place.write("report/selfplay.txt", "changed");
    let changed = refused(place.run(&words("report", &tiny)));
    assert!(changed.contains("selfplay.txt is not what this command wrote"), "{changed}");
}

#[test]
fn training_draws_its_charts_where_it_is_asked_to() {
    let place = place_with_games();
    let train =
        ["learn", "train", "games.txt", "--network", "conv filters=2 kernel=4 hidden=8", "--folds", "3"];
    place.ask(&[&train[..], &["--batch-size", "64", "--epochs", "2", "--charts", "pictures"]].concat());
    for name in ["heights", "calibration", "training", "filters"] {
        for ending in ["svg", "png", "csv"] {
            assert!(place.path("pictures").join(format!("{name}.{ending}")).exists(), "{name}.{ending}");
        }
    }
    let svg = std::fs::read_to_string(place.path("pictures/heights.svg")).unwrap();
    for entry in ["annals.source\">games.txt<", "annals.command\">annals learn train games.txt --network"] {
        assert!(svg.contains(entry), "{entry}: {svg}");
    }
    // At the foot, in several lines: the command that was run.
    let texts = svg.split('<').filter_map(|part| part.split_once('>'));
    let texts: Vec<&str> = texts.flat_map(|(_, text)| text.split_whitespace()).collect();
    let command = "annals learn train games.txt --network 'conv filters=2 kernel=4 hidden=8' --folds 3 --batch-size 64 --epochs 2";
    let foot = texts.join(" ").replace("&apos;", "'");
    assert!(foot.contains(&format!(". {command}. annals ")), "{foot}");
    let calibration = std::fs::read_to_string(place.path("pictures/calibration.csv")).unwrap();
    assert!(calibration.contains("the network") && calibration.contains(" positions"), "{calibration}");
}

#[test]
fn on_real_games_the_split_by_position_flatters_and_the_report_says_by_how_much() {
    let Some(archive) = real_archive() else { return };
    let place = Place::new();
    let archive = archive.display().to_string();
    let networks = [
        "--networks", "paper-run", "--epochs", "20", "--batch-size", "256", "--eval-folds", "1", "--grid",
        "none",
    ];
    let words =
        [&["learn", "reproduce", &archive, "--output", "real", "--games", "0"], &networks[..]].concat();
    let run = place.run(&words);
    assert_eq!(run.status, 0, "{run:?}");
    let told = figures(&place, "real");
    let subject = &told["subjects"][0];
    // 45 games of these files have both players at 1800; of any rating there are 159.
    assert_eq!((&subject["key"], &subject["data"]["resigned"]), (&"real".into(), &26.into()));
    assert!((140..=159).contains(&subject["data"]["games"].as_u64().unwrap()), "{}", subject["data"]);
    assert!(told["not_done"][0].as_str().unwrap().contains("2,000 are asked for"), "{}", told["not_done"]);
    let variants = subject["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 2);
    for variant in variants {
        let figure =
            |place: usize, at: &str| variant["experiments"][place]["score"]["all"][at].as_f64().unwrap();
        let (position, game) = (figure(0, "accuracy"), figure(1, "accuracy"));
        assert!(position > game + 0.05, "accuracy by position {position}, by game {game}");
        let (position, game) = (figure(0, "mse"), figure(1, "mse"));
        assert!(position < game - 0.04, "error by position {position}, by game {game}");
        // Counting pieces learns no game by heart.
        let pieces = |place: usize| {
            variant["experiments"][place]["baselines"][1]["score"]["all"]["mse"].as_f64().unwrap()
        };
        assert!(pieces(1) - pieces(0) < (game - position) / 2.0, "{} {}", pieces(0), pieces(1));
    }
    // A game that ends by goal has lost positions at even heights.
    let parity = &variants[1]["experiments"][1]["parity"];
    assert!(
        parity["won_at_even"].as_f64().unwrap() < 0.1 && parity["won_at_odd"].as_f64().unwrap() > 0.9,
        "{parity}"
    );
    let page = page(&place, "real");
    assert!(page.contains("validation on resigned games") && page.contains("The data leakage is"));
}
