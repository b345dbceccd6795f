//! Named numbers of a position of the Amazons. `own_` is of the side to move, `opp_` of the other one as if it were on turn.

use annals_events::Side;

use super::column::{Column, Group, Kind, Value};
use crate::subject::AmazonsPosition;
use crate::subject::Chair::{self, Opponent, Own};

/// How a number is computed.
type NumberOf = fn(&AmazonsPosition<'_>) -> i64;

const fn column(
    name: &'static str,
    kind: Kind,
    unit: &'static str,
    about: &'static str,
    number: NumberOf,
) -> Column {
    Column { name, group: Group::Amazons, kind, unit, about, value: Value::Amazons(number) }
}

const fn squares(name: &'static str, about: &'static str, number: NumberOf) -> Column {
    column(name, Kind::U8, "squares", about, number)
}

pub(super) static ALL: &[Column] = &[
    column("files", Kind::U8, "files", "files of the board", |s| i64::from(s.board().size().files())),
    column("ranks", Kind::U8, "ranks", "ranks of the board", |s| i64::from(s.board().size().ranks())),
    squares("vacant", "squares with neither a queen nor an arrow", |s| count(s.board().vacant())),
    squares("arrows", "squares that an arrow blocks", |s| count(s.board().blocks())),
    column("own_moves", Kind::U32, "moves", "mobility: legal moves", |s| moves(s, Own)),
    column("opp_moves", Kind::U32, "moves", "the same for the opponent, were it on turn", |s| {
        moves(s, Opponent)
    }),
    column("own_queen_moves", Kind::U16, "moves", "moves of own queens, arrows left aside", |s| {
        queen_moves(s, Own)
    }),
    column("opp_queen_moves", Kind::U16, "moves", "the same for the opponent", |s| queen_moves(s, Opponent)),
    column("own_mobile_queens", Kind::U8, "pieces", "own queens that can move", |s| mobile(s, Own)),
    column("opp_mobile_queens", Kind::U8, "pieces", "the same for the opponent", |s| mobile(s, Opponent)),
    squares("own_queen_territory", "vacant squares to which own queens need fewer queen's moves", |s| {
        nearer(s, s.by_queen().sides, Own)
    }),
    squares("opp_queen_territory", "the same for the opponent", |s| nearer(s, s.by_queen().sides, Opponent)),
    squares("queen_ties", "vacant squares equally far for both in queen's moves", |s| {
        count(s.by_queen().tie)
    }),
    squares("own_king_territory", "vacant squares to which own queens need fewer king's moves", |s| {
        nearer(s, s.by_king().sides, Own)
    }),
    squares("opp_king_territory", "the same for the opponent", |s| nearer(s, s.by_king().sides, Opponent)),
    squares("king_ties", "vacant squares equally far for both in king's moves", |s| count(s.by_king().tie)),
    squares("own_territory", "vacant squares that own queens could reach with any number of moves", |s| {
        territory(s, Own)
    }),
    squares("opp_territory", "the same for the opponent", |s| territory(s, Opponent)),
    column("separated", Kind::Truth, "", "whether no region holds queens of both sides", |s| {
        i64::from(s.board().is_decided())
    }),
];

fn count(set: u128) -> i64 {
    i64::from(set.count_ones())
}

fn moves(subject: &AmazonsPosition<'_>, chair: Chair) -> i64 {
    i64::try_from(subject.board().count_moves(subject.side(chair))).unwrap_or(i64::MAX)
}

/// The squares that each queen of a side sees.
fn seen<'s>(subject: &'s AmazonsPosition<'_>, chair: Chair) -> impl Iterator<Item = u128> + 's {
    let board = subject.board();
    board.size().squares(board.queens(subject.side(chair))).map(|queen| board.seen(queen))
}

fn queen_moves(subject: &AmazonsPosition<'_>, chair: Chair) -> i64 {
    seen(subject, chair).map(count).sum()
}

fn mobile(subject: &AmazonsPosition<'_>, chair: Chair) -> i64 {
    seen(subject, chair).map(|seen| i64::from(seen != 0)).sum()
}

fn nearer(subject: &AmazonsPosition<'_>, [white, black]: [u128; 2], chair: Chair) -> i64 {
    count(match subject.side(chair) {
        Side::Gold => white,
        Side::Silver => black,
    })
}

fn territory(subject: &AmazonsPosition<'_>, chair: Chair) -> i64 {
    count(subject.board().territory(subject.side(chair)))
}
