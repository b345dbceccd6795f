//! `annals engine evaluate`: what a position is worth and why, by any evaluator, and what threatens in it.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use annals_engine::amazons;
use annals_engine::evaluation::{PositionReport, PositionReportError, UnknownEvaluator};
use annals_events::{GameEvent, GameKind, Side, Started};
use annals_ingest::archive_games::{Found as InArchive, archive_games};
use annals_ingest::source::{Progress, discover};
use annals_replay::standing_events;
use annals_report::Document;
use annals_rules::arimaa::{Arimaa, Board, Position, PositionTextError};
use annals_rules::game::{Game, Strictness};

use crate::errors::CliError;
use crate::evaluators;
use crate::home::Home;
use crate::log_file;
use crate::moments::MomentArgs;
use crate::output::answer;

/// Evaluate a position and list its threats
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Evaluate a position and list its threats\n\n\
        A position is a board text with its side to move, or a file with the eight ranks below a line such as \
        `12g`. A game of the log is evaluated at its end, or with --as-of at any point in time.\n\n\
        Threats are exact: what either side could reach or capture within one turn. Evaluations are in rabbits, \
        in JSON in hundredths.\n\n\
        For the Amazons the answer has the territory and its regions, in squares.",
    after_help = "Examples:\n  \
        annals engine evaluate 'g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]'\n  \
        annals engine evaluate game/arimaa-669192 --as-of 2026-02-01T10:20:31Z\n  \
        annals engine evaluate --file archive.txt --game 669192 --turn 12w\n  \
        annals engine evaluate 'b [..B./.x../..x./.W..]' --search nodes=20000\n  \
        annals engine evaluate --list"
)]
pub struct Args {
    /// Position, game (`game/NAME`, `cup r3.1`), file, or `-`
    #[arg(value_name = "POSITION", required_unless_present_any = ["list", "file"])]
    position: Option<String>,

    /// Side to move, if the position does not name it
    #[arg(long, value_name = "g|s", value_parser = side)]
    side: Option<Side>,

    #[command(flatten)]
    moment: MomentArgs,

    /// Archive file that holds the game
    #[arg(long, value_name = "FILE", requires = "game", conflicts_with = "position")]
    file: Option<PathBuf>,

    /// Number of a game in --file, or the kind of game
    #[arg(long, value_name = "ID|GAME", value_parser = which)]
    game: Option<Which>,

    /// Turn before which the position is evaluated [default: the end]
    #[arg(long, value_name = "12w", requires = "file", value_parser = label)]
    turn: Option<(u32, Side)>,

    /// Evaluator, or net:FILE for a network; may be repeated [default: all built-in]
    #[arg(long = "evaluator", value_name = "NAME")]
    evaluators: Vec<String>,

    /// List the evaluators
    #[arg(long)]
    list: bool,

    /// Search for the best turn within a limit: nodes=20000, depth=8 or time=1
    #[arg(long, value_name = "LIMIT")]
    search: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What to do where another side is to move.
const OTHER_SIDE: &str =
    "leave --side out; to look at the other side's turn, write the position with its letter";

/// What `--game` names.
#[derive(Debug, Clone, Copy)]
enum Which {
    /// A game of a file.
    Number(u64),
    /// A kind of game.
    Kind(GameKind),
}

fn which(text: &str) -> Result<Which, String> {
    let number = text.parse().map(Which::Number).ok();
    number
        .or_else(|| text.parse().map(Which::Kind).ok())
        .ok_or_else(|| format!("`{text}` is neither the number of a game nor arimaa nor amazons"))
}

fn side(text: &str) -> Result<Side, String> {
    match text.as_bytes() {
        [letter] => Side::from_letter(*letter),
        _ => [Side::Gold, Side::Silver].into_iter().find(|side| side.word() == text),
    }
    .ok_or_else(|| format!("`{text}` is no side; write g (Gold) or s (Silver)"))
}

fn label(text: &str) -> Result<(u32, Side), String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let wrong = || format!("`{text}` is no turn; write its number and its side, as in 12w or 12s");
    Ok((digits.parse().map_err(|_| wrong())?, side(&text[digits.len()..]).map_err(|_| wrong())?))
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let kind = match args.game {
        Some(Which::Kind(kind)) => Some(kind),
        Some(Which::Number(id)) if args.file.is_none() => {
            return Err(CliError::new(format!("--game {id} is a game of a file, but there is no --file")));
        }
        _ => None,
    };
    let registry = evaluators::registry(args.evaluators.iter().map(String::as_str))?;
    if args.list {
        return match kind {
            Some(GameKind::Amazons) => {
                let registry = amazons::Registry::standard();
                list(registry.iter().map(|one| (one.name(), one.about())), args.json)
            }
            _ => list(registry.iter().map(|one| (one.name(), one.about())), args.json),
        };
    }
    let text = text_given(&args)?;
    if let Some(position) = amazons_position(text.as_deref(), kind, args.side)? {
        let registry = amazons::Registry::standard();
        let evaluators = registry.chosen(&args.evaluators).map_err(unknown)?;
        let search = args.search.as_deref();
        let report = amazons::PositionReport::of(&position, args.side, &registry, &evaluators, search);
        let report = report.map_err(|error| match &error {
            amazons::PositionReportError::OtherSide { .. } => CliError::from(error).hint(OTHER_SIDE),
            amazons::PositionReportError::Settings(_) => {
                CliError::from(error).hint("write --search nodes=20000, or depth=2, or time=1 (seconds)")
            }
            _ => CliError::from(error),
        })?;
        answer(args.json, &report, || report.document())?;
        return Ok(ExitCode::SUCCESS);
    }
    let evaluators = registry.chosen(&args.evaluators).map_err(unknown)?;
    let game = match position_named(&args, text.as_deref())? {
        Some(position) => game_from(&position)?,
        None if args.file.is_some() => archive_game(&args)?,
        None => {
            let log = log_file::open(home)?;
            let stream = log_file::stream(&log, args.position.as_deref().unwrap_or_default())?;
            let (cut, _) = args.moment.cut(&log, Some(&stream))?;
            let mut game = Game::new(Strictness::Archive);
            for (at, event) in standing_events(&log, &stream, &cut)?.game_events() {
                // What the fold refuses, the replay of the game tells.
                let _ = game.apply(at, &event);
            }
            game
        }
    };
    let search = args.search.as_deref();
    let report = PositionReport::of(&game, args.side, &registry, &evaluators, search).map_err(|error| {
        let hint = match &error {
            PositionReportError::NotSetUp => "name a later point in the game",
            PositionReportError::OtherSide { .. } => OTHER_SIDE,
            PositionReportError::Table(_) => "`hash=32` in --search is the default size",
            PositionReportError::Settings(_) => "write --search nodes=20000, or depth=8, or time=1 (seconds)",
            PositionReportError::Evaluator(_) => return CliError::from(error),
        };
        CliError::from(error).hint(hint)
    })?;
    answer(args.json, &report, || report.document())?;
    Ok(ExitCode::SUCCESS)
}

#[derive(serde::Serialize)]
struct Listed<'a> {
    name: &'a str,
    about: &'a str,
}

fn list<'a>(all: impl Iterator<Item = (&'a str, &'a str)>, json: bool) -> Result<ExitCode, CliError> {
    let all: Vec<_> = all.map(|(name, about)| Listed { name, about }).collect();
    let line = |one: &Listed<'_>| format!("{}: {}", one.name, one.about);
    answer(json, &all, || Document::default().lines("", all.iter().map(line).collect()))?;
    Ok(ExitCode::SUCCESS)
}

fn unknown(error: UnknownEvaluator) -> CliError {
    let known = error.known.iter().map(String::as_str);
    let list = "`annals engine evaluate --list` lists them";
    CliError::from_error(&error).did_you_mean(&error.name, known, list)
}

/// The text of the position that is given, where it is not a game of the log or an archive.
fn text_given(args: &Args) -> Result<Option<String>, CliError> {
    let Some(given) = args.position.as_deref() else { return Ok(None) };
    let text = match given {
        "-" => read_text(std::io::stdin(), "standard input")?,
        name if name.starts_with("game/") => return Ok(None),
        name => match named_file(name) {
            Some(path) => {
                let file = annals_ingest::input_file::open(path).map_err(|e| cannot_read(name, &e))?;
                read_text(file, name)?
            }
            None => name.to_owned(),
        },
    };
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// The text as a position of the Amazons: where it is said to be one, or is one and none of Arimaa.
fn amazons_position(
    text: Option<&str>,
    kind: Option<GameKind>,
    side: Option<Side>,
) -> Result<Option<annals_rules::amazons::Position>, CliError> {
    use annals_rules::amazons::{Board, Position, PositionTextError};
    let Some(text) = text.filter(|_| kind != Some(GameKind::Arimaa)) else { return Ok(None) };
    let read = match (text.parse::<Position>(), side) {
        (Err(PositionTextError::NoSide), Some(side)) => {
            Board::parse(text).map(|board| Position::new(board, side)).map_err(PositionTextError::from)
        }
        (read, _) => read,
    };
    match (read, kind) {
        (Ok(position), Some(_)) => Ok(Some(position)),
        // A row of 64 squares could be either; Arimaa has them in one row.
        (Ok(position), None) if position.board().size().ranks() > 1 => {
            Ok(text.parse::<annals_rules::arimaa::Position>().is_err().then_some(position))
        }
        (Err(error), Some(_)) => Err(CliError::from_error(&error).hint(
            "a position of the Amazons is `w [rows from the last down, separated by slashes]` with W, B, x and `.`",
        )),
        _ => Ok(None),
    }
}

/// The text as a position of Arimaa.
fn position_named(args: &Args, text: Option<&str>) -> Result<Option<Position>, CliError> {
    let Some(text) = text else { return Ok(None) };
    let read = match (text.parse::<Position>(), args.side) {
        (Err(PositionTextError::NoSide), Some(side)) => {
            Board::parse(text).map(|board| Position::new(board, side)).map_err(PositionTextError::from)
        }
        (read, _) => read,
    };
    read.map(Some).map_err(|e| CliError::from_error(&e).hint(A_POSITION))
}

const A_POSITION: &str = "a position is `g [64 characters from a8 to h1]`, a file with its eight ranks, or a game of the log, `game/NAME`";

/// No position is nearly so long.
const LONGEST: u64 = 64 * 1024;

/// The file that a word names: what is there by that name, or would be if the word were right. A position has brackets or lines,
/// which no sensible name has.
fn named_file(word: &str) -> Option<&Path> {
    let path = Path::new(word);
    let position = word.contains(['[', ']', '|', '\n']) || word.len() > 4_096;
    let looks_like_one = word.contains('/') || (word.len() < 64 && path.extension().is_some());
    (!position && (looks_like_one || path.exists())).then_some(path)
}

fn cannot_read(name: &str, error: &std::io::Error) -> CliError {
    match error.kind() {
        ErrorKind::NotFound => CliError::new(format!("there is no file {name}")).hint(A_POSITION),
        ErrorKind::IsADirectory => CliError::new(format!("{name} is a folder, not a file")).hint(A_POSITION),
        _ => CliError::new(format!("cannot read the position in {name}: {error}")),
    }
}

/// All of a short text.
fn read_text(from: impl Read, name: &str) -> Result<String, CliError> {
    let mut text = String::new();
    let read = from.take(LONGEST + 1).read_to_string(&mut text).map_err(|e| cannot_read(name, &e))?;
    if read as u64 > LONGEST {
        return Err(CliError::new(format!("{name} is too long for a position")).hint(A_POSITION));
    }
    if text.trim().is_empty() {
        return Err(CliError::new(format!("{name} is empty")).hint(A_POSITION));
    }
    Ok(text)
}

/// A game that begins from a position.
fn game_from(position: &Position) -> Result<Game<Arimaa>, CliError> {
    let mut game = Game::new(Strictness::Archive);
    let started = Started::plain(GameKind::Arimaa, Some(position.to_string().into()));
    game.apply(None, &GameEvent::Started(Box::new(started)))?;
    Ok(game)
}

/// A game of an archive file, up to the turn that is asked for.
fn archive_game(args: &Args) -> Result<Game<Arimaa>, CliError> {
    let (Some(path), Some(Which::Number(id))) = (args.file.clone(), args.game) else {
        return Err(CliError::new("--file and --game go together"));
    };
    let files = discover(std::slice::from_ref(&path))?;
    let mut found: Option<Result<Game<Arimaa>, CliError>> = None;
    for file in &files {
        let mut seen = std::collections::HashSet::new();
        archive_games(
            file,
            &mut seen,
            &Progress::default(),
            |other| other == id,
            |row| {
                if let InArchive::Game(game) = row {
                    found.get_or_insert_with(|| up_to(&game.events, args.turn));
                }
                Ok::<(), CliError>(())
            },
        )?;
    }
    found.unwrap_or_else(|| Err(CliError::new(format!("{} holds no game {id}", path.display()))))
}

fn up_to(
    events: &[annals_ingest::archive_games::Placed<'_>],
    turn: Option<(u32, Side)>,
) -> Result<Game<Arimaa>, CliError> {
    let mut game = Game::new(Strictness::Archive);
    for placed in events {
        if turn.is_some() && turn == game.expected_number().zip(game.to_move()) {
            return Ok(game);
        }
        game.apply(Some(placed.at), placed.event)?;
    }
    match turn {
        Some((number, side)) => Err(CliError::new(format!("the game has no turn {number}{}", side.letter()))),
        None => Ok(game),
    }
}
