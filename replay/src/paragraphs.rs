//! The event history as text: one paragraph per commit, one sentence per event, each with what happened and why.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use std::ops::RangeInclusive;

use annals_events::log::Change;
use annals_events::narrative::{Narrative, Narrator};
use annals_events::{
    Event, EventType, Family, GameKind, LogEvent, Micros, RawEnvelope, StreamName, TimeNote,
};
use annals_report::{Screen, one_line, wrapped};
use annals_store::{Log, ReadError};
use jiff::tz::TimeZone;

use crate::point::{self, Point, PointError};
use crate::read::game_kind_of;

#[derive(Debug, thiserror::Error)]
pub enum ParagraphError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// A word that matches no event type.
#[derive(Debug, thiserror::Error)]
#[error("there is no event type `{word}`")]
pub struct NoSuchType {
    pub word: String,
    pub known: Vec<&'static str>,
}

/// A filter of events.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The positions in the log.
    pub range: RangeInclusive<u64>,
    /// None for all.
    pub types: Option<Vec<&'static str>>,
    pub actor: Option<String>,
    /// Effective times, inclusive.
    pub since: Option<Micros>,
    pub until: Option<Micros>,
}

impl Wanted {
    /// All events between two points: a time, a date or a year from its beginning to its end, or `seq:N`.
    ///
    /// # Errors
    /// When a text is none of them.
    pub fn between(from: Option<&str>, to: Option<&str>, zone: &TimeZone) -> Result<Wanted, PointError> {
        let (mut first, mut last, mut since, mut until) = (1, u64::MAX, None, None);
        let point = |text| Point::parse(text, zone);
        let wrong = |text: &str| PointError::NotAnEnd(text.to_owned());
        match from.map(|text| Ok((text, point(text)?))).transpose()? {
            Some((_, Point::Seq(seq))) => first = seq.max(1),
            Some((text, Point::Time(_))) => since = Some(point::beginning(text, zone)?),
            Some((text, Point::Round(_))) => return Err(wrong(text)),
            None => {}
        }
        match to.map(|text| Ok((text, point(text)?))).transpose()? {
            Some((_, Point::Seq(seq))) => last = seq,
            Some((_, Point::Time(at))) => until = Some(at),
            Some((text, Point::Round(_))) => return Err(wrong(text)),
            None => {}
        }
        Ok(Wanted { range: first..=last, types: None, actor: None, since, until })
    }

    /// Whether an event is wanted.
    #[must_use]
    pub fn holds(&self, event: &RawEnvelope) -> bool {
        self.range.contains(&event.seq)
            && self.types.as_ref().is_none_or(|types| types.contains(&event.event_type.as_str()))
            && self.actor.as_ref().is_none_or(|actor| *actor == event.actor)
            && self.since.is_none_or(|since| event.effective_at >= since)
            && self.until.is_none_or(|until| event.effective_at <= until)
    }

    /// If only the position matters, the last events are read without those before them.
    fn without_reading_more(&self, log: &Log, last: Option<usize>) -> Result<RangeInclusive<u64>, ReadError> {
        let by_position_only =
            self.types.is_none() && self.actor.is_none() && self.since.is_none() && self.until.is_none();
        match last {
            Some(last) if by_position_only => {
                let end = (*self.range.end()).min(log.last_seq()?);
                let first = (end + 1).saturating_sub(u64::try_from(last).unwrap_or(u64::MAX));
                Ok(first.max(*self.range.start())..=end)
            }
            _ => Ok(self.range.clone()),
        }
    }
}

/// Types that match a word: a type with or without family, or a family.
///
/// # Errors
/// If none matches.
pub fn types(word: &str) -> Result<Vec<&'static str>, NoSuchType> {
    let of_word = |name: &str| name == word || name.split_once('.').is_some_and(|(_, last)| last == word);
    let mut names: Vec<&'static str> =
        EventType::all().map(EventType::name).filter(|name| of_word(name)).collect();
    if names.is_empty() {
        let in_family = EventType::all().filter(|kind| kind.family().word() == word);
        names = in_family.map(EventType::name).collect();
    }
    if !names.is_empty() {
        return Ok(names);
    }
    let families = Family::ALL.map(Family::word);
    let all = EventType::all().map(EventType::name);
    let short = EventType::all().filter_map(|kind| kind.name().split_once('.').map(|(_, last)| last));
    let known: Vec<&str> = if word.contains('.') { all.collect() } else { short.chain(families).collect() };
    Err(NoSuchType { word: word.to_owned(), known })
}

/// Writes events as paragraphs, one per commit.
pub struct Paragraphs<'p, W: Write> {
    log: &'p Log,
    zone: TimeZone,
    pub out: &'p mut W,
    colour: bool,
    /// That of a terminal.
    screen: Option<Screen>,
    /// The current commit.
    commit: Option<(Micros, String)>,
    /// Corrected events, and by which.
    corrected: HashMap<u64, (u64, bool)>,
    /// By stream.
    games: HashMap<StreamName, GameKind>,
}

impl<'p, W: Write> Paragraphs<'p, W> {
    pub fn new(log: &'p Log, zone: TimeZone, out: &'p mut W, colour: bool) -> Paragraphs<'p, W> {
        let (corrected, games) = (HashMap::new(), HashMap::new());
        Paragraphs { log, zone, out, colour, screen: None, commit: None, corrected, games }
    }

    /// In lines that fit a screen.
    #[must_use]
    pub fn on(self, screen: Option<Screen>) -> Paragraphs<'p, W> {
        Paragraphs { screen, ..self }
    }

    /// Shows the wanted events of a stream or of the whole log, at most the last `limit`, each by `show`.
    ///
    /// # Errors
    /// When the log cannot be read, or `show` fails.
    pub fn show_wanted<E: From<ReadError>>(
        &mut self,
        stream: Option<&StreamName>,
        wanted: &Wanted,
        limit: Option<usize>,
        mut show: impl FnMut(&mut Self, &RawEnvelope) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(stream) = stream {
            // All of it, since a correction is in the stream of what it corrects.
            let all = self.log.stream(stream, u64::MAX)?;
            all.iter().for_each(|event| self.note_correction(event));
            let chosen: Vec<&RawEnvelope> = all.iter().filter(|event| wanted.holds(event)).collect();
            let skip = limit.map_or(0, |limit| chosen.len().saturating_sub(limit));
            return chosen.into_iter().skip(skip).try_for_each(|event| show(self, event));
        }
        let mut last: VecDeque<RawEnvelope> = VecDeque::new();
        for event in self.log.events(wanted.without_reading_more(self.log, limit)?) {
            let event = event?;
            if !wanted.holds(&event) {
                continue;
            }
            match limit {
                None => {
                    self.note_correction(&event);
                    show(self, &event)?;
                }
                Some(0) => break,
                Some(limit) => {
                    if last.len() == limit {
                        last.pop_front();
                    }
                    last.push_back(event);
                }
            }
        }
        last.iter().for_each(|event| self.note_correction(event));
        last.iter().try_for_each(|event| show(self, event))
    }

    /// Takes note that an event corrects another one.
    fn note_correction(&mut self, event: &RawEnvelope) {
        if event.event_type == "log.correction"
            && let Ok(Event::Log(LogEvent::Correction(correction))) = event.decode()
        {
            let struck = matches!(correction.change, Change::Strike);
            self.corrected.insert(correction.corrects, (event.seq, struck));
        }
    }

    /// # Errors
    /// When the log cannot be read, or the paragraph not written.
    pub fn show(&mut self, event: &RawEnvelope) -> Result<(), ParagraphError> {
        let commit = (event.recorded_at, event.actor.clone());
        if self.commit.as_ref() != Some(&commit) {
            let gap = if self.commit.is_some() { "\n" } else { "" };
            let when = point::show(event.recorded_at, &self.zone);
            writeln!(self.out, "{gap}recorded {when} by {}", one_line(&event.actor))?;
            self.commit = Some(commit);
        }
        let (strong, faint, plain) =
            if self.colour { ("\x1b[1m", "\x1b[2m", "\x1b[0m") } else { ("", "", "") };
        // A month, a season or a year is shown as the source states it.
        let when = match event.decode_entry().ok().and_then(|entry| entry.time) {
            Some(TimeNote::Stated(period)) => period.to_string(),
            _ => point::show(event.effective_at, &self.zone),
        };
        let place = format!("{} v{}", event.stream, event.version);
        writeln!(self.out, "  {strong}#{:<5}{plain} {when}  {faint}{place}{plain}", event.seq)?;
        let narrative = self.narrative(event)?;
        let indent = " ".repeat(9);
        write!(
            self.out,
            "{}",
            wrapped(&narrative.what, self.screen.as_ref(), &indent, &format!("{indent}  "))
        )?;
        if let Some(why) = narrative.why {
            let first = format!("{indent}{faint}why:{plain} ");
            write!(self.out, "{}", wrapped(&why, self.screen.as_ref(), &first, &format!("{indent}  ")))?;
        }
        if let Some((by, struck)) = self.corrected.get(&event.seq) {
            let word = if *struck { "struck" } else { "corrected" };
            writeln!(self.out, "         {faint}{word} by event {by}{plain}")?;
        }
        Ok(())
    }

    /// The correction of an event, among those that were read.
    pub(crate) fn corrected_by(&self, seq: u64) -> Option<u64> {
        self.corrected.get(&seq).map(|(by, _)| *by)
    }

    fn game_of(&mut self, stream: &StreamName) -> Result<GameKind, ReadError> {
        if let Some(known) = self.games.get(stream) {
            return Ok(*known);
        }
        let game = game_kind_of(self.log, stream)?.unwrap_or(GameKind::Arimaa);
        self.games.insert(stream.clone(), game);
        Ok(game)
    }

    /// What happened and why, in sentences.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn narrative(&mut self, event: &RawEnvelope) -> Result<Narrative, ReadError> {
        let game = self.game_of(&event.stream)?;
        let time = |at: Micros| point::show(at, &self.zone);
        let narrator = Narrator::new(&time).of_game(game);
        Ok(match event.decode_entry() {
            Ok(entry) => match &entry.event {
                Event::Log(LogEvent::Correction(correction)) => {
                    let corrected = self.log.event(correction.corrects)?;
                    let corrected_type = corrected.map(|event| event.event_type).unwrap_or_default();
                    narrator.tell_correction(correction, &corrected_type)
                }
                _ => narrator.narrate(&entry),
            },
            // Perhaps written by a newer program; the other events are readable.
            Err(error) => Narrative {
                what: format!("{} (schema {}): {}", event.event_type, event.schema, event.payload),
                why: Some(format!("This program cannot describe it: {error}.")),
            },
        })
    }
}
