//! The postal tournament of 2006 as its director runs it: thirteen players on the ring, programs with their machines, all
//! games at once, a dispute, a game that neither came to, a player who leaves in the middle, and a pool that is shared by
//! points. Who meets whom with which colour, the points and the shares were worked out by a program of another language.

use serde_json::Value;

use crate::director::Director;
use crate::program::Place;

/// The games of the ring of thirteen whose ratings fall with their numbers, Gold first.
const GAMES: [(u32, u32); 65] = [
    (1, 3),
    (5, 1),
    (1, 7),
    (9, 1),
    (1, 11),
    (3, 5),
    (7, 3),
    (3, 9),
    (11, 3),
    (3, 13),
    (5, 7),
    (9, 5),
    (5, 11),
    (13, 5),
    (5, 12),
    (7, 9),
    (11, 7),
    (7, 13),
    (12, 7),
    (7, 10),
    (9, 11),
    (13, 9),
    (9, 12),
    (10, 9),
    (9, 8),
    (11, 13),
    (12, 11),
    (11, 10),
    (8, 11),
    (11, 6),
    (13, 12),
    (10, 13),
    (13, 8),
    (6, 13),
    (13, 4),
    (12, 10),
    (8, 12),
    (12, 6),
    (4, 12),
    (12, 2),
    (10, 8),
    (6, 10),
    (10, 4),
    (2, 10),
    (10, 1),
    (8, 6),
    (4, 8),
    (8, 2),
    (1, 8),
    (8, 3),
    (6, 4),
    (2, 6),
    (6, 1),
    (3, 6),
    (6, 5),
    (4, 2),
    (1, 4),
    (4, 3),
    (5, 4),
    (4, 7),
    (2, 1),
    (3, 2),
    (2, 5),
    (7, 2),
    (2, 9),
];

/// What everybody gets of a pool of 130 dollars, in cents: by half points 20, 17, 16, 14, 12, 10, 10, 10, 9, 6, 0, 2, 2.
const SHARES: [(u32, u64); 12] = [
    (1, 2_031),
    (2, 1_726),
    (3, 1_625),
    (4, 1_422),
    (5, 1_219),
    (6, 1_016),
    (7, 1_016),
    (8, 1_016),
    (9, 914),
    (10, 609),
    (12, 203),
    (13, 203),
];

fn name(number: u32) -> String {
    format!("p{number:02}")
}

/// Thirteen players enter, two programs among them, and declare their machines.
fn entries(director: &Director<'_>) {
    director.does(
        "2006-01-01",
        "announce --rulebook postal-2006 --director Omar --year 2006 --currency USD \
         --schedule registration_closes=2006-02-01T12:00 --schedule play_begins=2006-02-10T12:00",
    );
    for number in 1..=13 {
        let bot = if matches!(number, 3 | 8) { "--bot" } else { "" };
        let rating = 2_400 - 10 * number;
        director.does("2006-01-10", &format!("entry add {} --rating {rating} {bot}", name(number)));
        director.does("2006-01-11", &format!("fund fee {} 10", name(number)));
    }
    director.refuses(
        "2006-02-01T12:00",
        "entry add late --rating 1500",
        &["registration.window", "2006 Postal", "2006-02-01 17:00:00 UTC"],
    );
    director.refuses(
        "2006-02-01T13:00",
        "entry hardware \"a rack of servers\" --player p03 --price 1200",
        &["hardware.limit", "100000 cents", "120000 cents"],
    );
    director.does("2006-02-01T14:00", "entry hardware \"Athlon 64\" --player p03 --system Linux --price 900");
    director.refuses(
        "2006-02-02",
        "entry hardware \"Athlon 64\" --player nobody --price 900",
        &["no player called"],
    );
    director.refuses("2006-02-02", "round declare", &["asks for no number of rounds"]);
    director.does("2006-02-03", "round pair");
    let mut found = director.games(1);
    found.sort();
    let mut due: Vec<_> = GAMES.iter().map(|&(gold, silver)| (name(gold), name(silver))).collect();
    due.sort();
    assert_eq!(found, due);
    director.refuses("2006-02-04", "round pair", &["round.order"]);
}

/// The board of two players.
fn board(games: &[(String, String)], one: u32, other: u32) -> String {
    let is =
        |game: &&(String, String)| **game == (name(one), name(other)) || **game == (name(other), name(one));
    let at = games.iter().position(|game| is(&game)).unwrap();
    format!("r1.{}", at + 1)
}

#[test]
fn the_postal_tournament_of_2006_is_run_from_the_entries_to_the_close() {
    let place = Place::new();
    let director = Director::opened(&place, "postal-2006", "2005-12-01");
    entries(&director);
    let games = director.games(1);

    // The machine of the other program is missing.
    director.refuses(
        "2006-02-10T12:00",
        "game start r1.1 --no-game",
        &["hardware.declared", "the hardware of p08", "none is declared"],
    );
    director.refuses(
        "2006-02-10T12:00",
        "entry hardware \"Pentium 4\" --player p08 --price 800",
        &["hardware.declared"],
    );
    director.does(
        "2006-02-09T12:00",
        "schedule dates play_begins=2006-02-12T12:00 --reason \"a machine was not declared\"",
    );
    director.refuses(
        "2006-02-11",
        "entry hardware \"two machines\" --player p08 --computer \"Pentium 4=400\" --computer \"Core 2=400\"",
        &["hardware.single", "2006 Postal, Special Rules for Bots", "2 computers: Pentium 4, Core 2"],
    );
    director.refuses(
        "2006-02-11",
        "entry hardware \"Pentium 4\" --player p08 --computer \"Pentium 4=1000.01\"",
        &["hardware.limit", "100001 cents"],
    );
    director.refuses(
        "2006-02-11",
        "entry hardware \"Pentium 4\" --player p08 --computer \"Pentium 4=1600\" --price 900",
        &["hardware.limit", "160000 cents"],
    );
    director.does("2006-02-11", "entry hardware \"Pentium 4\" --player p08 --computer \"Pentium 4=800\"");
    director.does("2006-02-12T12:00", "game start r1.1 --no-game");
    director.refuses(
        "2006-02-13",
        "entry hardware \"Core 2\" --player p08 --price 800",
        &["hardware.unchanged", "Pentium 4", "2006 Postal, Special Rules for Bots"],
    );
    director.refuses(
        "2006-02-13",
        "entry hardware \"Pentium 4\" --player p08 --computer \"Another Pentium 4=800\"",
        &["hardware.unchanged", "2006 Postal, Special Rules for Bots"],
    );
    director.refuses(
        "2006-02-14",
        "entry program p08 updated --before sha256:aa --digest sha256:bb --after-round 1 \
         --started-at 2006-02-13T10:00 --ended-at 2006-02-13T11:00",
        &["program.frozen", "a change by hand"],
    );

    // The better rated wins, but for what the tests below say otherwise.
    let special = [[1, 5], [12, 13], [2, 9], [11, 12], [11, 13]];
    for &(gold, silver) in &GAMES {
        let at = board(&games, gold, silver);
        if special.contains(&[gold.min(silver), gold.max(silver)]) {
            continue;
        }
        director
            .does("2006-08-01", &format!("game result {at} {} --termination goal", name(gold.min(silver))));
    }
    // No source states the piece points of 2006, so the director decides what was scored.
    let scored = board(&games, 2, 9);
    let says = ["game.score", "T44", "annals tournament ruling give postal-2006 set-result"];
    director.refuses("2006-12-12", &format!("game result {scored} draw --termination score"), &says);
    director.does(
        "2006-12-12",
        &format!("ruling give set-result {scored} draw --termination score --reason \"they are level\""),
    );

    // One leaves in the middle: what is paired stays to be decided, by forfeit.
    director.does("2006-12-13", "entry withdraw p11 --reason \"no time\"");
    director.refuses(
        "2006-12-13",
        "entry withdraw p11",
        &["registration.standing", "`p11` withdrew at 2006-12-1"],
    );
    for other in [12, 13] {
        director.does("2006-12-14", &format!("game forfeit {} --absent p11", board(&games, 11, other)));
    }
    // Neither moved.
    director.does("2006-12-15", &format!("game forfeit {} --absent p12 --absent p13", board(&games, 12, 13)));

    // A result that is disputed.
    let disputed = board(&games, 1, 5);
    director.refuses("2006-12-16", "fund award", &[disputed.as_str()]);
    director.does("2006-12-16", &format!("game result {disputed} p05 --termination time"));
    director.does(
        "2006-12-17",
        &format!("ruling dispute p01 --against p05 --pairing {disputed} --claim \"my move was in\" --evidence \"the mail\""),
    );
    let rule = |number: u32| {
        format!(
            "ruling give set-result {disputed} silver --termination goal --reason \"it was\" --dispute {number}"
        )
    };
    director.refuses("2006-12-18", &rule(2), &["ruling.number", "there is no dispute 2"]);
    director.does("2006-12-18", &rule(1));
    director.refuses("2006-12-19", &rule(1), &["ruling.final", "a dispute is decided once"]);
    director.refuses(
        "2006-12-19",
        "ruling appeal p05 --ruling 2 --claim \"it was not\"",
        &["ruling.final", "final and binding"],
    );

    director.refuses("2006-12-20", "fund refund", &["no fee back"]);
    director.does("2006-12-20", "fund award");
    let paid: Vec<(String, u64)> = director
        .events("prize_awarded")
        .iter()
        .map(|prize| (prize["player"].as_str().unwrap().to_owned(), prize["amount"].as_u64().unwrap()))
        .collect();
    let mut sorted = paid.clone();
    sorted.sort();
    assert_eq!(sorted, SHARES.map(|(number, cents)| (name(number), cents)));
    assert_eq!(paid.iter().map(|(_, cents)| cents).sum::<u64>(), 13_000);
    director.refuses("2006-12-21", "fund award", &["no prize is due"]);
    director.does("2006-12-22", "close");
    assert_eq!(
        director.places(),
        [
            "1 p01", "2 p02", "3 p03", "4 p04", "5 p05", "6 p06", "6 p07", "6 p08", "9 p09", "10 p10",
            "11 p12", "11 p13", "13 p11"
        ]
    );
    assert_eq!(director.events("closed")[0]["fund_left"], 0);
    director.is_in_order();
}

#[test]
fn disputes_and_disqualifications_cite_the_rules_for_humans() {
    let place = Place::new();
    let director = Director::opened(&place, "small-2006", "2006-01-01");
    director.does("2006-01-02", "announce --rulebook postal-2006 --year 2006 --director Omar");
    for (player, kind) in [("anna", ""), ("bela", ""), ("bomb", " --bot")] {
        director.does("2006-01-03", &format!("entry add {player} --rating 1800{kind}"));
    }
    director.does("2006-01-04", "entry hardware \"A laptop\" --player bomb --computer \"A laptop=900\"");
    director.does("2006-01-05", "round pair");
    director.does("2006-01-06", "game start r1.1 --no-game");
    let dispute = |against: &str, rule: &str| {
        format!(
            "ruling dispute anna --against {against} --claim \"as in the forum\" --rule {rule} --evidence \"the thread\""
        )
    };
    director.refuses(
        "2006-02-01",
        &dispute("bela", "human.sleep"),
        &["the rulebook postal-2006 has no rule `human.sleep`"],
    );
    director.refuses(
        "2006-02-01",
        &dispute("bomb", "human.program"),
        &["ground.cited", "binds human players"],
    );
    for rule in ["hardware.single", "hardware.unchanged", "program.frozen"] {
        director.refuses("2006-02-01", &dispute("bela", rule), &["ground.cited", "binds programs"]);
    }
    director.does("2006-02-01", &dispute("bela", "human.discussion"));
    let cited = &director.events("dispute_filed")[0]["grounds"][0];
    assert_eq!(cited["rule"], "human.discussion");
    assert_eq!(cited["paragraph"], "2006 Postal, Special Rules for Humans");
    let out = |rule: &str| format!("entry disqualify bela --cause outside_help --rule {rule}");
    director.refuses("2006-02-02", &out("human.sleep"), &["ground.cited"]);
    let told = director.does("2006-02-02", &out("human.program"));
    assert!(told.contains("human.program") && told.contains("the director answers for it"), "{told}");
    let audit = place.ask(&["tournament", "audit", "small-2006", "--all"]);
    assert!(audit.contains("[human.program, 2006 Postal, Special Rules for Humans]"), "{audit}");
    let history = place.ask(&["tournament", "ruling", "list", "small-2006"]);
    assert!(history.contains("human.discussion"), "{history}");
    // Against no player it is not known whom the rule binds, unless it binds all.
    let against_none =
        |rule: &str| format!("ruling dispute anna --claim \"as before\" --rule {rule} --evidence \"it\"");
    for rule in ["human.program", "hardware.single"] {
        let told = director.does("2006-02-03", &against_none(rule));
        assert!(told.contains("ground.cited") && told.contains("no player is named"), "{told}");
    }
    let told = director.does("2006-02-03", &against_none("game.rated"));
    assert!(!told.contains("ground.cited"), "{told}");
    director.does("2006-02-04", &dispute("bomb", "hardware.single"));
}

/// A human, and a program with what is declared of its machine, in a tournament that has begun.
fn program_begun<'p>(place: &'p Place, declared: &[&str]) -> Director<'p> {
    let director = Director::opened(place, "machine-2006", "2006-01-01");
    director.does("2006-01-02", "announce --rulebook postal-2006 --year 2006 --director Omar");
    director.does("2006-01-03", "entry add anna --rating 1800");
    director.does("2006-01-03", "entry add bomb --rating 1800 --bot");
    for declared in declared {
        director.does("2006-01-04", &format!("entry hardware --player bomb {declared}"));
    }
    director.does("2006-01-05", "round pair");
    director.does("2006-01-06", "game start r1.1 --no-game");
    director
}

#[test]
fn a_program_keeps_its_computer_after_the_start() {
    let laptop = |rest: &str| format!("entry hardware \"A laptop\" --player bomb {rest}");
    let place = Place::new();
    // What was named before the start counts, and not the declaration without a name after it.
    let declared = ["\"A laptop\" --computer \"Zero=800\"", "\"A laptop\" --computer \"One=900\""];
    let director = program_begun(&place, &declared);
    let told = director.does("2006-01-07", &laptop("--price 900"));
    assert!(told.contains("hardware.unchanged") && told.contains("no computer is named"), "{told}");
    let unchanged = ["hardware.unchanged", "One for 90000 cents", "2006 Postal, Special Rules for Bots"];
    for (rest, found) in [
        ("--computer \"Two=900\"", "Two for 90000 cents"),
        ("--computer \"Zero=800\"", "Zero for 80000 cents"),
        ("--computer \"One=500\"", "One for 50000 cents"),
        ("--price 800", "80000 cents"),
        ("--computer \"One=900\" --system Linux", "under Linux"),
    ] {
        let said = director.refuses("2006-01-08", &laptop(rest), &unchanged);
        assert!(said.contains(found), "{found}: {said}");
    }
    let told = director.does("2006-01-08", &laptop("--computer One"));
    assert!(told.contains("hardware.unchanged") && told.contains("not all of it can be compared"), "{told}");
    let told = director.does("2006-01-08", &laptop("--computer \"One=900\""));
    assert!(!told.contains("hardware.unchanged"), "{told}");
    director.is_in_order();

    // Where none was named before the start, the first one after it counts.
    let place = Place::new();
    let director = program_begun(&place, &["\"A laptop\" --price 900"]);
    let told = director.does("2006-01-07", &laptop("--computer \"One=900\""));
    assert!(told.contains("hardware.unchanged") && told.contains("no computer is named"), "{told}");
    director.refuses(
        "2006-01-08",
        &laptop("--computer \"Two=900\""),
        &["hardware.unchanged", "Two for 90000"],
    );
    let told = director.does("2006-01-08", "entry hardware \"A laptop\" --player bomb");
    assert!(told.contains("hardware.unchanged"), "neither computer nor price is named: {told}");
}

#[test]
fn no_program_is_handed_in_after_the_start() {
    let place = Place::new();
    let director = program_begun(&place, &["\"A laptop\" --computer \"One=900\""]);
    for digest in ["sha256:aa", "sha256:bb"] {
        director.refuses(
            "2006-01-07",
            &format!("entry program bomb submitted --program bomb-2 --digest {digest}"),
            &["program.frozen", "round 1 has begun", "2006 Postal, Special Rules for Bots"],
        );
    }
}

#[test]
fn turns_that_two_games_of_a_player_share_are_listed_and_are_no_violation() {
    let place = Place::new();
    let director = Director::opened(&place, "copy-2006", "2006-01-01");
    director.does("2006-01-02", "announce --rulebook postal-2006 --year 2006 --director Omar");
    for player in ["anna", "bela", "cara"] {
        director.does("2006-01-03", &format!("entry add {player} --rating 1800"));
    }
    director.does("2006-01-05", "round pair");
    // Anna has Gold in one game and Silver in the other, and carries each turn of one opponent over to the other game.
    let games = director.games(1);
    let board = |gold: bool| {
        let is = |(one, other): &(String, String)| if gold { one == "anna" } else { other == "anna" };
        format!("r1.{}", games.iter().position(is).unwrap() + 1)
    };
    let boards = [board(true), board(false)];
    for board in &boards {
        director.does("2006-01-06", &format!("game start {board}"));
    }
    let turns = [
        "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2",
        "1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7",
        "2g Ee2n Md2n",
        "2s ed7s ed6s",
        "3g Cc2n",
        "3s me7s",
    ];
    // The order of pieces and steps in the other game is another.
    let reversed = |turn: &str| {
        let words: Vec<&str> = turn.split(' ').collect();
        let (label, words) = words.split_first().unwrap();
        let backwards: Vec<&str> = words.iter().rev().copied().collect();
        if *label == "2s" { turn.to_owned() } else { format!("{label} {}", backwards.join(" ")) }
    };
    for (turn, day) in turns.iter().zip(7..) {
        for (board, hour) in boards.iter().zip([10, 12]) {
            let turn = if *board == boards[1] { reversed(turn) } else { (*turn).to_owned() };
            director.does(&format!("2006-01-{day:02}T{hour}:00"), &format!("game move {board} \"{turn}\""));
        }
    }
    let by_default = place.ask_json(&["tournament", "audit", "copy-2006", "--json"]);
    assert!(by_default.get("imitations").is_none(), "{by_default}");
    let run = place.run(&["tournament", "audit", "copy-2006", "--imitation", "6"]);
    assert_eq!(run.status, 0, "it is no violation: {run:?}");
    for words in [
        "[human.imitation, 2006 Postal, Special Rules for Humans]",
        "anna: 6 turns of both sides",
        &format!("{} (copy-2006.{}) from ply 1", boards[0], boards[0]),
        &format!("first played in {}; from the first turn on", boards[0]),
        "Ee2n Md2n | ed7s ed6s | Cc2n | me7s",
    ] {
        assert!(run.out.contains(words), "{words} is not in {}", run.out);
    }
    let found = place.ask_json(&["tournament", "audit", "copy-2006", "--imitation", "6", "--json"]);
    let found = found["imitations"].as_array().unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["player"], &found[0]["length"]), (&"anna".into(), &6.into()));
    assert_eq!((&found[0]["other_from"], &found[0]["compared"]), (&1.into(), &"both_sides".into()));
    // Of a game that is played again, both attempts count, and they are not compared with each other.
    let [one, _] = &boards;
    director.does(
        "2006-01-20",
        &format!("ruling give rematch {one} --failure game_server --reason \"it lost moves\""),
    );
    director.does("2006-01-21", &format!("game start {one}"));
    for turn in &turns[..3] {
        director.does("2006-01-22", &format!("game move {one} \"{turn}\""));
    }
    let found = place.ask_json(&["tournament", "audit", "copy-2006", "--imitation", "3", "--json"]);
    let found = found["imitations"].as_array().unwrap().iter();
    let found: Vec<_> = found
        .filter(|found| found["player"] == "anna")
        .map(|found| (found["one"]["game"].clone(), found["other"]["game"].clone(), found["length"].clone()))
        .collect();
    let games: Vec<Value> = [one.clone(), format!("{one}.2"), boards[1].clone()]
        .map(|game| format!("copy-2006.{game}").into())
        .to_vec();
    let of = |game: &Value| {
        found.iter().find(|(one, other, _)| [one, other].contains(&game)).map(|found| &found.2)
    };
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((of(&games[0]), of(&games[1])), (Some(&6.into()), Some(&3.into())), "{found:?}");
}
