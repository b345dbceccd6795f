use std::fmt;
use std::str::FromStr;

/// Messages of a controller to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToEngine {
    /// Opens a session.
    Aei,
    /// Requests `readyok` after everything before it.
    IsReady,
    /// The empty board, Gold to set up.
    NewGame,
    /// A position as stated, not yet checked.
    SetPosition {
        /// The side to move: `g` or `s`.
        side: String,
        /// 64 squares in brackets.
        board: String,
    },
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// Steps with captures, or a setup.
    MakeMove(String),
    /// Requests a turn, or pondering.
    Go {
        /// During the opponent's turn.
        ponder: bool,
    },
    /// Requests the best turn so far.
    Stop,
    Quit,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    #[error("`{0}` is no message of this protocol")]
    Unknown(String),
    #[error("`{found}` is no whole message; write `{wanted}`")]
    Malformed { found: String, wanted: &'static str },
}

/// The beginning of a line for messages, on one line.
pub(crate) fn shown(line: &str) -> String {
    const MOST: usize = 80;
    let mut text: String =
        line.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if line.chars().nth(MOST).is_some() {
        text.push('…');
    }
    text
}

/// The first word and the rest.
fn split_word(text: &str) -> (&str, &str) {
    match text.split_once([' ', '\t']) {
        Some((word, rest)) => (word, rest),
        None => (text, ""),
    }
}

impl FromStr for ToEngine {
    type Err = MessageError;

    fn from_str(line: &str) -> Result<ToEngine, MessageError> {
        let line = line.trim();
        let malformed = |wanted| Err(MessageError::Malformed { found: shown(line), wanted });
        let (word, rest) = split_word(line);
        let rest = rest.trim();
        let alone = |message, wanted| if rest.is_empty() { Ok(message) } else { malformed(wanted) };
        match word {
            "aei" => alone(ToEngine::Aei, "aei"),
            "isready" => alone(ToEngine::IsReady, "isready"),
            "newgame" => alone(ToEngine::NewGame, "newgame"),
            "stop" => alone(ToEngine::Stop, "stop"),
            "quit" => alone(ToEngine::Quit, "quit"),
            "go" => match rest {
                "" => Ok(ToEngine::Go { ponder: false }),
                "ponder" => Ok(ToEngine::Go { ponder: true }),
                _ => malformed("go, or go ponder"),
            },
            "makemove" => Ok(ToEngine::MakeMove(rest.to_owned())),
            "setposition" => match split_word(rest) {
                ("", _) | (_, "") => malformed("setposition g [64 squares from a8 to h1]"),
                (side, board) => Ok(ToEngine::SetPosition { side: side.to_owned(), board: board.to_owned() }),
            },
            "setoption" => {
                let (keyword, rest) = split_word(rest);
                let (name, rest) = split_word(rest.trim_start());
                let (value_word, value) = split_word(rest.trim_start());
                match (keyword, name, value_word) {
                    ("name", name, "") if !name.is_empty() => {
                        Ok(ToEngine::SetOption { name: name.to_owned(), value: None })
                    }
                    ("name", name, "value") if !name.is_empty() => Ok(ToEngine::SetOption {
                        name: name.to_owned(),
                        value: Some(value.trim().to_owned()),
                    }),
                    _ => malformed("setoption name NAME value VALUE"),
                }
            }
            _ => Err(MessageError::Unknown(shown(word))),
        }
    }
}

impl fmt::Display for ToEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToEngine::Aei => f.write_str("aei"),
            ToEngine::IsReady => f.write_str("isready"),
            ToEngine::NewGame => f.write_str("newgame"),
            ToEngine::SetPosition { side, board } => write!(f, "setposition {side} {board}"),
            ToEngine::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            ToEngine::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            ToEngine::MakeMove(turn) => write!(f, "makemove {turn}"),
            ToEngine::Go { ponder: false } => f.write_str("go"),
            ToEngine::Go { ponder: true } => f.write_str("go ponder"),
            ToEngine::Stop => f.write_str("stop"),
            ToEngine::Quit => f.write_str("quit"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Error,
    Warning,
    /// For debugging.
    Debug,
    Plain,
}

impl LogLevel {
    const MARKED: [(LogLevel, &'static str); 3] =
        [(LogLevel::Error, "Error:"), (LogLevel::Warning, "Warning:"), (LogLevel::Debug, "Debug:")];
}

/// Messages of an engine to a controller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FromEngine {
    ProtocolVersion(String),
    Id {
        /// `name`, `author` or `version`.
        key: String,
        value: String,
    },
    /// Ends the opening of the session.
    AeiOk,
    /// Answers `isready`.
    ReadyOk,
    /// A turn, or `resign`.
    BestMove(String),
    /// The state of the search.
    Info {
        /// `score`, `depth`, `nodes`, `pv`, `time` ...
        key: String,
        value: String,
    },
    Log {
        level: LogLevel,
        text: String,
    },
}

impl FromEngine {
    #[must_use]
    pub fn info(key: &str, value: impl fmt::Display) -> FromEngine {
        FromEngine::Info { key: key.to_owned(), value: value.to_string() }
    }

    /// Something for the log.
    #[must_use]
    pub fn log(level: LogLevel, text: impl fmt::Display) -> FromEngine {
        // One message per line.
        let text = text.to_string().replace(['\n', '\r'], " ");
        FromEngine::Log { level, text }
    }
}

impl FromStr for FromEngine {
    type Err = MessageError;

    fn from_str(line: &str) -> Result<FromEngine, MessageError> {
        let line = line.trim();
        let (word, rest) = split_word(line);
        let rest = rest.trim();
        let pair = || {
            let (key, value) = split_word(rest);
            (key.to_owned(), value.trim().to_owned())
        };
        Ok(match word {
            "protocol-version" => FromEngine::ProtocolVersion(rest.to_owned()),
            "id" => {
                let (key, value) = pair();
                FromEngine::Id { key, value }
            }
            "aeiok" => FromEngine::AeiOk,
            "readyok" => FromEngine::ReadyOk,
            "bestmove" => FromEngine::BestMove(rest.to_owned()),
            "info" => {
                let (key, value) = pair();
                FromEngine::Info { key, value }
            }
            "log" => {
                let marked = LogLevel::MARKED
                    .iter()
                    .find_map(|(level, mark)| rest.strip_prefix(mark).map(|text| (*level, text.trim())));
                let (level, text) = marked.unwrap_or((LogLevel::Plain, rest));
                FromEngine::Log { level, text: text.to_owned() }
            }
            _ => return Err(MessageError::Unknown(shown(word))),
        })
    }
}

impl fmt::Display for FromEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FromEngine::ProtocolVersion(version) => write!(f, "protocol-version {version}"),
            FromEngine::Id { key, value } => write!(f, "id {key} {value}"),
            FromEngine::AeiOk => f.write_str("aeiok"),
            FromEngine::ReadyOk => f.write_str("readyok"),
            FromEngine::BestMove(turn) => write!(f, "bestmove {turn}"),
            FromEngine::Info { key, value } => write!(f, "info {key} {value}"),
            FromEngine::Log { level, text } => {
                match LogLevel::MARKED.iter().find(|(marked, _)| marked == level) {
                    Some((_, mark)) => write!(f, "log {mark} {text}"),
                    None => write!(f, "log {text}"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_survives_its_text() {
        for line in [
            "aei",
            "isready",
            "newgame",
            "setposition g [rrrr    ]",
            "setoption name tcmove value 15",
            "setoption name opponent value bot with a name",
            "setoption name checkmoves",
            "makemove Ra1 Rb1",
            "go",
            "go ponder",
            "stop",
            "quit",
        ] {
            assert_eq!(line.parse::<ToEngine>().unwrap().to_string(), line);
        }
        for line in [
            "protocol-version 1",
            "id name Sample Engine",
            "aeiok",
            "readyok",
            "bestmove Ee2n Ee3n",
            "info pv Ee2n b ee7s",
            "log Error: no",
            "log hello",
        ] {
            assert_eq!(line.parse::<FromEngine>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn what_lacks_something_says_how_it_is_written() {
        for bad in
            ["setposition", "setposition g", "setoption", "setoption name", "setoption depth 4", "go now"]
        {
            let error = bad.parse::<ToEngine>().unwrap_err();
            assert!(matches!(error, MessageError::Malformed { .. }), "{bad}: {error}");
        }
        assert_eq!("Go".parse::<ToEngine>(), Err(MessageError::Unknown("Go".to_owned())));
        let long = "x".repeat(1000).parse::<ToEngine>().unwrap_err().to_string();
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn a_log_entry_is_one_line() {
        let said = FromEngine::log(LogLevel::Warning, "one\ntwo").to_string();
        assert_eq!(said, "log Warning: one two");
    }
}
