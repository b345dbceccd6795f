//! The method: the command, the single commands, and the differences from the paper.

use annals_report::{Document, grouped};

use crate::results::{Reproduction, Subject};

/// Differences from the paper, with reasons.
const DIFFERENCES: [&str; 10] = [
    "The paper's text and its program differ. Followed is the program: the network is paper-run (36,103 parameters), not 48 or 384 \
     filters; conv48 and paper-text are those.",
    "The program's library took the last axis of the planes for channels, so paper-run lays its filters over kinds of piece by ranks, \
     with the eight files for channels. conv6 is the same with the axes put right.",
    "Positions are split by position, as the paper did, and by game. By position nearly every position of the validation set has \
     neighbours in the training set, with the same winner: the figures are biased upward.",
    "The grid search takes shuffled positions, as the text says, where nothing else was asked for; the program took consecutive rows. \
     These are of few games, so that the data leakage is larger there, and much of it must be in the .0803 of the paper's table, \
     whose network has .171 in the end.",
    "The program drew Figure 5 over all positions, four fifths of them in the training set. That way is shown under its name, next \
     to the heights over the validation sets, split by position and by game.",
    "Where there are fewer positions than the paper's four millions, batches are smaller, so that there are enough steps to learn \
     anything; where there are few games, every fold is a validation set once. The settings are printed with the figures.",
    "A game whose record comes twice is taken once, and one with a turn against the rules not at all; the program looked for neither.",
    "The networks are computed by another library, in single precision; chance is drawn otherwise, the last batch of an epoch is \
     smaller. The form of Nesterov's momentum, the first weights, the regularizer and early stopping are the program's.",
    "Accuracy rounds the prediction, so that 1.5 and more is wrong, as in the program; an exact half goes to the even number.",
    "± and bands are 95% confidence intervals that count games as independent; those of the calibration count positions.",
];

/// Adds the section.
pub fn add(page: Document, whole: &Reproduction) -> Document {
    let page = page.title("how", "How it was done").prose(format!(
        "{}. The paper had {} games and {} positions. The same command on the same files gives this page to the last byte, on any \
         number of threads.",
        whole.made_by,
        grouped(whole.printed.games),
        grouped(whole.printed.positions)
    ));
    let page = page.drawing(&whole.command).prose("The same figures one by one, printed by other commands:");
    let by_hand = |page: Document, subject| page.drawing(by_hand(whole, subject).join("\n"));
    whole
        .subjects
        .iter()
        .fold(page, by_hand)
        .lines("In what it differs from the paper, and why", DIFFERENCES.map(str::to_owned).to_vec())
}

/// The commands that print the figures of a subject.
fn by_hand(whole: &Reproduction, subject: &Subject) -> Vec<String> {
    let mut lines = Vec::new();
    let made = subject.data.sources.iter().any(|source| source.name == "selfplay.txt")
        && subject.data.about.contains("made for this");
    let sources: Vec<&str> = subject.data.sources.iter().map(|source| source.name.as_str()).collect();
    let sources = sources.join(" ");
    if made {
        let chosen = &whole.chosen;
        lines.push(format!(
            "annals engine selfplay --games {} --seed {} --nodes {} -o selfplay.txt",
            chosen.games, chosen.seed, chosen.nodes
        ));
    }
    let only = if subject.key == "real" { "--no-generated" } else { "--generated-only" };
    let floor = match subject.data.filter.split_once("at least ") {
        Some((_, rest)) => rest.chars().take_while(char::is_ascii_digit).collect(),
        None => "none".to_owned(),
    };
    for variant in &subject.variants {
        let (endings, table) =
            if variant.key == "all" { ("g,m,e,r", "all") } else { ("g,m,e", "without-resigned") };
        lines.push(format!(
            "annals learn features {sources} {only} --rating-floor {floor} --endings {endings} --features paper --output {table}.parquet"
        ));
        for one in &variant.experiments {
            let settings = &one.settings;
            lines.push(format!(
                "annals learn train {table}.parquet --network \"{}\" --split {} --eval-folds {} --batch-size {} --epochs {} --seed {}",
                one.network,
                one.split,
                one.folds.len(),
                settings.batch,
                settings.epochs,
                settings.seed
            ));
        }
    }
    lines
}
