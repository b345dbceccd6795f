//! The words of documents, help, errors and public names: no retired term comes back, and sentences are short.

use std::fs;
use std::path::Path;

use regex::Regex;

use crate::documents::{commands, documents, files};
use crate::program::Place;

/// Where the expression of a row applies.
#[derive(Clone, Copy)]
struct Scope {
    /// README, ARCHITECTURE, CHANGELOG and `docs`, the help of every command, and the errors of every crate.
    texts: bool,
    /// Public names of the crates, as words.
    names: bool,
}

const TEXTS: Scope = Scope { texts: true, names: false };
const ALL: Scope = Scope { texts: true, names: true };

/// Each retired term of the style guide: its name, an expression for the retired sense only, the term to use, and the scope.
#[rustfmt::skip]
const RETIRED: &[(&str, &str, &str, Scope)] = &[
    ("foretell, foretold", r"\bforet(?:ell|ells|elling|old)\b", "predict, predicted", ALL),
    ("what came true", r"\b(?:came|come|comes|coming) true\b", "observed", ALL),
    ("judge a model or rating system", r"\b(?:judge|judges|judged|judging) (?:a |the |each |every |all )?(?:models?|networks?|ratings?|systems?|positions?|by|on|with)\b", "evaluate, score", TEXTS),
    ("judge an event, hold against", r"\b(?:held|hold|holds|holding)\s(?:[^.|]{1,60}\s)?against\b|\bis judged\b", "check, compare with", ALL),
    ("follows / departs / open", r"\bdeparts?\b|\bverdicts follow\b|\bleft open\b|\b(?:leave|leaves) (?:it|them|that) open\b|\b(?:is|are) (?:then )?open (?:in an audit|and not)\b", "compliant / violation / undetermined", TEXTS),
    ("one of N equals", r"\bone of (?:[0-9]+|N|several) equals\b|\bamong equals\b|\bequal rounds\b", "compliant (1 of N equivalent)", ALL),
    ("departures (ratings)", r"\bdepartures?\b", "mismatches", ALL),
    ("worth", r"\bworths?\b", "evaluation; score (with unit)", ALL),
    ("gave away", r"\b(?:gave|give|gives|given|giving) away\b", "evaluation loss", ALL),
    ("first loss, lost (a piece)", r"\bfirst loss\b|\blost (?:a|its|the) (?:piece|rabbit|cat|dog|horse|camel|elephant)\b", "first capture, captured", ALL),
    ("learnt from / judged by", r"\b(?:learnt|learned) from\b|\bjudged by\b", "training set / validation set", ALL),
    ("--judged N", r"--judged\b", "--eval-folds N", ALL),
    ("told apart, divided by lot", r"\btold apart\b|\bdivided by lot\b", "split (by game, by position)", ALL),
    ("seen N times / between two steps / how far a step goes", r"\bseen (?:[a-z0-9]+ )?times\b|\bbetween two steps\b|\bhow far (?:a|each) step goes\b", "epochs / batch size / learning rate", ALL),
    ("flatters, the leak", r"\bflatter(?:s|ed|ing)?\b|\bthe leak\b", "biased upward, data leakage", ALL),
    ("hand-made evaluation", r"\bhand-?made\b", "handcrafted evaluation", ALL),
    ("off by, miscalibration", r"\boff by\b|\bmiscalibrat", "calibration error (ECE)", ALL),
    ("stroke, 95 of 100 cases", r"\bstrokes?\b|\b95 (?:cases )?(?:of|in|out of) (?:a )?(?:100|hundred)\b", "error bar, 95% confidence interval", ALL),
    ("share_low, share_high", r"\bshare_(?:low|high)\b", "wilson_low, wilson_high", ALL),
    ("fitted again", r"\b(?:fit|fits|fitted) (?:again|anew)\b", "refitted", ALL),
    ("measures, what the rank rests on", r"\bmeasures of (?:the|a) (?:rank|ranking|standings)\b|\b(?:rest|rests|rested|resting) (?:up)?on\b", "tie-breaks; depends on", TEXTS),
    ("desk, door", r"\b(?:desk|desks|door|doors)\b", "command handler (code); validation (docs)", ALL),
    ("around, Around, Alone", r"\b(?:world|threads?|record|tournament) around (?:it|the)\b|\b(?:lead|leads|way) around\b", "context, TournamentContext, NoContext", TEXTS),
    ("cut", r"\bat (?:a|the|any) cut\b|\bcuts? (?:a|the|it|them|into)\b|\b(?:is|are|was|were) cut\b", "point in time; divided; interrupted", TEXTS),
    ("believed then / the log took", r"\bbeliev(?:e|es|ed|ing)\b|\b(?:what|which|that|as) the log (?:took|takes)\b", "recorded by then / recorded", ALL),
    ("take, bring in, read-state", r"\b(?:bring|brings|bringing|brought) (?:[a-z]+ )?in(?:to)?\b|\bread-state\b", "import", TEXTS),
    ("out of, carried out", r"\bcarr(?:y|ies|ied|ying) out\b|\b(?:read|reads|comes?|tournaments|games|rows|rulings|files?|takes?|questions) out of\b", "export, exported; from", TEXTS),
    ("grow, grown, nobody played", r"\bgrown\b|\bthe grower\b|\b(?:grow|grows|growing) (?:an? |the )?(?:archives?|games)\b|\bnobody played\b", "generate, synthetic", ALL),
    ("talk", r"\btalk(?:s|ing)?\b", "diagnostics (stderr)", ALL),
    ("what is said, asked", r"\b(?:is|are|was|were|be|been) (?:said|asked|told)\b|\b(?:say|says|said|ask|asks|asked|tell|tells|told) (?:how|what|where|who|which|whether|why|that|so|of|nothing|something)\b|\b(?:program|command|text|file|error|help|report|note|page|source|manifest) (?:says|tells|asks|knows|forgets|judges)\b", "parameter value; query; prints, states, returns", TEXTS),
    ("usual, where it is not given", r"\busual(?:ly)?\b|\bwhere (?:it is not|none is|nothing is) (?:given|named|said)\b", "default; [default: X]", ALL),
    ("so many N", r"\bso many\b", "N; at most N; at least N", ALL),
    ("is no X", r"\b(?:it|which|that|[0-9]+|[a-z]*[a-df-z]|[a-z]*(?:game|file|line|value|date|time|name|move|table)) (?:is|was) no (?:valid |real |stored )?(?:number|message|turn|text|game|row|file|comment|archive|log|word|name|value|date|time|limit|part|fault)\b", "is not a valid X", TEXTS),
    ("stands, lies, bears", r"\b(?:stand|stands|stood|lie|lies|lay|bear|bears|bore) (?:at|on|under|over|below|above|behind|between|next|there|alone|still|as|the|its|of|to|with|far|near)\b|\b(?:stand|stands|stood|lies) in (?:a|an|its|one|that|the|this|which)\b|\bstanding\b", "is, is stored, has", TEXTS),
    ("beside", r"\bbeside\b", "next to; as well as; compared with", ALL),
    ("anew, goes on", r"\banew\b|\b(?:go|goes|going|went) on\b", "again, resumes", ALL),
    ("whoever, nobody", r"\b(?:whoever|nobody|somebody|anybody|everybody)\b", "any player who; no player", ALL),
    // Not the verb: a key signs a checkpoint.
    (
        "signs, words (values)",
        r"\b(?:a|the|this|these|those|two|three|plus|minus|other|of|or|no|any) signs?\b|\bwords\b",
        "characters, values",
        TEXTS,
    ),
    ("ours", r"\bours\b|\bour (?:own|engine|library|program|log)\b", "Annals; built-in", ALL),
    ("told as a story", r"\bstor(?:y|ies)\b", "event history", ALL),
];

/// Phrases in which a retired term is right: the end of the file's name, the phrase, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("CHANGELOG.md", "the game went on", "a game continues: no program resumes"),
    ("docs/reference/studies.md", "What pieces ahead are worth", "a title that the study states"),
    (
        "docs/reference/studies.md",
        "who is so many pieces ahead, or behind, after so many moves",
        "a question that the study states",
    ),
    ("docs/reference/studies.md", "What the first loss costs", "a title that the study states"),
    (
        "docs/reference/tournaments.md",
        "what a bye is worth in the Swiss",
        "a question of the register of readings",
    ),
];

/// The text of a document without code: the same lines, with code blocks and code spans empty.
fn prose(text: &str) -> String {
    let (mut fenced, mut indented, mut after_blank) = (false, false, true);
    let mut lines = Vec::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        let is_blank = line.trim().is_empty();
        indented = !is_blank && line.starts_with("    ") && (after_blank || indented) || is_blank && indented;
        after_blank = is_blank;
        fenced ^= is_fence;
        lines.push(if fenced || is_fence || indented { "" } else { line });
    }
    let mut found = String::new();
    for (at, part) in lines.join("\n").split('`').enumerate() {
        if at % 2 == 0 {
            found += part;
        } else {
            found += "`";
            found.extend(part.chars().filter(|c| *c == '\n'));
            found += "`";
        }
    }
    found
}

/// Documents with their names.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = documents();
    paths.push(root.join("CHANGELOG.md"));
    let name = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| (name(path), prose(&fs::read_to_string(path).unwrap()))).collect()
}

/// Each hit of a row in the texts, as one line for the reader.
fn hits(texts: &[(String, String)], row: &(&str, &str, &str, Scope)) -> Vec<String> {
    let (retired, expression, instead, _) = row;
    let expression = Regex::new(&format!("(?i){expression}")).unwrap();
    let mut found = Vec::new();
    for (name, text) in texts {
        let mut text = text.clone();
        for (_, phrase, _) in EXCEPTIONS.iter().filter(|(file, ..)| name.ends_with(file)) {
            text = text.replace(phrase, "");
        }
        for hit in expression.find_iter(&text) {
            let line = text[..hit.start()].matches('\n').count() + 1;
            found.push(format!("{name}:{line}: `{}` ({retired}): write {instead}", hit.as_str()));
        }
    }
    found
}

/// The sources of the crates, without tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let source = if folder.ends_with("src") { folder } else { folder.join("src") };
        let Ok(source) = source.strip_prefix(root) else { continue };
        if root.join(source).is_dir() {
            for path in
                files(source.to_str().unwrap(), "rs").iter().filter(|path| !path.ends_with("tests.rs"))
            {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found
}

/// What an expression finds in each source, one a line: the texts of errors, or public names as words.
fn extracts(sources: &[(String, String)], what: &str, expression: &str) -> Vec<(String, String)> {
    let expression = Regex::new(expression).unwrap();
    let extract = |text: &str| expression.captures_iter(text).map(|hit| spaced(&hit[1])).collect::<Vec<_>>();
    let texts = sources.iter().map(|(name, text)| (format!("{what} of {name}"), extract(text).join("\n")));
    texts.filter(|(_, text)| !text.is_empty()).collect()
}

/// A text with the words of each name parted: `InWords` and `in_words` are `In Words` and `in words`.
fn spaced(text: &str) -> String {
    let humps = Regex::new(r"([a-z0-9])([A-Z])").unwrap();
    humps.replace_all(&text.replace('_', " "), "$1 $2").into_owned()
}

const ERRORS: &str = r#"#\[error\(\s*"((?:[^"\\]|\\.)*)""#;
const PUBLIC_NAMES: &str =
    r"(?m)^\s*pub (?:const |async |unsafe )*(?:fn|struct|enum|const|static|type|trait|mod) (\w+)";

#[test]
fn no_retired_term_comes_back() {
    let mut documents = texts();
    assert!(documents.len() > 20, "only {} documents were found", documents.len());
    for (words, help) in commands(&Place::new(), &[]) {
        documents.push((format!("annals {} --help", words.join(" ")), help));
    }
    let sources = sources();
    documents.extend(extracts(&sources, "errors", ERRORS));
    let names = extracts(&sources, "public names", PUBLIC_NAMES);
    assert!(documents.len() > 200 && names.len() > 500, "{} texts, {} sources", documents.len(), names.len());
    let mut found = Vec::new();
    for row in RETIRED {
        let scope = row.3;
        found.extend(if scope.texts { hits(&documents, row) } else { Vec::new() });
        found.extend(if scope.names { hits(&names, row) } else { Vec::new() });
    }
    assert!(found.is_empty(), "{} retired terms:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_retired_term_is_found_outside_of_code_only() {
    let text = "Whoever asks, `nobody` knows.\n```\nnobody\n```\n\n    nobody\n\nIt lies\nbeside it: what a bye is worth in the Swiss.";
    let texts = vec![("docs/reference/tournaments.md".to_owned(), prose(text))];
    let found: Vec<String> = RETIRED.iter().flat_map(|row| hits(&texts, row)).collect();
    let places: Vec<&str> = found.iter().filter_map(|hit| hit.split(" (").next()).collect();
    assert_eq!(
        places,
        ["docs/reference/tournaments.md:9: `beside`", "docs/reference/tournaments.md:1: `Whoever`"]
    );
}

/// The paragraphs and list items of a document, each with its first line; no tables and headings.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty()
            || line.starts_with(['|', '#'])
            || line.starts_with("<!--")
            || line.starts_with("![")
        {
            continues = false;
            continue;
        }
        let is_item = line.starts_with("* ")
            || line.starts_with("- ")
            || line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(". ");
        match found.last_mut() {
            Some((_, paragraph)) if continues && !is_item => *paragraph += &format!(" {line}"),
            _ => found.push((number, line.to_owned())),
        }
        continues = true;
    }
    found
}

/// The sentences of a help without its examples and usage: those at the start, and one text for each argument.
fn help_texts(help: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (number, line) in (1..).zip(help.lines().take_while(|line| !line.starts_with("Examples:"))) {
        let text = line.trim();
        let is_argument = text.starts_with(['-', '<', '[']) && line.starts_with("  ");
        // A list of lines in the introduction.
        let is_listed = line.starts_with("  ") && !line.starts_with("          ");
        if text.is_empty() || text.ends_with(':') || text.starts_with("Usage:") || is_argument || is_listed {
            continues = false;
            continue;
        }
        match found.last_mut() {
            Some((_, before)) if continues => *before += &format!(" {text}"),
            _ => found.push((number, text.to_owned())),
        }
        continues = true;
    }
    found
}

#[test]
fn no_sentence_of_the_documents_and_of_the_help_is_longer_than_thirty_words() {
    let end = Regex::new(r"[.!?][)*]*\s+").unwrap();
    let mut long = Vec::new();
    let documents = texts().into_iter().filter(|(name, _)| name != "CHANGELOG.md");
    let documents = documents.map(|(name, text)| (name, paragraphs(&text)));
    let help = commands(&Place::new(), &[]).into_iter();
    let help = help.map(|(words, help)| (format!("annals {} --help", words.join(" ")), help_texts(&help)));
    for (name, texts) in documents.chain(help) {
        for (line, paragraph) in texts {
            for sentence in end.split(&paragraph) {
                let is_word = |word: &&str| word.contains(|c: char| c.is_alphanumeric() || c == '`');
                let words = sentence.split_whitespace().filter(is_word).count();
                if words > 30 {
                    long.push(format!("{name}:{line}: {words} words: {sentence}"));
                }
            }
        }
    }
    assert!(long.is_empty(), "{} long sentences:\n{}", long.len(), long.join("\n"));
}
