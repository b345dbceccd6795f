//! What was played from the start of a game, kept on this machine: a later session on the same dataset does not read all games again.

use annals_ingest::cache_folder::CacheFolder;
use serde::{Deserialize, Serialize};

use crate::explore::{Explored, NextTurn, Tally};

/// The most bytes of kept answers; one has at most some 3 MB.
const MOST: u64 = 8 << 20;

/// Changes whenever another answer is computed from the same dataset, or it is written in another way.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Stored {
    /// The digest of the dataset.
    dataset: String,
    board: String,
    to_move: String,
    total: Counts,
    ended: u64,
    choices: Vec<Choice>,
    not_listed: usize,
}

#[derive(Serialize, Deserialize)]
struct Choice {
    turn: String,
    counts: Counts,
    other_wordings: usize,
    example_game: u64,
}

/// Played, won by Gold, by Silver and by neither; the bits of the mean rating, which JSON would round; the first and the last year.
#[derive(Serialize, Deserialize)]
struct Counts([u64; 4], Option<u64>, [Option<i64>; 2]);

impl From<&Tally> for Counts {
    fn from(tally: &Tally) -> Counts {
        let &Tally { played, gold_won, silver_won, neither, average_rating, first_year, last_year } = tally;
        Counts(
            [played, gold_won, silver_won, neither],
            average_rating.map(f64::to_bits),
            [first_year, last_year],
        )
    }
}

impl From<Counts> for Tally {
    fn from(counts: Counts) -> Tally {
        let Counts([played, gold_won, silver_won, neither], rating, [first_year, last_year]) = counts;
        let average_rating = rating.map(f64::from_bits);
        Tally { played, gold_won, silver_won, neither, average_rating, first_year, last_year }
    }
}

fn folder() -> CacheFolder {
    CacheFolder::named("explorer", MOST)
}

/// None of a dataset without digest, which may change.
fn name(dataset: &str) -> Option<String> {
    (!dataset.is_empty()).then(|| format!("{dataset}-{FORMAT}"))
}

/// The answer for a dataset of this digest; none if it is not kept, or damaged.
pub(crate) fn read(dataset: &str) -> Option<Explored> {
    of_text(dataset, &folder().read(&name(dataset)?)?)
}

/// Keeps the answer, where the folder can be written.
pub(crate) fn keep(dataset: &str, explored: &Explored) {
    if let (Some(name), Ok(text)) = (name(dataset), to_text(dataset, explored)) {
        folder().keep(&name, &text);
    }
}

fn to_text(dataset: &str, explored: &Explored) -> serde_json::Result<Vec<u8>> {
    let choices = explored.choices.iter().map(|choice| Choice {
        turn: choice.turn.clone(),
        counts: Counts::from(&choice.tally),
        other_wordings: choice.other_wordings,
        example_game: choice.example_game,
    });
    serde_json::to_vec(&Stored {
        dataset: dataset.to_owned(),
        board: explored.board.clone(),
        to_move: explored.to_move.clone(),
        total: Counts::from(&explored.total),
        ended: explored.ended,
        choices: choices.collect(),
        not_listed: explored.not_listed,
    })
}

/// None if the text is the answer for another dataset.
fn of_text(dataset: &str, text: &[u8]) -> Option<Explored> {
    let stored: Stored =
        serde_json::from_slice(text).ok().filter(|stored: &Stored| stored.dataset == dataset)?;
    let choices = stored.choices.into_iter().map(|choice| NextTurn {
        turn: choice.turn,
        tally: choice.counts.into(),
        other_wordings: choice.other_wordings,
        example_game: choice.example_game,
    });
    Some(Explored {
        board: stored.board,
        to_move: stored.to_move,
        total: stored.total.into(),
        ended: stored.ended,
        choices: choices.collect(),
        not_listed: stored.not_listed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_it_was_kept_and_only_for_its_dataset() {
        let tally = |played, average_rating| Tally {
            played,
            gold_won: 2,
            silver_won: 1,
            neither: played - 3,
            average_rating,
            first_year: Some(2004),
            last_year: None,
        };
        // A mean whose shortest decimal is not read exactly by every reader.
        let rating = Some(f64::from_bits(0x4097_7000_0000_0001));
        let choice = NextTurn {
            turn: "Ra1 Rb1".to_owned(),
            tally: tally(5, rating),
            other_wordings: 1,
            example_game: 1 << 52,
        };
        let explored = Explored {
            board: "board".to_owned(),
            to_move: "gold".to_owned(),
            total: tally(7, None),
            ended: 0,
            choices: vec![choice],
            not_listed: 3,
        };
        let text = to_text("digest", &explored).unwrap();
        assert_eq!(of_text("digest", &text), Some(explored));
        assert_eq!(of_text("another", &text), None);
        assert_eq!(of_text("digest", &text[..text.len() - 1]), None);
        assert_eq!((name(""), name("digest").as_deref()), (None, Some("digest-1")));
    }
}
