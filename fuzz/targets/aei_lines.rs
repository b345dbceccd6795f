//! Lines of AEI in both directions: what is accepted is written, and read again as the same message.
#![no_main]

use annals_engine::aei::lines::{LONGEST, Lines};
use annals_engine::aei::{FromEngine, ToEngine};
use annals_fuzz::survives;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut lines = Lines::new(data);
    let mut bytes = 0;
    while let Some(line) = lines.next_line().unwrap() {
        bytes += line.bytes;
        assert!(line.cut || line.text.len() <= 3 * LONGEST);
        survives::<ToEngine>(&line.text);
        survives::<FromEngine>(&line.text);
    }
    assert_eq!(bytes, data.len());
});
