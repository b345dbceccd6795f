//! A tournament on one page: announcement, readings, entrants, standings, what is next.

use std::collections::BTreeSet;

use annals_events::tournament::{Deadline, Stage, StagePlan};
use annals_events::{GameKind, PlayerId, PlayerKind};
use annals_report::{Cell, Document, Table, ToDocument};
use annals_tournaments::refusal::Remedy;
use annals_tournaments::rulebook::{ReadingFrom, ReadingInForce, option_key};
use annals_tournaments::{Entrant, check, formats, fund};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::heading::Heading;
use super::phase::Phase;
use super::standings::{self, StandingRow, Standings, table_of};
use super::tournament_at::TournamentAt;
use crate::finding::Finding;

/// Lines of the standings on the page.
const HEAD: usize = 10;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Overview {
    #[serde(flatten)]
    pub heading: Heading,
    pub state: Phase,
    pub game: Option<GameKind>,
    /// With edition.
    pub rulebook: Option<String>,
    pub series: Option<String>,
    pub year: Option<i32>,
    pub site: Option<String>,
    pub directors: Vec<String>,
    pub currency: Option<String>,
    /// In cents.
    pub fee: Option<u64>,
    /// The announced sum plus income minus refunds, in cents.
    pub fund: i64,
    /// The prizes, without returned ones, in cents.
    pub awarded: i64,
    /// The fund minus the prizes, in cents.
    pub fund_left: i64,
    /// Of ambiguous texts.
    pub readings: Vec<ReadingLine>,
    /// By time.
    pub schedule: Vec<Deadline>,
    pub stages: Vec<StagePlan>,
    /// By seed, then entry.
    pub entrants: Vec<EntrantLine>,
    /// Of the last round.
    pub stage: Option<Stage>,
    /// The last paired one.
    pub round: Option<u32>,
    /// Of that round, without result.
    pub open_boards: Vec<String>,
    pub standings: Standings,
    /// Where all are shown, worded by the program.
    #[serde(skip)]
    pub standings_hint: Option<String>,
    pub next: Next,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingLine {
    /// Its key in the announcement.
    pub option: String,
    /// In the register, as for `--option`; none if unknown.
    pub number: Option<String>,
    pub reading: String,
    /// In the register.
    pub letter: Option<String>,
    /// None if the number is unknown.
    pub about: Option<String>,
    /// Changed by a ruling.
    pub ruled: bool,
    /// Not announced: the edition's default.
    pub by_default: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntrantLine {
    pub player: PlayerId,
    pub name: String,
    pub kind: PlayerKind,
    pub seed: Option<u32>,
    /// As last recorded here.
    pub rating: Option<i32>,
    pub status: &'static str,
    /// Of a program.
    pub developers: Vec<String>,
    /// The digest of the present program.
    pub program: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    Over,
    Round {
        round: u32,
        stage: Stage,
        games: usize,
        /// Programs that have to be uploaded and tested before its first game.
        #[serde(skip_serializing_if = "is_zero")]
        untested: usize,
        #[serde(skip)]
        hint: Option<String>,
        #[serde(skip)]
        remedy: Remedy,
    },
    /// Something is to be done first, or nothing can be paired any more.
    Lacking {
        what: String,
        hint: Option<String>,
        /// As a value, for the program's wording.
        #[serde(skip)]
        remedy: Option<Remedy>,
    },
}

pub fn ask(opened: &TournamentAt<'_>) -> Overview {
    let tournament = opened.tournament();
    let announced = tournament.announced.as_ref();
    let mut schedule = announced.map(|announced| announced.schedule.clone()).unwrap_or_default();
    schedule.sort_by_key(|line| line.at);
    let mut stages = announced.map(|announced| announced.stages.clone()).unwrap_or_default();
    for plan in &mut stages {
        let declared = tournament.rounds_declared.get(&plan.stage);
        plan.rounds = declared.map(|noted| noted.fact.rounds).or(plan.rounds);
    }
    let mut entered: Vec<(&PlayerId, &Entrant)> = tournament.entrants.iter().collect();
    let seeds = tournament.seeds();
    entered.sort_by_key(|(player, entrant)| (seeds.get(player).copied().unwrap_or(u32::MAX), entrant.order));
    let line = |(player, entrant): (&PlayerId, &Entrant)| EntrantLine {
        player: player.clone(),
        name: entrant.name.clone(),
        kind: entrant.kind,
        seed: seeds.get(player).copied(),
        rating: entrant.rating,
        status: entrant.status().word(),
        developers: entrant.entry.fact.developers.clone(),
        program: entrant.program.digest().map(str::to_owned),
    };
    let last = tournament.rounds.last_key_value();
    let open_boards = last.map_or(Vec::new(), |(number, round)| {
        let open = round.boards.iter().filter(|(_, board)| board.outcome().is_none());
        open.map(|(board, _)| format!("r{number}.{board}")).collect()
    });
    let fund = fund::recorded(tournament);
    Overview {
        heading: opened.heading(Phase::of(tournament).word()),
        state: Phase::of(tournament),
        game: announced.map(|announced| announced.game),
        rulebook: announced.map(|announced| format!("{}, edition {}", announced.rulebook, announced.edition)),
        series: announced.and_then(|announced| announced.series.clone()),
        year: announced.and_then(|announced| announced.year),
        site: announced.and_then(|announced| announced.site.clone()),
        directors: announced.map(|announced| announced.directors.clone()).unwrap_or_default(),
        currency: announced.and_then(|announced| announced.currency.clone()),
        fee: announced.and_then(|announced| announced.fees.as_ref()).map(|fees| fees.registration),
        fund: fund.total,
        awarded: fund.awarded,
        fund_left: fund.left,
        readings: readings(opened),
        schedule,
        stages,
        entrants: entered.into_iter().map(line).collect(),
        stage: last.map(|(_, round)| round.stage),
        round: last.map(|(number, _)| *number),
        open_boards,
        standings: standings::ask(opened),
        standings_hint: None,
        next: next(opened),
        findings: opened.replay.findings().to_vec(),
    }
}

/// Readings in force of `texts`, in register order.
pub(super) fn readings_of(opened: &TournamentAt<'_>, texts: &[&str]) -> Vec<ReadingLine> {
    let in_force =
        opened.rulebook().map_or_else(|_| Vec::new(), |rulebook| rulebook.readings_of(opened.tournament()));
    in_force.iter().filter(|reading| texts.contains(&reading.number)).map(ReadingLine::of).collect()
}

/// Readings in force, then other options.
fn readings(opened: &TournamentAt<'_>) -> Vec<ReadingLine> {
    let tournament = opened.tournament();
    let in_force = opened.rulebook().map_or_else(|_| Vec::new(), |rulebook| rulebook.readings_of(tournament));
    let announced = tournament.announced.iter().flat_map(|announced| &announced.options);
    let others = announced.filter(|(option, _)| {
        in_force.iter().all(|reading| option_key(reading.number) != option_key(option))
    });
    let others = others.map(|(option, value)| ReadingLine {
        option: option.clone(),
        number: None,
        reading: value.clone(),
        letter: None,
        about: None,
        ruled: false,
        by_default: false,
    });
    in_force.iter().map(ReadingLine::of).chain(others).collect()
}

impl ReadingLine {
    fn of(reading: &ReadingInForce) -> ReadingLine {
        ReadingLine {
            option: option_key(reading.number),
            number: Some(reading.number.to_owned()),
            reading: reading.name.to_owned(),
            letter: Some(reading.letter.to_owned()),
            about: Some(reading.question.to_owned()),
            ruled: reading.from == ReadingFrom::Ruling,
            by_default: reading.from == ReadingFrom::Edition,
        }
    }

    /// With text, and the source unless announced.
    pub(super) fn in_words(&self) -> String {
        let number = self.number.as_deref().unwrap_or(&self.option);
        let about = self.about.as_deref().unwrap_or("an option of the announcement");
        let remark = self.remark().map(|remark| format!(" ({remark})")).unwrap_or_default();
        format!("{number}, {about}: {}{remark}", self.reading.replace('_', " "))
    }

    fn remark(&self) -> Option<&'static str> {
        match (self.ruled, self.by_default) {
            (true, _) => Some("by ruling"),
            (false, true) => Some("default of the edition, not as announced"),
            (false, false) => None,
        }
    }
}

fn next(opened: &TournamentAt<'_>) -> Next {
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
            let (round, stage, games) = (next.paired.round, next.paired.stage, next.paired.pairs.len());
            let remedy = if next.coins.is_empty() { Remedy::Pair } else { Remedy::PairWithSeed };
            let byes = next.paired.byes.iter().map(|bye| &bye.player);
            let players = next.paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]).chain(byes);
            let field: BTreeSet<&PlayerId> = players.collect();
            let entered = tournament.entrants.keys().filter(|player| field.contains(player));
            let untested = check::untested(tournament, rulebook, entered);
            Next::Round { round, stage, games, untested, hint: None, remedy }
        }
        Err(refusal)
            if refusal.next == Some(Remedy::Qualify)
                && rulebook.stage(Stage::Qualifier).is_some()
                && tournament.qualifying_games.is_empty() =>
        {
            let remedy = match tournament.benchmarks {
                None => Remedy::Benchmarks,
                Some(_) => Remedy::QualifyingGame,
            };
            let what = "no qualifying game is recorded".to_owned();
            Next::Lacking { what, hint: None, remedy: Some(remedy) }
        }
        Err(refusal) => {
            let refusal = fund::before_close(tournament, rulebook, refusal);
            Next::Lacking { what: refusal.to_string(), hint: None, remedy: refusal.next }
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Next {
    pub fn words(&self) -> String {
        match self {
            Next::Over => "nothing: it is closed".to_owned(),
            Next::Round { round, stage, games, untested, hint, .. } => {
                let games = if *games == 1 { "1 game".to_owned() } else { format!("{games} games") };
                let hint = hint.as_ref().map_or(String::new(), |hint| format!("; {hint}"));
                let programs = match untested {
                    0 => String::new(),
                    1 => "; before its first game 1 program has to be uploaded and tested".to_owned(),
                    more => format!("; before its first game {more} programs have to be uploaded and tested"),
                };
                let stage = stage.word().replace('_', " ");
                format!("round {round} ({stage}, {games}) can be paired{hint}{programs}")
            }
            Next::Lacking { what, hint: None, .. } => what.clone(),
            Next::Lacking { what, hint: Some(hint), .. } => format!("{what}; {hint}"),
        }
    }
}

pub(super) fn stage_cell(stage: Stage) -> Cell {
    Cell::Text(stage.word().replace('_', " "))
}

impl Overview {
    /// Sets the text of the next step.
    pub fn with_hint(mut self, words: impl Fn(&Remedy) -> Option<String>) -> Overview {
        match &mut self.next {
            Next::Lacking { hint, remedy: Some(remedy), .. } | Next::Round { hint, remedy, .. } => {
                *hint = words(remedy);
            }
            Next::Lacking { .. } | Next::Over => {}
        }
        self
    }

    pub(super) fn about(&self) -> Vec<(&'static str, Cell)> {
        let money = |cents: i64| Cell::Money(cents, self.currency.clone());
        let no_money = self.fund == 0 && self.currency.is_none();
        vec![
            ("Game", Cell::some(self.game)),
            ("Rulebook", Cell::some(self.rulebook.as_ref())),
            ("Series", Cell::some(self.series.as_ref())),
            ("Year", Cell::number(self.year)),
            ("Site", Cell::some(self.site.as_ref())),
            ("Director", Cell::Text(self.directors.join(", "))),
            ("Fee", self.fee.map_or(Cell::Empty, |cents| money(i64::try_from(cents).unwrap_or(i64::MAX)))),
            ("Fund", if no_money { Cell::Empty } else { money(self.fund) }),
            ("Awarded", if self.awarded == 0 { Cell::Empty } else { money(self.awarded) }),
            ("Left", if self.awarded == 0 { Cell::Empty } else { money(self.fund_left) }),
        ]
    }

    pub(super) fn reading_table(&self) -> Table {
        Table::of("Readings", &self.readings)
            .column("Text", |line| Cell::text(line.number.as_ref().unwrap_or(&line.option)))
            .column("Read as", |line| match &line.letter {
                Some(letter) => Cell::Text(format!("{letter}: {}", line.reading.replace('_', " "))),
                None => Cell::text(&line.reading),
            })
            .column("About", |line| Cell::some(line.about.as_ref()))
            .column("Remarks", |line| Cell::some(line.remark()))
            .table()
    }

    pub(super) fn schedule_table(&self) -> Table {
        Table::of("Schedule", &self.schedule)
            .column("At", |date| Cell::Time(date.at))
            .column("What", |date| Cell::Text(date.milestone.word().replace('_', " ")))
            .table()
    }

    pub(super) fn stage_table(&self) -> Table {
        Table::of("Stages", &self.stages)
            .column("Stage", |plan| stage_cell(plan.stage))
            .column("Time control", |plan| Cell::some(plan.time_control.as_ref()))
            .column("Rounds", |plan| Cell::number(plan.rounds))
            // Without a round all players are in the next stage.
            .column("Go on", |plan| Cell::number(plan.places.filter(|_| plan.rounds != Some(0))))
            .table()
    }

    pub(super) fn entrant_table(&self) -> Table {
        Table::of(format!("Entrants ({})", self.entrants.len()), &self.entrants)
            .column("Seed", |line| Cell::number(line.seed))
            .column("Name", |line| Cell::named(&line.name, &line.player))
            .column("Player", |line| Cell::named(&line.player, &line.player))
            .column("Kind", |line| Cell::text(line.kind.word()))
            .column("Rating", |line| Cell::number(line.rating))
            .column("Status", |line| Cell::some(Some(line.status).filter(|status| *status != "entered")))
            .column("Developers", |line| Cell::join(&line.developers, ", "))
            .column("Program", |line| Cell::some(line.program.as_ref()))
            .table()
    }

    fn standing_lines(&self, page: Document) -> Document {
        let rows: &[StandingRow] = &self.standings.rows;
        if self.round.is_none() {
            return page;
        }
        let shown = rows.get(..HEAD).unwrap_or(rows);
        let more = rows.len() - shown.len();
        let page = page.table(table_of(&format!("Standings by {}", self.standings.by()), shown, false));
        let all = self.standings_hint.as_ref().map_or(String::new(), |hint| format!(": {hint}"));
        let more = (more > 0).then(|| format!("{more} more{all}"));
        page.lines("", more.into_iter().collect())
    }
}

impl ToDocument for Overview {
    fn document(&self, zone: &TimeZone) -> Document {
        let mut facts = self.about();
        let round = self.round.map(|round| {
            let open = match self.open_boards.as_slice() {
                [] => "every board has its result".to_owned(),
                open => format!("no result yet: {}", open.join(", ")),
            };
            format!("{round}, {open}")
        });
        facts.push(("Stage", self.stage.map_or(Cell::Empty, stage_cell)));
        facts.push(("Round", Cell::some(round)));
        facts.push(("Next", Cell::Text(self.next.words())));
        facts.extend(self.standings.about_places());
        let page = self.heading.document(zone).facts(facts).table(self.entrant_table());
        self.standing_lines(page)
            .table(self.schedule_table())
            .table(self.stage_table())
            .table(self.reading_table())
            .lines("Findings", self.findings.iter().map(ToString::to_string).collect())
    }

    fn table(&self) -> Table {
        self.entrant_table().untitled().for_programs()
    }
}
