//! The search thread.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use annals_events::Side;
use annals_rules::game::Game;
use crossbeam_channel::{Receiver, Sender, bounded};

use super::message::{FromEngine, LogLevel};
use super::speaker::Speaker;
use crate::search::Limits;
use crate::seated::{Seated, Thought};

pub(super) struct Task<S: Seated> {
    pub game: Arc<Game<S::Rules>>,
    pub settings: S,
    pub limits: Limits,
    /// A new game since the last search.
    pub fresh: bool,
    pub stop: Arc<AtomicBool>,
}

/// The result. The game is dropped before it is sent.
pub(super) struct Done {
    /// None without a legal turn.
    pub turn: Option<String>,
}

pub(super) struct Worker<S: Seated> {
    pub tasks: Sender<Task<S>>,
    pub done: Receiver<Done>,
}

impl<S: Seated> Worker<S> {
    /// The thread ends when this end is dropped.
    pub fn start(registry: S::Registry, speaker: Speaker) -> Worker<S> {
        let (tasks, incoming) = bounded::<Task<S>>(1);
        let (outgoing, done) = bounded::<Done>(1);
        thread::spawn(move || {
            let mut player: Option<S::Player> = None;
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

fn work<S: Seated>(
    task: Task<S>,
    kept: &mut Option<S::Player>,
    registry: &S::Registry,
    speaker: &Speaker,
) -> Done {
    let Task { game, settings, limits, fresh, stop } = task;
    // New settings need a new player; limits are set per search.
    let same = |player: &S::Player| {
        let mut wanted = settings.clone();
        *wanted.limits_mut() = S::settings(player).limits();
        *S::settings(player) == wanted
    };
    let mut player = match kept.take().filter(same) {
        Some(player) => player,
        None => match settings.sit_down(registry) {
            Ok((player, short)) => {
                if let Some(short) = short {
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
        let mut settings = settings;
        S::new_game(&mut player, *settings.common().seed);
    }
    let side = game.to_move().unwrap_or(Side::Gold);
    let mut told = Vec::new();
    let chosen = S::choose_within(&mut player, &game, &limits, &stop, &mut |thought| {
        told.clone_from(&thought.line);
        report::<S>(&thought, side, speaker);
    });
    // A stopped search may choose another turn than its last completed depth.
    if let Some(thought) = chosen.as_ref().and_then(|chosen| chosen.thought.as_ref())
        && thought.line != told
    {
        report::<S>(thought, side, speaker);
    }
    *kept = Some(player);
    Done { turn: chosen.map(|chosen| chosen.turn.unwrap_or_else(|| "resign".to_owned())) }
}

/// Reports a search in the protocol's form; `side` is to move.
fn report<S: Seated>(thought: &Thought, side: Side, speaker: &Speaker) {
    speaker.mention(FromEngine::info("depth", thought.depth));
    speaker.mention(FromEngine::info("time", thought.elapsed.as_secs()));
    speaker.mention(FromEngine::info("nodes", thought.nodes));
    speaker.mention(FromEngine::info("score", thought.score));
    let mut line = String::new();
    for (index, turn) in thought.line.iter().enumerate() {
        // Later turns begin with the letter of their side.
        if index > 0 {
            let side = if index % 2 == 0 { side } else { side.other() };
            line.push_str(&format!(" {} ", side.letter_in(S::KIND)));
        }
        line.push_str(turn);
    }
    if !line.is_empty() {
        speaker.mention(FromEngine::info("pv", line));
    }
}
