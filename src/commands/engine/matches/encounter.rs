//! The games of a pairing of a tournament, played by two programs under its director: each begins as `annals tournament game start`
//! has it, every move is appended as it is played, and the result is recorded.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use annals_engine::arena::{Bout, Contestant, Pace, Patience, Running};
use annals_engine::seated::Seated;
use annals_events::{BoardId, GameEvent, GameId, Micros, PlayerId, StreamName};
use annals_replay::handler::DirectorSession;
use annals_replay::{Cut, standing_events};
use annals_rules::clock::TimeControl;
use annals_rules::game::Strictness;
use annals_tournaments::commands::Command;
use annals_tournaments::{Board, Tournament};
use serde_json::{Value, json};

use super::live::{Console, Watched};
use super::{Args, game_files};
use crate::commands::tournament::{direct, session_now};
use crate::errors::CliError;
use crate::home::Home;
use crate::interrupt::stop_on_interrupt_with;
use crate::output::{one_line, talk, write_json, write_text};

/// Plays the games of the pairing's encounter that have no result.
pub fn play<S: Seated>(
    args: &Args,
    home: &Home,
    (tournament, pairing): (&str, BoardId),
    contestants: &[Contestant<S>],
    registry: &S::Registry,
) -> Result<ExitCode, CliError> {
    let [first, second] = contestants else {
        return Err(CliError::new(format!(
            "a pairing is between two, and {} contestants are named",
            contestants.len()
        )));
    };
    let actor = args.actor.name()?;
    let director = args.director.clone().unwrap_or_else(|| actor.clone());
    let running = Running::default();
    let programs = running.clone();
    let stop = stop_on_interrupt_with(move || programs.end_all())?;
    let console = Console::open();
    let boards = encounter(&session_now(home, tournament, &actor)?.state()?, pairing)?;
    let (mut lines, mut whole) = (Vec::new(), true);
    for board in boards {
        let mut work = session_now(home, tournament, &actor)?;
        let state = work.state()?;
        let Some(pair) = board_of(&state, board).filter(|pair| pair.outcome().is_none()) else { continue };
        let seats = seats(&work, &state, pairing, pair, args)?;
        let players = [pair.gold(), pair.silver()].map(|player| player.map_or("", PlayerId::as_str));
        let (game, stream) = begun(&mut work, &state, board, pair)?;
        let events = standing_events(&work.log, &stream, &Cut::NOW)?;
        drop(work);
        let opening: Vec<(Micros, GameEvent<'_>)> =
            events.timed(|at, _| Some(at)).into_iter().filter_map(|(at, event)| Some((at?, event))).collect();
        let ended = opening.iter().any(|(_, event)| matches!(event, GameEvent::Ended(_)));
        if !ended {
            let contestants = seats.map(|seat| if seat == 0 { first } else { second });
            let names = contestants.map(|contestant| contestant.name.clone());
            let watched = Watched::new(
                stream.clone(),
                (S::KIND, names),
                (&director, Some(&console)),
                Some(home),
                args.json,
                &stop,
            );
            watched.before(&opening);
            talk(format_args!("note: {board}: {} against {}", contestants[0].name, contestants[1].name));
            watched.show();
            let bout = Bout {
                contestants,
                pace: pace(&opening)?,
                patience: Patience::default(),
                captures: if args.strict { Strictness::Strict } else { Strictness::Archive },
                position: None,
                event: None,
                most_turns: None,
                seed: args.seed.wrapping_add(u64::from(board.board)),
                registry,
                opening: &opening,
                director: Some(&watched),
                stop: &stop,
                running: &running,
            };
            let report = bout.play(&mut |at, event| watched.happened(at, &event));
            watched.finish()?;
            let report = report?;
            for (side, remark) in &report.remarks {
                talk(format_args!("note: {}: {}", side.name_in(S::KIND), one_line(remark)));
            }
            if report.winner.is_none() {
                talk("note: play is halted; the same command goes on with it");
                lines.push(line(board, &players, &stream, None, None));
                whole = false;
                break;
            }
        }
        let mut work = session_now(home, tournament, &actor)?;
        let (outcome, termination, territory) = (None, None, None);
        let request = Command::Result { pairing: board, outcome, termination, game: Some(game), territory };
        direct(&mut work, &[request.into()])?;
        let file = game_file(args, &work, &stream)?;
        let after = work.state()?;
        lines.push(line(board, &players, &stream, board_of(&after, board), file));
    }
    told(args, &lines)?;
    Ok(match whole {
        true => ExitCode::SUCCESS,
        false if stop.load(Ordering::Relaxed) => ExitCode::from(130),
        false => ExitCode::from(1),
    })
}

fn board_of(state: &Tournament, pairing: BoardId) -> Option<&Board> {
    state.rounds.get(&pairing.round)?.boards.get(&pairing.board)
}

/// The pairings of an encounter, in their order: those of the round that have its number.
fn encounter(state: &Tournament, pairing: BoardId) -> Result<Vec<BoardId>, CliError> {
    let Some(board) = board_of(state, pairing) else {
        return Err(CliError::new(format!("no pairing {pairing} stands"))
            .hint("`annals tournament round list TOURNAMENT` lists the pairings"));
    };
    let Some(number) = board.pair.encounter else { return Ok(vec![pairing]) };
    let boards = state.rounds.get(&pairing.round).into_iter().flat_map(|round| &round.boards);
    let of_it = boards.filter(|(_, board)| board.pair.encounter == Some(number));
    Ok(of_it.map(|(board, _)| BoardId { round: pairing.round, board: *board }).collect())
}

/// Which contestant has White, and which Black, in a game: those with names play for the players of these names, others in the
/// order of the first game of the encounter.
fn seats(
    work: &DirectorSession,
    state: &Tournament,
    pairing: BoardId,
    board: &Board,
    args: &Args,
) -> Result<[usize; 2], CliError> {
    let open = || CliError::new(format!("the colours of {pairing} are not decided"));
    let first = match args.names.first() {
        Some(name) => work.player(name)?,
        None => {
            let boards = encounter(state, pairing)?;
            let first = boards.first().and_then(|first| board_of(state, *first)?.gold());
            first.ok_or_else(open)?.clone()
        }
    };
    match (board.gold(), board.silver()) {
        (Some(white), _) if *white == first => Ok([0, 1]),
        (_, Some(black)) if *black == first => Ok([1, 0]),
        (Some(white), Some(black)) => Err(CliError::new(format!(
            "`{first}` does not play in {pairing}: that is {white} against {black}"
        ))),
        _ => Err(open()),
    }
}

/// The game of a pairing: the one that has begun, or a new one.
fn begun(
    work: &mut DirectorSession,
    state: &Tournament,
    pairing: BoardId,
    board: &Board,
) -> Result<(GameId, StreamName), CliError> {
    let game = match board.games.values().next_back().filter(|_| board.owed().is_none()) {
        Some(game) => game.clone(),
        None => {
            let (game, steps) = work
                .beginning(state, pairing, None)
                .map_err(|error| CliError::from(error).about(work.name.as_str()))?;
            direct(work, &steps)?;
            game
        }
    };
    let stream = format!("game/{game}").parse()?;
    Ok((game, stream))
}

/// How fast a game is played that has begun.
fn pace(opening: &[(Micros, GameEvent<'_>)]) -> Result<Pace, CliError> {
    let control = opening.iter().find_map(|(_, event)| match event {
        GameEvent::Started(started) => started.time_control.as_deref(),
        _ => None,
    });
    let control = control.map(str::parse::<TimeControl>).transpose();
    Ok(control?.map_or(Pace::Untimed, Pace::Control))
}

fn game_file(args: &Args, work: &DirectorSession, stream: &StreamName) -> Result<Option<PathBuf>, CliError> {
    let Some(folder) = &args.game_files else { return Ok(None) };
    let events = standing_events(&work.log, stream, &Cut::NOW)?;
    let events = events.timed(|at, _| Some(at));
    game_files::write(folder, stream.name(), args.force, &events).map(Some)
}

fn line(
    pairing: BoardId,
    players: &[&str; 2],
    stream: &StreamName,
    board: Option<&Board>,
    file: Option<PathBuf>,
) -> Value {
    json!({
        "pairing": pairing,
        "white": players[0],
        "black": players[1],
        "stream": stream,
        "result": board.and_then(Board::outcome),
        "termination": board.and_then(Board::termination),
        "territory": board.and_then(Board::territory),
        "file": file,
    })
}

fn told(args: &Args, lines: &[Value]) -> Result<(), CliError> {
    if args.json {
        return write_json(&lines);
    }
    let text = |line: &Value, key: &str| line[key].as_str().unwrap_or("-").to_owned();
    let mut out = String::new();
    for line in lines {
        let result = match line["result"].as_str() {
            Some("gold") => "White won".to_owned(),
            Some("silver") => "Black won".to_owned(),
            Some(other) => other.to_owned(),
            None => "halted".to_owned(),
        };
        let how = line["termination"].as_str().map_or(String::new(), |how| format!(" by {how}"));
        let territory = line["territory"].as_u64().map_or(String::new(), |n| format!(", {n} squares"));
        out += &format!(
            "{}: {} - {}: {result}{how}{territory}, {}\n",
            text(line, "pairing"),
            text(line, "white"),
            text(line, "black"),
            text(line, "stream"),
        );
    }
    if lines.is_empty() {
        out += "every game of the encounter has its result\n";
    }
    write_text(&out)
}
