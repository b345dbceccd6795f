//! Position search. An exact position is a key range in `lookup`, whose page index selects the few pages that have
//! it; a pattern with wildcards is a scan over the board column of `turns` only.
//!
//! A position and its left-right mirror image (in the Amazons its images under all symmetries) are
//! equivalent by the rules, so all are found unless that is disabled.
//! Two different positions share a 64-bit key with a probability of about 1 in 10^12 among ten million: this is
//! accepted, and `board_matches` on the hits detects it.

use annals_events::Side;
use annals_rules::AnyPosition;

use crate::Error;
use crate::boards::{hashes_at_the_start, key_and_image};
use crate::pattern::Pattern;
use crate::session::Reading;
use crate::sql_text::text;

/// What is searched.
#[derive(Debug, Clone)]
pub struct PositionQuery {
    what: What,
    /// Whether mirror images count as hits.
    mirrors: bool,
}

#[derive(Debug, Clone)]
enum What {
    Position(AnyPosition),
    Pattern { pattern: Pattern, to_move: Option<Side> },
}

impl PositionQuery {
    #[must_use]
    pub fn position(position: AnyPosition, mirrors: bool) -> PositionQuery {
        PositionQuery { what: What::Position(position), mirrors }
    }

    /// A pattern with wildcards, of either side to move unless one is named.
    ///
    /// # Errors
    /// If the text is not a pattern.
    pub fn pattern(pattern: &str, to_move: Option<Side>, mirrors: bool) -> Result<PositionQuery, Error> {
        let pattern = Pattern::parse(pattern).map_err(|why| Error::Argument {
            what: "pattern",
            found: one_line(pattern),
            why: why.to_string(),
        })?;
        Ok(PositionQuery { what: What::Pattern { pattern, to_move }, mirrors })
    }

    /// SQL for the hits: `game_id` and the `ply` after which the position occurred, unordered.
    #[must_use]
    pub fn hits_sql(&self) -> String {
        match &self.what {
            What::Position(position) => {
                let (key, image) = key_and_image(position);
                let same_way = if self.mirrors { String::new() } else { format!(" AND {image}") };
                let hits =
                    format!("SELECT game_id, ply FROM lookup WHERE key = {}{same_way}", hash_literal(key));
                // The index has positions after a turn; the start of an Amazons game is found by its first turn.
                let starts = hashes_at_the_start(position, self.mirrors);
                if starts.is_empty() {
                    return hits;
                }
                let starts: Vec<String> = starts.into_iter().map(hash_literal).collect();
                format!(
                    "{hits} UNION ALL SELECT game_id, ply - ply AS ply FROM turns WHERE ply = 1 AND hash_before IN ({})",
                    starts.join(", ")
                )
            }
            What::Pattern { pattern, to_move } => {
                let mut boards = format!("board_matches(board, {})", text(&pattern.to_string()));
                let mirror = pattern.mirrored();
                if self.mirrors && mirror != *pattern {
                    boards = format!("({boards} OR board_matches(board, {}))", text(&mirror.to_string()));
                }
                let side =
                    to_move.map_or(String::new(), |side| format!(" AND to_move = {}", text(side.word())));
                format!("SELECT game_id, ply FROM turns WHERE {boards}{side}")
            }
        }
    }

    /// The reading method for the search: both kinds find few rows among many.
    pub(crate) fn reading(&self) -> Reading {
        Reading::LookUp
    }
}

/// A hash as an SQL literal. Numbers beyond 2^63 are not plain integers in SQL, so the type is stated.
pub(crate) fn hash_literal(hash: u64) -> String {
    format!("CAST('{hash}' AS BIGINT UNSIGNED)")
}

fn one_line(text: &str) -> String {
    text.replace('\n', "/").chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR";

    #[test]
    fn an_exact_search_asks_for_one_key_and_a_pattern_for_boards_alone() {
        let position = AnyPosition::read(BOARD, Some(Side::Gold), None).unwrap();
        let (key, image) = key_and_image(&position);
        let sql = PositionQuery::position(position, false).hits_sql();
        assert_eq!(
            sql,
            format!(
                "SELECT game_id, ply FROM lookup WHERE key = CAST('{key}' AS BIGINT UNSIGNED) AND {image}"
            )
        );
        let pattern =
            PositionQuery::pattern(&format!("E{}", "*".repeat(63)), Some(Side::Silver), true).unwrap();
        assert_eq!(
            pattern.hits_sql(),
            format!(
                "SELECT game_id, ply FROM turns WHERE (board_matches(board, 'E{0}') OR board_matches(board, '{1}E{2}')) \
                 AND to_move = 'silver'",
                "*".repeat(63),
                "*".repeat(7),
                "*".repeat(56)
            )
        );
    }
}
