//! One tournament on one page: what was announced, how it is read, who entered, how it stands, what comes next.

use annals_events::tournament::{Milestone, Stage};
use annals_events::{GameKind, Micros, PlayerId, PlayerKind};
use annals_tournaments::formats;
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::{Readings, option_key};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Answer;
use super::opened::Opened;
use super::page::{Cell, Page, Table};
use super::phase::Phase;
use super::standings::{self, StandingRow, Standings, table_of};
use crate::cut::Cut;
use crate::finding::Finding;
use crate::view::text::heading;

/// How many lines of the standings stand on the page.
const HEAD: usize = 10;

/// One tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// The tournament.
    pub tournament: String,
    /// The name as it is shown.
    pub title: String,
    /// The point that is shown.
    pub cut: Cut,
    /// How far it has come.
    pub state: Phase,
    /// Which game is played.
    pub game: Option<GameKind>,
    /// The rulebook, with its edition.
    pub rulebook: Option<String>,
    /// The series.
    pub series: Option<String>,
    /// The year that it bears.
    pub year: Option<i32>,
    /// Where it is played.
    pub site: Option<String>,
    /// Who directs it.
    pub directors: Vec<String>,
    /// The currency of all amounts.
    pub currency: Option<String>,
    /// What it costs to enter, in cents.
    pub fee: Option<u64>,
    /// What is in the fund, in cents.
    pub fund: i64,
    /// How the ambiguous texts of the rulebook are read.
    pub readings: Vec<ReadingLine>,
    /// The dates, in order of time.
    pub schedule: Vec<DateLine>,
    /// The stages as announced.
    pub stages: Vec<StageLine>,
    /// Who entered, by seed, then in the order of entry.
    pub entrants: Vec<EntrantLine>,
    /// The stage of the last round; none before the first.
    pub stage: Option<Stage>,
    /// The last round that is paired; none before the first.
    pub round: Option<u32>,
    /// Boards of it that have no result.
    pub open_boards: Vec<String>,
    /// The standings.
    pub standings: Standings,
    /// What comes next.
    pub next: Next,
    /// What does not follow in the record.
    pub findings: Vec<Finding>,
}

/// A reading of an ambiguous text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingLine {
    /// The key under which it is recorded.
    pub option: String,
    /// Its number in the register, as `--option` takes it; none where the program does not know it.
    pub number: Option<String>,
    /// How it is read.
    pub reading: String,
    /// The letter of that reading in the register.
    pub letter: Option<String>,
    /// What it is about; none where the program does not know the number.
    pub about: Option<String>,
    /// Whether a ruling changed it.
    pub ruled: bool,
}

/// A date of the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DateLine {
    /// What happens then.
    pub milestone: Milestone,
    /// When.
    pub at: Micros,
}

/// A stage as announced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StageLine {
    /// The stage.
    pub stage: Stage,
    /// Its time control.
    pub time_control: Option<String>,
    /// How many rounds, where that is fixed.
    pub rounds: Option<u32>,
    /// How many go on.
    pub places: Option<u32>,
}

/// One who entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntrantLine {
    /// The player.
    pub player: PlayerId,
    /// The name to show.
    pub name: String,
    /// Human or program.
    pub kind: PlayerKind,
    /// The seed.
    pub seed: Option<u32>,
    /// The rating as last recorded here.
    pub rating: Option<i32>,
    /// `entered`, `invited`, `withdrawn`, `disqualified`.
    pub status: &'static str,
    /// Of a program: who develops it.
    pub developers: Vec<String>,
    /// The digest of the program that would play now.
    pub program: Option<String>,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Nothing: it is closed.
    Over,
    /// A round can be paired.
    Round {
        /// Its number.
        round: u32,
        /// Its stage.
        stage: Stage,
        /// How many games it has.
        games: usize,
    },
    /// Something has to be done first, or nothing more can be paired.
    Lacking {
        /// What.
        what: String,
        /// What to do.
        hint: Option<String>,
        /// The same as a value, for the program that names its commands.
        #[serde(skip)]
        remedy: Option<Remedy>,
    },
}

/// Asks.
#[must_use]
pub fn ask(opened: &Opened<'_>) -> Overview {
    let tournament = opened.tournament();
    let announced = tournament.announced.as_ref();
    let mut schedule: Vec<DateLine> = announced
        .iter()
        .flat_map(|announced| &announced.schedule)
        .map(|deadline| DateLine { milestone: deadline.milestone, at: deadline.at })
        .collect();
    schedule.sort_by_key(|line| line.at);
    let mut entrants: Vec<(u32, EntrantLine)> = tournament
        .entrants
        .iter()
        .map(|(player, entrant)| {
            let line = EntrantLine {
                player: player.clone(),
                name: entrant.name.clone(),
                kind: entrant.kind,
                seed: entrant.seed,
                rating: entrant.rating,
                status: entrant.status.word(),
                developers: entrant.entry.fact.developers.clone(),
                program: entrant.program.digest().map(str::to_owned),
            };
            (entrant.order, line)
        })
        .collect();
    entrants.sort_by_key(|(order, line)| (line.seed.unwrap_or(u32::MAX), *order));
    let last = tournament.rounds.last_key_value();
    let open_boards = last.map_or(Vec::new(), |(number, round)| {
        let open = round.boards.iter().filter(|(_, board)| board.outcome().is_none());
        open.map(|(board, _)| format!("r{number}.{board}")).collect()
    });
    Overview {
        tournament: opened.stream.name().to_owned(),
        title: opened.title(Phase::of(tournament).word()),
        cut: opened.cut,
        state: Phase::of(tournament),
        game: announced.map(|announced| announced.game),
        rulebook: announced.map(|announced| format!("{}, edition {}", announced.rulebook, announced.edition)),
        series: announced.and_then(|announced| announced.series.clone()),
        year: announced.and_then(|announced| announced.year),
        site: announced.and_then(|announced| announced.site.clone()),
        directors: announced.map(|announced| announced.directors.clone()).unwrap_or_default(),
        currency: announced.and_then(|announced| announced.currency.clone()),
        fee: announced.and_then(|announced| announced.fees.as_ref()).map(|fees| fees.registration),
        fund: tournament.fund(),
        readings: readings(opened),
        schedule,
        stages: announced
            .iter()
            .flat_map(|announced| &announced.stages)
            .map(|plan| StageLine {
                stage: plan.stage,
                time_control: plan.time_control.clone(),
                rounds: tournament
                    .rounds_declared
                    .get(&plan.stage)
                    .map(|noted| noted.fact.rounds)
                    .or(plan.rounds),
                places: plan.places,
            })
            .collect(),
        entrants: entrants.into_iter().map(|(_, line)| line).collect(),
        stage: last.map(|(_, round)| round.stage),
        round: last.map(|(number, _)| *number),
        open_boards,
        standings: standings::ask(opened),
        next: next(opened),
        findings: opened.replay.findings().to_vec(),
    }
}

fn readings(opened: &Opened<'_>) -> Vec<ReadingLine> {
    let tournament = opened.tournament();
    let mut lines: Vec<ReadingLine> = Vec::new();
    let register = Readings::register();
    let mut set = |option: &str, reading: &str, ruled: bool| {
        lines.retain(|line| line.option != option);
        let known = register.iter().find(|entry| option_key(entry.number) == option_key(option));
        let letter = known.and_then(|entry| {
            let has = |(letter, name): &&(&str, &str)| *name == reading || *letter == reading;
            entry.readings.iter().find(has).map(|(letter, _)| (*letter).to_owned())
        });
        lines.push(ReadingLine {
            option: option.to_owned(),
            number: known.map(|entry| entry.number.to_owned()),
            reading: reading.to_owned(),
            letter,
            about: known.map(|entry| entry.question.to_owned()),
            ruled,
        });
    };
    for (option, reading) in tournament.announced.iter().flat_map(|announced| &announced.options) {
        set(option, reading, false);
    }
    for (option, reading) in &tournament.readings_ruled {
        set(option, reading, true);
    }
    // As the register lists them; what it does not know comes last.
    let place =
        |line: &ReadingLine| register.iter().position(|entry| Some(entry.number) == line.number.as_deref());
    lines.sort_by_key(|line| place(line).unwrap_or(usize::MAX));
    lines
}

fn next(opened: &Opened<'_>) -> Next {
    let tournament = opened.tournament();
    if tournament.closed.is_some() {
        return Next::Over;
    }
    let rulebook = match opened.rulebook() {
        Ok(rulebook) => rulebook,
        Err(error) => return Next::Lacking { what: error.to_string(), hint: None, remedy: None },
    };
    match formats::next_round(tournament, rulebook) {
        Ok(next) => {
            Next::Round { round: next.paired.round, stage: next.paired.stage, games: next.paired.pairs.len() }
        }
        Err(refusal) => Next::Lacking { what: refusal.to_string(), hint: None, remedy: refusal.next },
    }
}

impl Next {
    /// In words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Next::Over => "nothing: it is closed".to_owned(),
            Next::Round { round, stage, games } => {
                let games = if *games == 1 { "1 game".to_owned() } else { format!("{games} games") };
                format!("round {round} ({}, {games}) can be paired", stage.word().replace('_', " "))
            }
            Next::Lacking { what, hint: None, .. } => what.clone(),
            Next::Lacking { what, hint: Some(hint), .. } => format!("{what}; {hint}"),
        }
    }
}

impl Overview {
    /// Puts what to do next in words.
    #[must_use]
    pub fn with_hint(mut self, words: impl Fn(&Remedy) -> Option<String>) -> Overview {
        if let Next::Lacking { hint, remedy: Some(remedy), .. } = &mut self.next {
            *hint = words(remedy);
        }
        self
    }

    pub(super) fn about(&self) -> Vec<(&'static str, Cell)> {
        let text = |words: &Option<String>| words.as_ref().map_or(Cell::Empty, Cell::text);
        let money = |cents: i64| Cell::Money(cents, self.currency.clone());
        let no_money = self.fund == 0 && self.currency.is_none();
        vec![
            ("Game", self.game.map_or(Cell::Empty, Cell::text)),
            ("Rulebook", text(&self.rulebook)),
            ("Series", text(&self.series)),
            ("Year", Cell::number(self.year)),
            ("Site", text(&self.site)),
            ("Director", Cell::Text(self.directors.join(", "))),
            ("Fee", self.fee.map_or(Cell::Empty, |cents| money(i64::try_from(cents).unwrap_or(i64::MAX)))),
            ("Fund", if no_money { Cell::Empty } else { money(self.fund) }),
        ]
    }

    pub(super) fn reading_table(&self) -> Table {
        let mut table = Table::new("Readings", &["Text", "Read as", "About", "Remarks"]);
        for line in &self.readings {
            table.rows.push(vec![
                Cell::text(line.number.as_ref().unwrap_or(&line.option)),
                Cell::Text(match &line.letter {
                    Some(letter) => format!("{letter}: {}", line.reading.replace('_', " ")),
                    None => line.reading.clone(),
                }),
                line.about.as_ref().map_or(Cell::Empty, Cell::text),
                Cell::text(if line.ruled { "by ruling" } else { "" }),
            ]);
        }
        table
    }

    pub(super) fn schedule_table(&self) -> Table {
        let mut table = Table::new("Schedule", &["At", "What"]);
        for line in &self.schedule {
            table.rows.push(vec![Cell::Time(line.at), Cell::Text(line.milestone.word().replace('_', " "))]);
        }
        table
    }

    pub(super) fn stage_table(&self) -> Table {
        let mut table = Table::new("Stages", &["Stage", "Time control", "Rounds", "Go on"]);
        for line in &self.stages {
            table.rows.push(vec![
                Cell::Text(line.stage.word().replace('_', " ")),
                line.time_control.as_ref().map_or(Cell::Empty, Cell::text),
                Cell::number(line.rounds),
                Cell::number(line.places),
            ]);
        }
        table
    }

    pub(super) fn entrant_table(&self) -> Table {
        let mut table = Table::new(
            format!("Entrants ({})", self.entrants.len()),
            &["Seed", "Name", "Player", "Kind", "Rating", "Status", "Developers", "Program"],
        );
        for line in &self.entrants {
            table.rows.push(vec![
                Cell::number(line.seed),
                Cell::text(&line.name),
                Cell::text(&line.player),
                Cell::text(line.kind.word()),
                Cell::number(line.rating),
                Cell::text(if line.status == "entered" { "" } else { line.status }),
                Cell::Text(line.developers.join(", ")),
                line.program.as_ref().map_or(Cell::Empty, Cell::text),
            ]);
        }
        table
    }

    fn standing_lines(&self, page: Page) -> Page {
        let rows: &[StandingRow] = &self.standings.rows;
        if self.round.is_none() {
            return page;
        }
        let shown = rows.get(..HEAD).unwrap_or(rows);
        let more = rows.len() - shown.len();
        let page = page.table(table_of(&format!("Standings by {}", self.standings.by()), shown, false));
        let more =
            (more > 0).then(|| format!("{more} more: annals tournament standings {}", self.tournament));
        page.lines("", more.into_iter().collect())
    }
}

impl Answer for Overview {
    fn page(&self, zone: &TimeZone) -> Page {
        let mut facts = self.about();
        let round = self.round.map(|round| {
            let open = match self.open_boards.as_slice() {
                [] => "every board has its result".to_owned(),
                open => format!("no result yet: {}", open.join(", ")),
            };
            format!("{round}, {open}")
        });
        facts.push((
            "Stage",
            self.stage.map_or(Cell::Empty, |stage| Cell::Text(stage.word().replace('_', " "))),
        ));
        facts.push(("Round", round.map_or(Cell::Empty, Cell::Text)));
        facts.push(("Next", Cell::Text(self.next.words())));
        let page = Page::new(heading(&self.title, &self.cut, zone).trim_end())
            .facts(facts)
            .table(self.entrant_table());
        let findings = self
            .findings
            .iter()
            .map(|finding| format!("event {}: {} ({})", finding.seq, finding.message, finding.code));
        self.standing_lines(page)
            .table(self.schedule_table())
            .table(self.stage_table())
            .table(self.reading_table())
            .lines("Findings", findings.collect())
    }

    fn table(&self) -> Table {
        Table { title: String::new(), ..self.entrant_table() }.for_programs()
    }
}
