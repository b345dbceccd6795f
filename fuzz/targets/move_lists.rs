//! Files of games of the Amazons in one format: see [`annals_fuzz::game_files`].
#![no_main]

use annals_fuzz::game_files::read_and_written;
use annals_ingest::game_files::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| read_and_written(Format::MoveList, data));
