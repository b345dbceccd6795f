//! Asks a dataset and tells the times: `ask DATASET [--ingest FILE...] [--runs N] SQL|@FILE...`. The benchmark against
//! DuckDB uses it where the program itself is not built.

use std::error::Error;
use std::path::{Path, PathBuf};

use annals_analytics::output::{Format, Layout, Sink, write_answer};
use annals_analytics::{Options, Session, prompt, questions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let dataset = PathBuf::from(words.next().ok_or("name the dataset's folder")?);
    let mut statements = Vec::new();
    let mut inputs = Vec::new();
    let mut runs = 1;
    while let Some(word) = words.next() {
        match word.as_str() {
            "--ingest" => inputs.push(words.next().ok_or("--ingest FILE")?),
            "--runs" => runs = words.next().ok_or("--runs N")?.parse()?,
            _ => statements.push(word),
        }
    }
    if !inputs.is_empty() {
        let summary = annals_ingest::run::ingest(&annals_ingest::run::Options::new(&dataset, inputs), &())?;
        eprintln!("{summary:?}");
    }
    for statement in statements {
        let sql = match statement.strip_prefix('@') {
            Some(path) => std::fs::read_to_string(Path::new(path))?,
            None => statement,
        };
        for run in 0..runs {
            ask(&dataset, &sql, run == 0)?;
        }
    }
    Ok(())
}

fn ask(dataset: &Path, sql: &str, show: bool) -> Result<(), Box<dyn Error>> {
    let options = Options { memory: 1 << 30, threads: Some(2), spill: std::env::temp_dir(), log: None };
    let opening = std::time::Instant::now();
    let session = Session::open(dataset, &options)?;
    eprintln!("opened in {:.1} ms", opening.elapsed().as_secs_f64() * 1e3);
    for question in questions(sql)? {
        let mut answer = session.ask(&question).map_err(|e| format!("{e}\n{:?}", e.hints()))?;
        let layout = Layout { format: Format::Table, header: true, max_rows: Some(40), width: None };
        if show {
            let mut sink = Sink::stdout();
            write_answer(&mut answer, &mut sink, layout)?;
            sink.finish()?;
        } else {
            while answer.next_batch()?.is_some() {}
        }
        eprintln!("{}\n{}", prompt::times(&answer), answer.reads());
    }
    Ok(())
}
