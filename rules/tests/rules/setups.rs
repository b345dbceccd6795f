//! Setting up: what a strict setup is, what an archive may leave out, and piece by piece.

use annals_events::{GameKind, Side};
use annals_rules::arimaa::{Arimaa, Board, Illegal, Phase, Setup, State, Turn};
use annals_rules::game::{Era, Rules, Strictness};

const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2";
const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 da7 hb7 cc7 ed7 me7 cf7 hg7 dh7";

fn play(state: &mut State, text: &str, strictness: Strictness) -> Result<(), Illegal> {
    Arimaa::play(state, text.as_bytes(), strictness, |_| 0).map(drop)
}

fn code(text: &str, strictness: Strictness) -> &'static str {
    play(&mut State::new(Era::Modern), text, strictness).map_or_else(|illegal| illegal.code(), |()| "legal")
}

#[test]
fn both_sides_set_up_in_turn_and_only_then_positions_count() {
    let mut state = State::new(Era::Modern);
    assert_eq!((state.phase(), Arimaa::to_move(&state)), (Phase::GoldSetup, Side::Gold));
    play(&mut state, GOLD, Strictness::Strict).unwrap();
    assert_eq!((state.phase(), Arimaa::to_move(&state)), (Phase::SilverSetup, Side::Silver));
    assert!(!Arimaa::counts_for_repetition(&state));
    play(&mut state, SILVER, Strictness::Strict).unwrap();
    assert_eq!((state.phase(), Arimaa::to_move(&state)), (Phase::SetUp, Side::Gold));
    assert!(Arimaa::counts_for_repetition(&state));
    assert_eq!(Arimaa::outcome(&state, |_| 1), None);
    assert_eq!(Arimaa::piece_counts(&state), [16, 16]);
    assert_eq!(state.board().to_short(), "rrrrrrrrdhcemchd................................DHCMECHDRRRRRRRR");
    play(&mut state, "Ee2n", Strictness::Strict).unwrap();
    assert_eq!(state.phase(), Phase::Play);
}

#[test]
fn a_setup_that_leaves_pieces_out_is_an_archives_handicap_and_nothing_else() {
    let handicap = GOLD.replace(" Md2", "").replace("Ra1 ", "");
    assert_eq!(code(&handicap, Strictness::Strict), "setup_incomplete");
    assert_eq!(code(&handicap, Strictness::Archive), "legal");
    let mut state = State::new(Era::Early);
    play(&mut state, &handicap, Strictness::Archive).unwrap();
    play(&mut state, SILVER, Strictness::Archive).unwrap();
    assert_eq!(Arimaa::piece_counts(&state), [14, 16]);
}

#[test]
fn a_setup_that_no_rule_allows_is_refused_in_either_reading() {
    for strictness in [Strictness::Strict, Strictness::Archive] {
        for (from, to, expected) in [
            ("Ra1", "ra1", "setup_side"),
            ("Ra1", "Ra3", "setup_rank"),
            ("Ra1", "Ra8", "setup_rank"),
            ("Ra1", "Rb1", "setup_taken"),
            ("Md2", "Ed2", "setup_too_many"),
            ("Ra1", "Ra1n", "unreadable_turn"),
            ("Ra1", "Qa1", "unreadable_turn"),
            (GOLD, "", "empty_turn"),
            (GOLD, "Ee2n", "setup_due"),
            (GOLD, "takeback", "not_on_board"),
            (GOLD, "resigns", "not_on_board"),
        ] {
            assert_eq!(code(&GOLD.replacen(from, to, 1), strictness), expected, "{from} {to}");
        }
        let mut state = State::new(Era::Modern);
        play(&mut state, GOLD, strictness).unwrap();
        let before = state;
        let illegal = play(&mut state, GOLD, strictness).unwrap_err();
        assert_eq!((illegal.code(), state), ("setup_side", before));
        play(&mut state, SILVER, strictness).unwrap();
        assert_eq!(play(&mut state, SILVER, strictness).unwrap_err().code(), "setup_over");
    }
}

#[test]
fn pieces_may_be_placed_one_by_one() {
    let mut setup = Setup::begin(Board::EMPTY, Side::Gold);
    assert_eq!(setup.missing(), [8, 2, 2, 2, 1, 1]);
    let whole = Turn::parse(GOLD.as_bytes()).unwrap();
    for (i, &token) in whole.tokens().iter().enumerate() {
        assert!(setup.finish(Strictness::Strict).is_err());
        setup.place(token).unwrap();
        assert_eq!(setup.place(token).unwrap_err().code(), "setup_taken");
        assert_eq!(usize::from(setup.placed()), i + 1);
    }
    assert_eq!(setup.missing(), [0; 6]);
    let board = setup.finish(Strictness::Strict).unwrap();
    assert_eq!(Setup::play(Board::EMPTY, Side::Gold, &whole, Strictness::Strict), Ok(board));
}

#[test]
fn a_game_may_start_from_a_position() {
    let text = "14s\n".to_owned() + &Board::parse(&".".repeat(64)).unwrap().to_string();
    let state = Arimaa::start(GameKind::Arimaa, Some(&text), Era::Modern).unwrap();
    assert_eq!((state.phase(), Arimaa::to_move(&state)), (Phase::Play, Side::Silver));
    let illegal = Arimaa::start(GameKind::Arimaa, Some("g nothing"), Era::Modern).unwrap_err();
    assert_eq!(illegal.code(), "bad_position");
    assert!(illegal.to_string().contains("7 squares where 64 are wanted"), "{illegal}");
}
