//! The list of games that match filters: one SQL query made from the filters, which can be printed.

use annals_events::{GameKind, Side};
use serde::Deserialize;

use crate::dates::span;
use crate::players::Player;
use crate::search::PositionQuery;
use crate::session::{Reading, Session};
use crate::sql_text::{Conditions, text};

use crate::typed_rows::rows;
use crate::{Answer, Error};
use annals_report::similar;

/// The filters, which are joined by AND.
#[derive(Debug, Default, Clone)]
pub struct Filters {
    pub game: Option<GameKind>,
    /// A player, of either side.
    pub player: Option<Player>,
    /// The other player; with `player`, the games between the two.
    pub versus: Option<Player>,
    pub gold: Option<Player>,
    pub silver: Option<Player>,
    /// A part of the event's name, ignoring case.
    pub event: Option<String>,
    /// The first date: `2004`, `2004-05`, `2004-05-06`.
    pub from: Option<String>,
    /// The last date; a year or month counts to its end.
    pub to: Option<String>,
    /// The year of the start.
    pub year: Option<i16>,
    /// Both players' ratings at least.
    pub rating_min: Option<i32>,
    /// Both players' ratings at most.
    pub rating_max: Option<i32>,
    /// Rated games only, or unrated ones only.
    pub rated: Option<bool>,
    /// Turns of both sides together, at least.
    pub length_min: Option<u32>,
    /// Turns of both sides together, at most.
    pub length_max: Option<u32>,
    /// How the game ended, as the record states it: `goal`, `time` …
    pub ending: Option<String>,
    /// `gold`, `silver`, `draw`, `unknown`; in the Amazons also `white`, `black`; or `won`, `lost` from the view of `player`.
    pub result: Option<String>,
    /// A flag of the record: `corrupt`, `clock-disagrees` …
    pub flag: Option<String>,
    /// A position that occurred in the game.
    pub sought: Option<PositionQuery>,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Start, then id.
    #[default]
    Date,
    /// The sum of the players' ratings.
    Rating,
    /// Turns.
    Length,
    /// The gameroom's number.
    Id,
}

impl Order {
    /// All orders by their names.
    pub const ALL: [(&'static str, Order); 4] =
        [("date", Order::Date), ("rating", Order::Rating), ("length", Order::Length), ("id", Order::Id)];
}

/// A list of games to be made.
#[derive(Debug, Default, Clone)]
pub struct GameList {
    pub filters: Filters,
    /// The order, the smallest first.
    pub order: Order,
    /// The largest (newest, longest) first.
    pub descending: bool,
    /// The most games.
    pub limit: Option<usize>,
    /// For a terminal: the day alone, and no columns that seldom matter.
    pub compact: bool,
}

/// The results of a player against another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct HeadToHead {
    /// With those whose result is unknown.
    pub games: u64,
    pub won: u64,
    pub lost: u64,
    pub drawn: u64,
}

const RESULTS: [&str; 8] = ["gold", "silver", "white", "black", "draw", "unknown", "won", "lost"];

/// The kinds of games that the dataset has.
///
/// # Errors
/// If the query fails.
pub fn kinds(session: &Session) -> Result<Vec<GameKind>, Error> {
    #[derive(Deserialize)]
    struct Kind {
        game: GameKind,
    }

    let (kinds, _) =
        rows::<Kind>(session, "SELECT DISTINCT game FROM games ORDER BY game", &[], Reading::Scan)?;
    Ok(kinds.into_iter().map(|kind| kind.game).collect())
}

/// The kind of all games of the dataset, if it is another one than `game`.
#[must_use]
pub fn only_other(session: &Session, game: GameKind) -> Option<GameKind> {
    match kinds(session).ok()?.as_slice() {
        [only] if *only != game => Some(*only),
        _ => None,
    }
}

impl GameList {
    /// The query that makes the list.
    ///
    /// # Errors
    /// `Argument` if a date, ending, result or flag is not valid.
    pub fn sql(&self) -> Result<String, Error> {
        let conditions = self.filters.conditions()?;
        let direction = if self.descending { "DESC" } else { "ASC" };
        let order = match self.order {
            Order::Date => format!("g.started_at {direction} NULLS LAST, g.game_id {direction}"),
            Order::Rating => format!("g.gold_rating + g.silver_rating {direction} NULLS LAST, g.game_id"),
            Order::Length => format!("g.plies {direction}, g.game_id"),
            Order::Id => format!("g.game_id {direction}"),
        };
        let limit = self.limit.map_or(String::new(), |n| format!("\nLIMIT {n}"));
        let (turn, join) = match &self.filters.sought {
            // The position occurred after `ply` turns, so the next turn is the one after it.
            Some(sought) => (
                ", label(CAST(p.ply AS BIGINT) / 2 + 1, CASE WHEN p.ply % 2 = 0 THEN 'gold' ELSE 'silver' END) AS at_turn",
                format!(
                    "\nJOIN (SELECT game_id, min(ply) AS ply FROM ({}) AS hits GROUP BY game_id) AS p ON p.game_id = g.game_id",
                    sought.hits_sql()
                ),
            ),
            None => ("", String::new()),
        };
        let columns = if self.compact {
            // In the order of importance: a narrow terminal omits the last.
            "coalesce(substr(g.stream, 6), CAST(g.game_id AS VARCHAR)) AS game, CAST(g.started_at AS DATE) AS date, g.gold, g.silver, \
             CASE WHEN g.game = 'amazons' AND g.result = 'gold' THEN 'White' WHEN g.game = 'amazons' AND g.result = 'silver' \
             THEN 'Black' ELSE g.result END AS result, g.termination AS ending, \
             g.plies AS turns, g.gold_rating AS g_rating, g.silver_rating AS s_rating"
        } else {
            "g.game_id, g.stream, g.started_at, g.gold, g.gold_rating, g.silver, g.silver_rating, g.event, g.time_control, \
             g.rated, g.result, g.termination AS ending, g.plies AS turns"
        };
        let event = if self.compact { ", g.event" } else { "" };
        Ok(format!(
            "SELECT {columns}{turn}{event}\nFROM games AS g{join}{}\nORDER BY {order}{limit}",
            conditions.clause()
        ))
    }

    /// Starts making the list.
    ///
    /// # Errors
    /// As [`sql`](GameList::sql), or if the query fails.
    pub fn ask<'s>(&self, session: &'s Session) -> Result<Answer<'s>, Error> {
        let reading = self.filters.sought.as_ref().map_or(Reading::Scan, PositionQuery::reading);
        session.ask_sql(&self.sql()?, &[], reading)
    }

    /// The games between `player` and `versus` that match, all of them whatever the limit: how many `player` won, lost and
    /// drew. None unless both are named.
    ///
    /// # Errors
    /// As [`ask`](GameList::ask).
    pub fn head_to_head(&self, session: &Session) -> Result<Option<HeadToHead>, Error> {
        let (Some(player), Some(_)) = (&self.filters.player, &self.filters.versus) else { return Ok(None) };
        let gold = player.has_side("g.gold");
        let join = self.filters.sought.as_ref().map_or(String::new(), |sought| {
            format!(
                "\nJOIN (SELECT DISTINCT game_id FROM ({}) AS hits) AS p ON p.game_id = g.game_id",
                sought.hits_sql()
            )
        });
        let sql = format!(
            "SELECT count(*) AS games, \
             count(*) FILTER (WHERE CASE WHEN {gold} THEN g.result = 'gold' ELSE g.result = 'silver' END) AS won, \
             count(*) FILTER (WHERE CASE WHEN {gold} THEN g.result = 'silver' ELSE g.result = 'gold' END) AS lost, \
             count(*) FILTER (WHERE g.result = 'draw') AS drawn\nFROM games AS g{join}{}",
            Filters { result: None, ..self.filters.clone() }.conditions()?.clause()
        );
        let reading = self.filters.sought.as_ref().map_or(Reading::Scan, PositionQuery::reading);
        let (list, _) = rows::<HeadToHead>(session, &sql, &[], reading)?;
        Ok(list.into_iter().next())
    }

    /// The numbers of the games, in the order of the list.
    ///
    /// # Errors
    /// As [`ask`](GameList::ask).
    pub fn numbers(&self, session: &Session) -> Result<Vec<u64>, Error> {
        #[derive(Deserialize)]
        struct Numbered {
            game_id: u64,
        }

        let whole = GameList { compact: false, ..self.clone() };
        let (list, _) = rows::<Numbered>(session, &whole.sql()?, &[], Reading::Scan)?;
        Ok(list.into_iter().map(|game| game.game_id).collect())
    }
}

impl Filters {
    fn conditions(&self) -> Result<Conditions, Error> {
        let mut all = Conditions::default();
        if let Some(game) = self.game {
            all.add(format!("g.game = {}", text(game.word())));
        }
        self.add_players(&mut all);
        if let Some(event) = &self.event {
            all.add(format!("strpos(lower(g.event), {}) > 0", text(&event.to_lowercase())));
        }
        if let Some(from) = &self.from {
            all.add(format!("g.started_at >= to_timestamp_micros({})", span(from)?.0));
        }
        if let Some(to) = &self.to {
            all.add(format!("g.started_at < to_timestamp_micros({})", span(to)?.1));
        }
        if let Some(year) = self.year {
            all.add(format!("g.year = {year}"));
        }
        for (bound, sign) in [(self.rating_min, ">="), (self.rating_max, "<=")] {
            if let Some(rating) = bound {
                all.add(format!("g.gold_rating {sign} {rating} AND g.silver_rating {sign} {rating}"));
            }
        }
        if let Some(rated) = self.rated {
            all.add(if rated { "g.rated" } else { "NOT g.rated" });
        }
        for (bound, sign) in [(self.length_min, ">="), (self.length_max, "<=")] {
            if let Some(turns) = bound {
                all.add(format!("g.plies {sign} {turns}"));
            }
        }
        if let Some(ending) = &self.ending {
            let known: Vec<&str> = annals_events::Termination::ALL.iter().map(|t| t.word()).collect();
            all.add(format!("g.termination = {}", text(known_word("ending", ending, &known)?)));
        }
        if let Some(result) = &self.result {
            self.add_result(known_word("result", result, &RESULTS)?, &mut all)?;
        }
        if let Some(flag) = &self.flag {
            let known: Vec<&str> = annals_ingest::flags::Flag::ALL.iter().map(|f| f.word()).collect();
            all.add(format!("array_has(g.flags, {})", text(known_word("flag", flag, &known)?)));
        }
        Ok(all)
    }

    fn add_players(&self, all: &mut Conditions) {
        let side = |player: &Player, side: &str| player.has_side(&format!("g.{side}"));
        match (&self.player, &self.versus) {
            (Some(a), Some(b)) => all.add(format!(
                "(({} AND {}) OR ({} AND {}))",
                side(a, "gold"),
                side(b, "silver"),
                side(b, "gold"),
                side(a, "silver")
            )),
            (Some(one), None) | (None, Some(one)) => {
                all.add(format!("({} OR {})", side(one, "gold"), side(one, "silver")));
            }
            (None, None) => {}
        }
        if let Some(player) = &self.gold {
            all.add(side(player, "gold"));
        }
        if let Some(player) = &self.silver {
            all.add(side(player, "silver"));
        }
    }

    fn add_result(&self, result: &str, all: &mut Conditions) -> Result<(), Error> {
        let (as_gold, as_silver) = match result {
            "won" => ("gold", "silver"),
            "lost" => ("silver", "gold"),
            "white" | "black" => {
                let winner = if result == "white" { Side::Gold } else { Side::Silver };
                all.add(format!("(g.game = 'amazons' AND g.result = {})", text(winner.word())));
                return Ok(());
            }
            word => {
                all.add(format!("g.result = {}", text(word)));
                return Ok(());
            }
        };
        let Some(player) = &self.player else {
            return Err(Error::Argument {
                what: "result",
                found: result.to_owned(),
                why: "it needs a player who won or lost: add --player NAME".to_owned(),
            });
        };
        all.add(format!(
            "(({} AND g.result = {}) OR ({} AND g.result = {}))",
            player.has_side("g.gold"),
            text(as_gold),
            player.has_side("g.silver"),
            text(as_silver)
        ));
        Ok(())
    }
}

fn known_word<'w>(what: &'static str, word: &str, known: &[&'w str]) -> Result<&'w str, Error> {
    let folded = word.to_lowercase();
    known.iter().find(|k| **k == folded || k.replace('-', "_") == folded).copied().ok_or_else(|| {
        let like = similar(word, known.iter().copied());
        let like = like.first().map_or(String::new(), |l| format!(" (did you mean `{l}`?)"));
        Error::Argument { what, found: word.to_owned(), why: format!("known are {}{like}", known.join(", ")) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql_guard::queries;

    fn player(id: Option<u64>, name: &str) -> Player {
        Player { id, name: name.to_owned(), other_names: vec![], kind: None, country: None }
    }

    #[test]
    fn two_players_are_taken_with_both_colours() {
        let filters = Filters {
            player: Some(player(Some(5), "a")),
            versus: Some(player(None, "O'Neill")),
            ..Filters::default()
        };
        let sql = GameList { filters, ..GameList::default() }.sql().unwrap();
        assert!(
            sql.contains(
                "((g.gold_id = 5 AND (g.silver_id IS NULL AND g.silver = 'O''Neill')) OR \
             ((g.gold_id IS NULL AND g.gold = 'O''Neill') AND g.silver_id = 5))"
            ),
            "{sql}"
        );
        assert_eq!(queries(&sql).unwrap().len(), 1);
    }

    #[test]
    fn a_month_counts_to_its_end() {
        let filters =
            Filters { from: Some("2004-05".into()), to: Some("2004-05".into()), ..Filters::default() };
        let sql = GameList { filters, ..GameList::default() }.sql().unwrap();
        assert!(sql.contains("g.started_at >= to_timestamp_micros(1083369600000000)"), "{sql}");
        assert!(sql.contains("g.started_at < to_timestamp_micros(1086048000000000)"), "{sql}");
    }

    #[test]
    fn an_unknown_word_is_answered_with_those_that_are_known() {
        let filters = Filters { ending: Some("gaol".into()), ..Filters::default() };
        let error = GameList { filters, ..GameList::default() }.sql().unwrap_err();
        assert!(error.to_string().ends_with("(did you mean `goal`?)"), "{error}");
        let filters = Filters { result: Some("won".into()), ..Filters::default() };
        let error = GameList { filters, ..GameList::default() }.sql().unwrap_err();
        assert!(error.to_string().contains("--player"), "{error}");
    }
}
