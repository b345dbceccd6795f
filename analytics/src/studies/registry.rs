//! The built-in studies, in the order of the list: first the ten that historians and analysts
//! run first, then others.

use super::error::StudyError;
use super::study::Study;
use annals_report::similar;

/// Names and texts of the studies.
macro_rules! studies {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../studies/", $name, ".sql")))),*]
    };
}

/// The number of studies to start with, at the beginning.
pub const ASKED_FIRST: usize = 10;

const STUDIES: &[(&str, &str)] = studies![
    "growth", "endings", "lengths", "humans_and_bots", "gold_by_rating", "calibration", "upsets", "careers",
    "head_to_head", "time_use", "gold_by_year", "setups", "setup_map", "material", "first_loss", "mobility",
    "branching", "comebacks", "camel_lost", "positions", "repeats",
];

/// All studies of the program.
///
/// # Errors
/// If one of them cannot be read, which the tests exclude.
pub fn registry() -> Result<Vec<Study>, StudyError> {
    STUDIES.iter().map(|(name, text)| Study::read(name, &format!("studies/{name}.sql"), text)).collect()
}

/// The study of a name.
///
/// # Errors
/// `Unknown` with similar names.
pub fn find(name: &str) -> Result<Study, StudyError> {
    match STUDIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        Some((name, text)) => Study::read(name, &format!("studies/{name}.sql"), text),
        None => Err(StudyError::Unknown {
            name: name.to_owned(),
            similar: similar(name, STUDIES.iter().map(|(known, _)| *known)),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_study_and_every_study_can_be_read_and_has_a_title_that_fits() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../studies");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut known: Vec<String> = STUDIES.iter().map(|(name, _)| format!("{name}.sql")).collect();
        known.sort();
        assert_eq!(files, known);
        let studies = registry().unwrap_or_else(|error| panic!("{error}"));
        for study in studies {
            // Text above a chart is truncated if it does not fit.
            let front = &study.front;
            assert!(front.title.chars().count() <= 75, "{}: {}", study.name, front.title);
            #[cfg(feature = "charts")]
            let subtitle = front.chart.as_ref().and_then(|chart| chart.subtitle()).unwrap_or(&front.question);
            #[cfg(feature = "charts")]
            assert!(!study.has_chart() || subtitle.chars().count() <= 125, "{}: {subtitle}", study.name);
            assert!(front.question.ends_with('?'), "{}: {}", study.name, front.question);
            assert!(study.given(&[]).is_ok(), "{} can be asked as it is", study.name);
        }
    }

    #[test]
    fn a_mistyped_name_is_answered_with_what_looks_like_it() {
        assert_eq!(find("GROWTH").unwrap().name, "growth");
        let error = find("gold_by_yaer").unwrap_err();
        assert_eq!(error.to_string(), "there is no study `gold_by_yaer`");
        assert!(error.hints()[0].contains("`gold_by_year`"), "{:?}", error.hints());
    }
}
