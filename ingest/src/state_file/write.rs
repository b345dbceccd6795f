//! Writes a state file, with an empty line before each round.

use std::fmt;

use super::{ByeWord, FORFEIT, GameResult, INFERRED, StateFile, Statement};

impl fmt::Display for StateFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, said) in self.said().enumerate() {
            if place > 0 && matches!(said, Statement::Round { .. }) {
                writeln!(f)?;
            }
            writeln!(f, "{said}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Player { name, seed } => write!(f, "player {name} {seed}"),
            Statement::Remove(name) => write!(f, "remove {name}"),
            Statement::Add(name) => write!(f, "add {name}"),
            Statement::Round { number, inferred: false } => write!(f, "round {number}"),
            Statement::Round { number, inferred: true } => write!(f, "round {number} # {INFERRED}"),
            Statement::Bye { name, word: None } => write!(f, "bye {name}"),
            Statement::Bye { name, word: Some(ByeWord::Win) } => write!(f, "bye {name} win"),
            Statement::Bye { name, word: Some(ByeWord::Loss) } => write!(f, "bye {name} loss"),
            Statement::Game { gold, silver, result } => {
                write!(f, "game {gold} {silver}")?;
                result.as_ref().map_or(Ok(()), |result| write!(f, " {result}"))
            }
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Winner(name) => write!(f, "winner {name}"),
            GameResult::Forfeit(name) => write!(f, "winner {name} # {FORFEIT}"),
            GameResult::Draw => f.write_str("draw"),
            GameResult::DoubleWin => f.write_str("double win"),
            GameResult::DoubleLoss => f.write_str("double loss"),
            GameResult::NoDecision => f.write_str("no decision"),
            GameResult::Vacated => f.write_str("vacated"),
        }
    }
}
