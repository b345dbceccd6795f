//! `annals game list`: the list of games that match filters.

use std::process::ExitCode;

use annals_analytics::export::{Export, export};
use annals_analytics::games::{Filters, GameList, Order};
use annals_analytics::players::{Player, find_player};
use annals_analytics::search::PositionQuery;
use annals_analytics::{AnyPosition, Session};
use annals_events::{GameKind, Side};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::commands::query::{EngineArgs, OutputArgs};
use crate::errors::{CliError, InWords as _};
use crate::home::Home;

/// List games by player, date, rating, length or position
#[derive(Debug, clap::Args)]
#[command(
    long_about = "List games by player, date, rating, length or position\n\n\
        All filters must hold. Names match in any case. Dates are days, months or years in UTC.\n\n\
        A position matches with its mirror image, in the Amazons with all its images. A pattern is a board text \
        of Arimaa: `*` is anything, `+` a gold piece, `-` a silver piece, `.` an empty square.",
    after_help = "Examples:\n  \
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
    #[arg(long, value_name = "NAME")]
    gold: Option<String>,

    /// Player of Silver
    #[arg(long, value_name = "NAME")]
    silver: Option<String>,

    /// Part of the event's name
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// Earliest start: a day, month or year
    #[arg(long, value_name = "DATE")]
    from: Option<String>,

    /// Latest start: a day, month or year
    #[arg(long, value_name = "DATE")]
    to: Option<String>,

    /// Year of the start
    #[arg(long, value_name = "YEAR")]
    year: Option<i16>,

    /// Least rating of both players
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    rating_min: Option<i32>,

    /// Greatest rating of both players
    #[arg(long, value_name = "RATING", allow_negative_numbers = true)]
    rating_max: Option<i32>,

    /// Only rated games
    #[arg(long, conflicts_with = "unrated")]
    rated: bool,

    /// Only unrated games
    #[arg(long)]
    unrated: bool,

    /// Least number of turns of both sides
    #[arg(long, value_name = "TURNS")]
    length_min: Option<u32>,

    /// Greatest number of turns of both sides
    #[arg(long, value_name = "TURNS")]
    length_max: Option<u32>,

    /// Recorded ending: goal, immobilization, elimination, time, resignation, ...
    #[arg(long, value_name = "WORD")]
    ending: Option<String>,

    /// Recorded result; won and lost are from --player's view
    #[arg(long, value_name = "WORD")]
    result: Option<String>,

    /// Flag of the record: corrupt, clock-disagrees, illegal-turn, ...
    #[arg(long, value_name = "WORD")]
    flag: Option<String>,

    /// Position that occurred: a board text with the side to move, or @FILE
    #[arg(long, value_name = "TEXT", conflicts_with = "pattern")]
    position: Option<String>,

    /// Pattern that a board matched, or @FILE
    #[arg(long, value_name = "TEXT")]
    pattern: Option<String>,

    /// Side to move in the position or pattern
    #[arg(long, value_name = "SIDE", value_parser = side)]
    to_move: Option<Side>,

    /// Do not include mirror images of the position
    #[arg(long)]
    no_mirror: bool,

    /// Order of the list
    #[arg(long, value_name = "ORDER", default_value = "date", value_parser = order_parser())]
    sort: Order,

    /// Largest, newest or longest first
    #[arg(long)]
    reverse: bool,

    /// Print the SQL query, and do not run it
    #[arg(long)]
    show_sql: bool,

    /// Write the games themselves: archive rows, or header lines and moves
    #[arg(long, value_name = "FORM", value_parser = export_parser(), conflicts_with_all = ["show_sql", "format", "json"])]
    export: Option<Export>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let session = args.engine.open(home)?;
    let list = args.list(&session)?;
    if args.show_sql {
        crate::commands::query::print(&(list.sql()? + "\n"))?;
    } else if let Some(form) = args.export {
        let mut out = args.output.create()?;
        export(&session, &list.numbers(&session)?, form, &mut out)?;
        out.finish()?;
    } else {
        let mut out = args.output.create()?;
        args.output.write(&mut list.ask(&session)?, &mut out)?;
        out.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn list(&self, session: &Session) -> Result<GameList, CliError> {
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
            sought: self.sought()?,
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

    fn sought(&self) -> Result<Option<PositionQuery>, CliError> {
        let mirrors = !self.no_mirror;
        if let Some(text) = &self.position {
            let position = AnyPosition::read(&text_or_file(text)?, self.to_move)?;
            return Ok(Some(PositionQuery::position(position, mirrors)));
        }
        let Some(text) = &self.pattern else { return Ok(None) };
        Ok(Some(PositionQuery::pattern(&text_or_file(text)?, self.to_move, mirrors)?))
    }
}

/// A text as it is given, or what stands in the file that `@FILE` names.
pub fn text_or_file(text: &str) -> Result<String, CliError> {
    let Some(path) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
    annals_ingest::input_file::text(path).cannot(format_args!("cannot read {path}"))
}

/// A side from its letter or word.
pub fn side(text: &str) -> Result<Side, String> {
    text.parse().map_err(|e: annals_events::UnknownWord| e.to_string())
}

/// Reads the form in which games are written.
pub fn export_parser() -> impl clap::builder::TypedValueParser<Value = Export> {
    PossibleValuesParser::new(Export::ALL.map(|(word, _)| word)).map(|word| {
        Export::ALL.iter().find(|(known, _)| *known == word).map_or(Export::Moves, |(_, form)| *form)
    })
}

fn order_parser() -> impl clap::builder::TypedValueParser<Value = Order> {
    PossibleValuesParser::new(Order::ALL.map(|(word, _)| word))
        .map(|word| Order::ALL.iter().find(|(w, _)| *w == word).map_or(Order::Date, |(_, order)| *order))
}
