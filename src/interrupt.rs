//! Ctrl-C and the signals that end a program, for the long commands.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::errors::CliError;
use crate::output::talk;

/// The first Ctrl-C sets the flag; a second one ends the program at once, which leaves the dataset as it was, too.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, CliError> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        talk(format_args!("\nstopping; what is finished is kept (Ctrl-C again: at once)"));
    })
    .map_err(|e| CliError::new(format!("cannot listen for Ctrl-C and signals to end: {e}")))?;
    Ok(cancel)
}
