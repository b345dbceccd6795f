//! A terminal for a program, made by `script`, and the characters that it then shows.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::program::Place;

pub struct Terminal {
    pub child: Child,
    shown: Arc<Mutex<String>>,
}

impl Terminal {
    /// Runs a line of the shell in which `annals` is the program; none where the system has no `script`.
    pub fn of(place: &Place, line: &str, variables: &[(&str, &str)]) -> Option<Terminal> {
        // Ctrl-C ends the program alone, not the shell that prints its status.
        let line = format!("trap : INT; annals() {{ {} \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_annals"));
        let mut command = Command::new("script");
        command.args(["-qefc", &line, "/dev/null"]).current_dir(place.path(""));
        command.env("ANNALS_HOME", "home").env("SHELL", "/bin/sh");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: there is no `script` to make a terminal");
            return None;
        };
        let mut out = child.stdout.take().unwrap();
        let shown = Arc::new(Mutex::new(String::new()));
        let all = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = out.read(&mut bytes) {
                all.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
        });
        Some(Terminal { child, shown })
    }

    pub fn send(&mut self, text: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// All that was written to the terminal.
    pub fn written(&self) -> String {
        self.shown.lock().unwrap().clone()
    }

    /// Waits until the terminal has been written a text so many times.
    pub fn wait(&self, text: &str, times: usize) {
        self.until(text, |written| written.matches(text).count() >= times);
    }

    /// Waits until a text is on the screen.
    pub fn wait_screen(&self, text: &str) {
        self.until(text, |written| screen(written).contains(text));
    }

    fn until(&self, text: &str, is_there: impl Fn(&str) -> bool) {
        let started = Instant::now();
        loop {
            let written = self.written();
            if is_there(&written) {
                return;
            }
            let limit = Duration::from_secs(60);
            assert!(started.elapsed() < limit, "waited for {text}: {written:?}\n{}", screen(&written));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The lines of a screen after a program has moved the cursor, cleared and written.
pub fn screen(written: &str) -> String {
    let mut lines = vec![vec![' '; 200]; 60];
    let (mut row, mut column) = (0_usize, 0_usize);
    let mut characters = written.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                let mut numbers = String::new();
                let last = characters.by_ref().find(|c| {
                    let ends = c.is_ascii_alphabetic();
                    if !ends {
                        numbers.push(*c);
                    }
                    ends
                });
                let mut places = numbers.split(';').map(|number| number.parse::<usize>().unwrap_or(1));
                match last {
                    Some('H') => {
                        row = places.next().unwrap_or(1) - 1;
                        column = places.next().unwrap_or(1) - 1;
                    }
                    Some('J') => lines.iter_mut().for_each(|line| line.fill(' ')),
                    _ => {}
                }
            }
            '\r' => column = 0,
            '\n' => row += 1,
            shown => {
                if let Some(place) = lines.get_mut(row).and_then(|line| line.get_mut(column)) {
                    *place = shown;
                }
                column += 1;
            }
        }
    }
    lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned() + "\n").collect()
}
