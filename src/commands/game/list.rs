//! `annals game list`: the list of games that match filters.

use std::process::ExitCode;

use annals_analytics::Session;
use annals_analytics::export::{Export, export};
use annals_analytics::games::{Filters, GameList, HeadToHead, Order};
use annals_analytics::players::{Player, find_player};
use annals_analytics::search::PositionQuery;
use annals_events::{GameKind, Side};
use annals_ingest::input_file;
use annals_rules::TurnChoice;

use super::export::warn_without_start;
use crate::dataset_session::EngineArgs;
use crate::errors::{CliError, InWords as _};
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::Named;
use crate::output::{diagnostic, one_line, write_text};
use crate::result_form::OutputArgs;
use crate::terminal::counted;
use crate::values::by_word;

/// List games by player, date, rating, length or position
#[derive(Debug, clap::Args)]
#[command(
    long_about = "List games by player, date, rating, length or position\n\n\
        All filters must hold. Names match in any case. Dates are days, months or years in UTC.\n\n\
        A position matches with its mirror image, in the Amazons with all its images. A pattern is a board text \
        of Arimaa: `*` is anything, `+` a gold piece, `-` a silver piece, `.` an empty square.",
    after_long_help = "Examples:\n  \
        annals game list --player Fritzlein --vs chessandgo --year 2007\n  \
        annals game list --ending goal --rating-min 1800 --sort length --limit 10\n  \
        annals game list --player 99of9 --result lost --from 2005-03 --json\n  \
        annals game list --position @board.txt --side gold\n  \
        annals game list --year 2026 --export archive -o 2026.txt"
)]
pub struct Args {
    /// Kind of game [default: both]
    #[arg(long, value_name = "GAME")]
    game: Option<GameKind>,

    /// Player of either side
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// The other player
    #[arg(long, value_name = "NAME", requires = "player")]
    vs: Option<String>,

    /// Player of Gold
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    gold: Option<String>,

    /// Player of Silver
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    silver: Option<String>,

    /// Part of the event's name
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    event: Option<String>,

    /// Earliest start: time, day, month, season or year
    #[arg(long, value_name = "DATE")]
    from: Option<String>,

    /// Latest start: time, day, month, season or year
    #[arg(long, value_name = "DATE")]
    to: Option<String>,

    /// Year of the start
    #[arg(long, value_name = "YEAR")]
    year: Option<i16>,

    /// Least rating of both players
    #[arg(hide_short_help = true, long, value_name = "RATING", allow_negative_numbers = true)]
    rating_min: Option<i32>,

    /// Greatest rating of both players
    #[arg(hide_short_help = true, long, value_name = "RATING", allow_negative_numbers = true)]
    rating_max: Option<i32>,

    /// Only rated games
    #[arg(hide_short_help = true, long, conflicts_with = "unrated")]
    rated: bool,

    /// Only unrated games
    #[arg(hide_short_help = true, long)]
    unrated: bool,

    /// Least number of turns of both sides
    #[arg(hide_short_help = true, long, value_name = "TURNS")]
    length_min: Option<u32>,

    /// Greatest number of turns of both sides
    #[arg(hide_short_help = true, long, value_name = "TURNS")]
    length_max: Option<u32>,

    /// Recorded ending: goal, immobilization, elimination, time, resignation, ...
    #[arg(long, value_name = "ENDING")]
    ending: Option<String>,

    /// Recorded result; won and lost are from --player's view
    #[arg(long, value_name = "RESULT")]
    result: Option<String>,

    /// Flag of the record: corrupt, clock-disagrees, illegal-turn, ...
    #[arg(hide_short_help = true, long, value_name = "FLAG")]
    flag: Option<String>,

    /// Position that occurred: a board text, a game with --turn, @FILE or `-`
    #[arg(long, value_name = "POSITION", conflicts_with = "pattern")]
    position: Option<String>,

    /// Turn of that game before which the position occurred [default: the end]
    #[arg(hide_short_help = true, long, value_name = "TURN", requires = "position")]
    turn: Option<TurnChoice>,

    /// Pattern that a board matched, or @FILE
    #[arg(hide_short_help = true, long, value_name = "TEXT")]
    pattern: Option<String>,

    /// Side to move in the position or pattern
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,

    /// Do not include mirror images of the position
    #[arg(hide_short_help = true, long)]
    no_mirror: bool,

    /// Order of the list
    #[arg(long, value_name = "ORDER", default_value = "date", value_parser = by_word(&Order::ALL))]
    sort: Order,

    /// Largest, newest or longest first
    #[arg(hide_short_help = true, long)]
    reverse: bool,

    /// Print the SQL query, and do not run it
    #[arg(hide_short_help = true, long)]
    show_sql: bool,

    /// Write the games themselves: archive rows, or header lines and moves
    #[arg(long, value_name = "FORM", value_parser = by_word(&Export::ALL), conflicts_with_all = ["show_sql", "format", "json"])]
    export: Option<Export>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    if args.export.is_none() {
        args.output.format()?;
    }
    let session = args.engine.open(home)?;
    let list = args.list(&session, home)?;
    if args.show_sql {
        write_text(&(list.sql()? + "\n"))?;
    } else if let Some(form) = args.export {
        let mut out = args.output.create()?;
        let without_start = export(&session, &list.numbers(&session)?, form, &mut out)?;
        args.output.finish(out)?;
        warn_without_start(&without_start);
    } else {
        let mut out = args.output.create()?;
        args.output.write(&mut list.ask(&session)?, &mut out)?;
        args.output.finish(out)?;
        if let Some(total) = list.head_to_head(&session)? {
            let total = args.total(total);
            match args.output.is_for_reading() {
                true => write_text(&format!("{total}\n"))?,
                false if args.output.is_for_programs() => {}
                false => diagnostic(format_args!("note: {total}")),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The results of --player against --vs, in words.
    fn total(&self, HeadToHead { games, won, lost, drawn }: HeadToHead) -> String {
        let name = |name: &Option<String>| one_line(name.as_deref().unwrap_or_default());
        let unknown = games.saturating_sub(won + lost + drawn);
        let unknown = if unknown > 0 { format!(", {unknown} without a result") } else { String::new() };
        format!(
            "{} against {}: {won} won, {lost} lost, {drawn} drawn{unknown}, {} in all",
            name(&self.player),
            name(&self.vs),
            counted(games, "game")
        )
    }

    fn list(&self, session: &Session, home: &Home) -> Result<GameList, CliError> {
        let find = |name: &Option<String>| -> Result<Option<Player>, CliError> {
            Ok(name.as_deref().map(|name| find_player(session, name)).transpose()?)
        };
        let filters = Filters {
            game: self.game,
            player: find(&self.player)?,
            versus: find(&self.vs)?,
            gold: find(&self.gold)?,
            silver: find(&self.silver)?,
            event: self.event.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            year: self.year,
            rating_min: self.rating_min,
            rating_max: self.rating_max,
            rated: if self.rated { Some(true) } else { self.unrated.then_some(false) },
            length_min: self.length_min,
            length_max: self.length_max,
            ending: self.ending.clone(),
            result: self.result.clone(),
            flag: self.flag.clone(),
            sought: self.sought(home)?,
        };
        let compact = self.output.is_for_reading();
        Ok(GameList {
            filters,
            order: self.sort,
            descending: self.reverse,
            limit: self.output.limit(),
            compact,
        })
    }

    fn sought(&self, home: &Home) -> Result<Option<PositionQuery>, CliError> {
        let mirrors = !self.no_mirror;
        if let Some(text) = &self.position {
            let named = Named::read(text, self.side, self.game, &MomentArgs::now(), home)?;
            return Ok(Some(PositionQuery::position(named.position(self.turn)?, mirrors)));
        }
        let Some(text) = &self.pattern else {
            if let Some(side) = self.side {
                return Err(CliError::new("`--side` needs `--position` or `--pattern`")
                    .reason("it is the side to move there")
                    .hint(format!("annals game list --{side} NAME lists the games of a player of {side}")));
            }
            return Ok(None);
        };
        let file = text.strip_prefix('@');
        let text = file.map_or_else(
            || Ok(text.clone()),
            |path| input_file::text(path).cannot(format_args!("cannot read {path}")),
        )?;
        Ok(Some(PositionQuery::pattern(&text, self.side, mirrors)?))
    }
}
