//! SGF and move lists by hand: what is read, what is kept as a flag, what is refused and in which words.

use annals_events::{GameEvent, Side};
use annals_ingest::game_files::{CODES, Format, GameFile, GameFileError, read, write};

fn sgf(text: &str) -> GameFile {
    one(Format::Sgf, text.as_bytes())
}

fn list(text: &str) -> GameFile {
    one(Format::MoveList, text.as_bytes())
}

fn one(format: Format, text: &[u8]) -> GameFile {
    let mut games = read(format, "x", text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).unwrap()
}

fn refused(format: Format, text: &str) -> GameFileError {
    read(format, "final.txt", text.as_bytes()).remove(0).unwrap_err()
}

/// The events in short: moves as they are, `<` for one that was taken back.
fn told(game: &GameFile) -> String {
    let tell = |event: &GameEvent<'_>| match event {
        GameEvent::Started(started) => started.position.as_deref().unwrap_or("start").to_owned(),
        GameEvent::TurnTaken(turn) => {
            let used = turn.used.map_or_else(String::new, |used| format!(" {used}s"));
            format!("{}{} {}{used}", turn.number, turn.side.archive_letter(), turn.steps)
        }
        GameEvent::TurnRetracted(retracted) => {
            format!("< {}", retracted.reason.as_deref().unwrap_or_default())
        }
        GameEvent::Ended(ended) => {
            format!("{:?}", (ended.winner, ended.termination, &ended.stated, ended.draw))
        }
        other => format!("{other:?}"),
    };
    let lines: Vec<String> = game.events.iter().map(|(_, event)| tell(event)).collect();
    assert_eq!(game.events.len(), game.turn_lines.len());
    lines.join("; ")
}

/// The flags in short: code, line and move.
fn flags(game: &GameFile) -> Vec<String> {
    assert!(game.flags.iter().all(|flag| CODES.contains(&flag.code)));
    let turn = |turn: Option<(u32, Side)>| match turn {
        Some((number, side)) => format!("{number}{}", side.archive_letter()),
        None => "-".to_owned(),
    };
    game.flags.iter().map(|flag| format!("{} {} {}", flag.code, flag.line, turn(flag.turn))).collect()
}

const ROOT: &str = "(;FF[4]GM[18]SZ[10]AW[dj][gj][ag][jg]AB[da][ga][ad][jd]PL[W]";

#[test]
fn a_game_of_sgf_is_read_with_its_names_its_times_and_its_end() {
    let text = format!(
        "{ROOT}PW[Ada [1\\]]PB[B\\\nela]WR[1800]DT[2000-08-21]EV[Olympiad]PC[London]TM[1800]RE[B+R]\n\
         ;W[djddgd]WL[1790]\n;B[a7-b8/b3]BL[1795.5]\n;W[gjhjgj])"
    );
    let game = sgf(&text);
    assert_eq!(
        told(&game),
        "start; 1w d1-d7(g7) 10s; 1b a7-b8(b3) 5s; 2w g1-h1(g1); (Some(Silver), Some(Resignation), None, false)"
    );
    let (at, GameEvent::Started(started)) = &game.events[0] else { panic!() };
    assert_eq!((started.gold.name.as_ref(), started.silver.name.as_ref()), ("Ada [1]", "Bela"));
    assert_eq!((started.gold.rating, started.event.as_deref()), (Some(1800), Some("Olympiad")));
    assert_eq!(started.time_control.as_deref(), Some("game 30m"));
    assert_eq!((*at, game.only_date), (Some(966_902_399_999_999), true));
    assert!(game.flags.is_empty());
    assert_eq!(game.turn_lines, [1, 3, 4, 5, 2]);
    assert_eq!((game.byte_offset, game.byte_len, game.line), (0, text.len() as u64, 1));
}

#[test]
fn where_nothing_is_set_up_black_stands_at_the_bottom_as_in_sgf() {
    let game = sgf("(;GM[18];B[djddgd];W[addgad]RE[?])");
    assert_eq!(
        told(&game),
        "b [...W..W.../........../........../W........W/........../........../B........B/........../........../\
         ...B..B...]; 1b d1-d7(g7); 2w a7-d4(a7)"
    );
    assert_eq!(flags(&game), ["no-result 1 2w"]);
    let usual = sgf("(;GM[18];W[d1-d7(g7)];B[a7-b8(b3)]RE[W+])");
    assert_eq!(told(&usual), "start; 1w d1-d7(g7); 1b a7-b8(b3); (Some(Gold), None, None, false)");
    assert_eq!(flags(&usual), ["usual-start 1 -"]);
}

#[test]
fn variations_comments_and_unknown_properties_are_left_out_and_said() {
    let text = format!(
        "{ROOT}C[before]RE[Draw]XY[1][2]\n(;W[djddgd]\n(;B[adbcbh]C[well] TE[1])\n(;B[adac ab]C[no]\n;W[zz])\n\
         (;B[junk]))\n(;W[gjgdhd]))"
    );
    let game = sgf(&text);
    assert_eq!(told(&game), "start; 1w d1-d7(g7); 1b a7-b8(b3); (None, None, None, true)");
    assert_eq!(flags(&game), ["comments 1 -", "property 1 -", "property 3 1b", "variations 4 1w"]);
    let whats: Vec<&str> = game.flags.iter().map(|flag| flag.what.as_str()).collect();
    assert_eq!(
        whats,
        [
            "2 comments were left out",
            "XY[1 2] has no place in the record",
            "TE[1] has no place in the record",
            "3 variations were left out"
        ]
    );
}

#[test]
fn a_retraction_survives_as_a_variation_that_is_named_so() {
    let text = "White: A\nBlack: B\n\n1. d1-d7(g7) a7-b8(b3)\nretracted: the operator mistyped it\nretracted\n\
                1. d1-d7(f7) a7-b8(b4)\nretracted\n1... a7-b7(a7)\n";
    let game = list(text);
    assert_eq!(
        told(&game),
        "start; 1w d1-d7(g7); 1b a7-b8(b3); < the operator mistyped it; < ; 1w d1-d7(f7); 1b a7-b8(b4); < ; \
         1b a7-b7(a7)"
    );
    let written = write(Format::Sgf, &game.events).unwrap();
    assert!(written.contains("(;W[djddfd]\n(;B[adbdad]\n)\n(;B[adbcbg]N[retracted]\n)\n)\n"), "{written}");
    assert!(
        written.contains("(;W[djddgd]N[retracted]\n;B[adbcbh]N[retracted]C[the operator mistyped it]\n)")
    );
    assert_eq!(sgf(&written).events, game.events);
    assert_eq!(write(Format::MoveList, &game.events).unwrap().lines().last(), Some("1... a7-b7(a7)"));
    let last = list("1. d1-d7(g7)\nretracted\n");
    assert_eq!(sgf(&write(Format::Sgf, &last.events).unwrap()).events, last.events);
}

#[test]
fn several_games_of_one_file_stand_apart_whatever_one_of_them_holds() {
    let text = "junk\n(;GM[18];B[djddgd]RE[B+T])\n\n(;GM[1];B[dd])\n(;GM[18];B[djzz])\n(;GM[18];W[djddgd";
    let games = read(Format::Sgf, "all.sgf", text.as_bytes());
    let lines: Vec<String> = games
        .iter()
        .map(|game| match game {
            Ok(game) => format!("{} {}+{} {:?}", game.line, game.byte_offset, game.byte_len, flags(game)),
            Err(error) => format!("{}+{} {error}", error.byte_offset, error.byte_len),
        })
        .collect();
    assert_eq!(
        lines,
        [
            "2 5+26 [\"stray-text 1 -\"]",
            "33+14 all.sgf: line 4: the file is a record of Go (GM[1]), and only the Amazons, GM[18], can be read from SGF; \
             leave the game out, or write GM[18] if it is one of the Amazons",
            "48+17 all.sgf: line 5, move 1 of Black: \"djzz\" is no move; a move is three points, from, to and arrow, as in \
             djddgd, or is written d1-d7(g7); without it no later move can be placed, so correct it",
            "6 66+17 [\"cut-short 6 -\"]",
        ]
    );
    let lists = read(
        Format::MoveList,
        "all.txt",
        b"White: A\n1. d1-d7(g7)\n1-0\n\nWhite: B\n1. d1-x\n2. a1\nBlack: C\n1. a4-a5(a4)\n0-1\n1. g1-g2(g1)\n*",
    );
    let told: Vec<String> = lists
        .iter()
        .map(|game| match game {
            Ok(game) => told(game),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        told,
        [
            "start; 1w d1-d7(g7); (Some(Gold), None, None, false)",
            "all.txt: line 6, move 1 of White: \"d1-x\" is neither from-to(block), as in d1-d7(g7), nor from-to/block, as in \
             d1-d7/g7; without it no later move can be placed, so correct it",
            "start; 1w a4-a5(a4); (Some(Silver), None, None, false)",
            "start; 1w g1-g2(g1)",
        ]
    );
}

#[test]
fn a_file_that_is_cut_short_anywhere_is_kept_as_far_as_it_goes() {
    let whole = "White: A\nBlack: B\n\n1. d1-d7(g7) 4s a7-b8(b3) 5s\n2. g1-g3(g1) 6s d10-d8(e8) 7s\n";
    for end in 10..whole.len() {
        let game = list(&whole[..end]);
        let codes: Vec<&str> = game.flags.iter().map(|flag| flag.code).collect();
        assert!(codes == ["cut-short"] || codes == ["no-result"], "{end} {codes:?}");
    }
    assert_eq!(flags(&list(&whole[..40])), ["cut-short 4 1w"]);
    assert_eq!(flags(&list("1. d1-d7(g7)\n2")), ["cut-short 2 1w"]);
}

#[test]
fn move_lists_are_read_however_they_are_numbered_and_laid_out() {
    let moves =
        "start; 1w d1-d7(g7); 1b a7-b8(b3); 2w g1-g3(g1); (Some(Gold), Some(Resignation), None, false)";
    for text in [
        "1. d1-d7(g7) a7-b8(b3)\n2. g1-g3(g1) resigns\n",
        "1. d1-d7/g7\n1... a7-b8/b3\n2. g1-g3/g1\nBlack resigns",
        "1. d1-d7(g7)\n2. a7-b8(b3)\n3. g1-g3(g1)\n4. resigns\n",
        "d1-d7(g7)\r\na7-b8(b3)\r\ng1-g3(g1)\r\n1-0 (resignation)\r\n",
        "1w d1-d7(g7)\n1b a7-b8(b3)\n2w g1-g3(g1)\nResult: 1-0 (resignation)",
        "Result: 1-0 (resignation)\n1.d1-d7(g7) a7-b8(b3) 2.g1-g3(g1) 1-0",
        "# a list\n1. d1-d7(g7) {White: is\nwell: 9} a7-b8(b3) # x\n2. g1-g3(g1)\nresigns 1-0",
    ] {
        assert_eq!(told(&list(text)), moves, "{text}");
    }
    let late = "Position: b [.B../.x../..../W...]\n17... b4-b3(b4)\n18. a1-a2(a1)\n1/2-1/2";
    assert_eq!(
        told(&list(late)),
        "b [.B../.x../..../W...]; 17b b4-b3(b4); 18w a1-a2(a1); (None, None, None, true)"
    );
    assert_eq!(flags(&list("# a\n1. d1-d7(g7) {b} # c\n*")), ["comments 1 -", "no-result 3 1w"]);
}

#[test]
fn what_cannot_be_read_is_refused_with_line_and_move_and_what_to_do() {
    let cases = [
        (Format::Sgf, "(;GM[18]SZ[8]AW[aa]AB[hh];W[djddgj])".to_owned(), "off_board"),
        (Format::Sgf, "(;GM[18]SZ[8]AW[aa]AB[hh];W[a8-a11(a1)])".to_owned(), "off_board"),
        (Format::Sgf, "(;GM[18]SZ[8]AW[aa]AB[hj])".to_owned(), "off_board"),
        (Format::Sgf, "(;GM[18]SZ[8];W[aa])".to_owned(), "bad_move"),
        (Format::Sgf, "(;GM[18]SZ[8];W[aabbaa])".to_owned(), "no_start"),
        (Format::Sgf, "(;GM[18]SZ[ten])".to_owned(), "bad_size"),
        (Format::Sgf, "(;GM[18]SZ[40])".to_owned(), "no_board"),
        (Format::Sgf, "(;SZ[19];B[dd])".to_owned(), "other_game"),
        (Format::Sgf, "(;GM[18];B[djddgd]W[addgad])".to_owned(), "moves_in_one_node"),
        (Format::Sgf, "(;GM[18];B[djddgd];AA[ee])".to_owned(), "late_setup"),
        (Format::Sgf, "(;GM[18]AW[1x])".to_owned(), "bad_point"),
        (Format::Sgf, "once upon a time".to_owned(), "no_game"),
        (Format::MoveList, "Board: 8x8\n1. d1-d7(g7)".to_owned(), "no_start"),
        (Format::MoveList, "Board: 10\n1. d1-d7(g7)".to_owned(), "bad_size"),
        (Format::MoveList, "Board: 5x5\nPosition: w [.B../..../..../W...]\n".to_owned(), "other_size"),
        (
            Format::MoveList,
            "Board: 4x4\nPosition: w [.B../..../..../W...]\n1. a1-a2(j10)".to_owned(),
            "off_board",
        ),
        (Format::MoveList, "Position: w [.B/W]x\n".to_owned(), "bad_position"),
        (Format::MoveList, "1. d1-d7(g7) a7-b8(b3)\n3. g1-g3(g1)".to_owned(), "move_number"),
        (Format::MoveList, "1. d1-d7(g7) and so on\n2. g1-g3(g1)".to_owned(), "bad_word"),
        (Format::MoveList, "1. d1-d7\n2. g1-g3(g1)".to_owned(), "bad_move"),
        (Format::MoveList, "White: A\nRated: perhaps\n".to_owned(), "bad_header"),
        (Format::MoveList, "White: A\nWhite: B\n".to_owned(), "header_twice"),
        (Format::MoveList, "White: A\nResult: won\n".to_owned(), "bad_header"),
        (Format::MoveList, "retracted\n".to_owned(), "nothing_to_retract"),
        (Format::MoveList, "# nothing\n".to_owned(), "no_game"),
    ];
    let mut said = String::new();
    for (format, text, code) in cases {
        let error = refused(format, &text);
        assert_eq!(error.problem.code(), code, "{text}: {error}");
        assert!(error.to_string().starts_with("final.txt: line "), "{error}");
        assert!(error.line >= 1 && error.line <= text.lines().count() as u64);
        said += &format!("{error}\n");
    }
    for words in ["move 1 of White", "10x10", "SZ[10:8]", "record of Go (GM is missing"] {
        assert!(said.contains(words), "{words}\n{said}");
    }
}

#[test]
fn encodings_are_told_apart() {
    let name = |text: &[u8]| match &one(Format::Sgf, text).events[0].1 {
        GameEvent::Started(started) => started.gold.name.to_string(),
        _ => panic!(),
    };
    assert_eq!(name(b"(;GM[18]PW[M\xfcller]RE[W+])"), "M\u{fc}ller");
    assert_eq!(name(b"(;GM[18]CA[ISO-8859-1]PW[M\xfcller]RE[W+])"), "M\u{fc}ller");
    assert_eq!(name("(;GM[18]PW[M\u{fc}ller]RE[W+])".as_bytes()), "M\u{fc}ller");
    assert_eq!(flags(&one(Format::Sgf, b"(;GM[18]CA[UTF-8]PW[M\xfcller]RE[W+])")), ["not-utf8 1 -"]);
    assert_eq!(flags(&one(Format::Sgf, b"(;GM[18]CA[big5]PW[x]RE[W+])")), ["other-charset 1 -"]);
    assert_eq!(flags(&one(Format::MoveList, b"White: M\xfcller\nResult: 1-0")), ["not-utf8 1 -"]);
}

#[test]
fn a_number_of_squares_is_a_win_on_the_board_where_the_board_shows_it() {
    // White shuts itself in; seventeen squares are left for Black.
    let start = "(;GM[18]SZ[5]AW[ae]AA[be][ac][bc][bd]AB[db]PL[W]";
    let ended = |result: &str| sgf(&format!("{start}RE[{result}];W[aeadae];B[dbebdb])"));
    let game = ended("B+12");
    assert!(told(&game).ends_with("(Some(Silver), Some(Immobilization), None, false)"), "{}", told(&game));
    assert_eq!(flags(&game), ["territory-disagrees 1 1b"]);
    let written = write(Format::Sgf, &game.events).unwrap();
    let squares = written.split("RE[B+").nth(1).unwrap().split(']').next().unwrap();
    assert!(flags(&ended(&format!("B+{squares}"))).is_empty());
    assert!(told(&ended("W+3")).ends_with("(Some(Gold), None, Some(\"W+3\"), false)"));
    let list = write(Format::MoveList, &game.events).unwrap();
    assert!(list.contains(&format!("Result: 0-1 (immobilization, territory {squares})")), "{list}");
}

#[test]
fn odd_results_dates_and_times_are_kept_in_words() {
    let game =
        sgf(&format!("{ROOT}RE[Ada won]DT[21.8.2000]TM[half an hour]WR[3 dan]EV[a]EV[b];W[djddgd]WL[x])"));
    assert_eq!(
        flags(&game),
        [
            "twice 1 -",
            "unreadable-time 1 1w",
            "property 1 -",
            "unreadable-time 1 -",
            "unreadable-date 1 -",
            "unreadable-result 1 1w"
        ]
    );
    assert!(told(&game).ends_with("(None, None, Some(\"Ada won\"), false)"));
    let list = list("Date: yesterday\nProgram: 7\nResult: 1-0\n1. d1-d7(g7)\n0-1 # no\n");
    assert_eq!(
        flags(&list),
        ["unreadable-date 1 -", "property 2 -", "result-disagrees 5 1w", "comments 5 1w"]
    );
    let resigned = sgf(&format!("{ROOT}RE[W+T];W[resign])"));
    assert_eq!(flags(&resigned), ["result-disagrees 1 -"]);
}

#[test]
fn formats_are_told_by_names_and_by_how_texts_begin() {
    assert_eq!(Format::of_name("a/b.SGF"), Some(Format::Sgf));
    assert_eq!(Format::of_name("game.moves"), Some(Format::MoveList));
    assert_eq!((Format::of_name("game.txt"), Format::of_name("sgf")), (None, None));
    for (text, format) in [
        ("\u{feff}\n( ;GM[18])", Some(Format::Sgf)),
        ("# x\n\nWhite: A", Some(Format::MoveList)),
        ("1. d1-d7(g7)", Some(Format::MoveList)),
        ("d1-d7/g7 a7-a8(a7)", Some(Format::MoveList)),
        ("id\twplayerid\tbplayerid", None),
        ("{\"seq\":1}", None),
        ("# WC final\nplayer Ada\nround 1\n", None),
        ("", None),
    ] {
        assert_eq!(Format::of_text(text.as_bytes()), format, "{text}");
    }
}

#[test]
fn a_sentence_with_a_colon_neither_loses_the_result_nor_begins_a_game() {
    const MOVES: &str = "White: Ada\n\n1. d1-d7(g7) a7-b8(b3)\n";
    let said = |line: &str| {
        let game = list(&format!("{MOVES}{line}\n"));
        (told(&game).rsplit("; ").next().unwrap().to_owned(), flags(&game))
    };
    let resigned = |side| format!("(Some({side}), Some(Resignation), None, false)");
    assert_eq!(said("Black resigns: lost position"), (resigned("Gold"), vec!["comments 4 1b".to_owned()]));
    assert_eq!(said("White resigns: overwhelmed").0, resigned("Silver"));
    assert_eq!(said("resigns: tired").0, resigned("Silver"));
    let (end, noticed) = said("void: power cut");
    assert_eq!(end, "(None, None, Some(\"void: power cut\"), false)");
    assert_eq!(noticed, ["unreadable-result 4 1b"]);
    assert_eq!(said("retracted by the director: mistyped").0, "< by the director: mistyped");
    // What is no header that we know stands among the moves, and is told.
    for line in ["Thanks: to all", "Note: a fine game", "Comment: x"] {
        assert_eq!(said(line).1, ["property 4 -", "no-result 4 1b"], "{line}");
    }
    let game = list(&format!("{MOVES}Time used: 30s\n2. g1-g3(g1)\n"));
    assert_eq!(told(&game), "start; 1w d1-d7(g7); 1b a7-b8(b3); 2w g1-g3(g1)");
    // A known key begins the next game, if moves or a result follow it.
    let two = read(Format::MoveList, "x", format!("{MOVES}1-0\n\n{MOVES}").as_bytes());
    assert_eq!(two.len(), 2);
    let forfeit = "White: Cora\nBlack: Dora\nResult: 1-0 (forfeit)\n";
    assert_eq!(read(Format::MoveList, "x", format!("{MOVES}1-0\n\n{forfeit}").as_bytes()).len(), 2);
    let game = list(&format!("{MOVES}1-0\n\nWhite: Ada\nSite: London\n"));
    assert_eq!(flags(&game), ["property 6 -", "property 7 -"]);
}

#[test]
fn a_list_is_known_behind_a_comment_in_braces() {
    for text in
        ["{ of the final } 1. d1-d7(g7)", "{ of\nthe final }\n# well\nWhite: Ada", "{a} {b}\n1.\nd1-d7/g7"]
    {
        assert_eq!(Format::of_text(text.as_bytes()), Some(Format::MoveList), "{text}");
    }
    for text in
        ["{\"stream\":\"game/a\",\"payload\":{\"a\":{}}}\n{\"b\":1}\n", "{ never closed", "{}", "{a} hello"]
    {
        assert_eq!(Format::of_text(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn what_one_property_says_against_another_is_told() {
    let root = |more: &str| format!("{ROOT}{more}");
    let control = |game: &GameFile| match &game.events[0].1 {
        GameEvent::Started(started) => started.time_control.as_deref().unwrap_or_default().to_owned(),
        _ => panic!(),
    };
    let game = sgf(&root("TM[1800]OT[]RE[W+R];W[djddgd]WL[1790])"));
    assert_eq!((control(&game), flags(&game).len()), ("game 30m".to_owned(), 0));
    let game = sgf(&root("TM[3600]OT[30s/5m]RE[W+R];W[djddgd])"));
    assert_eq!((control(&game), flags(&game)), ("30s/5m".to_owned(), vec!["property 1 -".to_owned()]));
    let game = sgf(&root(";W[djddgd];B[resign]\n;B[adbcbh]\n;W[gjhjgj])"));
    assert_eq!(flags(&game), ["result-disagrees 2 1w"]);
    let game = sgf("(;GM[18]SZ[5]AW[aa][bb]AB[bb][ee]PL[W]RE[W+R];W[aabacc])");
    assert_eq!(flags(&game), ["twice 1 -"]);
}
