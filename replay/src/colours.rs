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

/// The letter of a side in the label of a turn: `g` and `s`, in the Amazons `w` and `b`.
pub(crate) const fn letter(game: GameKind, side: Side) -> char {
    match game {
        GameKind::Arimaa => side.letter(),
        GameKind::Amazons => side.archive_letter(),
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
/// events do; what stands between backticks is quoted, and stays as it is.
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
        let mut rest = part;
        while let Some(end) = rest.find(|c: char| c.is_ascii_alphabetic()) {
            let (before, from) = rest.split_at(end);
            let word_ends = from.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(from.len());
            let (word, after) = from.split_at(word_ends);
            out.push_str(before);
            out.push_str(match word {
                "gold" => colour(game, Side::Gold),
                "silver" => colour(game, Side::Silver),
                word => word,
            });
            rest = after;
        }
        out.push_str(rest);
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
