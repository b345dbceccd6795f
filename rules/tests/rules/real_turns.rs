//! The real games: every turn of February 2026 is legal here and has the known number of alternatives; the games of
//! 2002 are legal save two that were flagged as corrupt.

use std::collections::HashMap;

use annals_events::{Side, Termination};
use annals_rules::arimaa::{Arimaa, Generator, Phase, State, Turn, TurnKind, first_steps};
use annals_rules::game::{Era, Outcome, Rules, Strictness};

use crate::vectors;

/// One game's move list as it is replayed here.
struct Replay {
    states: Vec<State>,
    steps: usize,
    captures: usize,
    illegal: Option<(String, &'static str)>,
}

impl Replay {
    fn seen(&self, hash: u64) -> u32 {
        let counting = self.states.iter().filter(|state| Arimaa::counts_for_repetition(state));
        counting.filter(|state| state.position().hash() == hash).count() as u32
    }

    fn last(&self) -> &State {
        self.states.last().expect("the state before the first turn")
    }

    fn outcome(&self) -> Option<Outcome> {
        Arimaa::outcome(self.last(), |hash| self.seen(hash))
    }
}

/// Plays a move list; `turn` sees every turn of steps before it is played.
fn replay(moves: &str, era: Era, strictness: Strictness, mut turn: impl FnMut(&str, &State)) -> Replay {
    let mut game = Replay { states: vec![State::new(era)], steps: 0, captures: 0, illegal: None };
    for line in moves.split("\\n") {
        let (label, text) = line.split_once(' ').unwrap_or((line, ""));
        let parsed = Turn::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"));
        match parsed.kind() {
            TurnKind::Empty | TurnKind::Resign => continue,
            TurnKind::Takeback => {
                game.states.pop();
                continue;
            }
            TurnKind::Setup | TurnKind::Steps => {}
        }
        let mut state = *game.last();
        let side = label.bytes().last().and_then(Side::from_letter);
        assert_eq!(side, Some(Arimaa::to_move(&state)), "{line}");
        if parsed.kind() == TurnKind::Steps {
            turn(label, &state);
        }
        match Arimaa::play(&mut state, text.as_bytes(), strictness, |hash| game.seen(hash)) {
            Ok(played) => {
                assert_eq!(played.setup, parsed.kind() == TurnKind::Setup);
                game.steps += usize::from(played.steps);
                game.captures += usize::from(played.captures);
                game.states.push(state);
            }
            Err(illegal) => {
                assert_eq!(state, *game.last(), "an illegal turn leaves the state as it was");
                game.illegal = Some((line.to_owned(), illegal.code()));
                break;
            }
        }
    }
    game
}

#[test]
fn every_turn_of_february_2026_is_legal_and_every_board_ending_is_the_recorded_one() {
    let Some(text) = vectors::archive("allgames202602.txt") else { return };
    let results = vectors::column(&text, "result");
    let endings = vectors::column(&text, "termination");
    let (mut plies, mut steps, mut captures, mut on_board) = (0, 0, 0, 0);
    for (i, (id, moves)) in vectors::column(&text, "movelist").into_iter().enumerate() {
        let game = replay(moves, Era::Modern, Strictness::Strict, |_, _| {});
        assert_eq!(game.illegal, None, "game {id}");
        plies += game.states.len() - 1;
        steps += game.steps;
        captures += game.captures;
        for state in &game.states {
            let (board, position) = (state.board(), state.position());
            assert_eq!(board.hash(position.to_move()), position.hash(), "game {id}");
            assert_eq!(board.key(position.to_move()), position.key(), "game {id}");
        }
        let recorded = Termination::from_archive_letter(endings[i].1.as_bytes()[0]);
        let recorded = recorded.filter(|termination| termination.shows_on_board());
        let outcome = game.outcome();
        assert_eq!(outcome.map(|outcome| outcome.termination), recorded, "game {id}");
        if let Some(outcome) = outcome {
            assert_eq!(outcome.winner, Side::from_letter(results[i].1.as_bytes()[0]), "game {id}");
            on_board += 1;
        }
    }
    assert_eq!((plies, steps, captures, on_board), (10_298, 39_315, 1_155, 100));
}

#[test]
fn two_games_of_2002_stop_at_a_push_by_a_frozen_piece_and_all_others_are_legal() {
    let Some(text) = vectors::archive("allgames2002.txt") else { return };
    let results = vectors::column(&text, "result");
    let endings = vectors::column(&text, "termination");
    let mut illegal = Vec::new();
    let (mut agree, mut clean) = (0, 0);
    for (i, (id, moves)) in vectors::column(&text, "movelist").into_iter().enumerate() {
        let game = replay(moves, Era::Early, Strictness::Archive, |_, _| {});
        if let Some((_, code)) = game.illegal {
            illegal.push((id, code));
            continue;
        }
        let recorded = Termination::from_archive_letter(endings[i].1.as_bytes()[0]);
        if recorded.is_some_and(Termination::shows_on_board) {
            clean += 1;
            let outcome = game.outcome();
            let winner = Side::from_letter(results[i].1.as_bytes()[0]);
            agree +=
                usize::from(outcome.is_some_and(|o| Some(o.termination) == recorded && o.winner == winner));
        }
    }
    illegal.sort_unstable();
    assert_eq!(illegal, [("32", "frozen"), ("55", "frozen")]);
    assert_eq!((agree, clean), (34, 34));
}

#[test]
fn the_positions_of_february_2026_have_the_known_numbers_of_steps_and_turns() {
    let Some(archive) = vectors::archive("allgames202602.txt") else { return };
    let Some(counts) = vectors::vector("turn-counts-2026-02.tsv") else { return };
    let mut known: HashMap<&str, (usize, usize)> = HashMap::new();
    for line in counts.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        known.insert(fields[0], (fields[1].parse().unwrap(), fields[2].parse().unwrap()));
    }
    assert_eq!(known.len(), 8_040);
    let mut generator = Generator::new();
    let (mut compared, mut sum) = (0, 0);
    for (id, moves) in vectors::column(&archive, "movelist") {
        replay(moves, Era::Modern, Strictness::Strict, |label, state| {
            assert!(matches!(state.phase(), Phase::SetUp | Phase::Play));
            let number = label.trim_end_matches(['w', 'b']);
            let side = Arimaa::to_move(state).letter();
            let name = format!("{id}_{number}{side}");
            if let Some(&(steps, turns)) = known.get(name.as_str()) {
                assert_eq!(first_steps(state.position()), steps, "{name}");
                assert_eq!(generator.count(state.position()), turns, "{name}");
                compared += 1;
                sum += turns;
            }
        });
    }
    assert_eq!((compared, sum), (8_040, 131_265_000));
}
