//! One tournament as it is shown: entrants, rounds with their boards, the score, rulings, money, the close.

use std::collections::BTreeMap;

use annals_events::tournament::Outcome;
use annals_events::{GameId, GameKind, Micros, PlayerId, PlayerKind, StreamName, Termination};
use annals_tournaments::{Board, Round, RulingInForce, standings};
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
    /// The tournament's stream.
    pub stream: StreamName,
    /// The point that is shown.
    pub cut: Cut,
    /// How many of its events stand there.
    pub events: u64,
    /// The name as it is shown.
    pub name: Option<String>,
    /// Which game is played.
    pub game: Option<GameKind>,
    /// The rulebook with its edition.
    pub rulebook: Option<String>,
    /// Where it is played.
    pub site: Option<String>,
    /// Who directs it.
    pub directors: Vec<String>,
    /// Who entered, by identity.
    pub entrants: BTreeMap<PlayerId, EntrantView>,
    /// The rounds, by number.
    pub rounds: BTreeMap<u32, RoundView>,
    /// The score, best first: what every rulebook begins with, without its tie-breaks.
    pub standings: Vec<ScoreView>,
    /// The rulings, in the order in which they were given.
    pub rulings: Vec<RulingView>,
    /// The appeals.
    pub appeals: Vec<AppealView>,
    /// How many disputes were filed.
    pub disputes: usize,
    /// How many bans stand.
    pub bans: usize,
    /// What is in the fund, in cents.
    pub fund: i64,
    /// The currency.
    pub currency: Option<String>,
    /// The close.
    pub closed: Option<ClosedView>,
    /// What does not follow.
    pub findings: Vec<Finding>,
}

/// One who entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntrantView {
    /// The name to show.
    pub name: String,
    /// Human or program.
    pub kind: PlayerKind,
    /// Rating as last recorded.
    pub rating: Option<i32>,
    /// Seed.
    pub seed: Option<u32>,
    /// `entered`, `invited`, `withdrawn`, `disqualified`.
    pub status: &'static str,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundView {
    /// Its stage.
    pub stage: &'static str,
    /// When its first game began.
    pub started_at: Option<Micros>,
    /// Whether it was inferred from games.
    pub inferred: bool,
    /// Whether every board has its result.
    pub over: bool,
    /// The boards, by number.
    pub boards: BTreeMap<u32, BoardOfRound>,
    /// Who has a bye.
    pub byes: Vec<ByeView>,
}

/// One board of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardOfRound {
    /// Who plays Gold; none while that is open.
    pub gold: Option<PlayerId>,
    /// Who plays Silver; none while that is open.
    pub silver: Option<PlayerId>,
    /// The player named first in the pairing.
    pub upper: PlayerId,
    /// The player named second.
    pub lower: PlayerId,
    /// The result that holds.
    pub outcome: Option<Outcome>,
    /// How it came about.
    pub termination: Option<Termination>,
    /// Whether the result is a ruling's.
    pub ruled: bool,
    /// Whether play is halted by a ruling.
    pub halted: bool,
    /// The time that was fixed for the game.
    pub scheduled_at: Option<Micros>,
    /// Whether somebody claimed a forfeit.
    pub forfeit_claimed: bool,
    /// The games that are attempts at it, by number of the attempt.
    pub games: BTreeMap<u32, GameId>,
}

/// A bye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByeView {
    /// Who has it.
    pub player: PlayerId,
    /// What it is worth, in half points, where the pairing says so.
    pub half_points: Option<u32>,
}

/// A player's score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoreView {
    /// The player.
    pub player: PlayerId,
    /// Half points.
    pub half_points: u32,
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Byes.
    pub byes: u32,
}

/// A ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingView {
    /// Its number.
    pub number: u32,
    /// When it was given.
    pub at: Micros,
    /// What it does, as it stands in the event.
    pub effect: serde_json::Value,
    /// Why.
    pub reason: String,
    /// The ruling that took its place; none while it is in force.
    pub superseded_by: Option<u32>,
}

/// An appeal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppealView {
    /// Its number.
    pub number: u32,
    /// Who appealed.
    pub by: PlayerId,
    /// Whether it was decided.
    pub decided: bool,
}

/// The close.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClosedView {
    /// When.
    pub at: Option<Micros>,
    /// The final order.
    pub places: Vec<PlaceView>,
}

/// A place in the final order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlaceView {
    /// The player.
    pub player: PlayerId,
    /// The place, from 1.
    pub place: u32,
    /// The titles won.
    pub titles: Vec<String>,
}

impl TournamentView {
    /// What is shown of a tournament.
    #[must_use]
    pub fn of(stream: &StreamName, replay: &TournamentReplay, cut: &Cut) -> TournamentView {
        let tournament = &replay.tournament;
        let announced = tournament.announced.as_ref();
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
                .map(|(player, entrant)| {
                    let view = EntrantView {
                        name: entrant.name.clone(),
                        kind: entrant.kind,
                        rating: entrant.rating,
                        seed: entrant.seed,
                        status: entrant.status.word(),
                    };
                    (player.clone(), view)
                })
                .collect(),
            rounds: tournament.rounds.iter().map(|(number, round)| (*number, RoundView::of(round))).collect(),
            standings: standings(tournament)
                .into_iter()
                .map(|(player, score)| ScoreView {
                    player,
                    half_points: score.half_points,
                    won: score.won,
                    drawn: score.drawn,
                    lost: score.lost,
                    byes: score.byes,
                })
                .collect(),
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
                places: closed
                    .places
                    .iter()
                    .map(|place| PlaceView {
                        player: place.player.clone(),
                        place: place.place,
                        titles: place.titles.clone(),
                    })
                    .collect(),
            }),
            findings: replay.findings().to_vec(),
        }
    }

    fn name_of<'v>(&'v self, player: &'v PlayerId) -> &'v str {
        self.entrants.get(player).map_or(player.as_str(), |entrant| entrant.name.as_str())
    }

    pub(super) fn render(&self, zone: &TimeZone) -> String {
        let what = match &self.name {
            Some(name) => format!("{name} ({})", self.stream),
            None => self.stream.to_string(),
        };
        let mut out = text::heading(&what, &self.cut, zone);
        if let Some(game) = self.game {
            text::line(&mut out, "Game", game);
        }
        if let Some(rulebook) = &self.rulebook {
            text::line(&mut out, "Rulebook", rulebook);
        }
        if let Some(site) = &self.site {
            text::line(&mut out, "Site", site);
        }
        if !self.directors.is_empty() {
            text::line(&mut out, "Director", self.directors.join(", "));
        }
        text::line(&mut out, "Events", self.events);
        if self.fund != 0 || self.currency.is_some() {
            text::line(&mut out, "Fund", text::money(self.fund, self.currency.as_deref()));
        }
        let entrants: Vec<Vec<String>> = self
            .entrants
            .iter()
            .map(|(player, entrant)| {
                vec![
                    entrant.seed.map_or(String::new(), |seed| format!("{seed}.")),
                    entrant.name.clone(),
                    player.to_string(),
                    entrant.kind.word().to_owned(),
                    entrant.rating.map_or(String::new(), |rating| rating.to_string()),
                    if entrant.status == "entered" { String::new() } else { entrant.status.to_owned() },
                ]
            })
            .collect();
        text::list(&mut out, "Entrants", &text::columns(&entrants));
        for (number, round) in &self.rounds {
            let started = match round.started_at {
                Some(at) => format!("started {}", show(at, zone)),
                None => "not started".to_owned(),
            };
            let inferred = if round.inferred { ", inferred from its games" } else { "" };
            let title = format!("Round {number} ({}, {started}{inferred})", round.stage);
            text::list(&mut out, &title, &text::columns(&self.rows_of(round, zone)));
        }
        let scores: Vec<Vec<String>> = self
            .standings
            .iter()
            .map(|score| {
                vec![
                    text::points(score.half_points),
                    self.name_of(&score.player).to_owned(),
                    format!("+{} ={} -{}", score.won, score.drawn, score.lost),
                    if score.byes > 0 { format!("byes {}", score.byes) } else { String::new() },
                ]
            })
            .collect();
        text::list(&mut out, "Score (before tie-breaks)", &text::columns(&scores));
        let rulings: Vec<String> = self.rulings.iter().map(|ruling| ruling.words(zone)).collect();
        text::list(&mut out, "Rulings", &rulings);
        let appeals: Vec<String> = self
            .appeals
            .iter()
            .map(|appeal| {
                let state = if appeal.decided { "decided" } else { "open" };
                format!("{} by {}: {state}", appeal.number, self.name_of(&appeal.by))
            })
            .collect();
        text::list(&mut out, "Appeals", &appeals);
        if let Some(closed) = &self.closed {
            let places: Vec<String> = closed
                .places
                .iter()
                .map(|place| {
                    let titles = if place.titles.is_empty() {
                        String::new()
                    } else {
                        format!(", {}", place.titles.join(", "))
                    };
                    format!("{}. {}{titles}", place.place, self.name_of(&place.player))
                })
                .collect();
            text::list(&mut out, &format!("Closed {}", text::time(closed.at, zone)), &places);
        }
        text::findings(&mut out, &self.findings);
        out
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
            let worth = bye.half_points.map_or(String::new(), |half| format!(" ({})", text::points(half)));
            rows.push(vec!["bye".to_owned(), format!("{}{worth}", self.name_of(&bye.player))]);
        }
        rows
    }
}

impl RoundView {
    fn of(round: &Round) -> RoundView {
        let byes = round
            .byes
            .iter()
            .map(|bye| ByeView { player: bye.player.clone(), half_points: bye.half_points })
            .collect();
        RoundView {
            stage: round.stage.word(),
            started_at: round.started_at,
            inferred: round.inferred,
            over: round.is_over(),
            boards: round.boards.iter().map(|(number, board)| (*number, BoardOfRound::of(board))).collect(),
            byes,
        }
    }
}

impl BoardOfRound {
    fn of(board: &Board) -> BoardOfRound {
        BoardOfRound {
            gold: board.gold.clone(),
            silver: board.silver().cloned(),
            upper: board.upper.clone(),
            lower: board.lower.clone(),
            outcome: board.outcome,
            termination: board.termination,
            ruled: board.ruled,
            halted: board.halted,
            scheduled_at: board.scheduled_at,
            forfeit_claimed: board.forfeit_claimed,
            games: board.games.clone(),
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
