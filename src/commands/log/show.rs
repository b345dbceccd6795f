//! `annals log show`: the log as a story. One commit is one paragraph: who recorded it and when; then, event by
//! event, when it happened, where it stands, what happened, and why.

use std::collections::{HashMap, VecDeque};
use std::io::{IsTerminal as _, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;

use annals_events::log::Change;
use annals_events::narrative::{Narrative, Narrator};
use annals_events::{Event, EventType, Family, GameKind, LogEvent, Micros, RawEnvelope, StreamName};
use annals_replay::{game_kind_of, point};
use annals_store::Log;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::errors::CliError;
use crate::home::Home;
use crate::log_file;
use crate::moments::{ZoneArgs, beginning, instant};
use crate::output::{damage_line, one_line, standard_output, talk, write_json_line};
use crate::suggest::nearest;

/// Show the log as a story: when, who, what, why.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Show the log as a story: when, who, what, why. All of it, or one stream; narrowed down by position, type, \
        actor, and by when things happened. What stands in one commit is shown under one heading, with the time at which \
        the log took it.\n\nWith --json: the envelopes as they are stored, one a line, payload included; times are in \
        microseconds since 1970, UTC.",
    after_help = "Examples:\n  annals log show --last 20\n  annals log show tournament/wcc-2015 --type ruling_given --tz EST\n  \
        annals log show game/arimaa-669192 --json | jq -r .payload.steps\n  \
        annals log show --streams\n  annals log show --actor omar --since 2015-03-01 --until 2015-03-15"
)]
pub struct Args {
    /// One stream: `tournament/wcc-2015`, or its name alone where no other stream has it.
    #[arg(value_name = "STREAM")]
    stream: Option<String>,

    /// From this event on.
    #[arg(long, value_name = "SEQ")]
    from: Option<u64>,

    /// Up to this event.
    #[arg(long, value_name = "SEQ")]
    to: Option<u64>,

    /// Only events of this type (`game.ended`, `ended`), or of this family (`game`).
    #[arg(long = "type", value_name = "TYPE")]
    event_type: Option<String>,

    /// Only what this actor said.
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,

    /// Only what happened at this time or later; a date means its beginning.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Only what happened up to this time; a date means its end.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,

    /// Only the last N of these.
    #[arg(long, value_name = "N")]
    last: Option<usize>,

    /// Only list the streams, each with the number of its events.
    #[arg(long, conflicts_with_all = ["from", "to", "event_type", "actor", "since", "until", "last"])]
    streams: bool,

    #[command(flatten)]
    zone: ZoneArgs,

    /// Print the envelopes as JSON, one a line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let zone = args.zone.zone()?;
    let wanted = Wanted::of(&args, &zone)?;
    let log = log_file::open(home)?;
    let stream = args.stream.as_deref().map(|text| log_file::stream(&log, text)).transpose()?;
    let mut out = standard_output();
    out.write_all(damage_line().as_bytes())?;
    if args.streams {
        for stream in log.streams(stream.as_ref().map(StreamName::family))? {
            if args.json {
                let (name, version, last_seq) = (stream.name.as_str(), stream.version, stream.last_seq);
                let value = json!({ "stream": name, "events": version, "last_seq": last_seq });
                write_json_line(&mut out, &value)?;
            } else {
                writeln!(out, "{:>8}  {}", stream.version, stream.name)?;
            }
        }
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut narrator = Paragraphs::new(&log, zone, &mut out);
    let show = |event: &RawEnvelope, narrator: &mut Paragraphs<'_, _>| {
        if args.json { write_json_line(&mut narrator.out, event) } else { narrator.show(event) }
    };
    if let Some(stream) = &stream {
        // All of it, since a correction stands in the stream of what it corrects.
        let all = log.stream(stream, u64::MAX)?;
        all.iter().for_each(|event| narrator.note_correction(event));
        let chosen: Vec<&RawEnvelope> = all.iter().filter(|event| wanted.holds(event)).collect();
        let skip = args.last.map_or(0, |last| chosen.len().saturating_sub(last));
        for event in chosen.into_iter().skip(skip) {
            show(event, &mut narrator)?;
        }
    } else {
        let mut last: VecDeque<RawEnvelope> = VecDeque::new();
        for event in log.events(wanted.without_reading_more(&log, args.last)?) {
            let event = event?;
            if !wanted.holds(&event) {
                continue;
            }
            match args.last {
                None => show(&event, &mut narrator)?,
                Some(0) => break,
                Some(keep) => {
                    if last.len() == keep {
                        last.pop_front();
                    }
                    last.push_back(event);
                }
            }
        }
        last.iter().for_each(|event| narrator.note_correction(event));
        for event in &last {
            show(event, &mut narrator)?;
        }
    }
    let shown = narrator.shown;
    out.flush()?;
    if shown == 0 && !args.json {
        talk(format_args!("annals: no event is as asked for"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Which events are wanted.
struct Wanted {
    range: RangeInclusive<u64>,
    types: Option<Vec<&'static str>>,
    actor: Option<String>,
    since: Option<Micros>,
    until: Option<Micros>,
}

impl Wanted {
    fn of(args: &Args, zone: &TimeZone) -> Result<Wanted, CliError> {
        Ok(Wanted {
            range: args.from.unwrap_or(1).max(1)..=args.to.unwrap_or(u64::MAX),
            types: args.event_type.as_deref().map(types).transpose()?,
            actor: args.actor.clone(),
            since: args.since.as_deref().map(|text| beginning(text, zone)).transpose()?,
            until: args.until.as_deref().map(|text| instant(text, zone)).transpose()?,
        })
    }

    fn holds(&self, event: &RawEnvelope) -> bool {
        self.range.contains(&event.seq)
            && self.types.as_ref().is_none_or(|types| types.contains(&event.event_type.as_str()))
            && self.actor.as_ref().is_none_or(|actor| *actor == event.actor)
            && self.since.is_none_or(|since| event.effective_at >= since)
            && self.until.is_none_or(|until| event.effective_at <= until)
    }

    /// Where nothing but the position matters, the last events are read without those in front of them.
    fn without_reading_more(&self, log: &Log, last: Option<usize>) -> Result<RangeInclusive<u64>, CliError> {
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

/// The names of the types that a word means: a type with or without its family, or a family.
fn types(word: &str) -> Result<Vec<&'static str>, CliError> {
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
    let error = CliError::new(format!("there is no event type `{word}`"));
    Err(match nearest(word, known) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint(format!("the families of types are {}", families.join(", "))),
    })
}

/// Writes events as paragraphs, one for each commit.
struct Paragraphs<'p, W: Write> {
    log: &'p Log,
    zone: TimeZone,
    out: &'p mut W,
    colour: bool,
    /// The commit that is being shown.
    commit: Option<(Micros, String)>,
    /// What was corrected, and by which event.
    corrected: HashMap<u64, (u64, bool)>,
    /// Which game a stream tells of.
    games: HashMap<StreamName, GameKind>,
    shown: u64,
}

impl<'p, W: Write> Paragraphs<'p, W> {
    fn new(log: &'p Log, zone: TimeZone, out: &'p mut W) -> Paragraphs<'p, W> {
        let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let (corrected, games) = (HashMap::new(), HashMap::new());
        Paragraphs { log, zone, out, colour, commit: None, corrected, games, shown: 0 }
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

    fn show(&mut self, event: &RawEnvelope) -> Result<(), CliError> {
        self.shown += 1;
        let commit = (event.recorded_at, event.actor.clone());
        if self.commit.as_ref() != Some(&commit) {
            let gap = if self.commit.is_some() { "\n" } else { "" };
            let when = point::show(event.recorded_at, &self.zone);
            writeln!(self.out, "{gap}recorded {when} by {}", one_line(&event.actor))?;
            self.commit = Some(commit);
        }
        let (strong, faint, plain) =
            if self.colour { ("\x1b[1m", "\x1b[2m", "\x1b[0m") } else { ("", "", "") };
        let when = point::show(event.effective_at, &self.zone);
        let place = format!("{} v{}", event.stream, event.version);
        writeln!(self.out, "  {strong}#{:<5}{plain} {when}  {faint}{place}{plain}", event.seq)?;
        let narrative = self.narrative(event)?;
        writeln!(self.out, "         {}", one_line(&narrative.what))?;
        if let Some(why) = narrative.why {
            writeln!(self.out, "         {faint}why:{plain} {}", one_line(&why))?;
        }
        if let Some((by, struck)) = self.corrected.get(&event.seq) {
            let word = if *struck { "struck" } else { "corrected" };
            writeln!(self.out, "         {faint}{word} by event {by}{plain}")?;
        }
        Ok(())
    }

    fn game_of(&mut self, stream: &StreamName) -> Result<GameKind, CliError> {
        if let Some(known) = self.games.get(stream) {
            return Ok(*known);
        }
        let game = game_kind_of(self.log, stream)?.unwrap_or(GameKind::Arimaa);
        self.games.insert(stream.clone(), game);
        Ok(game)
    }

    fn narrative(&mut self, event: &RawEnvelope) -> Result<Narrative, CliError> {
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
            // A newer program may have written it; the log is readable all the same.
            Err(error) => Narrative {
                what: format!("{} (schema {}): {}", event.event_type, event.schema, event.payload),
                why: Some(format!("This program cannot tell its story: {error}.")),
            },
        })
    }
}
