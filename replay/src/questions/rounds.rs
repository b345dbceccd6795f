//! The rounds: who met whom with which colours and why, results, byes, games, appointments, and what was revoked.

mod gone;

use std::collections::BTreeMap;

use annals_events::tournament::{Equals, Failure, Ground, Outcome, Stage};
use annals_events::{GameId, GameKind, Micros, Pairing, PlayerId, Side, Termination};
use annals_tournaments::{Board, Round, Tournament};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::error::QuestionError;
use super::opened::Opened;
use super::page::{Cell, Page, Table};
use super::person::Person;
use crate::cut::Cut;
use crate::point::show;
use crate::view::text::{heading, points};
use gone::{appointments_in, revoked_in};

/// The rounds of a tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rounds {
    /// The tournament.
    pub tournament: String,
    /// The name as it is shown.
    pub title: String,
    /// The point that is shown.
    pub cut: Cut,
    /// The rounds that are asked for, by number.
    pub rounds: Vec<RoundAnswer>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundAnswer {
    /// Which game is played.
    #[serde(skip)]
    pub game: GameKind,
    /// Its number.
    pub round: u32,
    /// Its stage.
    pub stage: Stage,
    /// The event that paired it.
    pub seq: u64,
    /// When it was paired.
    pub paired_at: Micros,
    /// When its first game began.
    pub started_at: Option<Micros>,
    /// Whether it was inferred from games.
    pub inferred: bool,
    /// Whether every board has its result.
    pub over: bool,
    /// How many pairings were said to be as good, itself counted.
    pub equals: Option<Equals>,
    /// The boards.
    pub boards: Vec<BoardAnswer>,
    /// Who has a bye.
    pub byes: Vec<ByeAnswer>,
    /// What was paired and counts as never paired.
    pub revoked: Vec<RevokedPair>,
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardAnswer {
    /// The pairing.
    pub pairing: Pairing,
    /// The player named first.
    pub upper: Person,
    /// The player named second.
    pub lower: Person,
    /// Who has Gold; none while that is open.
    pub gold: Option<PlayerId>,
    /// Who has Silver; none while that is open.
    pub silver: Option<PlayerId>,
    /// The rule that gave the colours, as it was recorded.
    pub colour_rule: Option<Ground>,
    /// How the colours came about where the pairing left them open: `drawn by lot`, `chosen by anna`.
    pub colour_how: Option<String>,
    /// The encounter that it belongs to.
    pub encounter: Option<u32>,
    /// The result that holds.
    pub outcome: Option<Outcome>,
    /// How it came about.
    pub termination: Option<Termination>,
    /// The winner's territory, where the rulebook counts it.
    pub territory: Option<u32>,
    /// Whether the result is a ruling's.
    pub ruled: bool,
    /// Whether play is halted by a ruling.
    pub halted: bool,
    /// Who claimed a forfeit.
    pub forfeit_claimed_by: Option<PlayerId>,
    /// The times for which the game was fixed, the last one last.
    pub appointments: Vec<Appointment>,
    /// The games that are attempts at it, by number of the attempt.
    pub games: BTreeMap<u32, GameId>,
    /// The attempts that rulings took out of force.
    pub set_aside: Vec<AttemptAnswer>,
}

/// An attempt that a ruling took out of force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttemptAnswer {
    /// Its number.
    pub attempt: u32,
    /// Its game, where it is attached.
    pub game: Option<GameId>,
    /// Whether it was halted while it was played; else its result was invalidated.
    pub halted: bool,
    /// From which ply the next attempt goes on; none where it is a rematch from the start.
    pub goes_on_from: Option<u32>,
    /// What went wrong.
    pub failure: Failure,
    /// The event of the ruling.
    pub seq: u64,
    /// When it was given.
    pub at: Micros,
}

/// A time for which a game was fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Appointment {
    /// The time.
    pub at: Micros,
    /// When that was fixed.
    pub fixed_at: Micros,
    /// Why it was moved.
    pub reason: Option<String>,
}

/// A bye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByeAnswer {
    /// Who has it.
    pub player: Person,
    /// What it is worth in half points, where the pairing says so.
    pub half_points: Option<u32>,
    /// The rules, as they were recorded.
    pub grounds: Vec<Ground>,
}

/// A pair that counts as never paired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RevokedPair {
    /// Its board.
    pub board: u32,
    /// The player named first.
    pub upper: Person,
    /// The player named second.
    pub lower: Person,
    /// The event that revoked it.
    pub seq: u64,
    /// When.
    pub at: Micros,
    /// Why.
    pub reason: String,
}

/// Asks for all rounds, or for one.
///
/// # Errors
/// When the log cannot be read, or has no such round.
pub fn ask(opened: &Opened<'_>, round: Option<u32>) -> Result<Rounds, QuestionError> {
    let tournament = opened.tournament();
    let told = opened.told()?;
    let revoked = revoked_in(tournament, &told.events);
    let appointments = appointments_in(&told.events);
    let mut rounds: Vec<RoundAnswer> = tournament
        .rounds
        .iter()
        .map(|(number, round)| {
            let mut answer = RoundAnswer::of(tournament, *number, round, &appointments);
            answer.revoked = revoked.get(number).cloned().unwrap_or_default();
            answer
        })
        .collect();
    if let Some(wanted) = round {
        rounds.retain(|answer| answer.round == wanted);
        if rounds.is_empty() {
            return Err(QuestionError::NoSuchRound {
                stream: opened.stream.clone(),
                round: wanted,
                known: tournament.rounds.keys().copied().collect(),
            });
        }
    }
    Ok(Rounds {
        tournament: opened.stream.name().to_owned(),
        title: opened.title("rounds"),
        cut: opened.cut,
        rounds,
    })
}

impl RoundAnswer {
    fn of(
        tournament: &Tournament,
        number: u32,
        round: &Round,
        appointments: &BTreeMap<Pairing, Vec<Appointment>>,
    ) -> RoundAnswer {
        let boards = round
            .boards
            .iter()
            .map(|(board, pair)| {
                let pairing = Pairing { round: number, board: *board };
                let fixed = appointments.get(&pairing).cloned().unwrap_or_default();
                BoardAnswer::of(tournament, pairing, pair, fixed)
            })
            .collect();
        let byes = round
            .byes
            .iter()
            .map(|bye| ByeAnswer {
                player: Person::of(tournament, &bye.player),
                half_points: bye.half_points,
                grounds: bye.grounds.clone(),
            })
            .collect();
        RoundAnswer {
            game: tournament.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game),
            round: number,
            stage: round.stage,
            seq: round.paired.seq,
            paired_at: round.paired.at,
            started_at: round.started_at,
            inferred: round.inferred,
            over: round.is_over(),
            equals: round.paired.fact.equals,
            boards,
            byes,
            revoked: Vec::new(),
        }
    }

    /// The title of a round: `Round 3 (final), started …`.
    #[must_use]
    pub fn title(&self, zone: &TimeZone) -> String {
        let state = match self.started_at {
            Some(at) => format!("started {}", show(at, zone)),
            None if self.inferred => "no start recorded".to_owned(),
            None => "not started".to_owned(),
        };
        let inferred = if self.inferred { ", inferred from its games" } else { "" };
        format!("Round {} ({}), {state}{inferred}", self.round, self.stage.word().replace('_', " "))
    }

    pub(super) fn table(&self, title: String) -> Table {
        let [first, second] = Side::BOTH.map(|side| side.name_in(self.game));
        let head = ["Board", first, second, "Result", "How", "Remarks", "Appointed", "Games", "Rule"];
        let mut table = Table::new(title, &head);
        for board in &self.boards {
            table.rows.push(board.cells());
        }
        for bye in &self.byes {
            let worth = bye.half_points.map_or(String::new(), |half| match half {
                2 => " (1 point)".to_owned(),
                half => format!(" ({} points)", points(half)),
            });
            let mut cells = vec![Cell::text("bye"), Cell::text(&bye.player.name)];
            cells.extend([Cell::Empty, Cell::Text(format!("bye{worth}"))]);
            cells.resize(head.len() - 1, Cell::Empty);
            cells.push(Cell::Text(grounds(&bye.grounds)));
            table.rows.push(cells);
        }
        table
    }

    /// What was revoked, a line each.
    #[must_use]
    pub fn revoked_lines(&self) -> Vec<String> {
        let of = |pair: &RevokedPair| {
            let (upper, lower) = (&pair.upper.name, &pair.lower.name);
            format!(
                "board {}: {upper} against {lower}, revoked by event {}: {}",
                pair.board, pair.seq, pair.reason
            )
        };
        self.revoked.iter().map(of).collect()
    }
}

impl RoundAnswer {
    /// The attempts that rulings took out of force, a line each.
    #[must_use]
    pub fn set_aside_lines(&self) -> Vec<String> {
        let each = self.boards.iter().flat_map(|board| board.set_aside.iter().map(move |one| (board, one)));
        each.map(|(board, one)| {
            let game = one.game.as_ref().map_or(String::new(), |game| format!(" ({game})"));
            let how = if one.halted { "halted" } else { "invalidated" };
            let next = match one.goes_on_from {
                Some(ply) => format!("the next goes on after ply {ply}"),
                None => "it is played anew".to_owned(),
            };
            let failure = one.failure.word().replace('_', " ");
            let (pairing, attempt, seq) = (board.pairing, one.attempt, one.seq);
            format!("{pairing} attempt {attempt}{game}: {how} by event {seq} ({failure}); {next}")
        })
        .collect()
    }
}

/// The paragraphs of rules.
fn grounds(grounds: &[Ground]) -> String {
    let paragraph = |ground: &Ground| ground.paragraph.clone().unwrap_or_else(|| ground.rule.clone());
    grounds.iter().map(paragraph).collect::<Vec<_>>().join("; ")
}

impl BoardAnswer {
    fn of(
        tournament: &Tournament,
        pairing: Pairing,
        board: &Board,
        mut fixed: Vec<Appointment>,
    ) -> BoardAnswer {
        // A pair that was revoked and made anew keeps only what was fixed for it.
        if board.scheduled_at().is_none() {
            fixed.clear();
        }
        let drawn = board.drawn().map(|drawn| {
            (
                format!("drawn by lot ({})", drawn.fact.draw.method.replace('_', " ")),
                drawn.fact.ground.clone(),
            )
        });
        let chosen = board
            .chosen()
            .map(|chosen| (format!("chosen by {}", chosen.fact.player), chosen.fact.ground.clone()));
        let (how, rule) = chosen.or(drawn).map_or((None, None), |(how, rule)| (Some(how), rule));
        BoardAnswer {
            pairing,
            upper: Person::of(tournament, board.upper()),
            lower: Person::of(tournament, board.lower()),
            gold: board.gold().cloned(),
            silver: board.silver().cloned(),
            colour_rule: rule.or_else(|| board.pair.colour.clone()),
            colour_how: how,
            encounter: board.pair.encounter,
            outcome: board.outcome(),
            termination: board.termination(),
            territory: board.territory(),
            ruled: board.ruled(),
            halted: board.halted(),
            forfeit_claimed_by: board.claim.as_ref().map(|claim| claim.fact.claimant.clone()),
            appointments: fixed,
            games: board.games.clone(),
            set_aside: board
                .set_aside
                .iter()
                .map(|aside| AttemptAnswer {
                    attempt: aside.fact.attempt,
                    game: board.games.get(&aside.fact.attempt).cloned(),
                    halted: aside.fact.halted,
                    goes_on_from: aside.fact.ply,
                    failure: aside.fact.failure,
                    seq: aside.seq,
                    at: aside.at,
                })
                .collect(),
        }
    }

    /// The name of a player of the board.
    #[must_use]
    pub fn name_of(&self, player: &PlayerId) -> &str {
        if self.upper.player == *player { &self.upper.name } else { &self.lower.name }
    }

    /// What there is to say besides the result.
    #[must_use]
    pub fn remarks(&self) -> String {
        let mut all = Vec::new();
        if self.gold.is_none() {
            all.push("colours open".to_owned());
        }
        for (holds, words) in [(self.ruled, "by ruling"), (self.halted, "halted")] {
            if holds {
                all.push(words.to_owned());
            }
        }
        if let Some(player) = &self.forfeit_claimed_by {
            all.push(format!("forfeit claimed by {}", self.name_of(player)));
        }
        if let Some(squares) = self.territory {
            all.push(format!("territory {squares}"));
        }
        if self.appointments.len() > 1 {
            all.push(
                format!("moved {} times", self.appointments.len() - 1).replace("moved 1 times", "moved once"),
            );
        }
        all.join(", ")
    }

    fn cells(&self) -> Vec<Cell> {
        let (first, second) = match (&self.gold, &self.silver) {
            (Some(gold), Some(silver)) => (self.name_of(gold), self.name_of(silver)),
            _ => (self.upper.name.as_str(), self.lower.name.as_str()),
        };
        let games: Vec<&str> = self.games.values().map(GameId::as_str).collect();
        let colours = match (&self.colour_rule, &self.colour_how) {
            (Some(rule), Some(how)) => format!("{}, {how}", grounds(std::slice::from_ref(rule))),
            (Some(rule), None) => grounds(std::slice::from_ref(rule)),
            (None, Some(how)) => how.clone(),
            (None, None) => String::new(),
        };
        vec![
            Cell::text(self.pairing),
            Cell::text(first),
            Cell::text(second),
            Cell::text(self.outcome.map_or("to come", outcome_words)),
            self.termination.map_or(Cell::Empty, Cell::text),
            Cell::Text(self.remarks()),
            Cell::time(self.appointments.last().map(|appointment| appointment.at)),
            Cell::Text(games.join(" ")),
            Cell::Text(colours),
        ]
    }
}

/// A result as people write it, the side that moves first in front.
pub(super) const fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Gold => "1-0",
        Outcome::Silver => "0-1",
        Outcome::Draw => "½-½",
        Outcome::DoubleLoss => "0-0",
        Outcome::DoubleWin => "1-1",
        Outcome::NoDecision => "no decision",
    }
}

impl Answer for Rounds {
    fn page(&self, zone: &TimeZone) -> Page {
        let mut page = Page::new(heading(&self.title, &self.cut, zone).trim_end());
        if self.rounds.is_empty() {
            page = page.lines("", vec!["no round is paired".to_owned()]);
        }
        for round in &self.rounds {
            page = page.table(round.table(round.title(zone)));
            page = page.lines(format!("Set aside in round {}", round.round), round.set_aside_lines());
            page = page.lines(format!("Revoked in round {}", round.round), round.revoked_lines());
        }
        page
    }

    fn table(&self) -> Table {
        let head = [
            "Round",
            "Stage",
            "Board",
            "Upper",
            "Lower",
            "Gold",
            "Silver",
            "Outcome",
            "Termination",
            "Ruled",
            "Halted",
            "Scheduled at",
            "Games",
            "Set aside",
            "Started at",
            "Inferred",
            "Revoked",
        ];
        let mut table = Table::new("", &head);
        for round in &self.rounds {
            let mut row = |board: Cell, middle: Vec<Cell>, revoked: bool| {
                let mut cells = vec![Cell::Number(round.round.into()), Cell::text(round.stage), board];
                cells.extend(middle);
                cells.extend([Cell::time(round.started_at), Cell::text(round.inferred), Cell::text(revoked)]);
                table.rows.push(cells);
            };
            for board in &round.boards {
                let player = |player: &Option<PlayerId>| player.as_ref().map_or(Cell::Empty, Cell::text);
                let games: Vec<&str> = board.games.values().map(GameId::as_str).collect();
                let middle = vec![
                    Cell::text(&board.upper.player),
                    Cell::text(&board.lower.player),
                    player(&board.gold),
                    player(&board.silver),
                    board.outcome.map_or(Cell::Empty, Cell::text),
                    board.termination.map_or(Cell::Empty, Cell::text),
                    Cell::text(board.ruled),
                    Cell::text(board.halted),
                    Cell::time(board.appointments.last().map(|appointment| appointment.at)),
                    Cell::Text(games.join(" ")),
                    Cell::Text(
                        board
                            .set_aside
                            .iter()
                            .map(|one| one.attempt.to_string())
                            .collect::<Vec<_>>()
                            .join(" "),
                    ),
                ];
                row(Cell::Number(board.pairing.board.into()), middle, false);
            }
            for bye in &round.byes {
                let mut middle = vec![Cell::text(&bye.player.player)];
                middle.resize(4, Cell::Empty);
                middle.push(Cell::text("bye"));
                middle.resize(11, Cell::Empty);
                row(Cell::Empty, middle, false);
            }
            for pair in &round.revoked {
                let mut middle = vec![Cell::text(&pair.upper.player), Cell::text(&pair.lower.player)];
                middle.resize(11, Cell::Empty);
                row(Cell::Number(pair.board.into()), middle, true);
            }
        }
        table.for_programs()
    }
}
