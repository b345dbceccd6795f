//! Studies, with their front matter: an error is in a line of the file, and no value of a parameter changes how many
//! statements there are.
#![no_main]

use annals_analytics::queries;
use annals_analytics::studies::{ParameterKind, Study, StudyError};
use annals_fuzz::home::on_large_stack;
use libfuzzer_sys::fuzz_target;

fn run(text: &str) {
    let study = match Study::read("x", "x.sql", text) {
        Ok(study) => study,
        Err(StudyError::Broken { line, why, .. }) => {
            assert!((1..=text.lines().count() + 1).contains(&line), "line {line}: {why}");
            return;
        }
        Err(other) => panic!("{other}"),
    };
    let with = |of_text: &str| {
        let values = study.front.parameters.iter().map(|parameter| {
            let value = match parameter.kind {
                ParameterKind::Whole => "-7",
                ParameterKind::Number => "0.5",
                ParameterKind::Text => of_text,
                ParameterKind::Date => "2004-05",
            };
            (parameter.name.clone(), value.to_owned())
        });
        let given = study.given(&values.collect::<Vec<_>>()).ok()?;
        let _ = study.command(&given);
        Some(study.sql(&given).unwrap())
    };
    let defaults = study.given(&[]).map(|given| study.sql(&given).unwrap());
    let _ = defaults.map(|sql| queries(&sql).map(|queries| queries.len()));
    if let (Some(plain), Some(hostile)) = (with("x"), with(&study.front.question)) {
        let count = |sql: &str| queries(sql).ok().map(|queries| queries.len());
        assert_eq!(count(&plain), count(&hostile), "{plain}\n{hostile}");
    }
}

fuzz_target!(|text: &str| on_large_stack(|| run(text)));
