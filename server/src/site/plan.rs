//! What a site has: its tournaments with their games, events and players, and the points in time that are written.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use annals_events::{Micros, StreamName};
use annals_replay::queries::TournamentAt;
use annals_replay::subject::find_game;
use annals_replay::{Asked, Cut, ReplayError, resolve};
use annals_store::{Log, ReadError, games_of};
use jiff::tz::TimeZone;

use crate::pages::VIEWS;
use crate::request::{PageRequest, Shape, TIMES};
use crate::{Failure, Moments};

/// A point in time of a tournament at which pages are written.
pub struct Point {
    /// `as_of` or `known_at`.
    pub parameter: &'static str,
    pub value: String,
    pub at: Micros,
    /// At whose end it is. Other points have the standings only.
    pub round: Option<u32>,
}

/// A tournament of the site.
pub struct Chapter {
    stream: StreamName,
    games: BTreeSet<StreamName>,
    seqs: BTreeSet<u64>,
    /// By time.
    points: Vec<Point>,
}

pub struct Plan {
    chapters: Vec<Chapter>,
    /// Their identities.
    players: BTreeSet<String>,
    /// The player of each name at some point; none of a name of several.
    names: HashMap<String, Option<String>>,
}

impl Chapter {
    /// The written points of a view along one of the two times.
    pub fn points(&self, view: &str, parameter: &str) -> impl Iterator<Item = &Point> {
        let has_times = view == "standings";
        self.points.iter().filter(move |point| {
            point.parameter == parameter
                && VIEWS_AT_POINTS.contains(&view)
                && (has_times || point.round.is_some())
        })
    }

    /// The events before and after an event of the tournament.
    pub fn neighbours(&self, seq: u64) -> (Option<u64>, Option<u64>) {
        (self.seqs.range(..seq).next_back().copied(), self.seqs.range(seq + 1..).next().copied())
    }

    /// The point before another, with which its changes are compared.
    fn before(&self, parameter: &str, value: &str) -> Option<&Point> {
        let mut points: Vec<&Point> = self.points("changes", parameter).collect();
        points
            .iter()
            .position(|point| point.value == value)
            .map_or(points.pop(), |place| place.checked_sub(1).map(|before| points[before]))
    }
}

/// The views that are written at points in time.
const VIEWS_AT_POINTS: [&str; 10] = [
    "standings", "crosstable", "rounds", "rulings", "ledger", "notices", "history", "overview", "changes",
    "chart",
];

impl Plan {
    pub fn of(log: &Log, tournaments: &[StreamName], moments: Moments) -> Result<Plan, Failure> {
        let mut plan = Plan { chapters: Vec::new(), players: BTreeSet::new(), names: HashMap::new() };
        for stream in tournaments {
            let chapter = plan.chapter_of(log, stream, moments)?;
            plan.chapters.push(chapter);
        }
        Ok(plan)
    }

    fn chapter_of(&mut self, log: &Log, stream: &StreamName, moments: Moments) -> Result<Chapter, Failure> {
        let now = TournamentAt::at(log, stream, &Cut::NOW)?;
        self.add_players(&now);
        let mut chapter = Chapter {
            stream: stream.clone(),
            games: games_of(log, stream)?.into_iter().collect(),
            seqs: BTreeSet::new(),
            points: Vec::new(),
        };
        let mut times = BTreeSet::new();
        log.scan_stream(stream, u64::MAX, |event| {
            chapter.seqs.insert(event.seq);
            times.extend([("as_of", event.effective_at), ("known_at", event.recorded_at)]);
            Ok::<_, ReadError>(ControlFlow::Continue(()))
        })?;
        if moments == Moments::None {
            return Ok(chapter);
        }
        for round in now.tournament().rounds.keys() {
            let value = format!("round:{round}");
            for parameter in ["as_of", "known_at"] {
                let is = |name| (parameter == name).then_some(value.as_str());
                let asked = Asked { as_of: is("as_of"), known_at: is("known_at"), seq: None };
                let cut = resolve(log, Some(stream), &asked, &TimeZone::UTC)?;
                // A round that is not over has no point yet.
                let Some(at) = cut.as_of.or(cut.known_at) else { continue };
                let then = match TournamentAt::at(log, stream, &cut) {
                    // Recorded in retrospect: nothing was recorded by the end of the round.
                    Err(ReplayError::NotYet { .. }) => continue,
                    opened => opened?,
                };
                self.add_players(&then);
                chapter.points.push(Point { parameter, value: value.clone(), at, round: Some(*round) });
            }
        }
        if moments == Moments::All {
            let point = |(parameter, at)| Point { parameter, value: text(at), at, round: None };
            chapter.points.extend(times.into_iter().map(point));
        }
        chapter.points.sort_by_key(|point| (point.at, point.round));
        Ok(chapter)
    }

    /// The players of a tournament, with the names that they have at some point.
    fn add_players(&mut self, at: &TournamentAt<'_>) {
        for (player, entrant) in &at.tournament().entrants {
            let player = player.to_string();
            let known = self.names.entry(entrant.name.clone()).or_insert_with(|| Some(player.clone()));
            if known.as_ref() != Some(&player) {
                *known = None;
            }
            self.players.insert(player);
        }
    }

    /// The tournament of this name, if the site has it.
    pub fn chapter(&self, name: &str) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.stream.name() == name)
    }

    /// The request for a page in the one form that it has in the site; none for a page that the site does not have.
    pub fn find(&self, log: &Log, wanted: &PageRequest) -> Option<PageRequest> {
        let is_time = |name: &str| TIMES.contains(&name);
        let (times, others): (Vec<_>, Vec<_>) = wanted
            .parameters
            .iter()
            .filter(|(name, value)| !value.is_empty() && !name.starts_with("since_"))
            .partition(|(name, _)| is_time(name));
        let page = |path: &[&str], parameters: Vec<(String, String)>| PageRequest {
            path: path.iter().map(|&segment| segment.to_owned()).collect(),
            parameters,
            shape: wanted.shape,
        };
        let path = wanted.segments();
        let is_event = |seq: &str| {
            let seq = seq.parse().ok();
            seq.is_some_and(|seq| self.chapters.iter().any(|chapter| chapter.seqs.contains(&seq)))
        };
        let has_shape = matches!(
            (wanted.shape, path.as_slice()),
            (Shape::Html | Shape::Json, _)
                | (Shape::Svg, ["tournament", _, "chart"] | ["game", _])
                | (Shape::Csv | Shape::Text, ["game", _])
                | (Shape::Csv | Shape::Trf, ["tournament", _, "standings"])
        );
        match path.as_slice() {
            _ if !has_shape => None,
            ["log"] => {
                let of = |(name, value): &&&(String, String)| name == "stream" && self.has_stream(value);
                let is_own = others.iter().any(|other| of(&other));
                let is_page = others.iter().all(|(name, _)| name == "stream" || name == "before");
                (is_own && is_page).then(|| page(&path, others.into_iter().cloned().collect()))
            }
            ["player"] => match others.as_slice() {
                [(parameter, name)] if parameter == "name" => {
                    let player = self.names.get(name)?.as_deref()?;
                    Some(page(&["player", player], Vec::new()))
                }
                _ => None,
            },
            _ if !others.is_empty() => None,
            [] | ["tournaments"] => Some(page(&path, Vec::new())),
            ["tournament", name] | ["tournament", name, _] => {
                let view = path.get(2).copied().unwrap_or("standings");
                let chapter = self.chapter(name)?;
                if !VIEWS.iter().any(|(known, _)| *known == view) {
                    return None;
                }
                let mut parameters: Vec<(String, String)> = times.into_iter().cloned().collect();
                let since = match parameters.as_slice() {
                    [] => chapter.before("known_at", ""),
                    [(parameter, value)] => {
                        let is_written = chapter.points(view, parameter).any(|point| point.value == *value);
                        is_written.then_some(())?;
                        chapter.before(parameter, value)
                    }
                    _ => return None,
                };
                if let (Some(point), "changes") = (since, view) {
                    parameters.push((format!("since_{}", point.parameter), point.value.clone()));
                }
                Some(page(&["tournament", name, view], parameters))
            }
            ["tournament", name, "why", ..] => self.chapter(name).map(|_| page(&path, Vec::new())),
            ["game", name] => {
                let stream = find_game(log, name).ok()?;
                let is_own = self.chapters.iter().any(|chapter| chapter.games.contains(&stream));
                is_own.then(|| page(&["game", stream.name()], Vec::new()))
            }
            ["player", player] => self.players.contains(*player).then(|| page(&path, Vec::new())),
            ["log", seq] if is_event(seq) => Some(page(&path, Vec::new())),
            ["log", seq, "proof"] if is_event(seq) && wanted.shape == Shape::Json => {
                Some(page(&path, Vec::new()))
            }
            _ => None,
        }
    }

    fn has_stream(&self, name: &str) -> bool {
        self.chapters.iter().any(|chapter| chapter.stream.as_str() == name)
    }
}

/// A time as the parameters have it.
pub fn text(at: Micros) -> String {
    jiff::Timestamp::from_microsecond(at).map_or_else(|_| String::new(), |at| at.to_string())
}
