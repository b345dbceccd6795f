//! Named numbers of a position. `own_` is of the side to move, `opp_` of the other one as if it were on turn with all its steps;
//! what has neither is seen from the side to move. All are of the position between two turns, with four steps to come.

use annals_engine::evaluation::{Evaluator as _, Material};
use annals_engine::threats::goal_steps_of;
use annals_events::Side;
use annals_rules::arimaa::bitboard::neighbours;
use annals_rules::arimaa::{Piece, Square, Steps, first_steps};

use super::column::{Column, Group, Kind, Value};
use crate::subject::ArimaaPosition;
use crate::subject::Chair::{self, Opponent, Own};

/// How a number is computed.
type NumberOf = fn(&ArimaaPosition<'_>) -> i64;

const fn column(
    name: &'static str,
    kind: Kind,
    unit: &'static str,
    about: &'static str,
    number: NumberOf,
) -> Column {
    Column { name, group: Group::Scalars, kind, unit, about, value: Value::Arimaa(number) }
}

const fn count(name: &'static str, unit: &'static str, about: &'static str, number: NumberOf) -> Column {
    column(name, Kind::U8, unit, about, number)
}

pub(super) static ALL: &[Column] = &[
    count("own_rabbits", "pieces", "own rabbits", |s| pieces(s, Own, Piece::Rabbit)),
    count("own_cats", "pieces", "own cats", |s| pieces(s, Own, Piece::Cat)),
    count("own_dogs", "pieces", "own dogs", |s| pieces(s, Own, Piece::Dog)),
    count("own_horses", "pieces", "own horses", |s| pieces(s, Own, Piece::Horse)),
    count("own_camels", "pieces", "own camels", |s| pieces(s, Own, Piece::Camel)),
    count("own_elephants", "pieces", "own elephants", |s| pieces(s, Own, Piece::Elephant)),
    count("opp_rabbits", "pieces", "the opponent's rabbits", |s| pieces(s, Opponent, Piece::Rabbit)),
    count("opp_cats", "pieces", "the opponent's cats", |s| pieces(s, Opponent, Piece::Cat)),
    count("opp_dogs", "pieces", "the opponent's dogs", |s| pieces(s, Opponent, Piece::Dog)),
    count("opp_horses", "pieces", "the opponent's horses", |s| pieces(s, Opponent, Piece::Horse)),
    count("opp_camels", "pieces", "the opponent's camels", |s| pieces(s, Opponent, Piece::Camel)),
    count("opp_elephants", "pieces", "the opponent's elephants", |s| pieces(s, Opponent, Piece::Elephant)),
    column(
        "material",
        Kind::I16,
        "hundredths of a rabbit",
        "own pieces less the opponent's, by the evaluator `material`",
        |s| i64::from(Material.evaluate(&Steps::begin(s.position))),
    ),
    column(
        "own_first_steps",
        Kind::U16,
        "steps",
        "mobility: legal first steps, a push counted by its first step",
        |s| steps(s, Own),
    ),
    column("opp_first_steps", Kind::U16, "steps", "the same for the opponent, were it on turn", |s| {
        steps(s, Opponent)
    }),
    count("own_mobile", "pieces", "own pieces that can make or cause a first step", |s| mobile(s, Own)),
    count("opp_mobile", "pieces", "the same for the opponent", |s| mobile(s, Opponent)),
    count("own_frozen", "pieces", "own pieces beside a stronger enemy without a friend", |s| frozen(s, Own)),
    count("opp_frozen", "pieces", "the same for the opponent", |s| frozen(s, Opponent)),
    column(
        "trap_home_left",
        Kind::I8,
        "pieces",
        "own pieces beside the trap on the own side, at the left hand, less the opponent's",
        |s| trap(s, 0),
    ),
    column(
        "trap_home_right",
        Kind::I8,
        "pieces",
        "own pieces beside the trap on the own side, at the right hand, less the opponent's",
        |s| trap(s, 1),
    ),
    column(
        "trap_far_left",
        Kind::I8,
        "pieces",
        "own pieces beside the trap on the far side, at the left hand, less the opponent's",
        |s| trap(s, 2),
    ),
    column(
        "trap_far_right",
        Kind::I8,
        "pieces",
        "own pieces beside the trap on the far side, at the right hand, less the opponent's",
        |s| trap(s, 3),
    ),
    count(
        "own_goal_distance",
        "ranks",
        "ranks between the foremost own rabbit and its goal; 8 without rabbits",
        |s| distance(s, Own),
    ),
    count("opp_goal_distance", "ranks", "the same for the opponent", |s| distance(s, Opponent)),
    count(
        "own_goal_steps",
        "steps",
        "the fewest steps to a goal in one turn, 0 where a rabbit stands there; 5 where none is possible",
        |s| goal(s, Own),
    ),
    count("opp_goal_steps", "steps", "the same for the opponent, were it on turn", |s| goal(s, Opponent)),
    count(
        "own_captures",
        "pieces",
        "captures to come: enemy pieces that can be captured in one turn, one turn each",
        |s| captures(s, Own),
    ),
    count("opp_captures", "pieces", "the same for the opponent, were it on turn", |s| captures(s, Opponent)),
    count("own_best_capture", "rank", "the strongest of them: 0 none, 1 a rabbit to 6 the elephant", |s| {
        best_capture(s, Own)
    }),
    count("opp_best_capture", "rank", "the same for the opponent, were it on turn", |s| {
        best_capture(s, Opponent)
    }),
    Column {
        name: "own_turns",
        group: Group::Counts,
        kind: Kind::U32,
        unit: "turns",
        about: "different boards after one turn, repetition left aside",
        value: Value::Arimaa(|s| turns(s, Own)),
    },
    Column {
        name: "opp_turns",
        group: Group::Counts,
        kind: Kind::U32,
        unit: "turns",
        about: "the same for the opponent, were it on turn",
        value: Value::Arimaa(|s| turns(s, Opponent)),
    },
];

fn pieces(subject: &ArimaaPosition<'_>, chair: Chair, piece: Piece) -> i64 {
    i64::from(subject.board().count(subject.side(chair), piece))
}

fn steps(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    first_steps(&subject.on_turn(chair)) as i64
}

fn mobile(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    i64::from(subject.board().mobile(subject.side(chair)).count_ones())
}

fn frozen(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    i64::from(subject.board().frozen(subject.side(chair)).count_ones())
}

/// Who stands beside a trap; for Silver the board is turned, so that c3 is where f6 is.
fn trap(subject: &ArimaaPosition<'_>, number: usize) -> i64 {
    let place = match subject.side(Own) {
        Side::Gold => number,
        Side::Silver => 3 - number,
    };
    let beside = Square::TRAPS.get(place).map_or(0, |trap| neighbours(*trap));
    let of = |chair| i64::from((beside & subject.board().occupied(subject.side(chair))).count_ones());
    of(Own) - of(Opponent)
}

fn distance(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    let side = subject.side(chair);
    let rabbits = subject.board().bits(side, Piece::Rabbit);
    // Ranks above the foremost rabbit, or below; where there is none, all eight.
    let ranks = match side {
        Side::Gold => rabbits.leading_zeros() / 8,
        Side::Silver => rabbits.trailing_zeros() / 8,
    };
    i64::from(ranks)
}

/// What stands for a goal that is more than a turn away.
const NO_GOAL: u8 = 5;

fn goal(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    i64::from(goal_steps_of(subject.board(), subject.side(chair)).unwrap_or(NO_GOAL))
}

fn captures(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    i64::from(subject.captures(chair).squares.count_ones())
}

fn best_capture(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    let strongest = subject.captures(chair).fewest.iter().rposition(Option::is_some);
    strongest.map_or(0, |place| place as i64 + 1)
}

fn turns(subject: &ArimaaPosition<'_>, chair: Chair) -> i64 {
    subject.generator.borrow_mut().count(&subject.on_turn(chair)) as i64
}
