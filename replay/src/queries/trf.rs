//! A tournament in FIDE's format for tournament reports, TRF16: one line of fixed columns for each player. Gold is written
//! as white, Silver as black. The format names no encoding; the text is UTF-8, and a column is one character. What the format
//! cannot hold is a remark.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::Outcome;
use annals_events::{Micros, PlayerId};
use annals_report::misleads;
use annals_tournaments::{Board, Round, Tournament};
use jiff::tz::TimeZone;

use super::TournamentAt;
use super::standings::{self, StandingRow};
use crate::error::ReplayError;
use crate::event_history::When;
use crate::point::show;

/// The columns of a name.
const NAME: usize = 33;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trf {
    pub text: String,
    /// What the file cannot hold.
    pub remarks: Vec<String>,
}

/// # Errors
/// If the log cannot be read.
pub fn ask(opened: &TournamentAt<'_>, zone: &TimeZone) -> Result<Trf, ReplayError> {
    let tournament = opened.tournament();
    let rows = standings::ask(opened).rows;
    let numbers = starting_numbers(&rows);
    let mut remarks = Remarks::default();
    let days = Days { inexact: inexact(opened)?, zone };
    let mut lines = header(opened, rows.len(), &days);
    let mut players: Vec<&StandingRow> = rows.iter().collect();
    players.sort_by_key(|row| numbers.get(&row.player));
    for row in players {
        let entrant = tournament.entrants.get(&row.player);
        let name = printable(&row.name);
        if name != row.name || name.chars().count() > NAME {
            remarks.of(&row.player, "the name is shortened or written without control characters");
        }
        if !name.is_ascii() {
            remarks.of(
                &row.name,
                "the name is in UTF-8; a program that counts bytes reads the columns after it at other places",
            );
        }
        let name: String = name.chars().take(NAME).collect();
        let rating = entrant.and_then(|entrant| entrant.rating).filter(|rating| (0..=9999).contains(rating));
        let rating = rating.map_or(String::new(), |rating| rating.to_string());
        let number = numbers.get(&row.player).copied().unwrap_or(0);
        let points = format!("{}.{}", row.half_points / 2, if row.half_points % 2 == 1 { 5 } else { 0 });
        let country = entrant.and_then(|entrant| entrant.entry.fact.country.clone()).unwrap_or_default();
        let country: String = printable(&country).chars().take(3).collect();
        // Sex, title, number and date of birth of FIDE are empty.
        let mut line = format!(
            "001 {number:>4} {:4} {name:<NAME$} {rating:>4} {country:>3} {:11} {:10} {points:>4} {:>4}",
            "", "", "", row.rank
        );
        for (round, held) in &tournament.rounds {
            line.push_str(&played(held, *round, &row.player, &numbers, &mut remarks));
        }
        lines.push(line.trim_end().to_owned());
    }
    let twice = |round: &Round, player: &PlayerId| {
        round.boards.values().filter(|board| board.has(player)).count() > 1
    };
    let several = |round: &Round| rows.iter().any(|row| twice(round, &row.player));
    let mut whole = Vec::new();
    if tournament.rounds.values().any(several) {
        whole.push(
            "the file has one game of a player in a round, and an encounter has two: the others are left out, so the results \
             of a player do not add up to the points, which are those of the standings"
                .to_owned(),
        );
    }
    whole.extend(remarks.lines());
    whole.extend(days.remark(opened));
    whole.extend(lost(opened, &rows));
    Ok(Trf { text: lines.iter().map(|line| format!("{line}\n")).collect(), remarks: whole })
}

/// What a remark names at most, before the number of the others.
const NAMED: usize = 4;

/// Remarks, each once with what it is about.
#[derive(Default)]
struct Remarks(Vec<(&'static str, Vec<String>)>);

impl Remarks {
    fn of(&mut self, about: impl ToString, remark: &'static str) {
        match self.0.iter_mut().find(|(known, _)| *known == remark) {
            Some((_, all)) => all.push(about.to_string()),
            None => self.0.push((remark, vec![about.to_string()])),
        }
    }

    fn lines(self) -> impl Iterator<Item = String> {
        self.0.into_iter().map(|(remark, about)| {
            // One more than the limit is as short as its number.
            let named = if about.len() > NAMED + 1 { NAMED } else { about.len() };
            let more = match about.len() - named {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{}{more}: {remark}", about[..named].join(", "))
        })
    }
}

/// By seed, players without one last in the order of the standings.
fn starting_numbers(rows: &[StandingRow]) -> BTreeMap<PlayerId, usize> {
    let mut order: Vec<&StandingRow> = rows.iter().collect();
    order.sort_by_key(|row| row.seed.unwrap_or(u32::MAX));
    (1..).zip(order).map(|(number, row)| (row.player.clone(), number)).collect()
}

/// The times of events whose day is not stated.
fn inexact(opened: &TournamentAt<'_>) -> Result<BTreeSet<Micros>, ReplayError> {
    let events = opened.event_history()?.events;
    Ok(events.iter().filter(|said| !matches!(said.when(), When::At(_))).map(|said| said.at).collect())
}

struct Days<'z> {
    inexact: BTreeSet<Micros>,
    zone: &'z TimeZone,
}

impl Days<'_> {
    /// For example `2009/01/05`; none of a day that is not stated.
    fn of(&self, at: Option<Micros>) -> Option<String> {
        let at = show(at.filter(|at| !self.inexact.contains(at))?, self.zone);
        Some(at.chars().take(10).collect::<String>().replace('-', "/"))
    }

    fn remark(&self, opened: &TournamentAt<'_>) -> Option<String> {
        let tournament = opened.tournament();
        let known = [begun(tournament), tournament.closed_at];
        let is_unsaid = known.iter().flatten().any(|at| self.inexact.contains(at));
        is_unsaid.then(|| "the first or the last day is not stated, and is not in the file".to_owned())
    }
}

fn begun(tournament: &Tournament) -> Option<Micros> {
    tournament.rounds.values().find_map(|round| round.started_at)
}

fn header(opened: &TournamentAt<'_>, players: usize, days: &Days<'_>) -> Vec<String> {
    let tournament = opened.tournament();
    let announced = tournament.announced.as_ref();
    let lines = [
        ("012", announced.map(|announced| announced.name.clone())),
        ("022", announced.and_then(|announced| announced.site.clone())),
        ("042", days.of(begun(tournament))),
        ("052", days.of(tournament.closed_at)),
        ("062", Some(players.to_string())),
        ("092", announced.map(|announced| format!("{}, {}", announced.game.word(), announced.rulebook))),
        ("102", announced.and_then(|announced| announced.directors.first().cloned())),
        ("XXR", Some(tournament.rounds.len().to_string())),
    ];
    let line = |(code, text): (&str, Option<String>)| Some(format!("{code} {}", printable(&text?)));
    lines.into_iter().filter_map(line).collect()
}

/// Characters of one column each: those that end a line or change its direction become `?`.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || misleads(c) { '?' } else { c }).collect()
}

/// The ten columns of a round: opponent, colour and result.
fn played(
    round: &Round,
    number: u32,
    player: &PlayerId,
    numbers: &BTreeMap<PlayerId, usize>,
    remarks: &mut Remarks,
) -> String {
    let Some((at, board)) = round.boards.iter().find(|(_, board)| board.has(player)) else {
        let bye = round.byes.iter().find(|bye| bye.player == *player);
        return match bye.map(|bye| bye.half_points) {
            None => " ".repeat(10),
            Some(Some(1)) => "  0000 - H".to_owned(),
            Some(Some(0)) => "  0000 - Z".to_owned(),
            Some(_) => "  0000 - U".to_owned(),
        };
    };
    let opponent = numbers.get(board.other(player)).copied().unwrap_or(0);
    let colour = match (board.gold(), board.silver()) {
        (Some(gold), _) if gold == player => 'w',
        (_, Some(silver)) if silver == player => 'b',
        _ => '-',
    };
    let result = result(board, player);
    // Of the two players the first one has the remark.
    if board.players()[0] == player {
        let pairing = format!("r{number}.{at}");
        match board.outcome() {
            None => remarks.of(&pairing, "it has no result"),
            Some(Outcome::DoubleWin) => remarks.of(&pairing, "a double win is written as two wins"),
            Some(Outcome::NoDecision) => remarks.of(&pairing, "no decision is written as no result"),
            Some(Outcome::DoubleLoss) if !board.is_forfeit() => {
                remarks.of(&pairing, "a double loss is written as two losses");
            }
            Some(_) => {}
        }
        if board.ruled() {
            remarks.of(&pairing, "that a ruling decided it is not in the file");
        }
        if !board.set_aside.is_empty() {
            remarks.of(&pairing, "the file has the last game alone, others were set aside");
        }
        if colour == '-' {
            remarks.of(&pairing, "it has no colours");
        }
    }
    format!("  {opponent:>4} {colour} {result}")
}

fn result(board: &Board, player: &PlayerId) -> char {
    let has_won = match board.outcome() {
        None | Some(Outcome::NoDecision) => return ' ',
        Some(Outcome::Draw) => return '=',
        Some(Outcome::DoubleWin) => true,
        Some(Outcome::DoubleLoss) => false,
        Some(Outcome::Gold) => board.gold() == Some(player),
        Some(Outcome::Silver) => board.silver() == Some(player),
    };
    match (board.is_forfeit(), has_won) {
        (true, true) => '+',
        (true, false) => '-',
        (false, true) => '1',
        (false, false) => '0',
    }
}

/// What the whole file cannot hold.
fn lost(opened: &TournamentAt<'_>, rows: &[StandingRow]) -> Vec<String> {
    let tournament = opened.tournament();
    let mut lost = Vec::new();
    if tournament.published_table().is_some() {
        lost.push(
            "the rounds of a published table are not recorded, so the file has totals alone".to_owned(),
        );
    }
    if tournament.rulings.iter().any(|given| !given.ruling.reason.is_empty()) {
        lost.push("the rulings are not in the file".to_owned());
    }
    let missing = tournament.entrants.keys().filter(|player| !rows.iter().any(|row| row.player == **player));
    let missing = missing.map(PlayerId::to_string).collect::<Vec<_>>().join(", ");
    if !missing.is_empty() {
        lost.push(format!("entrants who played in no round are not in the file: {missing}"));
    }
    lost.push("Gold (White) is written as w, Silver (Black) as b".to_owned());
    lost
}
