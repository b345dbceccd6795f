//! The qualifier once more, without the crate: scores from the words of the rule, a ranking by comparing each with each, and
//! the same with one thing wrong; and fields with games of every kind.

use serde_json::{Value, json};

use crate::qualifier::STABLE;
use crate::vectors::Numbers;

/// A field with games of every kind: out of the period, unrated, wrong colours, surplus, equal times.
pub fn random_field(numbers: &mut Numbers) -> (Value, i64, i64) {
    let (opens, closes) = (1_000, 60_000);
    let mut bots = serde_json::Map::new();
    for i in 0..numbers.below(13) {
        let mut list = Vec::new();
        let (busy, hopeless) = (numbers.chance(85), numbers.chance(15));
        for benchmark in STABLE {
            let games = if busy { numbers.below(27) } else { 0 };
            let mut gold = numbers.chance(50);
            let mut start = 900 + numbers.below(1_500) as i64;
            for _ in 0..games {
                let gold_now = gold ^ numbers.chance(15);
                list.push(json!({
                    "id": list.len(), "bench": benchmark, "start": start, "end": start + 100 + numbers.below(60) as i64,
                    "colour": if gold_now { "G" } else { "S" }, "won": !hopeless && numbers.chance(45 + 5 * (i % 5)),
                    "rated": numbers.chance(90),
                }));
                gold = !gold_now;
                start += numbers.below(4_000) as i64;
            }
        }
        bots.insert(
            format!("bot{i}"),
            json!({"rating": 1500 + 100 * numbers.below(3), "order": i, "games": list}),
        );
    }
    (Value::Object(bots), opens, closes)
}

/// A deliberately wrong way to read the rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wrong {
    WindowIncluded,
    UnratedCount,
    UnratedSetTheColour,
    ColoursNotChecked,
    NoLimit,
    LimitOfRawGames,
    LatestOfEqualStreaks,
    PointsNotCapped,
    FirstStreakOfFour,
    AllLossesCount,
    LossesOnlyWithoutWins,
    CompletedByTheStreaksEnd,
    CompletedByTheLastGame,
    IdleByScoreFirst,
    IdleNotSeparate,
}

/// The row of an entrant: counted, points, tie-break, completion, rating, order; written without the crate.
fn plain_row(
    bot: &Value,
    opens: i64,
    closes: i64,
    wrong: Option<Wrong>,
) -> (usize, usize, i64, i64, i64, u64) {
    let is = |other| wrong == Some(other);
    let (mut counted, mut points, mut tie_break, mut completed) = (0, 0, 0i64, -1);
    for benchmark in STABLE {
        let mut list: Vec<&Value> =
            bot["games"].as_array().unwrap().iter().filter(|game| game["bench"] == benchmark).collect();
        list.sort_by_key(|game| (game["start"].as_i64(), game["id"].as_u64()));
        if is(Wrong::LimitOfRawGames) {
            list.truncate(20);
        }
        list.retain(|game| {
            let (start, end) = (game["start"].as_i64().unwrap(), game["end"].as_i64().unwrap());
            let slack = i64::from(is(Wrong::WindowIncluded));
            start + slack > opens && end - slack < closes
        });
        if !is(Wrong::UnratedCount) && !is(Wrong::UnratedSetTheColour) {
            list.retain(|game| game["rated"] == true);
        }
        let mut kept: Vec<&Value> = Vec::new();
        let mut last: Option<&Value> = None;
        for game in list {
            let alternates = last.is_none_or(|last| last["colour"] != game["colour"]);
            if alternates || is(Wrong::ColoursNotChecked) {
                if game["rated"] == true || is(Wrong::UnratedCount) {
                    kept.push(game);
                }
                last = Some(game);
            }
        }
        if !is(Wrong::NoLimit) {
            kept.truncate(20);
        }
        counted += kept.len();
        let text: String = kept.iter().map(|game| if game["won"] == true { 'W' } else { 'L' }).collect();
        let longest = text.split('L').map(str::len).max().unwrap_or(0);
        if longest == 0 {
            tie_break -= text.len() as i64;
            continue;
        }
        let mut at = text.find(&"W".repeat(longest)).unwrap();
        if is(Wrong::LatestOfEqualStreaks) {
            at = text.rfind(&"W".repeat(longest)).unwrap();
        }
        if is(Wrong::FirstStreakOfFour) {
            at = text.find("WWWW").unwrap_or(at);
        }
        let scores = if is(Wrong::PointsNotCapped) { longest } else { longest.min(4) };
        points += scores;
        let before = if is(Wrong::AllLossesCount) { &text[..] } else { &text[..at] };
        if !is(Wrong::LossesOnlyWithoutWins) {
            tie_break -= before.matches('L').count() as i64;
        }
        let last = match wrong {
            Some(Wrong::CompletedByTheStreaksEnd) => at + longest,
            Some(Wrong::CompletedByTheLastGame) => kept.len(),
            _ => at + scores,
        };
        completed = completed.max(kept[last - 1]["end"].as_i64().unwrap());
    }
    (counted, points, tie_break, completed, bot["rating"].as_i64().unwrap(), bot["order"].as_u64().unwrap())
}

/// The ranking by comparing each with each, with the rows.
pub fn plain_ranking(bots: &Value, opens: i64, closes: i64, wrong: Option<Wrong>) -> Vec<Value> {
    let rows: Vec<(String, _)> = bots
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, bot)| (name.clone(), plain_row(bot, opens, closes, wrong)))
        .collect();
    let above = |a: &(usize, usize, i64, i64, i64, u64), b: &(usize, usize, i64, i64, i64, u64)| -> bool {
        if (a.0 > 0) != (b.0 > 0) && wrong != Some(Wrong::IdleNotSeparate) {
            return a.0 > 0;
        }
        if a.0 > 0 || wrong == Some(Wrong::IdleNotSeparate) {
            if a.1 != b.1 {
                return a.1 > b.1;
            }
            if a.2 != b.2 {
                return a.2 > b.2;
            }
            if a.3 != b.3 {
                return a.3 != -1 && (b.3 == -1 || a.3 < b.3);
            }
        }
        if a.4 != b.4 && wrong != Some(Wrong::IdleByScoreFirst) {
            return a.4 > b.4;
        }
        a.5 < b.5
    };
    let mut order: Vec<&(String, _)> = rows.iter().collect();
    order.sort_by_key(|(_, row)| rows.iter().filter(|(_, other)| above(other, row)).count());
    order
        .into_iter()
        .map(|(name, row)| {
            json!({"bot": name, "played": row.0, "score": row.1, "tb1": row.2,
                   "tb2": (row.3 >= 0).then_some(row.3), "rating": row.4})
        })
        .collect()
}
