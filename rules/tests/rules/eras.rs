//! Endings that need the past or the rules of the day: repetition in both eras, lost rabbits in the early one, and
//! the order of the checks.

use std::collections::HashSet;

use annals_events::{GameKind, Side, Termination};
use annals_rules::arimaa::{Arimaa, Board, Generator, Position, State};
use annals_rules::game::{Era, Outcome, Rules, Strictness};
use proptest::prelude::*;

use crate::properties::positions;
use crate::vectors::cases;

/// A game from a position on, with the count of the positions that stood.
struct Play {
    state: State,
    stood: Vec<u64>,
}

impl Play {
    fn from(position: &str, era: Era) -> Play {
        let state = Arimaa::start(GameKind::Arimaa, Some(position), era).unwrap();
        Play { state, stood: vec![Arimaa::hash(&state)] }
    }

    fn seen(&self, hash: u64) -> u32 {
        self.stood.iter().filter(|&&stood| stood == hash).count() as u32
    }

    fn turn(&mut self, text: &str) -> Result<Option<Outcome>, &'static str> {
        let mut state = self.state;
        Arimaa::play(&mut state, text.as_bytes(), Strictness::Strict, |hash| self.seen(hash))
            .map_err(|illegal| illegal.code())?;
        self.state = state;
        self.stood.push(Arimaa::hash(&state));
        Ok(Arimaa::outcome(&state, |hash| self.seen(hash)))
    }
}

fn won(winner: Side, termination: Termination) -> Option<Outcome> {
    Some(Outcome { winner: Some(winner), termination })
}

/// What the board says with a side to move, nothing having been repeated.
fn says(board: &str, to_move: Side, era: Era) -> Option<Outcome> {
    Position::new(Board::parse(board).unwrap(), to_move).outcome(era, |_| 1)
}

/// A board from its ranks, the eighth first.
fn board(ranks: [&str; 8]) -> String {
    ranks.concat()
}

const EMPTY: &str = "........";
const ROUND: [&str; 4] = ["Eb2n", "eg7s", "Eb3s", "eg6n"];

fn elephants() -> String {
    let ranks = ["r......r", "......e.", EMPTY, EMPTY, EMPTY, EMPTY, ".E......", "R......R"];
    format!("g {}", board(ranks))
}

#[test]
fn in_the_modern_era_a_third_repetition_is_illegal() {
    let mut game = Play::from(&elephants(), Era::Modern);
    // The starting position stands once; each round brings every position back.
    for turn in ROUND.iter().chain(&ROUND[..3]) {
        assert_eq!(game.turn(turn), Ok(None));
    }
    assert_eq!(game.turn("eg6n"), Err("third_repetition"));
    // The same board with the other side to move is another position.
    assert_eq!(game.turn("eg6s"), Ok(None));
}

#[test]
fn in_the_early_era_who_brings_a_position_about_for_the_third_time_loses() {
    let mut game = Play::from(&elephants(), Era::Early);
    for turn in ROUND.iter().chain(&ROUND[..3]) {
        assert_eq!(game.turn(turn), Ok(None));
    }
    assert_eq!(game.turn("eg6n"), Ok(won(Side::Gold, Termination::Repetition)));
}

/// Silver has one rabbit and one turn: it steps between a4 and b4.
fn caged_rabbit() -> String {
    let ranks = [EMPTY, EMPTY, EMPTY, EMPTY, "r.R.....", "RR......", EMPTY, ".......E"];
    format!("g {}", board(ranks))
}

const CAGED_ROUND: [&str; 4] = ["Eh1n", "ra4e", "Eh2s", "rb4w"];

#[test]
fn a_side_whose_only_turn_is_a_third_repetition_has_lost() {
    let mut game = Play::from(&caged_rabbit(), Era::Modern);
    for turn in CAGED_ROUND.iter().chain(&CAGED_ROUND[..2]) {
        assert_eq!(game.turn(turn), Ok(None));
    }
    assert_eq!(game.turn(CAGED_ROUND[2]), Ok(won(Side::Gold, Termination::Immobilization)));

    let mut game = Play::from(&caged_rabbit(), Era::Early);
    for turn in CAGED_ROUND.iter().chain(&CAGED_ROUND[..3]) {
        assert_eq!(game.turn(turn), Ok(None));
    }
    assert_eq!(game.turn(CAGED_ROUND[3]), Ok(won(Side::Gold, Termination::Repetition)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(200, 10_000)))]

    #[test]
    fn a_side_has_lost_when_every_turn_is_a_third_repetition_and_not_while_one_is_none(
        position in positions(24),
        pick in any::<prop::sample::Index>(),
    ) {
        prop_assume!(position.outcome(Era::Modern, |_| 0).is_none());
        let mut hashes = Vec::new();
        Generator::new().for_each(&position, |after, _| hashes.push(after.hash()));
        let all: HashSet<u64> = hashes.iter().copied().collect();
        prop_assert_eq!(all.len(), hashes.len());
        let twice = |hash| 2 * u32::from(all.contains(&hash));
        let lost = won(position.to_move().other(), Termination::Immobilization);
        prop_assert_eq!(position.outcome(Era::Modern, twice), lost);
        prop_assert_eq!(position.outcome(Era::Early, twice), None);
        let free = hashes[pick.index(hashes.len())];
        prop_assert_eq!(position.outcome(Era::Modern, |hash| if hash == free { 1 } else { twice(hash) }), None);
    }
}

#[test]
fn a_side_that_lost_all_rabbits_loses_only_in_the_modern_era() {
    let only_gold = board([EMPTY, EMPTY, "...e....", EMPTY, EMPTY, EMPTY, ".E......", "R......."]);
    for to_move in Side::BOTH {
        assert_eq!(says(&only_gold, to_move, Era::Modern), won(Side::Gold, Termination::Elimination));
        assert_eq!(says(&only_gold, to_move, Era::Early), None);
    }
    let none = board([EMPTY, EMPTY, "...e....", EMPTY, EMPTY, EMPTY, ".E......", EMPTY]);
    for to_move in Side::BOTH {
        // Who has just moved wins where both have lost their last rabbit.
        assert_eq!(says(&none, to_move, Era::Modern), won(to_move.other(), Termination::Elimination));
        let draw = Some(Outcome { winner: None, termination: Termination::NoRabbits });
        assert_eq!(says(&none, to_move, Era::Early), draw);
    }
}

#[test]
fn goals_come_before_everything_else_and_the_movers_goal_first() {
    let both = board(["R.......", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, ".......r"]);
    for era in [Era::Early, Era::Modern] {
        for to_move in Side::BOTH {
            assert_eq!(says(&both, to_move, era), won(to_move.other(), Termination::Goal));
        }
        let silver_goal = board(["E.......", EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, ".......r"]);
        for to_move in Side::BOTH {
            assert_eq!(says(&silver_goal, to_move, era), won(Side::Silver, Termination::Goal));
        }
    }
}
