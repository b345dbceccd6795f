//! The games of a pairing of a tournament, played by two programs under its director: every move is appended as it is played,
//! and the result is recorded.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use annals_engine::arena::{Bout, Console, Contestant, Pace, Patience, Running};
use annals_engine::seated::Seated;
use annals_events::{BoardId, GameEvent};
use annals_replay::handler::EncounterResult;
use annals_replay::{Cut, standing_events};

use super::watcher::Watcher;
use super::{Args, write_game_file};
use crate::commands::tournament::session_now;
use crate::errors::CliError;
use crate::home::Home;
use crate::output::{answer, diagnostic, one_line};

/// Plays the games of the pairing's encounter that have no result.
pub fn play<S: Seated>(
    args: &Args,
    home: &Home,
    (tournament, pairing): (&str, BoardId),
    contestants: &[Contestant<S>],
    registry: &S::Registry,
    (stop, running): (&AtomicBool, &Running),
) -> Result<ExitCode, CliError> {
    let [first, second] = contestants else {
        let found = contestants.len();
        return Err(CliError::new(format!("a pairing is between two contestants, and {found} are named")));
    };
    let actor = args.actor.name()?;
    let director = args.director.as_ref().unwrap_or(&actor);
    let console = Console::read(std::io::stdin());
    // The log is open only between two games, so that other processes can append during a game.
    let session = || session_now(home, tournament, &actor);
    let about = |error| CliError::from_error(&error).about(tournament);
    let (mut games, mut whole) = (Vec::new(), true);
    for board in session()?.encounter(pairing).map_err(about)? {
        let name = args.names.first().map(String::as_str);
        let Some(game) = session()?.game_without_result(board, name).map_err(about)? else { continue };
        let opening = game.events();
        if !opening.iter().any(|(_, event)| matches!(event, GameEvent::Ended(_))) {
            let contestants = game.seats.map(|seat| if seat == 0 { first } else { second });
            let watcher =
                Watcher::new(game.stream.clone(), (director, &console), Some(home), args.json, stop);
            diagnostic(format_args!(
                "note: {board}: {} against {}",
                contestants[0].name, contestants[1].name
            ));
            watcher.resumes(&opening);
            let bout = Bout {
                contestants,
                pace: Pace::of_game(&opening)?,
                patience: Patience::default(),
                captures: args.captures(),
                position: None,
                event: None,
                most_turns: None,
                seed: args.seed.wrapping_add(u64::from(board.board)),
                registry,
                opening: &opening,
                director: Some(&watcher),
                stop,
                running,
            };
            let report = bout.play(&mut |_, _| {});
            watcher.finish()?;
            let report = report?;
            for (side, remark) in &report.remarks {
                diagnostic(format_args!("note: {}: {}", side.name_in(S::KIND), one_line(remark)));
            }
            if report.winner.is_none() {
                diagnostic("note: play is halted; the same command resumes it");
                games.push(game.halted());
                whole = false;
                break;
            }
        }
        let mut session = session()?;
        let mut result = session.record_result(&game).map_err(about)?;
        if let Some(folder) = &args.game_files {
            let events = standing_events(&session.log, &game.stream, &Cut::NOW)?;
            let events = events.timed(|at, _| Some(at));
            result.file = Some(write_game_file(folder, game.stream.name(), args.force, &events)?);
        }
        games.push(result);
    }
    answer(args.json, &games, || EncounterResult::document(&games))?;
    Ok(match whole {
        true => ExitCode::SUCCESS,
        false if stop.load(Ordering::Relaxed) => ExitCode::from(130),
        false => ExitCode::from(1),
    })
}
