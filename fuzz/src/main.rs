//! Writes the seeds of a target into a folder, and the words of its texts into a dictionary of libFuzzer.

use std::path::Path;
use std::{env, fs};

use annals_fuzz::seeds;
// Its counters are what the instrumented crates link with.
use libfuzzer_sys as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [target, folder, dictionary] = arguments.as_slice() else {
        return Err("expected TARGET FOLDER DICTIONARY".into());
    };
    let made = seeds::of(target).ok_or_else(|| format!("`{target}` has no seeds"))?;
    fs::create_dir_all(folder)?;
    for (number, seed) in made.texts.iter().enumerate() {
        fs::write(Path::new(folder).join(format!("seed-{number:04}")), seed)?;
    }
    let word = |word: &&str| {
        let bytes = word.bytes().map(|byte| format!("\\x{byte:02x}"));
        format!("\"{}\"\n", bytes.collect::<String>())
    };
    fs::write(dictionary, made.words.iter().map(word).collect::<String>())?;
    println!("{target}: {} seeds, {} words", made.texts.len(), made.words.len());
    Ok(())
}
