//! The words of the documents: no retired term comes back, and sentences are short.

use std::fs;
use std::path::Path;

use regex::Regex;

use crate::documents::{commands, documents};
use crate::program::Place;

/// Where the expression of a row applies.
#[derive(Clone, Copy)]
struct Scope {
    /// README, ARCHITECTURE, CHANGELOG and `docs`.
    documents: bool,
    /// The help of every command.
    help: bool,
}

const DOCUMENTS: Scope = Scope { documents: true, help: false };

/// Each retired term of the style guide: its name, an expression for the retired sense only, the term to use, and the scope.
#[rustfmt::skip]
const RETIRED: &[(&str, &str, &str, Scope)] = &[
    ("foretell, foretold", r"\bforet(?:ell|ells|elling|old)\b", "predict, predicted", DOCUMENTS),
    ("what came true", r"\b(?:came|come|comes|coming) true\b", "observed", DOCUMENTS),
    ("judge a model or rating system", r"\b(?:judge|judges|judged|judging) (?:a |the |each |every |all )?(?:models?|networks?|ratings?|systems?|positions?|by|on|with)\b", "evaluate, score", DOCUMENTS),
    ("judge an event, hold against", r"\b(?:held|hold|holds|holding)\s(?:[^.|]{1,60}\s)?against\b|\bis judged\b", "check, compare with", DOCUMENTS),
    ("follows / departs / open", r"\bdeparts?\b|\bverdicts follow\b|\bleft open\b|\b(?:leave|leaves) (?:it|them|that) open\b|\b(?:is|are) (?:then )?open (?:in an audit|and not)\b", "compliant / violation / undetermined", DOCUMENTS),
    ("one of N equals", r"\bone of (?:[0-9]+|N|several) equals\b|\bamong equals\b|\bequal rounds\b", "compliant (1 of N equivalent)", DOCUMENTS),
    ("departures (ratings)", r"\bdepartures?\b", "mismatches", DOCUMENTS),
    ("worth", r"\bworths?\b", "evaluation; score (with unit)", DOCUMENTS),
    ("gave away", r"\b(?:gave|give|gives|given|giving) away\b", "evaluation loss", DOCUMENTS),
    ("first loss, lost (a piece)", r"\bfirst loss\b|\blost (?:a|its|the) (?:piece|rabbit|cat|dog|horse|camel|elephant)\b", "first capture, captured", DOCUMENTS),
    ("learnt from / judged by", r"\b(?:learnt|learned) from\b|\bjudged by\b", "training set / validation set", DOCUMENTS),
    ("--judged N", r"--judged\b", "--eval-folds N", DOCUMENTS),
    ("told apart, divided by lot", r"\btold apart\b|\bdivided by lot\b", "split (by game, by position)", DOCUMENTS),
    ("seen N times / between two steps / how far a step goes", r"\bseen (?:[a-z0-9]+ )?times\b|\bbetween two steps\b|\bhow far (?:a|each) step goes\b", "epochs / batch size / learning rate", DOCUMENTS),
    ("flatters, the leak", r"\bflatter(?:s|ed|ing)?\b|\bthe leak\b", "biased upward, data leakage", DOCUMENTS),
    ("hand-made evaluation", r"\bhand-?made\b", "handcrafted evaluation", DOCUMENTS),
    ("off by, miscalibration", r"\boff by\b|\bmiscalibrat", "calibration error (ECE)", DOCUMENTS),
    ("stroke, 95 of 100 cases", r"\bstrokes?\b|\b95 (?:cases )?(?:of|in|out of) (?:a )?(?:100|hundred)\b", "error bar, 95% confidence interval", DOCUMENTS),
    ("share_low, share_high", r"\bshare_(?:low|high)\b", "wilson_low, wilson_high", DOCUMENTS),
    ("fitted again", r"\b(?:fit|fits|fitted) (?:again|anew)\b", "refitted", DOCUMENTS),
    ("measures, what the rank rests on", r"\bmeasures of (?:the|a) (?:rank|ranking|standings)\b|\b(?:rest|rests|rested|resting) (?:up)?on\b", "tie-breaks; depends on", DOCUMENTS),
    ("desk, door", r"\b(?:desk|desks|door|doors)\b", "command handler (code); validation (docs)", DOCUMENTS),
    ("around, Around, Alone", r"\b(?:world|threads?|record|tournament) around (?:it|the)\b|\b(?:lead|leads|way) around\b", "context, TournamentContext, NoContext", DOCUMENTS),
    ("cut", r"\bat (?:a|the|any) cut\b|\bcuts? (?:a|the|it|them|into)\b|\b(?:is|are|was|were) cut\b", "point in time; divided; interrupted", DOCUMENTS),
    ("believed then / the log took", r"\bbeliev(?:e|es|ed|ing)\b|\b(?:what|which|that|as) the log (?:took|takes)\b", "recorded by then / recorded", DOCUMENTS),
    ("take, bring in, read-state", r"\b(?:bring|brings|bringing|brought) (?:[a-z]+ )?in(?:to)?\b|\bread-state\b", "import", DOCUMENTS),
    ("out of, carried out", r"\bcarr(?:y|ies|ied|ying) out\b|\b(?:read|reads|comes?|tournaments|games|rows|rulings|files?|takes?|questions) out of\b", "export, exported; from", DOCUMENTS),
    ("grow, grown, nobody played", r"\bgrown\b|\bthe grower\b|\b(?:grow|grows|growing) (?:an? |the )?(?:archives?|games)\b|\bnobody played\b", "generate, synthetic", DOCUMENTS),
    ("talk", r"\btalk(?:s|ing)?\b", "diagnostics (stderr)", DOCUMENTS),
    ("what is said, asked", r"\b(?:is|are|was|were|be|been) (?:said|asked|told)\b|\b(?:say|says|said|ask|asks|asked|tell|tells|told) (?:how|what|where|who|which|whether|why|that|so|of|nothing|something)\b|\b(?:program|command|text|file|error|help|report|note|page|source|manifest) (?:says|tells|asks|knows|forgets|judges)\b", "parameter value; query; prints, states, returns", DOCUMENTS),
    ("usual, where it is not given", r"\busual(?:ly)?\b|\bwhere (?:it is not|none is|nothing is) (?:given|named|said)\b", "default; [default: X]", DOCUMENTS),
    ("so many N", r"\bso many\b", "N; at most N; at least N", DOCUMENTS),
    ("is no X", r"\b(?:it|which|that|[0-9]+|[a-z]*[a-df-z]|[a-z]*(?:game|file|line|value|date|time|name|move|table)) (?:is|was) no (?:valid |real |stored )?(?:number|message|turn|text|game|row|file|comment|archive|log|word|name|value|date|time|limit|part|fault)\b", "is not a valid X", DOCUMENTS),
    ("stands, lies, bears", r"\b(?:stand|stands|stood|lie|lies|lay|bear|bears|bore) (?:at|on|under|over|below|above|behind|between|next|there|alone|still|as|the|its|of|to|with|far|near)\b|\b(?:stand|stands|stood|lies) in (?:a|an|its|one|that|the|this|which)\b|\bstanding\b", "is, is stored, has", DOCUMENTS),
    ("beside", r"\bbeside\b", "next to; as well as; compared with", DOCUMENTS),
    ("anew, goes on", r"\banew\b|\b(?:go|goes|going|went) on\b", "again, resumes", DOCUMENTS),
    ("whoever, nobody", r"\b(?:whoever|nobody|somebody|anybody|everybody)\b", "any player who; no player", DOCUMENTS),
    ("signs, words (values)", r"\bsigns?\b|\bwords\b", "characters, values", DOCUMENTS),
    ("ours", r"\bours\b|\bour (?:own|engine|library|program|log)\b", "Annals; built-in", DOCUMENTS),
    ("told as a story", r"\bstor(?:y|ies)\b", "event history", DOCUMENTS),
];

/// Phrases in which a retired term is right: the end of the file's name, the phrase, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("CHANGELOG.md", "the game went on", "a game continues: no program resumes"),
    ("docs/studies.md", "What pieces ahead are worth", "a title that the study states"),
    (
        "docs/studies.md",
        "who is so many pieces ahead, or behind, after so many moves",
        "a question that the study states",
    ),
    ("docs/studies.md", "What the first loss costs", "a title that the study states"),
    ("docs/tournaments.md", "what a bye is worth in the Swiss", "a question of the register of readings"),
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

#[test]
fn no_retired_term_comes_back() {
    let documents = texts();
    assert!(documents.len() > 20, "only {} documents were found", documents.len());
    let help: Vec<(String, String)> = if RETIRED.iter().any(|(.., scope)| scope.help) {
        let all = commands(&Place::new(), &[]);
        all.into_iter().map(|(words, help)| (format!("annals {} --help", words.join(" ")), help)).collect()
    } else {
        Vec::new()
    };
    let mut found = Vec::new();
    for row in RETIRED {
        let scope = row.3;
        found.extend(if scope.documents { hits(&documents, row) } else { Vec::new() });
        found.extend(if scope.help { hits(&help, row) } else { Vec::new() });
    }
    assert!(found.is_empty(), "{} retired terms:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_retired_term_is_found_outside_of_code_only() {
    let text = "Whoever asks, `nobody` knows.\n```\nnobody\n```\n\n    nobody\n\nIt lies\nbeside it: what a bye is worth in the Swiss.";
    let texts = vec![("docs/tournaments.md".to_owned(), prose(text))];
    let found: Vec<String> = RETIRED.iter().flat_map(|row| hits(&texts, row)).collect();
    let places: Vec<&str> = found.iter().filter_map(|hit| hit.split(" (").next()).collect();
    assert_eq!(places, ["docs/tournaments.md:9: `beside`", "docs/tournaments.md:1: `Whoever`"]);
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

#[test]
fn no_sentence_of_the_documents_is_longer_than_thirty_words() {
    let end = Regex::new(r"[.!?][)*]*\s+").unwrap();
    let mut long = Vec::new();
    for (name, text) in texts().iter().filter(|(name, _)| name != "CHANGELOG.md") {
        for (line, paragraph) in paragraphs(text) {
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
