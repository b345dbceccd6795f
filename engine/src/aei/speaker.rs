//! What an engine says goes through one thread, so that neither the search nor the reading of messages ever waits for
//! a controller that does not listen.

use std::io::Write;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::message::FromEngine;

/// Messages that wait to be written.
const WAITING: usize = 256;

/// How long an answer waits for a controller to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the last messages of a session may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// The controller does not listen any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gone;

/// Says messages; clones say them through the same thread.
#[derive(Debug, Clone)]
pub(super) struct Speaker(Sender<FromEngine>);

/// Becomes ready when all that was said is written.
#[derive(Debug)]
pub(super) struct Farewell(Receiver<()>);

impl Speaker {
    pub fn new(output: impl Write + Send + 'static) -> (Speaker, Farewell) {
        let (sender, receiver) = bounded(WAITING);
        let (done, finished) = bounded::<()>(0);
        thread::spawn(move || {
            write_all(output, &receiver);
            drop(done);
        });
        (Speaker(sender), Farewell(finished))
    }

    /// An answer, which must not be lost.
    pub fn say(&self, message: FromEngine) -> Result<(), Gone> {
        self.0.send_timeout(message, PATIENCE).map_err(|_| Gone)
    }

    /// Something that may be lost where the controller does not keep up.
    pub fn mention(&self, message: FromEngine) {
        let _ = self.0.try_send(message);
    }
}

impl Farewell {
    /// Waits until everything is written, or nobody listens.
    pub fn wait(self, speaker: Speaker) {
        drop(speaker);
        let _ = self.0.recv_timeout(FAREWELL);
    }
}

fn write_all(mut output: impl Write, messages: &Receiver<FromEngine>) {
    while let Ok(message) = messages.recv() {
        let mut text = format!("{message}\n");
        // What is there already goes out in one piece.
        for more in messages.try_iter().take(WAITING) {
            text.push_str(&format!("{more}\n"));
        }
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
