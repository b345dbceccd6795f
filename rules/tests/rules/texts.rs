//! Texts: what is written is read back, and no bytes make a reader panic.

use annals_events::Side;
use annals_rules::arimaa::{Action, Board, Direction, Piece, Position, Square, Token, Turn};
use proptest::prelude::*;

use crate::properties::positions;
use crate::vectors::cases;

fn tokens() -> impl Strategy<Value = Token> {
    (0usize..2, 0usize..6, 0u8..64, 0usize..6).prop_map(|(side, piece, square, action)| {
        let action = match action {
            0..4 => Action::Step(Direction::ALL[action]),
            4 => Action::Capture,
            _ => Action::Place,
        };
        Token::new(Side::BOTH[side], Piece::ALL[piece], Square::new(square).unwrap(), action)
    })
}

/// Bytes that come near the texts which the readers know.
fn near_texts() -> impl Strategy<Value = Vec<u8>> {
    let letters = b" \n.[]|xX12345678abcdefghnswRCDHMErcdhmegs+-\xff\0".to_vec();
    prop::collection::vec(prop::sample::select(letters), 0..200)
}

/// A real text with a few bytes put in, taken out or changed.
fn spoilt(text: String) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0u8..3, any::<u8>()), 1..4).prop_map(
        move |changes| {
            let mut bytes = text.clone().into_bytes();
            for (at, what, byte) in changes {
                let at = at.index(bytes.len() + 1).min(bytes.len().saturating_sub(1));
                match what {
                    0 => bytes.insert(at, byte),
                    1 if !bytes.is_empty() => drop(bytes.remove(at)),
                    _ if !bytes.is_empty() => bytes[at] = byte,
                    _ => {}
                }
            }
            bytes
        },
    )
}

fn read_all(bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(turn) = Turn::parse(bytes) {
        prop_assert_eq!(Turn::parse(turn.to_string().as_bytes()), Ok(turn));
        let start: Position =
            "g [r......r..........................rE....................R......R]".parse().unwrap();
        let _ = start.with_captures(&turn);
    }
    let text = String::from_utf8_lossy(bytes);
    if let Ok(board) = Board::parse(&text) {
        prop_assert_eq!(Board::from_planes(board.planes()), Ok(board));
        prop_assert_eq!(Board::parse(&board.to_short()), Ok(board));
    }
    if let Ok(position) = text.parse::<Position>() {
        prop_assert_eq!(position.to_string().parse::<Position>(), Ok(position));
    }
    Ok(())
}

#[test]
fn a_step_is_read_with_the_letters_of_the_notation_alone() {
    let read = |word: [u8; 4]| Turn::parse(&word).is_ok();
    let read_at = |place: usize| {
        let known = *b"Ra2n";
        (0..=u8::MAX).filter(move |letter| {
            let mut word = known;
            word[place] = *letter;
            read(word)
        })
    };
    assert!(read_at(0).eq(*b"CDEHMRcdehmr"), "pieces");
    assert!(read_at(1).eq(b'a'..=b'h'), "files");
    assert!(read_at(2).eq(b'1'..=b'8'), "ranks");
    let letters = read_at(3).filter(|letter| !letter.is_ascii_whitespace());
    assert_eq!(letters.collect::<Vec<u8>>(), b"enswx", "directions and captures");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(50_000, 2_000_000)))]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&bytes)?;
    }

    #[test]
    fn no_bytes_that_come_near_a_text_make_a_reader_panic(bytes in near_texts()) {
        read_all(&bytes)?;
    }

    #[test]
    fn no_spoilt_board_makes_a_reader_panic(
        bytes in positions(32).prop_flat_map(|position| spoilt(format!("2g\n{}", position.board())))
    ) {
        read_all(&bytes)?;
        // Without the header it is the text of a board.
        read_all(bytes.get(3..).unwrap_or_default())?;
    }

    #[test]
    fn no_spoilt_turn_makes_a_reader_panic(
        bytes in prop::collection::vec(tokens(), 1..18).prop_flat_map(|tokens| {
            let words: Vec<String> = tokens.iter().map(Token::to_string).collect();
            spoilt(words.join(" "))
        })
    ) {
        read_all(&bytes)?;
    }

    #[test]
    fn positions_and_boards_are_read_back_from_either_text(position in positions(32)) {
        let board = position.board();
        prop_assert_eq!(Board::parse(&board.to_short()), Ok(*board));
        prop_assert_eq!(Board::parse(&board.to_short().replace('.', " ")), Ok(*board));
        prop_assert_eq!(Board::parse(&format!("[{}]", board.to_short())), Ok(*board));
        prop_assert_eq!(Board::parse(&board.to_string()), Ok(*board));
        prop_assert_eq!(position.to_string().parse(), Ok(position));
        let long = format!("17{}\n{board}\n", position.to_move().archive_letter());
        prop_assert_eq!(long.parse(), Ok(position));
    }

    #[test]
    fn turns_of_one_kind_are_read_back_and_mixed_ones_refused(tokens in prop::collection::vec(tokens(), 0..20)) {
        let words: Vec<String> = tokens.iter().map(Token::to_string).collect();
        let places = tokens.iter().filter(|token| token.action() == Action::Place).count();
        let read = Turn::parse(words.join(" ").as_bytes());
        if (places == 0 || places == tokens.len()) && tokens.len() <= Turn::CAPACITY {
            let turn = read.unwrap();
            prop_assert_eq!(turn.tokens(), &tokens[..]);
            prop_assert_eq!(turn.to_string(), words.join(" "));
        } else {
            prop_assert!(read.is_err());
        }
    }
}
