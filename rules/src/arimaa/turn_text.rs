//! Turns as text: `Ea3n rb3e rc3x Hb2n`, a setup `Ra1 Rb1 …`, `takeback`, `resign`. A parsed turn uses no heap;
//! [`super::Position::play`] checks its legality.
//!
//! ```
//! use annals_rules::arimaa::{Turn, TurnKind};
//!
//! let turn = Turn::parse(b"rb3e rc3x Hb2n").unwrap();
//! assert_eq!(turn.kind(), TurnKind::Steps);
//! assert_eq!((turn.steps(), turn.captures()), (2, 1));
//! assert_eq!(turn.to_string(), "rb3e rc3x Hb2n");
//! assert!(Turn::parse(b"rb3e Hb9n").unwrap_err().to_string().contains("`Hb9n`"));
//! ```

use std::fmt;

use annals_events::Side;

use super::piece::{self, LETTER_CODES, Piece};
use super::square::{Direction, Square};

/// What a word of a turn states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// For example `Ra1`.
    Place,
    /// For example `Ra1n`.
    Step(Direction),
    /// For example `Rc3x`.
    Capture,
}

/// A word of a turn: piece, square, action.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    code: u8,
    square: Square,
    action: Action,
}

impl Token {
    const BLANK: Token = Token { code: 1, square: Square::masked(0), action: Action::Place };

    #[must_use]
    pub const fn new(side: Side, piece: Piece, square: Square, action: Action) -> Token {
        Token { code: piece::code(side, piece), square, action }
    }

    pub(super) const fn from_code(code: u8, square: Square, action: Action) -> Token {
        Token { code, square, action }
    }

    #[must_use]
    pub const fn side(self) -> Side {
        if self.code & 8 == 0 { Side::Gold } else { Side::Silver }
    }

    #[must_use]
    pub fn piece(self) -> Piece {
        piece::of_code(self.code)
    }

    /// Before a step.
    #[must_use]
    pub const fn square(self) -> Square {
        self.square
    }

    #[must_use]
    pub const fn action(self) -> Action {
        self.action
    }

    pub(super) const fn code(self) -> u8 {
        self.code
    }

    #[inline]
    fn parse(word: &[u8]) -> Option<Token> {
        let (piece, file, rank, action) = match *word {
            [piece, file, rank, letter] => (piece, file, rank, ACTIONS[letter as usize]?),
            [piece, file, rank] => (piece, file, rank, Action::Place),
            _ => return None,
        };
        let code = LETTER_CODES[piece as usize];
        let square = Square::from_name(&[file, rank])?;
        if code == 0 { None } else { Some(Token { code, square, action }) }
    }
}

/// By the last of four letters.
static ACTIONS: [Option<Action>; 256] = {
    let mut table = [None; 256];
    let mut letter = 0;
    while letter < 256 {
        table[letter] = match Direction::from_letter(letter as u8) {
            Some(direction) => Some(Action::Step(direction)),
            None if letter == b'x' as usize => Some(Action::Capture),
            None => None,
        };
        letter += 1;
    }
    table
};

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", piece::code_letter(self.code) as char, self.square)?;
        match self.action {
            Action::Place => Ok(()),
            Action::Step(direction) => write!(f, "{direction}"),
            Action::Capture => write!(f, "x"),
        }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurnKind {
    Empty,
    Setup,
    Steps,
    /// Undoes the last completed turn.
    Takeback,
    /// `resign` or `resigns`.
    Resign,
}

/// At most [`Turn::CAPACITY`] words.
#[derive(Clone, Copy)]
pub struct Turn {
    tokens: [Token; Turn::CAPACITY],
    len: u8,
    kind: TurnKind,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TurnTextError {
    /// An unknown word.
    #[error(
        "`{word}` (word {number}) is no step: write piece, square and direction (`Ra2n`), `x` for a capture \
         (`Rc3x`), piece and square alone in a setup (`Ra1`)"
    )]
    Word {
        word: String,
        /// From 1.
        number: usize,
    },
    #[error("more than {most} tokens; a turn has at most four steps with their captures, a setup 16 pieces", most = Turn::CAPACITY)]
    TooLong,
    /// Placements and steps in one turn.
    #[error(
        "`{word}` (token {number}) does not fit the tokens before it: a turn either places pieces or moves them"
    )]
    Mixed {
        word: String,
        /// From 1.
        number: usize,
    },
}

impl Turn {
    /// A setup of 16 pieces.
    pub const CAPACITY: usize = 16;

    pub const EMPTY: Turn = Turn { tokens: [Token::BLANK; Turn::CAPACITY], len: 0, kind: TurnKind::Empty };

    /// Reads a turn without label; words are separated by white space.
    ///
    /// # Errors
    /// If a word is unknown, there are too many, or placements and steps are mixed.
    pub fn parse(text: &[u8]) -> Result<Turn, TurnTextError> {
        let mut turn = Turn::EMPTY;
        let mut rest = text;
        let mut number = 0;
        // Words are nearly always four letters, one space apart.
        while let [piece, file, rank, letter, after @ ..] = rest
            && let [] | [b' ', ..] = after
            && let Some(token) = Token::parse(&[*piece, *file, *rank, *letter])
            && turn.push(token)
        {
            rest = after.get(1..).unwrap_or_default();
            number += 1;
        }
        for word in rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            number += 1;
            match Token::parse(word) {
                Some(token) if turn.push(token) => {}
                Some(_) if turn.len as usize == Turn::CAPACITY => return Err(TurnTextError::TooLong),
                Some(_) => return Err(TurnTextError::Mixed { word: shown(word), number }),
                None => {
                    return match word {
                        b"takeback" if turn.is_only_word(text, word) => {
                            Ok(Turn { kind: TurnKind::Takeback, ..turn })
                        }
                        b"resign" | b"resigns" if turn.is_only_word(text, word) => {
                            Ok(Turn { kind: TurnKind::Resign, ..turn })
                        }
                        _ => Err(TurnTextError::Word { word: shown(word), number }),
                    };
                }
            }
        }
        Ok(turn)
    }

    fn is_only_word(&self, text: &[u8], word: &[u8]) -> bool {
        self.len == 0 && text.trim_ascii().len() == word.len()
    }

    /// False, with nothing changed, if there is no room or it does not fit the words before.
    #[inline]
    pub fn push(&mut self, token: Token) -> bool {
        let kind = match token.action {
            Action::Place => TurnKind::Setup,
            Action::Step(_) | Action::Capture => TurnKind::Steps,
        };
        let fits = self.kind == kind || self.kind == TurnKind::Empty;
        match self.tokens.get_mut(self.len as usize) {
            Some(slot) if fits => {
                *slot = token;
                self.len += 1;
                self.kind = kind;
                true
            }
            _ => false,
        }
    }

    #[must_use]
    pub const fn kind(&self) -> TurnKind {
        self.kind
    }

    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens[..(self.len as usize).min(Turn::CAPACITY)]
    }

    #[must_use]
    pub fn steps(&self) -> usize {
        self.tokens().iter().filter(|t| matches!(t.action, Action::Step(_))).count()
    }

    #[must_use]
    pub fn captures(&self) -> usize {
        self.tokens().iter().filter(|t| t.action == Action::Capture).count()
    }
}

impl PartialEq for Turn {
    fn eq(&self, other: &Turn) -> bool {
        self.kind == other.kind && self.tokens() == other.tokens()
    }
}

impl Eq for Turn {}

impl Default for Turn {
    fn default() -> Turn {
        Turn::EMPTY
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TurnKind::Takeback => return write!(f, "takeback"),
            TurnKind::Resign => return write!(f, "resign"),
            TurnKind::Empty | TurnKind::Setup | TurnKind::Steps => {}
        }
        for (i, token) in self.tokens().iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(f, "{space}{token}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turn({self})")
    }
}

/// For messages.
fn shown(word: &[u8]) -> String {
    let cut = &word[..word.len().min(16)];
    let more = if cut.len() < word.len() { "…" } else { "" };
    format!("{}{more}", cut.escape_ascii())
}
