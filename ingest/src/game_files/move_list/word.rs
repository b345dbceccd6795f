use annals_events::Side;

use super::super::ending::result_word;
use super::key::Key;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word<'t> {
    /// `12.`, `12...`, `12w`, `12b.`: a move's number, and its side if stated.
    Label(u32, Option<Side>),
    /// `14s`: seconds of the previous move.
    Used(u32),
    /// `resigns`, `Black resigns`, and the reason after a colon.
    Resigns(Option<Side>, &'t str),
    /// `retracted`, and the rest of the line.
    Retracted(&'t str),
    /// A result, and the rest of the line.
    Result(&'t str),
    /// A comment to the end of the line.
    Comment,
    /// Opens a comment.
    Brace,
    /// A move, or an unknown word.
    Other(&'t str),
}

/// The next word and the rest; none at the end.
pub(super) fn next(line: &str) -> Option<(Word<'_>, &str)> {
    let line = line.trim_start();
    let first = line.chars().next()?;
    if first == '#' {
        return Some((Word::Comment, ""));
    }
    if first == '{' {
        return Some((Word::Brace, line.get(1..).unwrap_or_default()));
    }
    if result_word(line).is_some() {
        return Some((Word::Result(line), ""));
    }
    if first.is_ascii_digit()
        && let Some((word, rest)) = label(line)
    {
        return Some((word, rest));
    }
    let end = line.find(|sign: char| sign.is_whitespace() || "#{".contains(sign)).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let side = match word.to_ascii_lowercase().as_str() {
        "retracted" | "retracted:" | "takeback" | "takeback:" => {
            return Some((Word::Retracted(rest.trim().trim_start_matches(':').trim()), ""));
        }
        "resigns" | "resign" => return Some((Word::Resigns(None, ""), rest)),
        "resigns:" | "resign:" => return Some((Word::Resigns(None, rest.trim()), "")),
        "white" => Some(Side::Gold),
        "black" => Some(Side::Silver),
        _ => None,
    };
    if side.is_some() {
        let behind = rest.trim_start();
        let end =
            behind.find(|sign: char| sign.is_whitespace() || "#{".contains(sign)).unwrap_or(behind.len());
        let (second, behind) = behind.split_at(end);
        let gives_up = |text: &str| ["resigns", "resign"].iter().any(|word| text.eq_ignore_ascii_case(word));
        if gives_up(second) {
            return Some((Word::Resigns(side, ""), behind));
        }
        if second.strip_suffix(':').is_some_and(gives_up) {
            return Some((Word::Resigns(side, behind.trim()), ""));
        }
    }
    Some((Word::Other(word), rest))
}

/// Whether a line states a resignation, a retraction or a result.
pub(super) fn says_what_happened(line: &str) -> bool {
    matches!(next(line), Some((Word::Resigns(..) | Word::Retracted(_) | Word::Result(_), _)))
}

/// A number as a label or a time.
fn label(line: &str) -> Option<(Word<'_>, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    let number = number.parse().ok()?;
    let ends =
        |rest: &str| rest.chars().next().is_none_or(|sign| sign.is_whitespace() || "#{".contains(sign));
    let sign = rest.chars().next()?;
    let behind = rest.get(sign.len_utf8()..).unwrap_or_default();
    if sign == 's' && ends(behind) {
        return Some((Word::Used(number), behind));
    }
    let (side, rest) = match sign {
        'w' => (Some(Side::Gold), behind),
        'b' => (Some(Side::Silver), behind),
        _ => (None, rest),
    };
    let points = rest.trim_start_matches('.');
    match rest.len() - points.len() {
        0 if side.is_some() && ends(rest) => Some((Word::Label(number, side), rest)),
        1 => Some((Word::Label(number, side), points)),
        // Three points omit White's move.
        2 | 3 => Some((Word::Label(number, side.or(Some(Side::Silver))), points)),
        _ => None,
    }
}

/// Whether a text is the beginning of a word, as at the end of a truncated file.
pub(super) fn begins_a_word(text: &str) -> bool {
    const WORDS: [&str; 7] = ["resigns", "retracted", "takeback", "1-0", "0-1", "1/2-1/2", "void"];
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        || WORDS.iter().any(|word| word.starts_with(text))
        || Key::ALL.iter().any(|key| key.word().starts_with(text))
        || begins_a_move(text)
}

/// Whether a text is an incomplete move.
fn begins_a_move(text: &str) -> bool {
    let mut rest = text;
    let mut marks: &[&[char]] = &[&['-'], &['(', '/']];
    loop {
        rest = rest.strip_prefix(|sign: char| sign.is_ascii_lowercase()).unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest = rest.get(digits..).unwrap_or_default();
        if rest.is_empty() {
            return text.starts_with(|sign: char| sign.is_ascii_lowercase());
        }
        let Some((mark, others)) = marks.split_first() else { return false };
        match rest.strip_prefix(*mark) {
            Some(behind) if digits > 0 => rest = behind,
            _ => return false,
        }
        if rest.is_empty() {
            return true;
        }
        marks = others;
    }
}

/// Whether a brace comment is open at the end of a line.
pub(super) fn open_at_the_end(line: &str, mut brace: bool) -> bool {
    let mut rest = line;
    loop {
        rest = if brace {
            let Some((_, behind)) = rest.split_once('}') else { return true };
            brace = false;
            behind
        } else {
            let Some((word, behind)) = next(rest) else { return false };
            brace = word == Word::Brace;
            behind
        };
    }
}

/// The result without its comment.
pub(super) fn without_comment(text: &str, mut comment: impl FnMut()) -> &str {
    // Brackets may contain any character.
    let from = text.rfind(')').unwrap_or(0);
    match text.get(from..).and_then(|rest| rest.find('#')) {
        Some(at) => {
            comment();
            text.get(..from + at).unwrap_or(text).trim()
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(mut line: &str) -> Vec<Word<'_>> {
        let mut words = Vec::new();
        while let Some((word, rest)) = next(line) {
            words.push(word);
            line = rest;
        }
        words
    }

    #[test]
    fn a_line_falls_into_its_words() {
        assert_eq!(
            words("12. d1-d7(g7) 14s a7-b8/b3 9s # well"),
            [
                Word::Label(12, None),
                Word::Other("d1-d7(g7)"),
                Word::Used(14),
                Word::Other("a7-b8/b3"),
                Word::Used(9),
                Word::Comment
            ]
        );
        assert_eq!(words("3...a7-b8(b3)"), [Word::Label(3, Some(Side::Silver)), Word::Other("a7-b8(b3)")]);
        assert_eq!(words("4w d1-d2(d3)"), [Word::Label(4, Some(Side::Gold)), Word::Other("d1-d2(d3)")]);
        assert_eq!(words("5.resigns"), [Word::Label(5, None), Word::Resigns(None, "")]);
        assert_eq!(words("Black resigns 1-0"), [Word::Resigns(Some(Side::Silver), ""), Word::Result("1-0")]);
        assert_eq!(words("Black resigns: all lost"), [Word::Resigns(Some(Side::Silver), "all lost")]);
        assert_eq!(words("resigns: tired"), [Word::Resigns(None, "tired")]);
        assert_eq!(words("void: power cut"), [Word::Result("void: power cut")]);
        assert!(says_what_happened("retracted by the director: mistyped"));
        assert!(!says_what_happened("White: Ada") && !says_what_happened("Result: 1-0"));
        assert_eq!(words("retracted: # of it"), [Word::Retracted("# of it")]);
        assert_eq!(words("white d1"), [Word::Other("white"), Word::Other("d1")]);
        assert_eq!(words("12"), [Word::Other("12")]);
        assert_eq!(words("99999999999."), [Word::Other("99999999999.")]);
    }

    #[test]
    fn what_a_broken_file_leaves_of_a_move_is_told_from_other_words() {
        let whole = "d1-d10(g7)";
        for end in 1..whole.len() {
            assert!(begins_a_move(&whole[..end]), "{}", &whole[..end]);
        }
        for cut in ["1", "12", "1/2-", "resig", "Bla", "White ra"] {
            assert!(begins_a_word(cut), "{cut}");
        }
        for other in ["", "-", "d1d7", "draw!", "d-", "d1-d7(g7)x", "d1--", "d1-d7[g7"] {
            assert!(!begins_a_move(other), "{other}");
        }
    }
}
