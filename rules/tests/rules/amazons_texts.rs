//! Texts of the Amazons: what is written is read back, what cannot be read or played is refused with the exact reason,
//! and no bytes make a reader panic.

use annals_rules::amazons::{Board, Move, Position, Square};
use proptest::prelude::*;

use crate::amazons_properties::positions;
use crate::vectors::cases;

/// What is wrong with a move in a position.
fn refused(position: &str, played: &str) -> (String, &'static str) {
    let position: Position = position.parse().unwrap();
    let parsed = Move::parse(played.as_bytes()).map_err(annals_rules::amazons::Illegal::from);
    let error = parsed.and_then(|played| position.play(played)).expect_err(played);
    (error.to_string(), error.code())
}

const START: &str = "w [...B..B.../........../........../B........B/........../........../W........W/\
                     ........../........../...W..W...]";

#[test]
fn a_board_is_drawn_with_its_files_and_ranks() {
    let position: Position = "w [..B./.x../..x./.W..]".parse().unwrap();
    let drawn = "    +---------+
  4 | . . B . |
  3 | . x . . |
  2 | . . x . |
  1 | . W . . |
    +---------+
      a b c d";
    assert_eq!(position.board().to_string(), drawn);
    let wide: Position = START.parse().unwrap();
    assert!(
        wide.board().to_string().starts_with("    +---------------------+\n 10 | . . . B . . B . . . |\n")
    );
}

#[test]
fn a_move_that_is_not_legal_is_refused_with_the_square_and_the_reason() {
    let cases = [
        (
            "d1-d10(d5)",
            "queen_obstructed",
            "the queen cannot move from d1 to d10: a queen of Black stands on d10",
        ),
        (
            "d1-h1(h2)",
            "queen_obstructed",
            "the queen cannot move from d1 to h1: a queen of White stands on g1",
        ),
        (
            "d1-d7/d10",
            "block_obstructed",
            "the block cannot be shot from d7 to d10: a queen of Black stands on d10; \
            only the square that the queen has just left is free",
        ),
        (
            "a4-d4/j4",
            "block_obstructed",
            "the block cannot be shot from d4 to j4: a queen of White stands on j4; \
            only the square that the queen has just left is free",
        ),
        ("d2-d7(g7)", "no_such_piece", "White has no queen on d2: it is vacant"),
        ("d10-d7(g7)", "no_such_piece", "White has no queen on d10: a queen of Black stands there"),
        (
            "d1-e3(e4)",
            "queen_off_line",
            "the queen cannot move from d1 to e3: the two share no rank, file or diagonal",
        ),
        (
            "d1-d7(e9)",
            "block_off_line",
            "the block cannot be shot from d7 to e9: the two share no rank, file or diagonal",
        ),
        ("d1-d1(d2)", "queen_not_moved", "the queen on d1 stays where it is, but a queen must move"),
        ("d1-d7(d7)", "block_on_queen", "the block falls on d7, where the queen has just landed"),
        ("d1-d11(d7)", "off_board", "d11 is not on this board of 10x10, which goes from a1 to j10"),
        ("d1-k1(d7)", "off_board", "k1 is not on this board of 10x10, which goes from a1 to j10"),
        ("d1-d7(d128)", "off_board", "d128 is not on this board of 10x10, which goes from a1 to j10"),
        ("z26-d7(d8)", "off_board", "z26 is not on this board of 10x10, which goes from a1 to j10"),
    ];
    for (played, code, reason) in cases {
        assert_eq!(refused(START, played), (reason.to_owned(), code), "{played}");
    }
    let blocked = "b [W.x.B/.x.../...../..x../W...B]";
    let cases = [
        ("e5-b5(b4)", "queen_obstructed", "the queen cannot move from e5 to b5: c5 is blocked"),
        ("e1-e2(a2)", "block_obstructed", "the block cannot be shot from e2 to a2: c2 is blocked"),
        ("c5-d5(d4)", "no_such_piece", "Black has no queen on c5: it is blocked"),
        (
            "e1-e5(e4)",
            "queen_obstructed",
            "the queen cannot move from e1 to e5: a queen of Black stands on e5",
        ),
        ("a1-a2(a3)", "no_such_piece", "Black has no queen on a1: a queen of White stands there"),
    ];
    for (played, code, reason) in cases {
        assert_eq!(refused(blocked, played), (reason.to_owned(), code), "{played}");
    }
}

#[test]
fn the_vacated_square_may_be_shot_at_and_through() {
    let start: Position = "w [..../..../..../xW..]".parse().unwrap();
    for played in ["b1-b3(b1)", "b1-c2(b1)", "b1-d1/b1", "b1-b3(b2)"] {
        start.play(Move::parse(played.as_bytes()).unwrap()).unwrap();
    }
    assert_eq!(refused("w [..../..../..../xW..]", "b1-d1(a1)").1, "block_obstructed");
    let through: Position = "w [.../.W./...]".parse().unwrap();
    through.play(Move::parse(b"b2-c3(a1)").unwrap()).unwrap();
}

#[test]
fn a_text_that_is_no_move_is_refused_with_what_stands_there() {
    let shape = |found: &str| {
        format!(
            "not a move: {found:?} is neither from-to(block), as in d1-d7(g7), nor from-to/block, as in d1-d7/g7"
        )
    };
    for text in ["", "d1", "d1-d7", "d1d7(g7)", "d1-d7(g7", "d1-d7(g7)x", "d1-d7(g7)/g7", "resign"] {
        assert_eq!(refused(START, text), (shape(text.trim()), "unreadable_turn"), "{text}");
    }
    let square = |found: &str| {
        format!(
            "not a move: {found:?} is no square; a square is a small letter and a number from 1, as in d7"
        )
    };
    let cases = [
        ("D1-d7(g7)", "D1"),
        ("d1 - d7(g7)", "d1 "),
        ("d1-d07(g7)", "d07"),
        ("d1-d0/g7", "d0"),
        ("d1-d7/", ""),
        ("d1-d7()", ""),
        ("d1-d7(g7 )", "g7 "),
        ("-d7(g7)", ""),
        ("d1-d7/g7)", "g7)"),
        ("d1-d7-g7/g8", "d7-g7"),
        ("d1-d7/g999", "g999"),
        ("d1-é7/g9", "é7"),
    ];
    for (text, found) in cases {
        assert_eq!(refused(START, text), (square(found), "unreadable_turn"), "{text}");
    }
    assert_eq!(Move::parse(b" d1-d7(g7)\r\n"), Move::parse(b"d1-d7/g7"));
    let long = "x".repeat(500);
    assert_eq!(refused(START, &long).0, shape(&long[..40]));
}

#[test]
fn a_text_that_is_no_position_is_refused_with_the_place() {
    let no_side = "the side to move is missing: begin with w (White) or b (Black), then a space or a new line and the board";
    let cases = [
        ("", no_side),
        ("...", no_side),
        ("white ...", no_side),
        ("w...", no_side),
        ("w ", "no board: no board has 0 files and 1 ranks: there are 1 to 26 files, and 1 to 128 squares"),
        (
            "w [.../...",
            "no board: one of the brackets [ and ] is missing, or something stands outside of them",
        ),
        (
            "w .../...]",
            "no board: one of the brackets [ and ] is missing, or something stands outside of them",
        ),
        (
            "w [.../../...]",
            "no board: rank 2 has 2 squares, and the rank above it 3; all ranks are equally long",
        ),
        (
            "w [.../.Q./...]",
            "no board: b2 holds 'Q'; a square is W (White), B (Black), x (a block) or `.` (vacant)",
        ),
        (
            "w\n 2| . . |\n 3| . . |",
            "no board: `3` stands before the bar where rank 1 is due (the last rank first, 1 last)",
        ),
        (
            "w\n 1| . w |",
            "no board: b1 holds 'w'; a square is W (White), B (Black), x (a block) or `.` (vacant)",
        ),
    ];
    for (text, reason) in cases {
        assert_eq!(text.parse::<Position>().unwrap_err().to_string(), reason, "{text:?}");
    }
    let wide = format!("w {}", [".".repeat(12).as_str(); 11].join("/"));
    assert_eq!(
        wide.parse::<Position>().unwrap_err().to_string(),
        "no board: no board has 12 files and 11 ranks: there are 1 to 26 files, and 1 to 128 squares"
    );
}

#[test]
fn a_board_of_squares_must_have_them_once() {
    let square = |name: &str| Square::from_name(name.as_bytes()).unwrap();
    let size = annals_rules::amazons::Size::new(5, 6).unwrap();
    let error = |white: &str, block: &str| {
        Board::new(size, [&[square(white)], &[square("b2")]], &[square(block)]).unwrap_err().to_string()
    };
    assert_eq!(error("b2", "a1"), "no board: b2 is taken twice");
    assert_eq!(error("a1", "a1"), "no board: a1 is taken twice");
    assert_eq!(error("f1", "a1"), "no board: f1 is not on a board of 5x6 (a1 to e6)");
}

#[test]
fn the_usual_start_is_read_and_shown() {
    let start = Position::start();
    assert_eq!(START.parse(), Ok(start));
    assert_eq!(start.to_string(), START);
    let squares = |names: [&str; 4]| names.map(|name| Square::from_name(name.as_bytes()).unwrap());
    let (white, black) = (squares(["a4", "d1", "g1", "j4"]), squares(["a7", "d10", "g10", "j7"]));
    assert_eq!(Board::new(start.board().size(), [&white, &black], &[]), Ok(*start.board()));
    let shown = start.board().to_string();
    assert_eq!(shown.lines().nth(1), Some(" 10 | . . . B . . B . . . |"));
    assert_eq!(shown.lines().nth(10), Some("  1 | . . . W . . W . . . |"));
    assert_eq!(shown.lines().last(), Some("      a b c d e f g h i j"));
}

fn near_texts() -> impl Strategy<Value = Vec<u8>> {
    let letters = b" \n.[]|/xXWBwbgs-()abjkz0123456789\xff\xc3\xa9\0".to_vec();
    prop::collection::vec(prop::sample::select(letters), 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2_000, 200_000)))]

    #[test]
    fn every_position_survives_its_texts(position in positions()) {
        prop_assert_eq!(position.to_string().parse(), Ok(position));
        let letter = position.to_move().archive_letter();
        prop_assert_eq!(format!("12{letter}\n{}", position.board()).parse(), Ok(position));
        prop_assert_eq!(Board::parse(&position.board().to_short()), Ok(*position.board()));
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in near_texts()) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = Board::parse(&text).map(|board| board.to_string());
        let _ = format!("w {text}").parse::<Position>();
        for start in ["", "d1-d7", "d1-", "d1-d7("] {
            let mut whole = start.as_bytes().to_vec();
            whole.extend(&bytes);
            if let Ok(played) = Move::parse(&whole) {
                prop_assert_eq!(Move::parse(played.to_string().as_bytes()), Ok(played));
                let _ = Position::start().play(played);
            }
        }
    }

    #[test]
    fn a_spoilt_position_is_refused_or_is_another_position(
        position in positions(),
        place in any::<prop::sample::Index>(),
        put in any::<char>(),
    ) {
        let mut letters: Vec<char> = position.to_string().chars().collect();
        let place = place.index(letters.len());
        letters[place] = put;
        let text: String = letters.into_iter().collect();
        if let Ok(read) = text.parse::<Position>() {
            prop_assert_eq!(read.to_string().parse(), Ok(read));
        }
    }
}
