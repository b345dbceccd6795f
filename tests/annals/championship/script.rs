//! The script of a director: when, and the words of a command; where `refused:` follows, what it has to fail with.

use crate::program::Place;

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its line in the script.
    pub number: usize,
    /// When it is given.
    pub at: String,
    /// Its words.
    pub words: Vec<String>,
    /// What it has to fail with.
    pub refused: Option<String>,
}

/// Reads a script.
pub fn read(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(said) = line.strip_prefix("refused: ") {
            lines.last_mut().expect("a command comes before what it is refused with").refused =
                Some(said.to_owned());
            continue;
        }
        let (at, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        lines.push(Line { number, at: at.to_owned(), words: words_of(words), refused: None });
    }
    lines
}

/// Words between spaces; quotes hold words together.
fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (quoted, part) in text.split('"').enumerate() {
        if quoted % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Gives the commands one after another. A command that is refused leaves the log as it was.
pub fn play(place: &Place, lines: &[Line]) {
    for line in lines {
        let mut words = vec!["tournament"];
        words.extend(line.words.iter().map(String::as_str));
        words.extend(["--actor", "omar"]);
        // The games of the archive say themselves when they were played.
        if line.words.get(1).is_none_or(|word| word != "import-games") {
            words.extend(["--at", &line.at]);
        }
        let Some(said) = &line.refused else {
            let run = place.run(&words);
            assert_eq!(run.status, 0, "line {}: {words:?}\n{}\n{}", line.number, run.out, run.talk);
            continue;
        };
        let before = place.ask(&["log", "head"]);
        let run = place.run(&words);
        assert_eq!(run.status, 2, "line {}: {words:?}\n{}\n{}", line.number, run.out, run.talk);
        assert!(run.talk.contains(said), "line {}: `{said}` is not in\n{}", line.number, run.talk);
        assert_eq!(place.ask(&["log", "head"]), before, "line {}", line.number);
    }
}

#[test]
fn quotes_hold_words_together_and_a_refusal_belongs_to_the_command_before_it() {
    let lines = read("# nothing\n2015-03-01  say \"two words\" one\n    refused: no such rule\n");
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!((line.at.as_str(), line.words.join("|").as_str()), ("2015-03-01", "say|two words|one"));
    assert_eq!((line.number, line.refused.as_deref()), (2, Some("no such rule")));
}
