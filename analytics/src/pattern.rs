//! Board patterns: a board text with wildcards, matched against the stored bit-planes without unpacking a board.
//!
//! A pattern states the required content of each of the 64 squares:
//!
//! | character | matches |
//! | --- | --- |
//! | `.`, a space, `x`, `X` | an empty square |
//! | `*`, `?` | anything |
//! | `+` | any gold piece |
//! | `-` | any silver piece |
//! | `RCDHME`, `rcdhme` | that piece |
//!
//! It is written as 64 characters (a8 to h8 first, a1 to h1 last, with or without brackets), as eight lines of eight characters
//! (or separated by `/`), or as the long board text with its ranks `8| r r * * * * * r |`.

/// A compiled pattern: masks over the four bit-planes of the dataset's boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Squares with a stated piece, or stated to be empty.
    exact: u64,
    /// The planes' bits on those squares.
    planes: [u64; 4],
    /// Squares with any gold piece.
    gold: u64,
    /// Squares with any silver piece.
    silver: u64,
}

/// Why a text is not a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Not 64 squares.
    #[error("it has {0} squares, a board has 64")]
    SquareCount(usize),
    /// An unknown character.
    #[error(
        "`{found}` on {square} is neither a piece nor a wildcard (pieces RCDHME and rcdhme, `.` empty, `*` anything, `+` any gold, `-` any silver)"
    )]
    Sign {
        found: char,
        /// Its square, `e4`.
        square: String,
    },
}

const PIECES: [char; 6] = ['R', 'C', 'D', 'H', 'M', 'E'];

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// If the text does not have 64 squares, or has an unknown character.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let signs = signs(text);
        if signs.len() != 64 {
            return Err(PatternError::SquareCount(signs.len()));
        }
        let mut pattern = Pattern { exact: 0, planes: [0; 4], gold: 0, silver: 0 };
        for (i, &sign) in signs.iter().enumerate() {
            // The text begins with a8; square 0 of the planes is a1.
            let square = 8 * (7 - i / 8) + i % 8;
            let bit = 1u64 << square;
            let code = match sign {
                '*' | '?' => continue,
                '+' => {
                    pattern.gold |= bit;
                    continue;
                }
                '-' => {
                    pattern.silver |= bit;
                    continue;
                }
                '.' | ' ' | 'x' | 'X' => 0,
                letter => piece_code(letter).ok_or_else(|| PatternError::Sign {
                    found: letter,
                    square: format!("{}{}", char::from(b'a' + (i % 8) as u8), 8 - i / 8),
                })?,
            };
            pattern.exact |= bit;
            for (k, plane) in pattern.planes.iter_mut().enumerate() {
                *plane |= u64::from(code >> k & 1) << square;
            }
        }
        Ok(pattern)
    }

    /// Whether a board, given as its four bit-planes, matches this pattern.
    #[must_use]
    pub fn matches(&self, board: [u64; 4]) -> bool {
        let differs = (board[0] ^ self.planes[0])
            | (board[1] ^ self.planes[1])
            | (board[2] ^ self.planes[2])
            | (board[3] ^ self.planes[3]);
        let silver = board[3];
        let gold = (board[0] | board[1] | board[2]) & !silver;
        differs & self.exact == 0 && self.gold & !gold == 0 && self.silver & !silver == 0
    }

    /// The left-right mirror image: it matches the mirror images of the boards that the original matches.
    #[must_use]
    pub fn mirrored(&self) -> Pattern {
        Pattern {
            exact: mirror(self.exact),
            planes: self.planes.map(mirror),
            gold: mirror(self.gold),
            silver: mirror(self.silver),
        }
    }
}

impl std::fmt::Display for Pattern {
    /// The 64 characters, a8 to h8 first.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for i in 0..64 {
            let square = 8 * (7 - i / 8) + i % 8;
            let on = |bits: u64| bits >> square & 1 == 1;
            let code = (0..4).map(|k| usize::from(on(self.planes[k])) << k).sum::<usize>();
            let sign = match () {
                () if on(self.gold) => '+',
                () if on(self.silver) => '-',
                () if !on(self.exact) => '*',
                () => char::from(SIGNS[code & 15]),
            };
            write!(f, "{sign}")?;
        }
        Ok(())
    }
}

/// The character of each piece code.
const SIGNS: [u8; 16] = *b".RCDHME..rcdhme.";

fn piece_code(letter: char) -> Option<u8> {
    let kind = PIECES.iter().position(|&p| p == letter.to_ascii_uppercase())? as u8 + 1;
    Some(if letter.is_ascii_uppercase() { kind } else { kind + 8 })
}

/// Swaps the files a-h of each rank (a rank is a byte, its file a the lowest bit).
fn mirror(bits: u64) -> u64 {
    bits.reverse_bits().swap_bytes()
}

/// The characters of the squares, from a8 on, for each form of the text.
fn signs(text: &str) -> Vec<char> {
    let ranks: Vec<&str> = text.lines().filter(|line| is_rank_line(line)).collect();
    if ranks.len() == 8 {
        return ranks.iter().flat_map(|line| rank_signs(line)).collect();
    }
    let text = text.trim_matches(['\n', '\r']);
    let text = match (text.trim().strip_prefix('['), text.trim().strip_suffix(']')) {
        (Some(_), Some(_)) => &text.trim()[1..text.trim().len() - 1],
        _ => text,
    };
    text.chars().filter(|c| !matches!(c, '\n' | '\r' | '/')).collect()
}

/// `8| r r . . |`: a digit from 1 to 8, then a bar.
fn is_rank_line(line: &str) -> bool {
    let mut signs = line.trim_start().chars();
    matches!(signs.next(), Some('1'..='8')) && signs.next() == Some('|')
}

/// The eight characters of a rank line: every second one after the bar, or all eight between two bars.
fn rank_signs(line: &str) -> Vec<char> {
    let after = line.split_once('|').map_or("", |(_, rest)| rest);
    let signs: Vec<char> = after.chars().collect();
    if signs.len() >= 9 && signs[8] == '|' && !signs[..8].contains(&'|') {
        return signs[..8].to_vec();
    }
    (0..8).map(|file| signs.get(2 * file + 1).copied().filter(|&c| c != '|').unwrap_or(' ')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planes(short: &str) -> [u64; 4] {
        Pattern::parse(short).unwrap().planes
    }

    const START: &str = "rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR";

    #[test]
    fn a_pattern_without_wildcards_matches_its_own_board_only() {
        let pattern = Pattern::parse(START).unwrap();
        assert!(pattern.matches(planes(START)));
        assert_eq!(pattern.exact, u64::MAX);
        let other = START.replace("HDCMECDH", "HDCEMCDH");
        assert!(!pattern.matches(planes(&other)));
        assert_ne!(pattern.mirrored(), pattern);
        assert_eq!(pattern.mirrored().mirrored(), pattern);
    }

    #[test]
    fn wildcards_say_anything_any_gold_or_any_silver() {
        let mut text = vec!['*'; 64];
        assert!(Pattern::parse(&text.iter().collect::<String>()).unwrap().matches(planes(START)));
        text[0] = '-';
        text[63] = '+';
        assert!(Pattern::parse(&text.iter().collect::<String>()).unwrap().matches(planes(START)));
        text[63] = '-';
        assert!(!Pattern::parse(&text.iter().collect::<String>()).unwrap().matches(planes(START)));
        text[63] = '.';
        assert!(!Pattern::parse(&text.iter().collect::<String>()).unwrap().matches(planes(START)));
    }

    #[test]
    fn every_form_of_the_text_says_the_same() {
        let lines: Vec<&str> = (0..8).map(|i| &START[8 * i..8 * i + 8]).collect();
        let mut long = String::from("2g\n +-----------------+\n");
        for (i, line) in lines.iter().enumerate() {
            let spaced: String = line.chars().map(|c| format!(" {c}")).collect();
            long.push_str(&format!("{}|{} |\n", 8 - i, spaced));
        }
        long.push_str(" +-----------------+\n   a b c d e f g h\n");
        let expected = Pattern::parse(START);
        assert_eq!(Pattern::parse(&lines.join("\n")), expected);
        assert_eq!(Pattern::parse(&lines.join("/")), expected);
        assert_eq!(Pattern::parse(&format!("[{START}]")), expected);
        assert_eq!(Pattern::parse(&START.replace('.', " ")), expected);
        assert_eq!(Pattern::parse(&long), expected);
        assert_eq!(expected.unwrap().to_string(), START);
        let wild = "*+-?RcX. ".repeat(8)[..64].to_owned();
        let pattern = Pattern::parse(&wild).unwrap();
        assert_eq!(Pattern::parse(&pattern.to_string()), Ok(pattern));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_square() {
        assert_eq!(Pattern::parse("abc"), Err(PatternError::SquareCount(3)));
        let wrong = START.replacen("e", "q", 1);
        assert_eq!(Pattern::parse(&wrong), Err(PatternError::Sign { found: 'q', square: "d7".to_owned() }));
    }
}
