//! The rounds: who met whom with which colours and why, results, byes, games, appointments, and what was revoked.

mod gone;

use std::collections::BTreeMap;

use annals_events::tournament::{Bye, Equals, Failure, Ground, Outcome, Stage};
use annals_events::{GameId, GameKind, Micros, Pairing, PlayerId, Side, Termination};
use annals_report::{Cell, Page, Table, points};
use annals_tournaments::{Board, Noted, Round, SetAside, Tournament};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::error::QuestionError;
use super::heading::Heading;
use super::opened::Opened;
use super::person::Person;
use crate::point::show;
use gone::{appointments_in, revoked_in};

/// The rounds of a tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rounds {
    #[serde(flatten)]
    pub heading: Heading,
    /// The rounds that are asked for, by number.
    pub rounds: Vec<RoundAnswer>,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundAnswer {
    #[serde(skip)]
    pub game: GameKind,
    pub round: u32,
    pub stage: Stage,
    /// The event that paired it.
    pub seq: u64,
    pub paired_at: Micros,
    /// When its first game began.
    pub started_at: Option<Micros>,
    /// Whether it was inferred from games.
    pub inferred: bool,
    /// Whether every board has its result.
    pub over: bool,
    /// How many pairings were said to be as good, itself counted.
    pub equals: Option<Equals>,
    pub boards: Vec<BoardAnswer>,
    pub byes: Vec<ByeAnswer>,
    /// What was paired and counts as never paired.
    pub revoked: Vec<RevokedPair>,
}

/// One board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardAnswer {
    pub pairing: Pairing,
    pub upper: Person,
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
    pub outcome: Option<Outcome>,
    pub termination: Option<Termination>,
    /// The winner's territory, where the rulebook counts it.
    pub territory: Option<u32>,
    /// Whether the result is a ruling's.
    pub ruled: bool,
    /// Whether play is halted by a ruling.
    pub halted: bool,
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
    pub attempt: u32,
    /// Its game, where it is attached.
    pub game: Option<GameId>,
    /// Whether it was halted while it was played; else its result was invalidated.
    pub halted: bool,
    /// From which ply the next attempt goes on; none where it is a rematch from the start.
    pub goes_on_from: Option<u32>,
    pub failure: Failure,
    /// The event of the ruling.
    pub seq: u64,
    pub at: Micros,
}

/// A time for which a game was fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Appointment {
    pub at: Micros,
    pub fixed_at: Micros,
    pub reason: Option<String>,
}

/// A bye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByeAnswer {
    pub player: Person,
    /// What it is worth in half points, where the pairing says so.
    pub half_points: Option<u32>,
    /// The rules, as they were recorded.
    pub grounds: Vec<Ground>,
}

/// A pair that counts as never paired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RevokedPair {
    pub board: u32,
    pub upper: Person,
    pub lower: Person,
    pub seq: u64,
    pub at: Micros,
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
    let of = |(number, round): (&u32, &Round)| {
        let revoked = revoked.get(number).cloned().unwrap_or_default();
        RoundAnswer { revoked, ..RoundAnswer::of(opened, *number, round, &appointments) }
    };
    let mut rounds: Vec<RoundAnswer> = tournament.rounds.iter().map(of).collect();
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
    Ok(Rounds { heading: opened.heading("rounds"), rounds })
}

impl RoundAnswer {
    fn of(
        opened: &Opened<'_>,
        number: u32,
        round: &Round,
        appointments: &BTreeMap<Pairing, Vec<Appointment>>,
    ) -> RoundAnswer {
        let board = |(board, pair): (&u32, &Board)| {
            let pairing = Pairing { round: number, board: *board };
            let fixed = appointments.get(&pairing).cloned().unwrap_or_default();
            BoardAnswer::of(opened.tournament(), pairing, pair, fixed)
        };
        let bye = |bye: &Bye| ByeAnswer {
            player: opened.person(&bye.player),
            half_points: bye.half_points,
            grounds: bye.grounds.clone(),
        };
        RoundAnswer {
            game: opened.game(),
            round: number,
            stage: round.stage,
            seq: round.paired.seq,
            paired_at: round.paired.at,
            started_at: round.started_at,
            inferred: round.inferred,
            over: round.is_over(),
            equals: round.paired.fact.equals,
            boards: round.boards.iter().map(board).collect(),
            byes: round.byes.iter().map(bye).collect(),
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
        let drawn = board.drawn().map(|drawn| &drawn.fact);
        let drawn = drawn.map(|drawn| {
            (format!("drawn by lot ({})", drawn.draw.method.replace('_', " ")), drawn.ground.clone())
        });
        let chosen = board.chosen().map(|chosen| &chosen.fact);
        let chosen = chosen.map(|chosen| (format!("chosen by {}", chosen.player), chosen.ground.clone()));
        let (how, rule) = chosen.or(drawn).unzip();
        let aside = |aside: &Noted<SetAside>| AttemptAnswer {
            attempt: aside.fact.attempt,
            game: board.games.get(&aside.fact.attempt).cloned(),
            halted: aside.fact.halted,
            goes_on_from: aside.fact.ply,
            failure: aside.fact.failure,
            seq: aside.seq,
            at: aside.at,
        };
        BoardAnswer {
            pairing,
            upper: Person::of(tournament, board.upper()),
            lower: Person::of(tournament, board.lower()),
            gold: board.gold().cloned(),
            silver: board.silver().cloned(),
            colour_rule: rule.flatten().or_else(|| board.pair.colour.clone()),
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
            set_aside: board.set_aside.iter().map(aside).collect(),
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
        let moved = match self.appointments.len() {
            0 | 1 => None,
            2 => Some("moved once".to_owned()),
            times => Some(format!("moved {} times", times - 1)),
        };
        let all = [
            self.gold.is_none().then(|| "colours open".to_owned()),
            self.ruled.then(|| "by ruling".to_owned()),
            self.halted.then(|| "halted".to_owned()),
            self.forfeit_claimed_by.as_ref().map(|one| format!("forfeit claimed by {}", self.name_of(one))),
            self.territory.map(|squares| format!("territory {squares}")),
            moved,
        ];
        all.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn appointed(&self) -> Cell {
        Cell::time(self.appointments.last().map(|appointment| appointment.at))
    }

    fn cells(&self) -> Vec<Cell> {
        let (first, second) = match (&self.gold, &self.silver) {
            (Some(gold), Some(silver)) => (self.name_of(gold), self.name_of(silver)),
            _ => (self.upper.name.as_str(), self.lower.name.as_str()),
        };
        let rule = self.colour_rule.as_ref().map(|rule| grounds(std::slice::from_ref(rule)));
        let colours = Cell::join(rule.into_iter().chain(self.colour_how.clone()), ", ");
        vec![
            Cell::text(self.pairing),
            Cell::text(first),
            Cell::text(second),
            Cell::text(self.outcome.map_or("to come", outcome_words)),
            Cell::some(self.termination),
            Cell::Text(self.remarks()),
            self.appointed(),
            Cell::join(self.games.values(), " "),
            colours,
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

impl Rounds {
    pub(super) fn onto(&self, mut page: Page, zone: &TimeZone) -> Page {
        for round in &self.rounds {
            page = page
                .table(round.table(round.title(zone)))
                .lines(format!("Set aside in round {}", round.round), round.set_aside_lines())
                .lines(format!("Revoked in round {}", round.round), round.revoked_lines());
        }
        page
    }
}

/// A line of the table for programs: a board, a bye, or a pair that was revoked.
type ProgramLine<'r> =
    (&'r RoundAnswer, Option<&'r BoardAnswer>, Option<&'r ByeAnswer>, Option<&'r RevokedPair>);

impl RoundAnswer {
    fn program_lines(&self) -> impl Iterator<Item = ProgramLine<'_>> {
        let boards = self.boards.iter().map(move |board| (self, Some(board), None, None));
        let byes = self.byes.iter().map(move |bye| (self, None, Some(bye), None));
        boards.chain(byes).chain(self.revoked.iter().map(move |pair| (self, None, None, Some(pair))))
    }
}

impl Answer for Rounds {
    fn page(&self, zone: &TimeZone) -> Page {
        self.onto(self.heading.page(zone), zone).or_line("no round is paired")
    }

    fn table(&self) -> Table {
        let of =
            |cell: &dyn Fn(&BoardAnswer) -> Cell, line: &ProgramLine<'_>| line.1.map_or(Cell::Empty, cell);
        Table::of("", self.rounds.iter().flat_map(RoundAnswer::program_lines))
            .column("round", |(round, ..)| Cell::count(round.round))
            .column("stage", |(round, ..)| Cell::text(round.stage))
            .column("board", |(_, board, _, gone)| {
                Cell::number(board.map(|board| board.pairing.board).or(gone.map(|pair| pair.board)))
            })
            .column("upper", |(_, board, bye, gone)| {
                let upper = board.map(|board| &board.upper).or(gone.map(|pair| &pair.upper));
                Cell::some(upper.or(bye.map(|bye| &bye.player)).map(|person| &person.player))
            })
            .column("lower", |(_, board, _, gone)| {
                let lower = board.map(|board| &board.lower).or(gone.map(|pair| &pair.lower));
                Cell::some(lower.map(|person| &person.player))
            })
            .column("gold", |line| of(&|board| Cell::some(board.gold.as_ref()), line))
            .column("silver", |line| of(&|board| Cell::some(board.silver.as_ref()), line))
            .column("outcome", |(_, board, bye, _)| match bye {
                Some(_) => Cell::text("bye"),
                None => Cell::some(board.and_then(|board| board.outcome)),
            })
            .column("termination", |line| of(&|board| Cell::some(board.termination), line))
            .column("ruled", |line| of(&|board| Cell::text(board.ruled), line))
            .column("halted", |line| of(&|board| Cell::text(board.halted), line))
            .column("scheduled_at", |line| of(&BoardAnswer::appointed, line))
            .column("games", |line| of(&|board| Cell::join(board.games.values(), " "), line))
            .column("set_aside", |line| {
                of(&|board| Cell::join(board.set_aside.iter().map(|one| one.attempt), " "), line)
            })
            .column("started_at", |(round, ..)| Cell::time(round.started_at))
            .column("inferred", |(round, ..)| Cell::text(round.inferred))
            .column("revoked", |(_, _, _, gone)| Cell::text(gone.is_some()))
            .table()
    }
}
