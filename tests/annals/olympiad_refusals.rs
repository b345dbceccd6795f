//! What the director does when something goes wrong in the Amazons event of 2000: a territory that is not the board's, a result of
//! a game that still goes on, a connection that is lost (play goes on, begins anew, or is adjudicated), an entry that comes
//! too late. Whatever is refused leaves the log as it is, and what is recorded passes the audit.

use annals_rules::amazons::Position;
use annals_rules::seeded::Rng;

use crate::director::Director;
use crate::program::Place;

/// The day on which everything happens, in the zone of the director.
const DAY: &str = "2000-08-21";

fn at(clock: &str) -> String {
    format!("{DAY}T{clock}")
}

/// A whole game of moves of chance, and the squares that the winner can reach at its end.
struct PlayedOut {
    moves: Vec<String>,
    winner: &'static str,
    squares: u32,
}

fn played_out(seed: u64) -> PlayedOut {
    let mut rng = Rng::of(&[seed]);
    let (mut position, mut moves) = (Position::start(), Vec::new());
    loop {
        let legal = position.moves();
        if legal.is_empty() {
            let winner = position.winner().unwrap();
            let squares = position.board().territory(winner).count_ones();
            let winner = if winner == annals_events::Side::Gold { "white" } else { "black" };
            return PlayedOut { moves, winner, squares };
        }
        let chosen = *rng.pick(&legal);
        moves.push(chosen.to_string());
        position.make(chosen);
    }
}

/// Three programs who all meet, the first round of them under way: the first game is played out, the second has two moves.
fn under_way(place: &Place) -> (Director<'_>, PlayedOut) {
    let director = Director::opened(place, "oly", "2000-06-01");
    director.does("2000-07-01", "announce --rulebook olympiad-amazons-2000 --director omar --year 2000");
    for number in 1..=3 {
        let entry = format!("entry add e{number:02} --bot --number {number} --developer \"team {number}\"");
        director.does("2000-07-10", &entry);
    }
    director.does("2000-08-20T08:00", "round declare");
    director.does(&at("09:00"), "round pair");
    director.does(&at("10:00"), "game start r1.1");
    let first = played_out(1);
    place.write("first.txt", first.moves.join("\n"));
    director.does(&at("10:30"), "game move r1.1 --from first.txt");
    director.does(&at("12:00"), "game start r1.2");
    director.does(&at("12:01"), "game move r1.2 d1-d7(g7)");
    director.does(&at("12:02"), "game move r1.2 a7-b8(b3)");
    (director, first)
}

#[test]
fn a_territory_that_is_not_the_boards_is_refused() {
    let place = Place::new();
    let (director, PlayedOut { winner, squares, .. }) = under_way(&place);
    let (loser, wrong) = (if winner == "white" { "black" } else { "white" }, squares + 1);
    director.refuses(
        &at("10:40"),
        &format!("game result r1.1 --territory {wrong}"),
        &["reason: territory,", &format!("{squares} squares"), &format!("{wrong} squares")],
    );
    let said =
        director.refuses(&at("10:40"), &format!("game result r1.1 {loser}"), &["result.game", winner, loser]);
    assert!(!said.contains("gold") && !said.contains("silver"), "{said}");
    director.refuses(
        &at("10:40"),
        &format!("game result r1.1 {winner} --termination resignation"),
        &["result.game", "immobilization"],
    );
    // What is not said of a result is the game's, its territory too.
    director.does(&at("10:45"), "game result r1.1");
    assert_eq!(director.events("result_recorded")[0]["territory"], squares);
    director.refuses(
        &at("10:50"),
        &format!("ruling give set-territory r1.1 {wrong} --reason \"counted again\""),
        &["territory", "played out"],
    );
    director.is_in_order();
}

#[test]
fn a_game_that_still_goes_on_has_no_result() {
    let place = Place::new();
    let (director, _) = under_way(&place);
    director.refuses(
        &at("12:10"),
        "game result r1.2",
        &["result.game", "is not over after 2 plies", "r1.2 OUTCOME --termination"],
    );
    director.refuses(&at("12:10"), "game result r1.2 white", &["result.game", "is not over after 2 plies"]);
    director.refuses(&at("12:10"), "game move r1.2 g1-g8(g9)", &["g7"]);
    director.refuses(
        &at("12:10"),
        "game result r1.2 white --termination resignation --territory 9",
        &["territory", "unless a ruling gives it"],
    );
    // No score decides a game of the Amazons, neither one that is kept in the log nor one that is only told of.
    director.refuses(&at("12:10"), "game result r1.2 white --termination score", &["score", "nothing yet"]);
    let ruled = "ruling give set-result r1.2 white --termination score --reason \"counted\"";
    director.refuses(&at("12:10"), ruled, &["result.game", "recorded as score"]);
    // The one who gives up says so: the game ends with it, and the board gives nobody a square.
    let told = director.does(&at("12:15"), "game result r1.2 white --termination resignation");
    assert!(told.contains("White won by resignation"), "{told}");
    assert!(director.events("result_recorded")[0]["territory"].is_null());
    director.does(&at("12:20"), "ruling give set-territory r1.2 31 --reason \"counted on the board\"");
    director.refuses(&at("12:25"), "game result r1.2 black", &["result.once"]);
    director.does(&at("12:30"), "game result r1.1");
    director.is_in_order();
}

#[test]
fn a_game_whose_connection_is_lost_goes_on_from_the_ply_that_the_director_names() {
    let place = Place::new();
    let (director, _) = under_way(&place);
    let halt = |pairing: &str, ply: u32| {
        format!(
            "ruling give halt {pairing} --ply {ply} --failure other --reason \"the line to a machine is dead\""
        )
    };
    director.refuses(&at("12:10"), &halt("r1.2", 3), &["ruling.number", "one of the 2 plies", "after ply 3"]);
    director.refuses(&at("12:10"), &halt("r1.1", 1), &["ruling.number", "the game is over"]);
    director.does(&at("12:15"), &halt("r1.2", 1));
    director.refuses(&at("12:20"), "game move r1.2 j4-j5(j6)", &["halted"]);
    director.refuses(&at("12:20"), "game result r1.2 white", &["result"]);
    let told = director.does(&at("12:30"), "game start r1.2");
    assert!(told.contains("attempt 2") && told.contains("as White against"), "{told}");
    // One ply stands, so that Black is to move.
    director.refuses(&at("12:31"), "game move r1.2 \"1w a4-a5(a6)\"", &["1b"]);
    director.does(&at("12:31"), "game move r1.2 \"1b a7-a5(a6)\"");
    director.does(&at("12:40"), "game result r1.2 black --termination time");
    director.does(&at("12:45"), "game result r1.1");
    let result = &director.events("result_recorded")[0];
    assert_eq!((&result["game"], &result["attempt"]), (&"oly.r1.2.2".into(), &2.into()));
    director.is_in_order();
}

#[test]
fn a_game_whose_connection_is_lost_is_played_again_or_adjudicated() {
    let place = Place::new();
    let (director, PlayedOut { moves, .. }) = under_way(&place);
    director.does(
        &at("12:10"),
        "ruling give rematch r1.2 --failure other --reason \"nobody knows the last moves\"",
    );
    director.does(&at("12:20"), "game start r1.2");
    place.write("again.txt", moves[..6].join("\n"));
    director.does(&at("12:30"), "game move r1.2 --from again.txt");
    director.does(
        &at("12:35"),
        "ruling give halt r1.2 --ply 6 --failure other --reason \"the line is dead again\"",
    );
    director.does(
        &at("13:00"),
        "ruling give set-result r1.2 black --reason \"the machine of the other did not come back\"",
    );
    director.refuses(&at("13:05"), "game result r1.2 white", &["result.once"]);
    director.does(&at("13:10"), "game result r1.1");
    let shown = place.ask(&["tournament", "round", "list", "oly"]);
    assert!(shown.contains("White") && shown.contains("by ruling") && !shown.contains("Silver"), "{shown}");
    director.is_in_order();
}

#[test]
fn who_does_not_come_forfeits_without_territory_and_nobody_enters_any_more() {
    let place = Place::new();
    let (director, _) = under_way(&place);
    director.refuses(
        &at("12:30"),
        "entry add e09 --bot --number 9 --developer \"team 9\"",
        &["registration.window", "Olympiad 2000"],
    );
    director.does(&at("12:40"), "game result r1.1");
    director.does(&at("12:40"), "game result r1.2 black --termination time");
    let day = "2000-08-22";
    director.does(&format!("{day}T09:00"), "round pair");
    let (white, black) = director.games(2)[0].clone();
    director.refuses(&format!("{day}T10:00"), "game forfeit r2.1 --absent e09", &["e09"]);
    director.refuses(
        &format!("{day}T10:00"),
        &format!("game result r2.1 {black} --termination forfeit --territory 3"),
        &["territory", "not played has no territory"],
    );
    director.does(&format!("{day}T10:10"), &format!("game forfeit r2.1 --absent {white}"));
    director.does(&format!("{day}T12:10"), &format!("game forfeit r2.2 --absent {white} --absent {black}"));
    let forfeits = &director.events("result_recorded")[2..];
    let outcomes: Vec<_> = forfeits.iter().map(|result| result["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["silver", "double_loss"]);
    director.is_in_order();
}

#[test]
fn without_a_named_director_no_player_takes_a_move_back_and_another_name_is_undetermined() {
    let place = Place::new();
    let director = Director::opened(&place, "oly", "2000-06-01");
    director.does("2000-07-01", "announce --rulebook olympiad-amazons-2000 --year 2000");
    for number in 1..=2 {
        let entry =
            format!("entry add e{number} --bot --name \"Prog {number}\" --developer \"team {number}\"");
        director.does("2000-07-10", &entry);
    }
    director.does(&at("09:00"), "round pair");
    director.does(&at("10:00"), "game start r1.1");
    director.does(&at("10:01"), "game move r1.1 d1-d7(g7)");
    let enter = |line: &str| {
        let end = ["--at", "2000-08-21T10:02", "--tz", "EST", "--actor", "omar"];
        place.run(&[&["game", "enter", "oly.r1.1", line][..], &end].concat())
    };
    for player in ["e1", "E2", "prog 2"] {
        let run = enter(&format!("retract by {player} because of a slip"));
        let says =
            ["game.retraction", "who plays in the tournament", "under the instruction of the director"];
        assert_eq!(run.status, 2, "{run:?}");
        assert!(says.iter().all(|word| run.talk.contains(word)), "{run:?}");
    }
    let run = enter("retract by Jonathan because of a slip");
    assert_eq!(run.status, 0, "{run:?}");
    // The game goes on, and has no result yet.
    let audit = place.run(&["tournament", "audit", "oly"]);
    let why = "the announcement names no director, so it is not known whether Jonathan is one";
    assert!(audit.out.contains("undetermined") && audit.out.contains(why), "{audit:?}");
    assert!(audit.out.contains(" 1 undetermined, 0 violations"), "{audit:?}");
    // With the result the verdict is given once, with the game.
    director.does(&at("10:03"), "game result r1.1 white --termination resignation");
    let audit = place.run(&["tournament", "audit", "oly"]);
    assert_eq!(audit.out.matches(why).count(), 1, "{audit:?}");
}
