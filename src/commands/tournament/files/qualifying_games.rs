//! `annals tournament qualifier import-games`: games between entrants and benchmark players out of the archive's rows.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use annals_events::tournament::Milestone;
use annals_events::{Event, Micros, PlayerId, StreamName, TournamentEvent};
use annals_ingest::archive_events::{
    Benched, Entered, Head, QualifyingRows, QualifyingTally, Selected, Window, heads, qualifying,
};
use annals_ingest::source::discover;
use annals_replay::handler::{Draft, Importer};
use annals_replay::point::show;
use annals_replay::{Cut, People, people_at, tournament_at};
use annals_store::Log;
use annals_tournaments::Tournament;
use serde::Serialize;

use super::bring;
use super::from_archive::unread_in_words;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::log_file::{self, ActorArgs};
use crate::moments::ZoneArgs;
use crate::output::{write_json, write_record};
use crate::terminal::{counted, grouped};

/// Record the qualifying games of archive files
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the qualifying games of archive files\n\n\
        Records every game between an entrant and a benchmark player in the qualifying period. Players are \
        identified by account number, else by name or alias.\n\n\
        Games that do not count are recorded too; `annals tournament qualifier rank` states why. A second run \
        adds only new games. Exit status 1 if a row could not be read, or differs from the record.",
    after_help = "Examples:\n  annals tournament qualifier import-games wcc-2015 allgames201501.tgz --dry-run\n  \
        annals tournament qualifier import-games wcc-2015 allgames201501.tgz --json | jq .by_player"
)]
pub struct Args {
    /// Tournament
    tournament: String,

    /// Archive files, folders or patterns
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    zone: ZoneArgs,

    #[command(flatten)]
    actor: ActorArgs,

    /// Record nothing; print what would be recorded
    #[arg(long)]
    dry_run: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    tournament: StreamName,
    opens: Micros,
    closes: Micros,
    rows: u64,
    unread: usize,
    found: u64,
    known: u64,
    new: u64,
    outside_the_period: u64,
    timeless: Vec<u64>,
    /// Numbers of games that are recorded otherwise than the rows say.
    differ: Vec<u64>,
    by_player: BTreeMap<PlayerId, QualifyingTally>,
    dry_run: bool,
    receipt: Option<String>,
}

impl Args {
    pub fn run(self, home: &Home) -> Result<ExitCode, CliError> {
        let files = discover(&self.files).hint("name archive files, or folders of them")?;
        let log = log_file::open_whole(home)?;
        let bare = self.tournament.strip_prefix("tournament/").unwrap_or(&self.tournament);
        let stream = log_file::stream(&log, bring::stream(bare)?.as_str())?;
        let cut = Cut::at_seq(log.last_seq()?);
        let tournament = tournament_at(&log, &stream, &cut)?.tournament;
        let people = people_at(&log, &cut)?;
        let window = window(&tournament)?;
        let (entrants, benchmarks) = (entrants(&tournament, &people), benchmarks(&tournament, &people)?);
        if entrants.is_empty() {
            return Err(CliError::new(format!(
                "no player has entered {stream}, so there is no player to qualify"
            )));
        }
        let mut all: Vec<Head> = Vec::new();
        let counts = heads(&files, |head| all.push(head));
        let rows = qualifying(&all, &entrants, &benchmarks, window, |game| {
            let stream = format!("game/{game}").parse::<StreamName>();
            stream.is_ok_and(|stream| log.stream_info(&stream).is_ok_and(|info| info.is_some()))
        });
        let (new, known, differ) = sort(&log, &stream, &rows)?;
        drop(log);
        let mut answer = Answer {
            tournament: stream.clone(),
            opens: window.opens,
            closes: window.closes,
            rows: counts.rows,
            unread: counts.unread.len(),
            found: rows.games.len() as u64,
            known,
            new: new.len() as u64,
            outside_the_period: rows.outside,
            timeless: rows.timeless.clone(),
            differ,
            by_player: rows.tally(),
            dry_run: self.dry_run,
            receipt: None,
        };
        if !self.dry_run {
            let actor = self.actor.name()?;
            let mut open = log_file::open_for_append(&home.log())?;
            if !new.is_empty() {
                let mut note = bring::archive_note(&files, "qualifying_games")?;
                note.left_out = all.len() as u64 - new.len() as u64;
                note.rejected = counts.unread.len() as u64;
                let mut importer = Importer::new(&mut open.log, &actor)?;
                importer.join(&stream)?;
                for selected in &new {
                    importer.add(&draft(&stream, selected)?)?;
                }
                importer.finish_with(&note, open.now)?;
            }
            answer.receipt = open.log.acknowledged().map(|head| head.to_string());
        }
        if self.json {
            write_json(&answer)?;
        } else {
            write_record(&(in_words(&answer, &self.zone)? + &unread_in_words(&counts)))?;
        }
        Ok(ExitCode::from(u8::from(!counts.unread.is_empty() || !answer.differ.is_empty())))
    }
}

/// The qualifying period by the schedule.
fn window(tournament: &Tournament) -> Result<Window, CliError> {
    let schedule = tournament.announced.as_ref().map_or(&[][..], |announced| &announced.schedule);
    let date = |milestone: Milestone| {
        schedule.iter().find(|date| date.milestone == milestone).map(|date| date.at).ok_or_else(|| {
            CliError::new(format!("the schedule of the tournament has no date `{milestone}`"))
                .reason("the qualifying period is not known")
                .hint("annals tournament schedule dates TOURNAMENT qualifying_opens=TIME qualifying_closes=TIME --reason TEXT")
        })
    };
    Ok(Window { opens: date(Milestone::QualifyingOpens)?, closes: date(Milestone::QualifyingCloses)? })
}

/// A player by all the names and accounts that are known of them.
fn known(player: &PlayerId, name: &str, account: Option<u64>, people: &People) -> Entered {
    let (mut names, mut accounts) = (vec![name.to_owned()], Vec::from_iter(account));
    for alias in people
        .aliases_of(player)
        .filter(|alias| alias.place.as_deref().is_none_or(|place| place == "gameroom"))
    {
        names.extend(alias.name.clone());
        accounts.extend(alias.account);
    }
    Entered { player: player.clone(), names, accounts }
}

fn entrants(tournament: &Tournament, people: &People) -> Vec<Entered> {
    let entrants = tournament.entrants.iter();
    entrants
        .map(|(player, entrant)| known(player, &entrant.name, entrant.entry.fact.account, people))
        .collect()
}

fn benchmarks(tournament: &Tournament, people: &People) -> Result<Vec<Benched>, CliError> {
    let declared = tournament.benchmarks.as_ref().ok_or_else(|| {
        CliError::new("no benchmark players were declared, so no game can be one of the qualifier")
            .hint("annals tournament qualifier benchmarks TOURNAMENT PLAYER...")
    })?;
    Ok(declared.stable.iter().map(|one| known(&one.player, &one.name, one.account, people)).collect())
}

/// Tells what is new from what the log holds, and from what it holds otherwise.
fn sort<'r>(
    log: &Log,
    stream: &StreamName,
    rows: &'r QualifyingRows,
) -> Result<(Vec<&'r Selected>, u64, Vec<u64>), CliError> {
    let (mut new, mut known, mut differ) = (Vec::new(), 0, Vec::new());
    for selected in &rows.games {
        let Some(found) = log.find(selected.event_id(stream))? else {
            new.push(selected);
            continue;
        };
        known += 1;
        let agrees = match found.decode_entry().map(|entry| entry.event) {
            Ok(Event::Tournament(event)) => match &*event {
                TournamentEvent::QualifyingGamePlayed(recorded) => selected.agrees(recorded),
                _ => false,
            },
            _ => false,
        };
        if !agrees {
            differ.push(selected.number);
        }
    }
    Ok((new, known, differ))
}

fn draft(stream: &StreamName, selected: &Selected) -> Result<Draft, CliError> {
    let event = TournamentEvent::QualifyingGamePlayed(selected.game.clone());
    Draft::new(stream.clone(), selected.game.ended_at, Event::from(event))
        .map(|draft| draft.with_id(selected.event_id(stream)))
        .at(format_args!("game {}", selected.number))
}

fn in_words(answer: &Answer, zone: &ZoneArgs) -> Result<String, CliError> {
    let zone = zone.zone()?;
    let mut text = format!(
        "{}: {} among {} touch the qualifying period, {} to {}; {} new, {} known\n",
        answer.tournament,
        counted(answer.found, "game"),
        counted(answer.rows, "row"),
        show(answer.opens, &zone),
        show(answer.closes, &zone),
        grouped(answer.new),
        grouped(answer.known),
    );
    for (player, tally) in &answer.by_player {
        text.push_str(&format!(
            "  {player}: {} ({} rated, {} not): {} won, {} lost, {} undecided",
            counted(tally.games, "game"),
            tally.rated,
            tally.unrated,
            tally.won,
            tally.lost,
            tally.undecided
        ));
        if tally.over_the_edge > 0 {
            text.push_str(&format!(
                "; {} over an edge of the period, which the count passes over",
                tally.over_the_edge
            ));
        }
        text.push('\n');
    }
    let numbers = |of: &[u64]| of.iter().take(10).map(u64::to_string).collect::<Vec<_>>().join(", ");
    if answer.outside_the_period > 0 {
        text.push_str(&format!(
            "  {} of them outside the period, not recorded\n",
            counted(answer.outside_the_period, "game")
        ));
    }
    if !answer.timeless.is_empty() {
        text.push_str(&format!(
            "  start or end is not stated, not recorded: {}\n",
            numbers(&answer.timeless)
        ));
    }
    if !answer.differ.is_empty() {
        text.push_str(&format!(
            "  recorded otherwise than the rows say: {}; correct the events by hand\n",
            numbers(&answer.differ)
        ));
    }
    text.push_str("What counts is worked out by the rules when the qualifier is decided.\n");
    text.extend(answer.receipt.iter().map(|receipt| format!("{receipt}\n")));
    Ok(text)
}
