//! Rounds as a page, and as a table for programs.

use annals_events::narrative;
use annals_events::tournament::{Ground, Outcome};
use annals_events::{PlayerId, Side};
use annals_report::{Cell, Document, Table, ToDocument, points};
use jiff::tz::TimeZone;

use super::{BoardAnswer, ByeAnswer, RevokedPair, RoundAnswer, Rounds};
use crate::point::show;
use crate::queries::corrections::CorrectionLine;

impl RoundAnswer {
    /// For example `Round 3 (final), started …`.
    pub fn title(&self, zone: &TimeZone) -> String {
        let state = match (self.started_at, self.started_stated) {
            (_, Some(period)) => format!("started {period}"),
            (Some(at), None) => format!("started {}", show(at, zone)),
            (None, None) if self.inferred => "no start recorded".to_owned(),
            (None, None) => "not started".to_owned(),
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
            let mut cells = vec![Cell::text("bye"), bye.player.cell()];
            cells.extend([Cell::Empty, Cell::Text(format!("bye{worth}"))]);
            cells.resize(head.len() - 1, Cell::Empty);
            cells.push(Cell::Text(grounds(&bye.grounds)));
            table.rows.push(cells);
        }
        table
    }

    /// One line each.
    pub fn revoked_lines(&self) -> Vec<String> {
        let of = |pair: &RevokedPair| {
            let (first, second, colours) = match &pair.gold {
                Some(gold) if *gold == pair.lower.player => (&pair.lower, &pair.upper, ""),
                Some(_) => (&pair.upper, &pair.lower, ""),
                None => (&pair.upper, &pair.lower, " (colours open)"),
            };
            format!(
                "board {}: {} against {}{colours}, revoked by event {}: {}",
                pair.board, first.name, second.name, pair.seq, pair.reason
            )
        };
        self.revoked.iter().map(of).collect()
    }

    /// Attempts out of force, one line each.
    pub fn set_aside_lines(&self) -> Vec<String> {
        let each = self.boards.iter().flat_map(|board| board.set_aside.iter().map(move |one| (board, one)));
        each.map(|(board, one)| {
            let game = one.game.as_ref().map_or(String::new(), |game| format!(" ({game})"));
            let how = if one.halted { "halted" } else { "invalidated" };
            let next = match one.goes_on_from {
                Some(ply) => format!("the next goes on after ply {ply}"),
                None => "it is played again from the start".to_owned(),
            };
            let failure = one.failure.word().replace('_', " ");
            let (pairing, attempt, seq) = (board.pairing, one.attempt, one.seq);
            format!("{pairing} attempt {attempt}{game}: {how} by event {seq} ({failure}); {next}")
        })
        .collect()
    }
}

fn grounds(grounds: &[Ground]) -> String {
    let paragraph = |ground: &Ground| ground.paragraph.clone().unwrap_or_else(|| ground.rule.clone());
    grounds.iter().map(paragraph).collect::<Vec<_>>().join("; ")
}

impl BoardAnswer {
    pub fn name_of(&self, player: &PlayerId) -> &str {
        if self.upper.player == *player { &self.upper.name } else { &self.lower.name }
    }

    /// Remarks besides the result.
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
            (Some(gold), Some(silver)) => (gold, silver),
            _ => (&self.upper.player, &self.lower.player),
        };
        let named = |player: &PlayerId| Cell::named(self.name_of(player), player);
        let rule = self.colour_rule.as_ref().map(|rule| grounds(std::slice::from_ref(rule)));
        let colours = Cell::join(rule.into_iter().chain(self.colour_how.clone()), ", ");
        vec![
            Cell::text(self.pairing),
            named(first),
            named(second),
            Cell::text(self.outcome.map_or("to come", outcome_words)),
            Cell::some(self.termination.map(narrative::ending)),
            Cell::Text(self.remarks()),
            self.appointed(),
            Cell::join(self.games.values(), " "),
            colours,
        ]
    }
}

/// The first side's result first.
pub(in crate::queries) const fn outcome_words(outcome: Outcome) -> &'static str {
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
    pub(in crate::queries) fn onto(&self, mut page: Document, zone: &TimeZone) -> Document {
        for round in &self.rounds {
            page = page
                .table(round.table(round.title(zone)))
                .lines(format!("Set aside in round {}", round.round), round.set_aside_lines())
                .lines(format!("Revoked in round {}", round.round), round.revoked_lines())
                .lines(
                    format!("Corrected in round {}", round.round),
                    round.corrections.iter().map(CorrectionLine::text).collect(),
                );
        }
        page
    }
}

/// A line for programs: a board, a bye, or a revoked pair.
type ProgramLine<'r> =
    (&'r RoundAnswer, Option<&'r BoardAnswer>, Option<&'r ByeAnswer>, Option<&'r RevokedPair>);

impl RoundAnswer {
    fn program_lines(&self) -> impl Iterator<Item = ProgramLine<'_>> {
        let boards = self.boards.iter().map(move |board| (self, Some(board), None, None));
        let byes = self.byes.iter().map(move |bye| (self, None, Some(bye), None));
        boards.chain(byes).chain(self.revoked.iter().map(move |pair| (self, None, None, Some(pair))))
    }
}

impl ToDocument for Rounds {
    fn document(&self, zone: &TimeZone) -> Document {
        self.onto(self.heading.document(zone), zone).or_line("no round is paired")
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
            .column("gold", |(_, board, _, gone)| {
                let gold = board.map(|board| &board.gold).or(gone.map(|pair| &pair.gold));
                Cell::some(gold.and_then(Option::as_ref))
            })
            .column("silver", |(_, board, _, gone)| {
                let silver = board.map(|board| &board.silver).or(gone.map(|pair| &pair.silver));
                Cell::some(silver.and_then(Option::as_ref))
            })
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
