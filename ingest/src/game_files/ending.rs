//! A game's end in both formats.

use annals_events::{Ended, Side, Termination};

/// The stated end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StatedEnding {
    /// None if stated as unknown.
    pub ended: Option<Ended<'static>>,
    /// The winner's, if stated.
    pub territory: Option<u32>,
    /// An unknown word.
    pub odd: bool,
}

impl StatedEnding {
    fn plain(winner: Option<Side>, termination: Option<Termination>) -> StatedEnding {
        let ended = Ended { winner, termination, stated: None, draw: false };
        StatedEnding { ended: Some(ended), territory: None, odd: false }
    }

    pub fn resigned(side: Side) -> StatedEnding {
        StatedEnding::plain(Some(side.other()), Some(Termination::Resignation))
    }

    /// Compares the values that both state.
    pub fn agrees(&self, other: &StatedEnding) -> bool {
        let (Some(a), Some(b)) = (&self.ended, &other.ended) else { return true };
        let how = a.termination.is_none() || b.termination.is_none() || a.termination == b.termination;
        a.winner == b.winner && a.draw == b.draw && how
    }

    /// An SGF result: `W+R`, `B+T`, `W+F`, `W+33` (won, with squares of territory), `Draw`, `Void`, `?`.
    pub fn of_sgf(text: &str) -> StatedEnding {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let draw = || Ended { winner: None, termination: None, stated: None, draw: true };
        match lower.as_str() {
            "0" | "draw" | "jigo" => {
                return StatedEnding { ended: Some(draw()), territory: None, odd: false };
            }
            "void" => return StatedEnding::plain(None, None),
            "?" | "" => return StatedEnding { ended: None, territory: None, odd: false },
            _ => {}
        }
        let winner = match lower.split_once('+') {
            Some(("w" | "white", how)) => Some((Side::Gold, how)),
            Some(("b" | "black", how)) => Some((Side::Silver, how)),
            _ => None,
        };
        let Some((winner, how)) = winner else { return StatedEnding::odd(text) };
        let how = match how.trim() {
            "r" | "resign" | "resignation" => Some(Termination::Resignation),
            "t" | "time" => Some(Termination::Time),
            "f" | "forfeit" => Some(Termination::Forfeit),
            "" => None,
            number if number.parse::<f64>().is_ok_and(f64::is_finite) => {
                let mut said = StatedEnding::plain(Some(winner), None);
                said.territory = number.parse().ok();
                if let Some(ended) = &mut said.ended {
                    ended.stated = Some(text.to_owned().into());
                }
                return said;
            }
            _ => {
                let mut said = StatedEnding::odd(text);
                if let Some(ended) = &mut said.ended {
                    ended.winner = Some(winner);
                }
                return said;
            }
        };
        StatedEnding::plain(Some(winner), how)
    }

    fn odd(text: &str) -> StatedEnding {
        let ended =
            Ended { winner: None, termination: None, stated: Some(text.to_owned().into()), draw: false };
        StatedEnding { ended: Some(ended), territory: None, odd: true }
    }

    /// A move list's result: `1-0 (resignation)`, `0-1 (immobilization, territory 12)`, `1/2-1/2`, `void`, `*`. None if
    /// the text does not begin with one.
    pub fn of_list(text: &str) -> Option<StatedEnding> {
        let text = text.trim();
        let (word, rest) = text.split_at(result_word(text)?);
        let mut ended = Ended { winner: None, termination: None, stated: None, draw: false };
        match word {
            "1-0" => ended.winner = Some(Side::Gold),
            "0-1" => ended.winner = Some(Side::Silver),
            "*" => {}
            word => ended.draw = !word.eq_ignore_ascii_case("void"),
        }
        let mut said = StatedEnding { ended: None, territory: None, odd: false };
        let rest = rest.trim();
        let rest = rest.strip_prefix(':').map_or(rest, str::trim);
        let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        said.odd = inner.is_none() && !rest.is_empty();
        let inner = if said.odd { rest } else { inner.unwrap_or_default() };
        let (parts, stated) = match inner.split_once("said: ") {
            Some((parts, stated)) => (parts, Some(stated)),
            None => (inner, None),
        };
        for part in parts.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let plain = part.to_ascii_lowercase().replace(' ', "_");
            if let Ok(termination) = plain.parse::<Termination>() {
                ended.termination = Some(termination);
            } else if let Some(Ok(squares)) = plain.strip_prefix("territory_").map(str::parse) {
                said.territory = Some(squares);
            } else {
                said.odd = true;
            }
        }
        ended.stated = match stated {
            Some(stated) => Some(stated.trim().to_owned().into()),
            None if said.odd => Some(text.to_owned().into()),
            None => None,
        };
        said.ended = (word != "*").then_some(ended);
        Some(said)
    }
}

/// The length of a result word at the start of a text.
pub(super) fn result_word(text: &str) -> Option<usize> {
    const WORDS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "\u{bd}-\u{bd}", "void", "*"];
    let word = WORDS.iter().find(|word| {
        text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
            && text[word.len()..]
                .chars()
                .next()
                .is_none_or(|next| next.is_whitespace() || "(#{:".contains(next))
    })?;
    Some(word.len())
}

/// The end in SGF. `territory` is that of the board: winner and squares.
pub(super) fn to_sgf(ended: &Ended<'_>, territory: Option<(Side, u32)>) -> String {
    let stated = ended.stated.as_deref().unwrap_or_default();
    let Some(winner) = ended.winner else {
        return match (ended.draw, stated) {
            (true, _) => "Draw".to_owned(),
            (false, "") => "Void".to_owned(),
            (false, stated) => stated.to_owned(),
        };
    };
    let letter = match winner {
        Side::Gold => 'W',
        Side::Silver => 'B',
    };
    let how = match ended.termination {
        Some(Termination::Resignation) => "R".to_owned(),
        Some(Termination::Time) => "T".to_owned(),
        Some(Termination::Forfeit | Termination::IllegalMove) => "F".to_owned(),
        Some(Termination::Immobilization) => match territory {
            Some((side, squares)) if side == winner => squares.to_string(),
            _ => String::new(),
        },
        None if StatedEnding::of_sgf(stated).ended.is_some_and(|said| said.winner == Some(winner)) => {
            return stated.to_owned();
        }
        _ => String::new(),
    };
    format!("{letter}+{how}")
}

/// The end in a move list.
pub(super) fn to_list(ended: &Ended<'_>, territory: Option<(Side, u32)>) -> String {
    let word = match (ended.winner, ended.draw) {
        (Some(Side::Gold), _) => "1-0",
        (Some(Side::Silver), _) => "0-1",
        (None, true) => "1/2-1/2",
        (None, false) => "void",
    };
    let mut parts = Vec::new();
    if let Some(termination) = ended.termination {
        parts.push(termination.word().replace('_', " "));
        if let (Termination::Immobilization, Some((side, squares))) = (termination, territory)
            && Some(side) == ended.winner
        {
            parts.push(format!("territory {squares}"));
        }
    }
    if let Some(stated) = &ended.stated {
        parts.push(format!("said: {}", super::record::one_line(stated)));
    }
    if parts.is_empty() { word.to_owned() } else { format!("{word} ({})", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_sgf_are_read_and_written() {
        let written = |text: &str| to_sgf(&StatedEnding::of_sgf(text).ended.unwrap(), None);
        for text in ["W+R", "B+T", "W+F", "B+", "Draw", "Void", "W+12", "B+0.5"] {
            assert_eq!(written(text), text);
        }
        for (other, usual) in
            [("White+Resign", "W+R"), ("b+time", "B+T"), ("0", "Draw"), ("w+forfeit", "W+F")]
        {
            assert_eq!(written(other), usual);
        }
        assert_eq!(StatedEnding::of_sgf("W+12").territory, Some(12));
        assert_eq!(StatedEnding::of_sgf(" ? ").ended, None);
        let odd = StatedEnding::of_sgf("W+adjudication");
        assert!(odd.odd && odd.ended.unwrap().winner == Some(Side::Gold));
        assert_eq!(written("Ada won"), "Ada won");
    }

    #[test]
    fn the_results_of_a_list_are_read_and_written() {
        for text in [
            "1-0",
            "0-1 (resignation)",
            "1-0 (illegal move)",
            "1/2-1/2",
            "void (abandoned)",
            "void (said: by (some) agreement, at once)",
        ] {
            let said = StatedEnding::of_list(text).unwrap();
            assert!(!said.odd, "{text}");
            assert_eq!(to_list(&said.ended.unwrap(), None), text);
        }
        let said = StatedEnding::of_list("0-1 (immobilization, territory 7)").unwrap();
        assert_eq!(said.territory, Some(7));
        assert_eq!(
            to_list(&said.ended.unwrap(), Some((Side::Silver, 9))),
            "0-1 (immobilization, territory 9)"
        );
        assert!(StatedEnding::of_list("\u{bd}-\u{bd}").unwrap().ended.unwrap().draw);
        assert_eq!(StatedEnding::of_list("*").unwrap().ended, None);
        assert!(StatedEnding::of_list("1-0 by magic").unwrap().odd);
        let cut = StatedEnding::of_list("void: power cut").unwrap();
        assert!(cut.odd && cut.ended.unwrap().stated.unwrap() == "void: power cut");
        for none in ["", "1-01", "d1-d7(g7)", "1/2", "voided"] {
            assert_eq!(StatedEnding::of_list(none), None, "{none}");
        }
    }
}
