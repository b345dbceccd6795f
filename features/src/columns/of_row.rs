//! What every table holds: which game, where in it, what is to be learnt, and what to choose and to divide by.

use annals_events::Side;

use super::column::{Column, Group, Kind, NumberOf, Value};
use crate::subject::Subject;

const SIDES: &[&str] = &["gold", "silver"];

/// In the order of `Termination::ALL`.
const ENDINGS: &[&str] = &[
    "goal", "immobilization", "elimination", "time", "resignation", "illegal_move", "forfeit", "abandoned",
    "score", "repetition", "no_rabbits",
];

const fn column(
    name: &'static str,
    kind: Kind,
    unit: &'static str,
    about: &'static str,
    number: NumberOf,
) -> Column {
    Column { name, group: Group::Row, kind, unit, about, value: Value::Row(number) }
}

pub(super) static ALL: [Column; 13] = [
    column("game", Kind::U64, "", "the number of the game: the gameroom's where it has one", |s| {
        s.game.id.cast_signed()
    }),
    column("source", Kind::Source, "", "the file that it comes from", |s| i64::from(s.game.source)),
    column("ply", Kind::U16, "plies", "plies played before the position; setups count", |s| i64::from(s.ply)),
    column("height", Kind::U16, "plies", "plies from the end: 0 is the position after the last one", |s| {
        i64::from(s.height)
    }),
    column("to_move", Kind::Word(SIDES), "", "the side to move", |s| s.to_move as i64),
    column("label", Kind::U8, "", "1 where the side to move won in the end, else 0", |s| {
        i64::from(s.to_move == s.game.winner)
    }),
    column("winner", Kind::Word(SIDES), "", "the side that won", |s| s.game.winner as i64),
    column("termination", Kind::Word(ENDINGS), "", "how the game ended", |s| s.game.termination as i64),
    column("gold_rating", Kind::Rating, "Elo points", "Gold's rating before the game", |s| {
        rating(s, Side::Gold)
    }),
    column("silver_rating", Kind::Rating, "Elo points", "Silver's rating before the game", |s| {
        rating(s, Side::Silver)
    }),
    column("rated", Kind::Truth, "", "whether it counted for ratings", |s| i64::from(s.game.rated)),
    column("generated", Kind::Truth, "", "whether nobody played it: self-play, or a grown archive", |s| {
        i64::from(s.game.generated)
    }),
    column(
        "fold",
        Kind::U16,
        "",
        "the fold of its game: the hash of the game's name modulo the folds",
        |s| i64::from(s.game.fold),
    ),
];

fn rating(subject: &Subject<'_>, side: Side) -> i64 {
    subject.game.ratings[side as usize].map_or(i64::from(super::NO_RATING), i64::from)
}

#[cfg(test)]
mod tests {
    use annals_events::Termination;

    use super::*;

    #[test]
    fn words_stand_where_their_sides_and_endings_say() {
        for (place, ending) in Termination::ALL.into_iter().enumerate() {
            assert_eq!((ENDINGS[place], ending as usize), (ending.word(), place));
        }
        for (place, side) in Side::BOTH.into_iter().enumerate() {
            assert_eq!((SIDES[place], side as usize), (side.word(), place));
        }
    }
}
