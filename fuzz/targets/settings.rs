//! Settings of players of both games: what is accepted is written, and read again as the same settings.
#![no_main]

use annals_engine::arena::CommandLine;
use annals_engine::player::Settings;
use annals_engine::settings_text::{read_limit, turn_time};
use annals_engine::{amazons, player};
use annals_fuzz::survives;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    survives::<player::Settings>(text);
    survives::<amazons::Settings>(text);
    survives::<CommandLine>(text);
    let _ = read_limit(text, Settings::default());
    let _ = turn_time(text);
});
