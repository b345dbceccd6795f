//! Names of the sides: Gold and Silver in events and Arimaa, White and Black in the Amazons.

use annals_events::narrative::ending;
use annals_events::{GameKind, Side, Termination};

/// A side's name within a sentence.
pub(crate) const fn colour(game: GameKind, side: Side) -> &'static str {
    match game {
        GameKind::Arimaa => side.word(),
        GameKind::Amazons => side.name_in(game),
    }
}

/// How the board shows an end.
pub(crate) fn ending_in_words(game: GameKind, winner: Option<Side>, termination: Termination) -> String {
    let how = ending(termination);
    match winner {
        Some(side) => format!("{} wins by {how}", colour(game, side)),
        None => format!("a draw by {how}"),
    }
}

/// A message of the fold with the game's side names; text between backticks is quoted and unchanged.
pub(crate) fn in_the_words_of(game: GameKind, said: String) -> String {
    if game == GameKind::Arimaa {
        return said;
    }
    let mut out = String::with_capacity(said.len());
    for (index, part) in said.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let is_between = |c: char| !c.is_ascii_alphabetic();
        for piece in part.split_inclusive(is_between) {
            let word = piece.trim_end_matches(is_between);
            out.push_str(match word {
                "gold" => colour(game, Side::Gold),
                "silver" => colour(game, Side::Silver),
                word => word,
            });
            out.push_str(&piece[word.len()..]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_the_amazons_names_white_and_black_and_leaves_quotations_alone() {
        let said =
            "turn 2 of silver is illegal: goldfish (in `gold d1`); gold\u{2019}s reserve, gold".to_owned();
        let expected = "turn 2 of Black is illegal: goldfish (in `gold d1`); White\u{2019}s reserve, White";
        assert_eq!(in_the_words_of(GameKind::Amazons, said.clone()), expected);
        assert_eq!(in_the_words_of(GameKind::Arimaa, said.clone()), said);
    }
}
