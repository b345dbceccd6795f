//! What the two sides are called: Gold and Silver in the events and in Arimaa, White and Black among those who play the
//! game of the Amazons.

use annals_events::{GameKind, Side, Termination};

/// A side as the players of a game call it, within a sentence.
pub(crate) const fn colour(game: GameKind, side: Side) -> &'static str {
    match game {
        GameKind::Arimaa => side.word(),
        GameKind::Amazons => side.name_in(game),
    }
}

/// How a board says that a game has ended, in words.
pub(crate) fn ending_in_words(game: GameKind, winner: Option<Side>, termination: Termination) -> String {
    match winner {
        Some(side) => format!("{} wins by {termination}", colour(game, side)),
        None => format!("a draw by {termination}"),
    }
}

/// What the fold says of a game, in the words of those who play it. The fold serves every game and names the sides as the
/// events do; what is between backticks is quoted, and stays as it is.
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
