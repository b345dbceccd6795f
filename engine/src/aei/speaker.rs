//! Output through one thread, so that search and input never wait for a slow controller.

use std::io::Write;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::message::FromEngine;

/// Most waiting messages.
const WAITING: usize = 256;

/// How long an answer waits for the controller.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the last messages may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// The controller no longer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gone;

/// Clones use the same thread.
#[derive(Debug, Clone)]
pub(super) struct Speaker(Sender<FromEngine>);

/// Signals that all output is written.
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

    /// A message that must not be lost.
    pub fn say(&self, message: FromEngine) -> Result<(), Gone> {
        self.0.send_timeout(message, PATIENCE).map_err(|_| Gone)
    }

    /// A message that may be lost if the controller is slow.
    pub fn mention(&self, message: FromEngine) {
        let _ = self.0.try_send(message);
    }
}

impl Farewell {
    /// Waits until everything is written, or the controller is gone.
    pub fn wait(self, speaker: Speaker) {
        drop(speaker);
        let _ = self.0.recv_timeout(FAREWELL);
    }
}

fn write_all(mut output: impl Write, messages: &Receiver<FromEngine>) {
    while let Ok(message) = messages.recv() {
        let mut text = format!("{message}\n");
        // Writes waiting messages together.
        for more in messages.try_iter().take(WAITING) {
            text.push_str(&format!("{more}\n"));
        }
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
