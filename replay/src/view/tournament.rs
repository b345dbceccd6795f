//! A tournament as a view: entrants, rounds with boards, score, rulings, money, close.

use std::collections::BTreeMap;

use annals_events::narrative::{self, Narrator};
use annals_events::tournament::{Outcome, Placing};
use annals_events::{Entry, Event, GameKind, PlayerId, StreamName, TournamentEvent};
use annals_report::{Cell, Document, Table, points};
use annals_tournaments::record::Record;
use annals_tournaments::{Board, Entrant, Round, RulingInForce, Tournament, fund, standings};
use jiff::tz::TimeZone;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::text;
use crate::cut::Cut;
use crate::finding::Finding;
use crate::point::show;
use crate::queries::{
    Person, rulebook_of,
    standings::{StandingRow, cell_of, has_column, ranked_rows},
};
use crate::tournament::TournamentReplay;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentView {
    pub stream: StreamName,
    pub cut: Cut,
    tournament: Tournament,
    bans: usize,
    pub findings: Vec<Finding>,
}

impl Serialize for TournamentView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl TournamentView {
    pub fn of(stream: &StreamName, replay: TournamentReplay, cut: &Cut) -> TournamentView {
        let (findings, bans) = (replay.findings().to_vec(), replay.bans.0.len());
        TournamentView { stream: stream.clone(), cut: *cut, tournament: replay.tournament, bans, findings }
    }

    pub(crate) const fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    pub(crate) const fn tournament_mut(&mut self) -> &mut Tournament {
        &mut self.tournament
    }

    /// Members for programs; `events` is the number of counting events.
    fn value(&self) -> Value {
        let tournament = &self.tournament;
        let announced = tournament.announced.as_ref();
        let seeds = tournament.seeds();
        let entrant = |(player, entrant): (&PlayerId, &Entrant)| {
            let value = json!({
                "name": entrant.name,
                "kind": entrant.kind,
                "rating": entrant.rating,
                "seed": seeds.get(player),
                "status": entrant.status().word(),
            });
            (player.to_string(), value)
        };
        let rulebook = rulebook_of(tournament);
        let scores = ranked_rows(tournament, rulebook.as_ref().map_err(Clone::clone)).rows;
        let score = |row: &StandingRow| {
            json!({
                "player": row.player,
                "rank": row.rank,
                "place": row.place,
                "half_points": row.half_points,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
                "byes": row.byes,
                "tie_breaks": tie_breaks(row),
            })
        };
        let ruling = |given: &RulingInForce| {
            json!({
                "number": given.ruling.number,
                "at": given.at,
                "effect": given.ruling.effect,
                "reason": given.ruling.reason,
                "superseded_by": given.superseded_by,
            })
        };
        let appeals = tournament.appeals.iter().map(|(appeal, answer)| {
            json!({ "number": appeal.fact.number, "by": appeal.fact.by, "decided": answer.is_some() })
        });
        let place =
            |place: &Placing| json!({ "player": place.player, "place": place.place, "titles": place.titles });
        let closed = tournament.closed.as_ref().map(|closed| {
            json!({
                "at": tournament.closed_at,
                "places": closed.places.iter().map(place).collect::<Vec<_>>(),
            })
        });
        json!({
            "stream": self.stream,
            "cut": self.cut,
            "events": tournament.events,
            "name": announced.map(|announced| &announced.name),
            "game": announced.map(|announced| announced.game),
            "rulebook": self.rulebook(),
            "site": announced.and_then(|announced| announced.site.as_ref()),
            "directors": self.directors(),
            "entrants": tournament.entrants.iter().map(entrant).collect::<BTreeMap<_, _>>(),
            "rounds": tournament.rounds.iter().map(round_value).collect::<BTreeMap<_, _>>(),
            "standings": scores.iter().map(score).collect::<Vec<_>>(),
            "rulings": tournament.rulings.iter().map(ruling).collect::<Vec<_>>(),
            "appeals": appeals.collect::<Vec<_>>(),
            "disputes": tournament.disputes.len(),
            "bans": self.bans,
            "fund": fund::recorded(tournament).total,
            "fund_left": fund::recorded(tournament).left,
            "currency": announced.and_then(|announced| announced.currency.as_ref()),
            "closed": closed,
            "findings": self.findings,
        })
    }

    /// With edition.
    fn rulebook(&self) -> Option<String> {
        let announced = self.tournament.announced.as_ref()?;
        Some(format!("{}, edition {}", announced.rulebook, announced.edition))
    }

    fn directors(&self) -> &[String] {
        self.tournament.announced.as_ref().map_or(&[], |announced| &announced.directors)
    }

    fn name_of(&self, player: &PlayerId) -> String {
        Person::of(&self.tournament, player).name
    }

    pub(super) fn document(&self, zone: &TimeZone) -> Document {
        let tournament = &self.tournament;
        let announced = tournament.announced.as_ref();
        let game = announced.map_or(GameKind::Arimaa, |announced| announced.game);
        let what = match announced {
            Some(announced) => format!("{} ({})", announced.name, self.stream),
            None => self.stream.to_string(),
        };
        let currency = announced.and_then(|announced| announced.currency.clone());
        let fund = fund::recorded(tournament).total;
        let no_money = fund == 0 && currency.is_none();
        let seeds = tournament.seeds();
        let entrant = |(player, entrant): (&PlayerId, &Entrant)| {
            let status = entrant.status().word();
            vec![
                Cell::some(seeds.get(player).map(|seed| format!("{seed}."))),
                Cell::text(&entrant.name),
                Cell::text(player),
                Cell::text(entrant.kind.word()),
                Cell::some(entrant.rating),
                Cell::some(Some(status).filter(|status| *status != "entered")),
            ]
        };
        let mut page = Document::new(text::heading(&what, &self.cut, zone))
            .facts(vec![
                ("Game", Cell::some(announced.map(|announced| announced.game))),
                ("Rulebook", Cell::some(self.rulebook())),
                ("Site", Cell::some(announced.and_then(|announced| announced.site.as_ref()))),
                ("Director", Cell::join(self.directors(), ", ")),
                ("Events", Cell::count(tournament.events)),
                ("Fund", if no_money { Cell::Empty } else { Cell::Money(fund, currency) }),
            ])
            .table(Table::bare("Entrants", tournament.entrants.iter().map(entrant).collect()));
        for (number, round) in &tournament.rounds {
            let started = match round.started_at {
                Some(at) => format!("started {}", show(at, zone)),
                None => "not started".to_owned(),
            };
            let inferred = if round.inferred { ", inferred from its games" } else { "" };
            let stage = round.stage.word().replace('_', " ");
            let title = format!("Round {number} ({stage}, {started}{inferred})");
            page = page.table(Table::bare(title, self.rows_of(round, zone)));
        }
        let score = |(player, score): (PlayerId, Record)| {
            vec![
                Cell::text(points(score.half_points)),
                Cell::text(self.name_of(&player)),
                Cell::text(format!("+{} ={} -{}", score.wins, score.draws, score.losses)),
                Cell::some((score.byes > 0).then(|| format!("byes {}", score.byes))),
            ]
        };
        let scores = standings(tournament).into_iter().map(score).collect();
        let appeals = tournament.appeals.iter().map(|(appeal, answer)| {
            let state = if answer.is_some() { "decided" } else { "open" };
            format!("{} by {}: {state}", appeal.fact.number, self.name_of(&appeal.fact.by))
        });
        page = page
            .table(Table::bare("Score (before tie-breaks)", scores))
            .lines(
                "Rulings",
                tournament.rulings.iter().map(|ruling| ruling_words(ruling, game, zone)).collect(),
            )
            .lines("Appeals", appeals.collect());
        if let Some(closed) = &tournament.closed {
            let place = |place: &Placing| {
                let titles: String = place.titles.iter().map(|title| format!(", {title}")).collect();
                format!("{}. {}{titles}", place.place, self.name_of(&place.player))
            };
            let title = format!("Closed {}", text::time(tournament.closed_at, zone));
            page = page.lines(title, closed.places.iter().map(place).collect());
        }
        page.lines("Findings", text::findings(&self.findings))
    }

    fn rows_of(&self, round: &Round, zone: &TimeZone) -> Vec<Vec<Cell>> {
        let game = self.tournament.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game);
        let word = |outcome: Outcome| outcome.word_in(game);
        let board = |(number, board): (&u32, &Board)| {
            let (first, second) = board.gold().zip(board.silver()).unwrap_or((board.upper(), board.lower()));
            let colours = if board.gold().is_some() { "-" } else { "? (colours open)" };
            let mut result = match (board.outcome(), board.termination()) {
                (Some(outcome), Some(how)) => format!("{} ({})", word(outcome), narrative::ending(how)),
                (Some(outcome), None) => word(outcome).to_owned(),
                (None, _) => board
                    .scheduled_at()
                    .map_or("no result".to_owned(), |at| format!("scheduled {}", show(at, zone))),
            };
            for (holds, words) in [
                (board.ruled(), "by ruling"),
                (board.halted(), "halted"),
                (board.claim.is_some(), "forfeit claimed"),
            ] {
                if holds {
                    result += &format!(", {words}");
                }
            }
            vec![
                Cell::Text(format!("{number}.")),
                Cell::Text(self.name_of(first)),
                Cell::text(colours),
                Cell::Text(self.name_of(second)),
                Cell::Text(result),
                Cell::join(board.games.values(), " "),
            ]
        };
        let byes = round.byes.iter().map(|bye| {
            let worth = bye.half_points.map_or(String::new(), |half| format!(" ({})", points(half)));
            vec![Cell::text("bye"), Cell::Text(format!("{}{worth}", self.name_of(&bye.player)))]
        });
        round.boards.iter().map(board).chain(byes).collect()
    }
}

fn round_value((number, round): (&u32, &Round)) -> (u32, Value) {
    let board = |(number, board): (&u32, &Board)| {
        let value = json!({
            "gold": board.gold(),
            "silver": board.silver(),
            "upper": board.upper(),
            "lower": board.lower(),
            "outcome": board.outcome(),
            "termination": board.termination(),
            "ruled": board.ruled(),
            "halted": board.halted(),
            "scheduled_at": board.scheduled_at(),
            "forfeit_claimed": board.claim.is_some(),
            "games": board.games,
        });
        (*number, value)
    };
    let byes = round.byes.iter().map(|bye| json!({ "player": bye.player, "half_points": bye.half_points }));
    let value = json!({
        "stage": round.stage.word(),
        "started_at": round.started_at,
        "inferred": round.inferred,
        "over": round.is_over(),
        "boards": round.boards.iter().map(board).collect::<BTreeMap<_, _>>(),
        "byes": byes.collect::<Vec<_>>(),
    });
    (*number, value)
}

fn ruling_words(given: &RulingInForce, game: GameKind, zone: &TimeZone) -> String {
    let RulingInForce { ruling, at, superseded_by, .. } = given;
    let state = superseded_by.map_or(String::new(), |number| format!(" (ruling {number} took its place)"));
    let time = |at| show(at, zone);
    let event = Event::Tournament(Box::new(TournamentEvent::RulingGiven(ruling.clone())));
    let what = Narrator::new(&time).of_game(game).narrate(&Entry { event, time: None }).what;
    format!("{}: {what} {}{state}", show(*at, zone), ruling.reason)
}

/// The tie-breaks by name, without those that are members of a score, and without places in a list or in a draw of lots.
fn tie_breaks(row: &StandingRow) -> BTreeMap<&str, String> {
    let is_apart = |name: &str| !has_column(name) && !["score", "number", "lot"].contains(&name);
    let apart = row.measures.iter().filter(|measure| is_apart(&measure.name));
    apart.map(|measure| (measure.name.as_str(), cell_of(measure).shown(&TimeZone::UTC))).collect()
}
