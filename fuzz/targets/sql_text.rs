//! SQL text: what is accepted is one query or several, which are planned over a small home, and an error has a message. A text
//! as a literal of SQL stays one literal.
#![no_main]

use std::sync::LazyLock;

use annals_analytics::{Session, is_complete, literal_pattern, queries, statement};
use annals_fuzz::home::{SmallHome, on_large_stack};
use libfuzzer_sys::fuzz_target;

static HOME: LazyLock<(SmallHome, Session)> = LazyLock::new(|| {
    let home = SmallHome::create();
    let session = home.session();
    (home, session)
});

fn run(text: &str) {
    let _ = (is_complete(text), literal_pattern(text));
    let questions = match queries(text) {
        Ok(questions) => questions,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            let _ = error.hints();
            return;
        }
    };
    assert_eq!(statement(text).is_ok(), questions.len() == 1);
    for question in questions.iter().take(4) {
        match HOME.1.ask(question) {
            Ok(answer) => drop(answer.schema()),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                let _ = error.hints();
            }
        }
    }
}

fuzz_target!(|text: &str| on_large_stack(|| run(text)));
