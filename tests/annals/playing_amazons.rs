//! Programs play the Amazons: matches that the log keeps, and encounters of a tournament under its director.

use std::fs::File;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::director::Director;
use crate::program::Place;

const OURS: &str = "annals:nodes=40,seed=2";

/// The program itself as an engine of the protocol.
fn ours_by_aei() -> String {
    format!("'{}' engine aei --game amazons --nodes 40", env!("CARGO_BIN_EXE_annals"))
}

#[test]
fn a_match_is_kept_in_the_log_and_every_game_has_its_file() {
    let place = Place::new();
    let other = ours_by_aei();
    let words = [
        "engine", "match", "--game", "amazons", OURS, &other, "--game-files", "games", "--event", "trial",
        "--log", "--actor", "omar",
    ];
    let results = place.ask_json(&[&words[..], &["--json"]].concat());
    let games = results["games"].as_array().unwrap();
    assert_eq!(games.len(), 2, "an encounter is two games: {results:#}");
    assert!(
        games.iter().all(|game| game["failure"].is_null() && game["remarks"] == json!([])),
        "{results:#}"
    );
    assert_eq!((&games[0]["gold"], &games[1]["gold"]), (&json!("annals-n40"), &json!("annals")));
    let view = place.ask_json(&["replay", "game/trial-1", "--json"]);
    assert_eq!(view["time_control"], "game 30m", "the organisers' preference: {view}");
    let file = std::fs::read_to_string(place.path("games/trial-1.moves")).unwrap();
    assert!(file.contains("annals-n40") && file.contains("game 30m"), "{file}");
    assert_eq!(place.run(&["log", "verify"]).status, 0);
    // The file holds the whole game.
    let again = Place::new();
    again.write("trial.moves", &file);
    again.ask(&["log", "import", "trial.moves", "--actor", "omar"]);
    let kept = again
        .run(&["engine", "match", "--game", "amazons", OURS, OURS, "--game-files", "games", "--games", "1"]);
    assert_eq!(kept.status, 0, "{kept:?}");
    assert!(again.path("games/match-1.moves").exists(), "{kept:?}");
}

#[test]
fn what_cannot_be_played_of_the_amazons_is_said_before_anything_is() {
    let place = Place::new();
    for (words, why) in [
        (&["--game", "amazons", OURS, "annals:setup=fixed"][..], "not a valid setting of a player"),
        (&["--game", "amazons", OURS, OURS, "--output", "x.txt"], "holds games of Arimaa alone"),
        (&["annals", "annals", "--game-files", "games"], "writes games of the Amazons"),
        (
            &["--game", "amazons", OURS, OURS, "--director", "omar", "--threads", "2"],
            "follows one game at a time",
        ),
        (&["--game", "amazons", OURS, OURS, "--position", "w [WxB/xx.]"], "Black won by immobilization"),
        (&["--game", "amazons", OURS, OURS, "--tournament", "cup"], "--pairing"),
        (
            &["--game", "amazons", OURS, OURS, "--tournament", "cup", "--pairing", "r1.1", "--games", "2"],
            "--games",
        ),
    ] {
        let run = place.run(&[&["engine", "match"], words].concat());
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.talk.contains(why), "`{why}`: {run:?}");
    }
}

/// A tournament of two programs with its one encounter paired.
fn paired(place: &Place) {
    let annals = |words: &str| {
        let words: Vec<&str> = ["tournament"].into_iter().chain(words.split(' ')).collect();
        place.ask(&[&words[..], &["--actor=omar"]].concat());
    };
    annals("announce cup --rulebook olympiad-amazons-2000 --director omar");
    annals("entry add cup anky --bot --number 1 --developer patrick");
    annals("entry add cup invader --bot --number 2 --developer richard");
    annals("round declare cup");
    annals("round pair cup");
}

#[test]
fn an_encounter_in_a_simulated_log_shows_the_times_of_the_log() {
    let place = Place::new();
    let director = Director::opened(&place, "cup", "2000-08-01");
    director.does("2000-08-02", "announce --rulebook olympiad-amazons-2000 --director omar --year 2000");
    for (number, player) in [(1, "anky"), (2, "invader")] {
        director
            .does("2000-08-03", &format!("entry add {player} --bot --number {number} --developer {player}"));
    }
    director.does("2000-08-04", "round declare");
    director.does("2000-08-04", "round pair");
    let told = place.ask(&[&ENCOUNTER[..], &[OURS, "annals:random,seed=5"]].concat());
    let shown = |at: &str| told.lines().any(|line| line.starts_with("Ended") && line.contains(at));
    let lines = place.ask(&["log", "show", "game/cup.r1.1", "--json"]);
    let ended: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let at = jiff::Timestamp::from_microsecond(ended["recorded_at"].as_i64().unwrap()).unwrap();
    let at = at.to_string().replace('T', " ");
    assert!(at.starts_with("2000-08-0") && shown(&at), "{at}: {told}");
}

/// The types of the events of a game, without the turns that follow each other.
fn course(place: &Place, game: &str) -> Vec<String> {
    let lines = place.ask(&["log", "show", game, "--json"]);
    let kinds = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut kinds: Vec<String> =
        kinds.map(|event| event["type"].as_str().unwrap().trim_start_matches("game.").to_owned()).collect();
    kinds.dedup();
    kinds
}

const ENCOUNTER: [&str; 9] =
    ["engine", "match", "--game", "amazons", "--tournament", "cup", "--pairing", "r1.1", "--actor=omar"];

#[test]
fn an_encounter_is_played_under_the_director_and_recorded_as_events() {
    let place = Place::new();
    paired(&place);
    let words = [&ENCOUNTER[..], &[OURS, "annals:random,seed=5", "--game-files", "games"]].concat();
    let told = place.ask(&words);
    assert!(told.contains("r1.1: anky - invader: White won by immobilization"), "{told}");
    assert!(told.contains("r1.2: invader - anky: Black won by immobilization"), "{told}");
    assert!(
        told.contains("10") && told.contains("White") && told.contains("30:00"),
        "positions and clocks: {told}"
    );
    for game in ["cup.r1.1", "cup.r1.2"] {
        assert_eq!(course(&place, &format!("game/{game}")), ["started", "turn_taken", "ended"]);
        let file = std::fs::read_to_string(place.path(&format!("games/{game}.moves"))).unwrap();
        assert!(file.contains("anky") && file.contains("invader"), "{file}");
    }
    let standings = place.ask_json(&["tournament", "standings", "cup", "--json"]);
    assert_eq!(
        (&standings["rows"][0]["player"], &standings["rows"][0]["half_points"]),
        (&json!("anky"), &json!(4))
    );
    let territory = place.ask(&["log", "show", "cup", "--json"]);
    let results = territory.lines().filter(|line| line.contains("result_recorded"));
    assert_eq!(results.filter(|line| line.contains("\"territory\":")).count(), 2, "{territory}");
    let audit = place.run(&["tournament", "audit", "cup"]);
    assert_eq!(audit.status, 0, "{audit:?}");
    let again = place.ask(&words);
    assert!(again.contains("every game of the encounter has its result"), "{again}");
    place.ask(&["tournament", "close", "cup", "--actor=omar"]);
}

/// A match that is played while the test types what the director says.
struct Live<'a> {
    place: &'a Place,
    child: Child,
}

impl Live<'_> {
    fn begin<'a>(place: &'a Place, words: &[&str]) -> Live<'a> {
        let file = |name: &str| File::create(place.path(name)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_annals"))
            .args(words)
            .env("ANNALS_HOME", "home")
            .current_dir(place.path(""))
            .stdin(Stdio::piped())
            .stdout(file("out"))
            .stderr(file("talk"))
            .spawn()
            .unwrap();
        Live { place, child }
    }

    fn types(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    fn talk(&self) -> String {
        std::fs::read_to_string(self.place.path("talk")).unwrap()
    }

    /// Waits until something has been said, or a file is there.
    fn waits_for(&self, what: &str, there: impl Fn(&Self) -> bool) {
        let since = Instant::now();
        while !there(self) {
            assert!(since.elapsed() < Duration::from_secs(60), "no {what}: {}", self.talk());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn ends(mut self) -> (Option<i32>, String, String) {
        drop(self.child.stdin.take());
        let status = self.child.wait().unwrap().code();
        (status, std::fs::read_to_string(self.place.path("out")).unwrap(), self.talk())
    }
}

/// A program that is silent when it is first asked for a turn, then plays what is no move, and from then on resigns.
const ODD: &str = r#"
while read -r word rest; do
  case "$word" in
    aei) echo aeiok ;;
    isready) echo readyok ;;
    go)
      echo asked >> asks
      case $(wc -l < asks) in
        1) ;;
        2) echo 'bestmove a7-a7(a7)' ;;
        *) echo bestmove resign ;;
      esac ;;
    quit) exit 0 ;;
  esac
done
"#;

#[test]
fn the_director_takes_a_move_back_and_decides_on_an_illegal_one() {
    let place = Place::new();
    paired(&place);
    place.write("odd.sh", ODD);
    let mut live = Live::begin(&place, &[&ENCOUNTER[..], &[OURS, "sh odd.sh"]].concat());
    live.waits_for("question", |live| live.place.path("asks").exists());
    live.types("d1-d2(d3)");
    live.types("retract by anna because she would rather");
    live.waits_for("refusal", |live| live.talk().contains("[game.retraction]"));
    live.types("retract by omar because g5 was meant");
    live.waits_for("question to the director", |live| live.talk().contains("the director decides"));
    live.types("perhaps");
    live.types("again");
    let (status, out, talk) = live.ends();
    assert_eq!(status, Some(0), "{talk}");
    assert!(
        talk.contains("programs play this game") && talk.contains("`perhaps` is not a valid decision"),
        "{talk}"
    );
    assert!(out.contains("r1.1: anky - invader: White won by resignation"), "{out}");
    assert_eq!(
        course(&place, "game/cup.r1.1"),
        ["started", "turn_taken", "turn_retracted", "turn_taken", "turn_rejected", "ended"]
    );
    let lines = place.ask(&["log", "show", "game/cup.r1.1", "--json"]);
    let retracted = lines.lines().find(|line| line.contains("turn_retracted")).unwrap();
    let retracted: Value = serde_json::from_str(retracted).unwrap();
    assert_eq!(
        (&retracted["actor"], &retracted["payload"]["reason"]),
        (&json!("omar"), &json!("g5 was meant"))
    );
    let audit = place.run(&["tournament", "audit", "cup"]);
    assert_eq!(audit.status, 0, "{audit:?}");
}

#[test]
fn what_nobody_decides_is_halted_and_goes_on_with_the_same_command() {
    let place = Place::new();
    paired(&place);
    place.write("odd.sh", ODD);
    place.write("asks", "asked\n");
    let (status, out, talk) = Live::begin(&place, &[&ENCOUNTER[..], &[OURS, "sh odd.sh"]].concat()).ends();
    assert_eq!(status, Some(1), "{talk}");
    assert!(
        talk.contains("no decision can be entered") && out.contains("r1.1: anky - invader: halted"),
        "{talk}\n{out}"
    );
    assert_eq!(course(&place, "game/cup.r1.1"), ["started", "turn_taken", "turn_rejected", "halted"]);
    let on = place.ask_json(&[&ENCOUNTER[..], &[OURS, "annals:random,seed=5", "--json"]].concat());
    assert_eq!((&on[0]["result"], &on[1]["result"]), (&json!("gold"), &json!("silver")), "{on}");
    assert_eq!(
        course(&place, "game/cup.r1.1"),
        ["started", "turn_taken", "turn_rejected", "halted", "resumed", "turn_taken", "ended"]
    );
}

#[test]
fn a_match_without_a_tournament_may_have_a_director_too() {
    let place = Place::new();
    place.write("odd.sh", ODD);
    place.ask(&["log", "init"]);
    let words = [
        "engine", "match", "--game", "amazons", OURS, "sh odd.sh", "--director", "eva", "--games", "1",
        "--log", "--actor=omar",
    ];
    let mut live = Live::begin(&place, &words);
    live.waits_for("question", |live| live.place.path("asks").exists());
    live.types("retract because the operator slipped");
    live.waits_for("question to the director", |live| live.talk().contains("the director decides"));
    live.types("lost");
    let (status, out, talk) = live.ends();
    assert_eq!(status, Some(0), "{talk}");
    assert!(talk.contains("won by an illegal move") && out.contains("White"), "{talk}\n{out}");
    let lines = place.ask(&["log", "show", "game/match-1", "--json"]);
    let retracted = lines.lines().find(|line| line.contains("turn_retracted")).unwrap();
    assert!(retracted.contains("\"actor\":\"eva\""), "{retracted}");
}

#[test]
fn the_session_of_the_documents_is_what_the_engine_says() {
    let document = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/aei.md");
    let document = std::fs::read_to_string(document).unwrap();
    let (_, session) =
        document.split_once("annals engine aei --game amazons --nodes 300 --seed 1\n").unwrap();
    let session: Vec<&str> = session.lines().skip_while(|line| line.is_empty()).collect();
    let session: Vec<&str> =
        session.into_iter().map(str::trim).take_while(|line| line.starts_with(['>', '<'])).collect();
    let of = |mark: &str| -> Vec<String> {
        let lines = session.iter().filter_map(|line| line.strip_prefix(mark));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let (typed, said) = (of(">"), of("<"));
    assert!(typed.len() > 10, "{typed:?}");
    let mut engine = Command::new(env!("CARGO_BIN_EXE_annals"))
        .args(["engine", "aei", "--game", "amazons", "--nodes", "300", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    let mut answers = std::io::BufRead::lines(std::io::BufReader::new(engine.stdout.take().unwrap()));
    let mut heard = Vec::new();
    for line in &typed {
        writeln!(input, "{line}").unwrap();
        // An answer is read before the next message, as a controller does.
        let last = match line.as_str() {
            "aei" => "aeiok",
            "isready" => "readyok",
            "go" => "bestmove",
            _ => continue,
        };
        loop {
            let line = answers.next().unwrap().unwrap();
            let is_last = line.starts_with(last);
            if !line.starts_with("info ") {
                heard.push(line);
            }
            if is_last {
                break;
            }
        }
    }
    assert!(engine.wait().unwrap().success());
    let version = format!("id version {}", annals_engine::VERSION);
    let said: Vec<String> =
        said.into_iter().map(|line| line.replace("id version VERSION", &version)).collect();
    assert_eq!(heard, said);
}
