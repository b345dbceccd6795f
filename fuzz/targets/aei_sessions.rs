//! Sessions of a controller with an engine of either game, without a search: every answer is a message. The first byte
//! chooses the game.
#![no_main]

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use annals_engine::aei::{FromEngine, serve};
use annals_engine::seated::Seated;
use annals_engine::{amazons, evaluation, player};
use libfuzzer_sys::fuzz_target;

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn session<S: Seated>(input: &[u8], registry: &S::Registry) {
    let heard = Heard::default();
    serve(Cursor::new(input.to_vec()), heard.clone(), &S::default(), registry).unwrap();
    let text = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    for line in text.lines() {
        assert!(line.parse::<FromEngine>().is_ok(), "{line}");
    }
}

fuzz_target!(|data: &[u8]| {
    let [game, input @ ..] = data else { return };
    if input.split(|byte| *byte == b'\n').any(|line| line.trim_ascii().starts_with(b"go")) {
        return;
    }
    if game % 2 == 0 {
        session::<player::Settings>(input, &evaluation::Registry::standard());
    } else {
        session::<amazons::Settings>(input, &amazons::Registry::standard());
    }
});
