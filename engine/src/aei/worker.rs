//! The thread that thinks: it is shown a game, and says which turn it chose.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use annals_events::Side;
use annals_rules::arimaa::{Arimaa, Turn};
use annals_rules::game::Game;
use crossbeam_channel::{Receiver, Sender, bounded};

use super::message::{FromEngine, LogLevel};
use super::speaker::Speaker;
use crate::evaluation::Registry;
use crate::player::{Player, Settings};
use crate::search::{Info, Limits};

/// One search.
pub(super) struct Task {
    /// The game as it stands.
    pub game: Arc<Game<Arimaa>>,
    /// The player's settings.
    pub settings: Settings,
    /// How far.
    pub limits: Limits,
    /// Whether a game has begun since the last search.
    pub fresh: bool,
    /// Ends the search early.
    pub stop: Arc<AtomicBool>,
}

/// What came of it. Nothing holds the game any more when it is sent.
pub(super) struct Done {
    /// The turn; none where there is none to choose.
    pub turn: Option<Turn>,
}

/// The thread's ends.
pub(super) struct Worker {
    /// For tasks.
    pub tasks: Sender<Task>,
    /// For what came of them.
    pub done: Receiver<Done>,
}

impl Worker {
    /// Starts the thread. It ends when this end is gone.
    pub fn start(registry: Registry, speaker: Speaker) -> Worker {
        let (tasks, incoming) = bounded::<Task>(1);
        let (outgoing, done) = bounded::<Done>(1);
        thread::spawn(move || {
            let mut player: Option<Player> = None;
            for task in incoming {
                let done = work(task, &mut player, &registry, &speaker);
                if outgoing.send(done).is_err() {
                    return;
                }
            }
        });
        Worker { tasks, done }
    }
}

fn work(task: Task, kept: &mut Option<Player>, registry: &Registry, speaker: &Speaker) -> Done {
    let Task { game, settings, limits, fresh, stop } = task;
    // Other settings make another player; only how far it looks is said anew each time.
    let same = |player: &Player| {
        *player.settings() == Settings { limits: player.settings().limits, ..settings.clone() }
    };
    let mut player = match kept.take().filter(same) {
        Some(player) => player,
        None => match Player::new(settings.clone(), registry) {
            Ok(player) => {
                if let Some(short) = player.table_too_large() {
                    speaker.mention(FromEngine::log(LogLevel::Warning, short));
                }
                player
            }
            Err(error) => {
                speaker.mention(FromEngine::log(LogLevel::Error, error));
                return Done { turn: None };
            }
        },
    };
    if fresh {
        player.new_game(settings.seed);
    }
    let side = game.to_move().unwrap_or(Side::Gold);
    let mut told = Vec::new();
    let choice = player.choose_within(&game, &limits, &stop, &mut |info| {
        told.clone_from(&info.line);
        report(info, side, speaker);
    });
    // A search that is cut off may end with another turn than that of the last depth that it completed.
    if let Some(found) = choice.as_ref().and_then(|choice| choice.found.as_ref())
        && found.info.line != told
    {
        report(&found.info, side, speaker);
    }
    *kept = Some(player);
    Done { turn: choice.map(|choice| choice.turn) }
}

/// Tells how a search stands, in the protocol's words; `side` is to move.
fn report(info: &Info, side: Side, speaker: &Speaker) {
    speaker.mention(FromEngine::info("depth", info.depth));
    speaker.mention(FromEngine::info("time", info.elapsed.as_secs()));
    speaker.mention(FromEngine::info("nodes", info.nodes));
    speaker.mention(FromEngine::info("score", info.score.value()));
    let mut line = String::new();
    for (index, turn) in info.line.iter().enumerate() {
        // After the first turn each begins with the letter of its side.
        if index > 0 {
            let side = if index % 2 == 0 { side } else { side.other() };
            line.push_str(&format!(" {} ", side.letter()));
        }
        line.push_str(&turn.to_string());
    }
    if !line.is_empty() {
        speaker.mention(FromEngine::info("pv", line));
    }
}
