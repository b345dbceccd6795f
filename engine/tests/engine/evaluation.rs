//! The evaluator `annals` as a whole: it judges a position, the same with colours exchanged, and the mirror
//! image alike, and what it explains is what it says.

use annals_engine::evaluation::{Annals, AnnalsWith, Evaluator, Explanation, Parameters, Registry};
use annals_events::Side;
use annals_rules::arimaa::{
    Arimaa, Board, NextStep, Phase, Piece, Position, Square, State, Steps, Turn, TurnKind,
};
use annals_rules::game::{Era, Rules, Strictness};
use annals_rules::seeded::Rng;

use crate::vectors;

/// A board with any pieces anywhere, few or many of them.
fn any_board(rng: &mut Rng) -> Board {
    loop {
        let mut squares: Vec<Square> = Square::all().collect();
        rng.shuffle(&mut squares);
        let fullness = rng.between(100, 1000);
        let mut pieces = Vec::new();
        for side in Side::BOTH {
            for piece in Piece::ALL {
                for _ in 0..piece.most() {
                    if rng.chance(fullness)
                        && let Some(square) = squares.pop()
                    {
                        pieces.push((square, side, piece));
                    }
                }
            }
        }
        if let Ok(board) = Board::from_pieces(pieces) {
            return board;
        }
    }
}

fn any_position(rng: &mut Rng) -> Position {
    Position::new(any_board(rng), *rng.pick(&Side::BOTH))
}

fn next_steps(steps: &Steps) -> Vec<NextStep> {
    let mut found = Vec::new();
    steps.for_each_next(|next| {
        found.push(next);
        true
    });
    found
}

/// The same step on a board that was turned or mirrored.
fn as_seen(steps: &Steps, next: NextStep, seen: fn(Square) -> Square) -> NextStep {
    let wanted = (seen(next.from), seen(next.to));
    let found = next_steps(steps).into_iter().find(|other| (other.from, other.to) == wanted);
    found.expect("a step is as legal on the turned board")
}

#[test]
fn turned_with_colours_exchanged_and_mirrored_positions_are_worth_the_same_in_all_of_a_turn() {
    let mut rng = Rng::of(&[21]);
    let mut compared = 0;
    for _ in 0..vectors::cases(4_000, 100_000) {
        let position = any_position(&mut rng);
        let mut steps = Steps::begin(&position);
        let mut rotated = Steps::begin(&position.rotated());
        let mut mirrored = Steps::begin(&position.mirrored());
        loop {
            let worth = Annals.evaluate(&steps);
            let place = || format!("{}\n{:?} to move", steps.board().to_short(), steps.mover());
            assert_eq!(worth, Annals.evaluate(&rotated), "{}", place());
            assert_eq!(worth, Annals.evaluate(&mirrored), "{}", place());
            compared += 1;
            let next = next_steps(&steps);
            if next.is_empty() || rng.chance(150) {
                break;
            }
            let next = *rng.pick(&next);
            let turned = as_seen(&rotated, next, Square::rotated);
            let on_the_other_wing = as_seen(&mirrored, next, Square::mirrored);
            steps.take(next);
            rotated.take(turned);
            mirrored.take(on_the_other_wing);
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// The terms change their sides with the colours, one by one.
#[test]
fn each_term_of_a_turned_position_has_gold_and_silver_exchanged() {
    let mut rng = Rng::of(&[22]);
    for _ in 0..1_000 {
        let position = any_position(&mut rng);
        let shares =
            |e: &Explanation| -> Vec<_> { e.terms.iter().map(|t| (t.name, t.gold, t.silver)).collect() };
        let turned = Annals.explain(&position.rotated());
        let back: Vec<_> =
            shares(&turned).into_iter().map(|(name, gold, silver)| (name, silver, gold)).collect();
        assert_eq!(shares(&Annals.explain(&position)), back, "{}", position.board().to_short());
        let mirrored = Annals.explain(&position.mirrored());
        assert_eq!(shares(&Annals.explain(&position)), shares(&mirrored), "{}", position.board().to_short());
    }
}

fn sum_is_the_worth(explanation: &Explanation, mover: Side, evaluated: i32) {
    let gold: i32 = explanation.terms.iter().map(|term| term.gold - term.silver).sum();
    let sum = if mover == Side::Gold { gold } else { -gold };
    assert_eq!((sum, explanation.worth), (evaluated, evaluated));
    let words = explanation.to_string();
    assert!(words.contains("material") && words.ends_with("for the side to move"), "{words}");
}

#[test]
fn the_terms_add_up_to_the_worth_in_any_position_and_in_the_middle_of_turns() {
    let mut rng = Rng::of(&[23]);
    for _ in 0..vectors::cases(3_000, 100_000) {
        let position = any_position(&mut rng);
        let mut steps = Steps::begin(&position);
        sum_is_the_worth(&Annals.explain(&position), steps.mover(), Annals.evaluate(&steps));
        while let next = next_steps(&steps)
            && !next.is_empty()
        {
            steps.take(*rng.pick(&next));
            sum_is_the_worth(
                &AnnalsWith(Parameters::default()).explain_steps(&steps),
                steps.mover(),
                Annals.evaluate(&steps),
            );
        }
    }
}

/// All positions between the turns of the real games that can be played to the end.
fn real_positions(text: &str) -> Vec<Position> {
    let mut found = Vec::new();
    for (id, moves) in vectors::column(text, "movelist") {
        let mut states = vec![State::new(Era::Modern)];
        for line in moves.split("\\n") {
            let steps = line.split_once(' ').map_or("", |(_, steps)| steps);
            match Turn::parse(steps.as_bytes()).expect("a turn").kind() {
                TurnKind::Empty | TurnKind::Resign => {}
                TurnKind::Takeback => drop(states.pop()),
                TurnKind::Setup | TurnKind::Steps => {
                    let mut state = *states.last().expect("a state");
                    let played = Arimaa::play(&mut state, steps.as_bytes(), Strictness::Strict, |_| 0);
                    assert!(played.is_ok(), "game {id}: {line}");
                    states.push(state);
                }
            }
        }
        let playing = states.iter().filter(|state| matches!(state.phase(), Phase::SetUp | Phase::Play));
        found.extend(playing.map(|state| *state.position()));
    }
    found
}

#[test]
fn the_terms_add_up_in_ten_thousand_positions_of_real_games_and_every_term_occurs() {
    let Some(text) = vectors::archive("allgames202602.txt") else { return };
    let positions = real_positions(&text);
    assert!(positions.len() > 10_000, "{}", positions.len());
    let mut occurs = std::collections::BTreeMap::new();
    for position in &positions {
        let explanation = Annals.explain(position);
        let evaluated = Annals.evaluate(&Steps::begin(position));
        sum_is_the_worth(&explanation, position.to_move(), evaluated);
        for term in explanation.terms {
            *occurs.entry(term.name).or_insert(0) += i32::from(term.gold != 0 || term.silver != 0);
            // Whatever counts is said, except small change.
            let says = !term.because.is_empty() || (term.gold == 0 && term.silver == 0);
            assert!(says || matches!(term.name, "placement" | "advance" | "goal"), "{}", term.name);
        }
    }
    assert!(occurs.len() >= 13 && occurs.values().all(|count| *count > 30), "{occurs:?}");
}

#[test]
fn the_evaluator_is_the_default_of_the_registry() {
    let registry = Registry::standard();
    let evaluator = registry.get(Registry::DEFAULT).unwrap();
    assert_eq!(evaluator.name(), "annals");
    let names: Vec<&str> = registry.iter().map(|evaluator| evaluator.name()).collect();
    assert_eq!(names, ["annals", "material"]);
    let position = any_position(&mut Rng::of(&[24]));
    let by_name = evaluator.explain(&position);
    assert_eq!(by_name, Annals.explain(&position));
    let json = serde_json::to_value(&by_name).unwrap();
    assert_eq!(json["terms"][0]["name"], "material");
}
