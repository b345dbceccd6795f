//! Reads a state file completely, or returns the first invalid line with its number, word, and valid alternatives.

use std::collections::BTreeMap;

use super::{ByeWord, FORFEIT, GameResult, INFERRED, Seed, StateFile, StateLine, Statement};

/// The most lines with a statement. The longest known file has some hundreds.
const MAX_LINES: usize = 10_000;

/// The most vacated games of a round: each one can make a published pairing of its own.
const MAX_VACATED: u32 = 100;

/// The keywords with which a line can begin.
const KEYWORDS: &str = "player, remove, add, round, bye, game, pair, pick, stop";
/// The forms of a result.
const RESULTS: &str = "winner NAME, draw, double win, double loss, no decision, vacated";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateFault {
    #[error("`{word}` begins no line of a state file; a line begins with {KEYWORDS}")]
    UnknownWord { word: String },
    #[error(
        "`{found}` is no result of a game; known results are {RESULTS}, or nothing while the game is open"
    )]
    UnknownResult { found: String },
    #[error("`{found}` is not what such a line says; it is written `{wanted}`")]
    Shape { found: String, wanted: &'static str },
    #[error(
        "`{found}` is not the rating of a player: write a decimal number of at most six places, such as 1500 or 1723.5"
    )]
    Rating { found: String },
    #[error("`{name}` is entered a second time; line {first} enters them already")]
    Twice { name: String, first: u64 },
    #[error("no line before enters a player `{name}`; write `player {name} RATING` above{}", near(.nearest))]
    UnknownPlayer {
        name: String,
        /// A player with the same name except for case.
        nearest: Option<String>,
    },
    #[error("`{name}` plays a game against themselves; a game has two players")]
    Oneself { name: String },
    #[error("`{winner}` cannot win a game of `{gold}` and `{silver}`; the winner is one of the two")]
    ThirdPlayer {
        winner: String,
        /// Who moves first.
        gold: String,
        silver: String,
    },
    #[error("round {found} does not follow{}; the next one is round {wanted}", behind(*.wanted))]
    Round { found: u64, wanted: u32 },
    /// Games precede the first round marker.
    #[error(
        "round 1 begins here, but games or byes above it are in no round; move `round 1` above line {first}"
    )]
    BeforeRounds { first: u64 },
    #[error("`{name}` is {} already, by line {since}", if *.out { "out" } else { "in" })]
    Already { name: String, out: bool, since: u64 },
    #[error("a state file has at most {MAX_LINES} lines of players, rounds, byes and games")]
    TooLong,
    #[error("a round has at most {MAX_VACATED} vacated games, and this is one more")]
    TooManyVacated,
}

fn near(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |near| format!(" (line before: `{near}`; capitals matter)"))
}

fn behind(wanted: u32) -> String {
    if wanted > 1 { format!(" round {}", wanted - 1) } else { String::new() }
}

/// Nothing of the file is used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct StateFileError {
    /// From 1.
    pub line: u64,
    pub fault: StateFault,
}

impl StateFile {
    /// # Errors
    /// The first invalid line.
    pub fn read(text: &str) -> Result<StateFile, StateFileError> {
        let mut reader = Reader::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines()) {
            let (said, comment) = line.split_once(['#', '*']).unwrap_or((line, ""));
            let words: Vec<&str> = said.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [stop] if stop.eq_ignore_ascii_case("stop") => break,
                [word, rest @ ..] => {
                    reader.line = number;
                    if reader.file.lines.len() == MAX_LINES {
                        return Err(StateFileError { line: number, fault: StateFault::TooLong });
                    }
                    let said = reader.said(word, rest, comment.trim());
                    let said = said.map_err(|fault| StateFileError { line: number, fault })?;
                    reader.file.lines.push(StateLine { number, said });
                }
            }
        }
        Ok(reader.file)
    }
}

#[derive(Default)]
struct Reader {
    file: StateFile,
    line: u64,
    /// Each player's last line, and whether they are out.
    players: BTreeMap<String, (u64, bool)>,
    round: u32,
    /// The first game or bye before any round.
    unmarked: Option<u64>,
    /// Vacated games of the round.
    vacated: u32,
}

impl Reader {
    fn said(&mut self, word: &str, rest: &[&str], comment: &str) -> Result<Statement, StateFault> {
        let shape = |wanted| {
            let found: String = std::iter::once(&word).chain(rest).copied().collect::<Vec<_>>().join(" ");
            StateFault::Shape { found: short(&found), wanted }
        };
        match word.to_ascii_lowercase().as_str() {
            "player" => match rest {
                [name, rating] => self.player(name, rating),
                _ => Err(shape("player NAME RATING")),
            },
            "remove" => match rest {
                [name] => Ok(Statement::Remove(self.turn(name, true)?)),
                _ => Err(shape("remove NAME")),
            },
            "add" => match rest {
                [name] => Ok(Statement::Add(self.turn(name, false)?)),
                _ => Err(shape("add NAME")),
            },
            "round" => match rest {
                [number] => self.round(number, comment == INFERRED).unwrap_or_else(|| Err(shape("round N"))),
                _ => Err(shape("round N")),
            },
            "bye" => {
                let (name, word) = match rest {
                    [name] => (name, None),
                    [name, "win"] => (name, Some(ByeWord::Win)),
                    [name, "loss"] => (name, Some(ByeWord::Loss)),
                    _ => return Err(shape("bye NAME, bye NAME win, or bye NAME loss")),
                };
                self.not_in_a_round();
                Ok(Statement::Bye { name: self.known(name)?, word })
            }
            "game" | "pair" | "pick" => match rest {
                [gold, silver, result @ ..] => self.game(gold, silver, result, comment == FORFEIT),
                _ => Err(shape("game GOLD SILVER RESULT")),
            },
            _ => Err(StateFault::UnknownWord { word: short(word) }),
        }
    }

    fn player(&mut self, name: &str, rating: &str) -> Result<Statement, StateFault> {
        let seed = Seed::parse(rating).ok_or_else(|| StateFault::Rating { found: short(rating) })?;
        if let Some((first, _)) = self.players.get(name) {
            return Err(StateFault::Twice { name: short(name), first: *first });
        }
        self.players.insert(name.to_owned(), (self.line, false));
        Ok(Statement::Player { name: name.to_owned(), seed })
    }

    /// Removes or adds a player.
    fn turn(&mut self, name: &str, out: bool) -> Result<String, StateFault> {
        let known = self.known(name)?;
        if let Some((since, is_out)) = self.players.get_mut(name) {
            if *is_out == out {
                return Err(StateFault::Already { name: short(name), out, since: *since });
            }
            (*since, *is_out) = (self.line, out);
        }
        Ok(known)
    }

    /// None for an invalid number.
    fn round(&mut self, text: &str, inferred: bool) -> Option<Result<Statement, StateFault>> {
        let found: u64 = text.parse().ok()?;
        let wanted = self.round.saturating_add(1);
        if found != u64::from(wanted) {
            return Some(Err(StateFault::Round { found, wanted }));
        }
        if let Some(first) = self.unmarked {
            return Some(Err(StateFault::BeforeRounds { first }));
        }
        (self.round, self.vacated) = (wanted, 0);
        Some(Ok(Statement::Round { number: wanted, inferred }))
    }

    fn game(
        &mut self,
        gold: &str,
        silver: &str,
        result: &[&str],
        forfeit: bool,
    ) -> Result<Statement, StateFault> {
        let (gold, silver) = (self.known(gold)?, self.known(silver)?);
        if gold == silver {
            return Err(StateFault::Oneself { name: short(&gold) });
        }
        let result = match result {
            [] => None,
            ["winner", winner] if *winner == gold || *winner == silver => {
                let winner = (*winner).to_owned();
                Some(if forfeit { GameResult::Forfeit(winner) } else { GameResult::Winner(winner) })
            }
            ["winner", winner] => {
                let winner = short(winner);
                return Err(StateFault::ThirdPlayer { winner, gold: short(&gold), silver: short(&silver) });
            }
            ["draw"] => Some(GameResult::Draw),
            ["double", "win"] => Some(GameResult::DoubleWin),
            ["double", "loss"] => Some(GameResult::DoubleLoss),
            ["no", "decision"] => Some(GameResult::NoDecision),
            ["vacated"] => {
                self.vacated += 1;
                if self.vacated > MAX_VACATED {
                    return Err(StateFault::TooManyVacated);
                }
                Some(GameResult::Vacated)
            }
            other => return Err(StateFault::UnknownResult { found: short(&other.join(" ")) }),
        };
        self.not_in_a_round();
        Ok(Statement::Game { gold, silver, result })
    }

    fn not_in_a_round(&mut self) {
        if self.round == 0 {
            self.unmarked.get_or_insert(self.line);
        }
    }

    fn known(&self, name: &str) -> Result<String, StateFault> {
        if self.players.contains_key(name) {
            return Ok(name.to_owned());
        }
        let nearest = self.players.keys().find(|known| known.to_lowercase() == name.to_lowercase());
        Err(StateFault::UnknownPlayer { name: short(name), nearest: nearest.cloned() })
    }
}

/// Shortened for display.
fn short(text: &str) -> String {
    text.chars().take(80).collect()
}
