//! One tournament as it is shown: entrants, rounds with their boards, the score, rulings, money, the close.

use std::collections::BTreeMap;

use annals_events::tournament::{Bye, Outcome, Placing};
use annals_events::{GameId, GameKind, Micros, PlayerId, PlayerKind, StreamName, Termination};
use annals_report::{Cell, Page, points};
use annals_tournaments::record::Record;
use annals_tournaments::{Board, Entrant, Round, RulingInForce, standings};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::text;
use crate::cut::Cut;
use crate::finding::Finding;
use crate::point::show;
use crate::tournament::TournamentReplay;

/// One tournament at a cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TournamentView {
    pub stream: StreamName,
    /// The point that is shown.
    pub cut: Cut,
    /// How many of its events stand there.
    pub events: u64,
    pub name: Option<String>,
    pub game: Option<GameKind>,
    /// The rulebook with its edition.
    pub rulebook: Option<String>,
    pub site: Option<String>,
    pub directors: Vec<String>,
    pub entrants: BTreeMap<PlayerId, EntrantView>,
    pub rounds: BTreeMap<u32, RoundView>,
    /// The score, best first: what every rulebook begins with, without its tie-breaks.
    pub standings: Vec<ScoreView>,
    /// The rulings, in the order in which they were given.
    pub rulings: Vec<RulingView>,
    pub appeals: Vec<AppealView>,
    /// How many disputes were filed.
    pub disputes: usize,
    pub bans: usize,
    /// What is in the fund, in cents.
    pub fund: i64,
    pub currency: Option<String>,
    pub closed: Option<ClosedView>,
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntrantView {
    pub name: String,
    pub kind: PlayerKind,
    pub rating: Option<i32>,
    pub seed: Option<u32>,
    pub status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundView {
    pub stage: &'static str,
    pub started_at: Option<Micros>,
    pub inferred: bool,
    pub over: bool,
    pub boards: BTreeMap<u32, BoardOfRound>,
    pub byes: Vec<ByeView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardOfRound {
    pub gold: Option<PlayerId>,
    pub silver: Option<PlayerId>,
    pub upper: PlayerId,
    pub lower: PlayerId,
    pub outcome: Option<Outcome>,
    pub termination: Option<Termination>,
    pub ruled: bool,
    pub halted: bool,
    pub scheduled_at: Option<Micros>,
    pub forfeit_claimed: bool,
    pub games: BTreeMap<u32, GameId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByeView {
    pub player: PlayerId,
    pub half_points: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoreView {
    pub player: PlayerId,
    pub half_points: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub byes: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingView {
    pub number: u32,
    pub at: Micros,
    pub effect: serde_json::Value,
    pub reason: String,
    pub superseded_by: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppealView {
    pub number: u32,
    pub by: PlayerId,
    pub decided: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClosedView {
    pub at: Option<Micros>,
    pub places: Vec<PlaceView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlaceView {
    pub player: PlayerId,
    pub place: u32,
    pub titles: Vec<String>,
}

impl TournamentView {
    /// What is shown of a tournament.
    #[must_use]
    pub fn of(stream: &StreamName, replay: &TournamentReplay, cut: &Cut) -> TournamentView {
        let tournament = &replay.tournament;
        let announced = tournament.announced.as_ref();
        let entrant = |entrant: &Entrant| EntrantView {
            name: entrant.name.clone(),
            kind: entrant.kind,
            rating: entrant.rating,
            seed: entrant.seed,
            status: entrant.status.word(),
        };
        let score = |(player, score): (PlayerId, Record)| {
            let Record { wins: won, draws: drawn, losses: lost, byes, half_points, .. } = score;
            ScoreView { player, half_points, won, drawn, lost, byes }
        };
        let place = |place: &Placing| PlaceView {
            player: place.player.clone(),
            place: place.place,
            titles: place.titles.clone(),
        };
        TournamentView {
            stream: stream.clone(),
            cut: *cut,
            events: tournament.events,
            name: announced.map(|announced| announced.name.clone()),
            game: announced.map(|announced| announced.game),
            rulebook: announced
                .map(|announced| format!("{}, edition {}", announced.rulebook, announced.edition)),
            site: announced.and_then(|announced| announced.site.clone()),
            directors: announced.map(|announced| announced.directors.clone()).unwrap_or_default(),
            entrants: tournament
                .entrants
                .iter()
                .map(|(player, one)| (player.clone(), entrant(one)))
                .collect(),
            rounds: tournament.rounds.iter().map(|(number, round)| (*number, RoundView::of(round))).collect(),
            standings: standings(tournament).into_iter().map(score).collect(),
            rulings: tournament.rulings.iter().map(RulingView::of).collect(),
            appeals: tournament
                .appeals
                .iter()
                .map(|(appeal, answer)| AppealView {
                    number: appeal.fact.number,
                    by: appeal.fact.by.clone(),
                    decided: answer.is_some(),
                })
                .collect(),
            disputes: tournament.disputes.len(),
            bans: tournament.bans.len(),
            fund: tournament.fund(),
            currency: announced.and_then(|announced| announced.currency.clone()),
            closed: tournament.closed.as_ref().map(|closed| ClosedView {
                at: tournament.closed_at,
                places: closed.places.iter().map(place).collect(),
            }),
            findings: replay.findings().to_vec(),
        }
    }

    fn name_of<'v>(&'v self, player: &'v PlayerId) -> &'v str {
        self.entrants.get(player).map_or(player.as_str(), |entrant| entrant.name.as_str())
    }

    pub(super) fn page(&self, zone: &TimeZone) -> Page {
        let what = match &self.name {
            Some(name) => format!("{name} ({})", self.stream),
            None => self.stream.to_string(),
        };
        let no_money = self.fund == 0 && self.currency.is_none();
        let mut page = Page::new(text::heading(&what, &self.cut, zone).trim_end())
            .facts(vec![
                ("Game", Cell::some(self.game)),
                ("Rulebook", Cell::some(self.rulebook.as_ref())),
                ("Site", Cell::some(self.site.as_ref())),
                ("Director", Cell::join(&self.directors, ", ")),
                ("Events", Cell::count(self.events)),
                ("Fund", if no_money { Cell::Empty } else { Cell::Money(self.fund, self.currency.clone()) }),
            ])
            .lines("Entrants", text::columns(&self.entrants.iter().map(entrant_row).collect::<Vec<_>>()));
        for (number, round) in &self.rounds {
            let started = match round.started_at {
                Some(at) => format!("started {}", show(at, zone)),
                None => "not started".to_owned(),
            };
            let inferred = if round.inferred { ", inferred from its games" } else { "" };
            let title = format!("Round {number} ({}, {started}{inferred})", round.stage);
            page = page.lines(title, text::columns(&self.rows_of(round, zone)));
        }
        let score = |score: &ScoreView| {
            vec![
                points(score.half_points),
                self.name_of(&score.player).to_owned(),
                format!("+{} ={} -{}", score.won, score.drawn, score.lost),
                if score.byes > 0 { format!("byes {}", score.byes) } else { String::new() },
            ]
        };
        let scores: Vec<Vec<String>> = self.standings.iter().map(score).collect();
        let appeal = |appeal: &AppealView| {
            let state = if appeal.decided { "decided" } else { "open" };
            format!("{} by {}: {state}", appeal.number, self.name_of(&appeal.by))
        };
        page = page
            .lines("Score (before tie-breaks)", text::columns(&scores))
            .lines("Rulings", self.rulings.iter().map(|ruling| ruling.words(zone)).collect())
            .lines("Appeals", self.appeals.iter().map(appeal).collect());
        if let Some(closed) = &self.closed {
            let place = |place: &PlaceView| {
                let titles: String = place.titles.iter().map(|title| format!(", {title}")).collect();
                format!("{}. {}{titles}", place.place, self.name_of(&place.player))
            };
            let title = format!("Closed {}", text::time(closed.at, zone));
            page = page.lines(title, closed.places.iter().map(place).collect());
        }
        page.lines("Findings", text::findings(&self.findings))
    }

    fn rows_of(&self, round: &RoundView, zone: &TimeZone) -> Vec<Vec<String>> {
        let word = |outcome: Outcome| outcome.word_in(self.game.unwrap_or(GameKind::Arimaa));
        let mut rows: Vec<Vec<String>> = round
            .boards
            .iter()
            .map(|(number, board)| {
                let (first, second) = match (&board.gold, &board.silver) {
                    (Some(gold), Some(silver)) => (gold, silver),
                    _ => (&board.upper, &board.lower),
                };
                let colours = if board.gold.is_some() { "-" } else { "? (colours open)" };
                let mut result = match (board.outcome, board.termination) {
                    (Some(outcome), Some(how)) => format!("{} ({how})", word(outcome)),
                    (Some(outcome), None) => word(outcome).to_owned(),
                    (None, _) => board
                        .scheduled_at
                        .map_or("no result".to_owned(), |at| format!("scheduled {}", show(at, zone))),
                };
                for (holds, words) in [
                    (board.ruled, "by ruling"),
                    (board.halted, "halted"),
                    (board.forfeit_claimed, "forfeit claimed"),
                ] {
                    if holds {
                        result += &format!(", {words}");
                    }
                }
                let games: Vec<&str> = board.games.values().map(GameId::as_str).collect();
                vec![
                    format!("{number}."),
                    self.name_of(first).to_owned(),
                    colours.to_owned(),
                    self.name_of(second).to_owned(),
                    result,
                    games.join(" "),
                ]
            })
            .collect();
        for bye in &round.byes {
            let worth = bye.half_points.map_or(String::new(), |half| format!(" ({})", points(half)));
            rows.push(vec!["bye".to_owned(), format!("{}{worth}", self.name_of(&bye.player))]);
        }
        rows
    }
}

fn entrant_row((player, entrant): (&PlayerId, &EntrantView)) -> Vec<String> {
    vec![
        entrant.seed.map_or(String::new(), |seed| format!("{seed}.")),
        entrant.name.clone(),
        player.to_string(),
        entrant.kind.word().to_owned(),
        entrant.rating.map_or(String::new(), |rating| rating.to_string()),
        if entrant.status == "entered" { String::new() } else { entrant.status.to_owned() },
    ]
}

impl RoundView {
    fn of(round: &Round) -> RoundView {
        let bye = |bye: &Bye| ByeView { player: bye.player.clone(), half_points: bye.half_points };
        let board = |board: &Board| BoardOfRound {
            gold: board.gold().cloned(),
            silver: board.silver().cloned(),
            upper: board.upper().clone(),
            lower: board.lower().clone(),
            outcome: board.outcome(),
            termination: board.termination(),
            ruled: board.ruled(),
            halted: board.halted(),
            scheduled_at: board.scheduled_at(),
            forfeit_claimed: board.claim.is_some(),
            games: board.games.clone(),
        };
        RoundView {
            stage: round.stage.word(),
            started_at: round.started_at,
            inferred: round.inferred,
            over: round.is_over(),
            boards: round.boards.iter().map(|(number, one)| (*number, board(one))).collect(),
            byes: round.byes.iter().map(bye).collect(),
        }
    }
}

impl RulingView {
    fn of(given: &RulingInForce) -> RulingView {
        RulingView {
            number: given.ruling.number,
            at: given.at,
            effect: serde_json::to_value(&given.ruling.effect).unwrap_or(serde_json::Value::Null),
            reason: given.ruling.reason.clone(),
            superseded_by: given.superseded_by,
        }
    }

    fn words(&self, zone: &TimeZone) -> String {
        let effect = match &self.effect {
            serde_json::Value::String(word) => word.clone(),
            serde_json::Value::Object(members) => members
                .iter()
                .map(|(what, value)| format!("{} {value}", what.replace('_', " ")))
                .collect::<Vec<_>>()
                .join(", "),
            other => other.to_string(),
        };
        let state = match self.superseded_by {
            Some(number) => format!(" (ruling {number} took its place)"),
            None => String::new(),
        };
        format!("{}. {}: {effect}. {}{state}", self.number, show(self.at, zone), self.reason)
    }
}
