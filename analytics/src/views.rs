//! Documents of a game, a career and an exploration: the values shown, and their texts.

use annals_events::narrative;
use annals_events::{GameKind, PlayerKind, Side};
use annals_ingest::stored_board::StoredBoard;
use annals_replay::queries::set_aside::RulingOnGame;
use annals_report::{Cell, Document, Part, Table};

use crate::boards::{colour, read_board};
use crate::career::{Career, Score};
use crate::dates::seconds;
use crate::explore::{Explored, NextTurn, Tally};
use crate::game_view::{GameView, Moment, Seat, TurnView};

/// The default number of opponents and choices.
pub const ROWS_SHOWN: usize = 15;

/// A game: its record, the board at the end, and all turns.
#[must_use]
pub fn game_document(game: &GameView) -> Document {
    let kind = game.game;
    let turns = if game.turns.iter().any(|t| t.used.is_some()) {
        let [gold, silver] = match kind {
            GameKind::Arimaa => ["gold_reserve", "silver_reserve"],
            GameKind::Amazons => ["white_reserve", "black_reserve"],
        };
        let rows = game.turns.iter().map(|turn| turn_row(kind, turn));
        Table { keep: &["turn", "steps"], ..table("", &["turn", "used", gold, silver, "steps"], rows) }
    } else {
        let rows = game.turns.iter().map(|t| vec![t.label.text_in(kind).into(), t.steps.as_str().into()]);
        table("", &["turn", "steps"], rows)
    };
    Document::default()
        .named(game_title(game))
        .facts(game_facts(game))
        .board("", board_with_label(kind, &game.after_last()))
        .table(turns)
}

fn table(title: &str, head: &[&str], rows: impl Iterator<Item = Vec<Cell>>) -> Table {
    Table { rows: rows.collect(), ..Table::new(title, head) }
}

/// A game at one turn: the position in which it is to be played, the turn played, and the clocks before and after.
#[must_use]
pub fn moment_document(game: &GameView, moment: &Moment) -> Document {
    let kind = game.game;
    let clocks = |turn: &TurnView| {
        let text = |s: Option<i64>| s.map(seconds);
        let (gold, silver) = text(turn.gold_reserve).zip(text(turn.silver_reserve))?;
        Some(match kind {
            GameKind::Arimaa => format!("gold {gold}, silver {silver}"),
            GameKind::Amazons => format!("White {gold}, Black {silver}"),
        })
    };
    let played = moment.played.as_ref();
    let facts = vec![
        ("before", moment.before.as_ref().map(|t| format!("{} {}", t.label.text_in(kind), t.steps)).into()),
        ("reserves before", moment.before.as_ref().and_then(clocks).into()),
        ("played", played.map(|t| format!("{} {}", t.label.text_in(kind), t.steps)).into()),
        ("time used", played.and_then(|t| t.used).map(|used| seconds(used.into())).into()),
        ("reserves after", played.and_then(clocks).into()),
    ];
    let title = format!("{}, turn {}", game_title(game), moment.label.text_in(kind));
    Document::default()
        .named(title)
        .facts(game_facts(game))
        .board("", board_with_label(kind, moment))
        .facts(facts)
}

/// The game by its players, for the head of a document.
fn game_title(game: &GameView) -> String {
    format!("{} against {}: game {}", game.gold.name, game.silver.name, game.name)
}

/// A game as its boards: each position with the turn that was played in it, and the end.
#[must_use]
pub fn boards_document(game: &GameView) -> Document {
    let document = Document::default().named(game_title(game)).facts(game_facts(game)).part(Part::Contents);
    game.moments().fold(document, |document, moment| {
        let played = moment.played.as_ref().map(|turn| ("played", Cell::from(turn.steps.as_str())));
        let label = moment.label.text_in(game.game);
        document.board(label, board_with_label(game.game, &moment)).facts(played.into_iter().collect())
    })
}

fn game_facts(game: &GameView) -> Vec<(&'static str, Cell)> {
    let place = game.source.as_ref().zip(game.line).map(|(source, line)| format!("{source} line {line}"));
    let flags = (!game.flags.is_empty()).then(|| game.flags.join(", "));
    let rated = match game.rated {
        Some(true) => "rated",
        Some(false) => "unrated",
        None => "rated or not is not known",
    };
    let notes = (!game.notes.is_empty()).then(|| game.notes.join("; "));
    let (of, [gold, silver]) = match game.game {
        GameKind::Arimaa => (String::new(), ["gold", "silver"]),
        GameKind::Amazons => {
            let size = game.board_size.as_deref().map_or_else(String::new, |size| format!(" on {size}"));
            (format!(" of Amazons{size}"), ["White", "Black"])
        }
    };
    let territory = game.territory.map(|squares| match squares {
        1 => "1 square".to_owned(),
        _ => format!("{squares} squares"),
    });
    vec![
        ("game", Cell::from(format!("{}{of} ({rated})", game.name))),
        (gold, seat(&game.gold).into()),
        (silver, seat(&game.silver).into()),
        ("event", game.event.clone().into()),
        ("site", game.site.clone().into()),
        ("time control", game.time_control.clone().into()),
        ("started", game.started_at.clone().into()),
        ("ended", game.ended_at.clone().into()),
        ("result", result_words(game).into()),
        ("territory", territory.into()),
        ("flags", flags.into()),
        ("notes", notes.into()),
        ("not playable", illegal_words(game).into()),
        ("another record", game.other_record.clone().into()),
        ("source", place.into()),
        ("resumes", game.resumes.as_ref().map(|from| format!("{} after ply {}", from.game, from.ply)).into()),
        ("ruling", Cell::join(game.rulings.iter().map(ruling_words), "; ")),
    ]
}

/// What a ruling did to the game, and why.
fn ruling_words(ruling: &RulingOnGame) -> String {
    let RulingOnGame { tournament, ruling, effect, reason, .. } = ruling;
    format!("ruling {ruling} of {tournament} {effect} this game: {reason}")
}

/// The first illegal turn, and the reason.
fn illegal_words(game: &GameView) -> Option<String> {
    let (ply, reason) = (game.illegal_ply?, game.illegal_reason.as_deref()?);
    Some(format!("ply {ply}: {reason}"))
}

fn seat(seat: &Seat) -> String {
    let details: Vec<String> = [
        seat.rating.map(|r| r.to_string()),
        seat.kind.map(|kind| kind.word().to_owned()),
        seat.country.clone(),
    ]
    .into_iter()
    .flatten()
    .collect();
    if details.is_empty() { seat.name.clone() } else { format!("{} ({})", seat.name, details.join(", ")) }
}

fn result_words(game: &GameView) -> String {
    let board = match game.ending_check.as_str() {
        "agrees" => "; the board agrees",
        "disagrees" => "; the board disagrees",
        _ => "",
    };
    let (outcome, turns) = (outcome_words(game), game.length());
    match game.illegal_ply {
        Some(_) => format!("{outcome}; {turns} could be played, the next one is not legal"),
        None => format!("{outcome} after {turns}{board}"),
    }
}

/// Who won, and how.
pub(crate) fn outcome_words(game: &GameView) -> String {
    let [gold, silver] = match game.game {
        GameKind::Arimaa => ["gold", "silver"],
        GameKind::Amazons => ["White", "Black"],
    };
    let who = match game.result.as_str() {
        "gold" => format!("{gold} ({}) won", game.gold.name),
        "silver" => format!("{silver} ({}) won", game.silver.name),
        "draw" => "drawn".to_owned(),
        _ if game.under_way => "under way".to_owned(),
        _ => "result not known".to_owned(),
    };
    let how = game.ending.as_deref().map_or(String::new(), |ending| match ending {
        "time" => " on time".to_owned(),
        "no_rabbits" => " with no rabbits left".to_owned(),
        word => match word.parse() {
            Ok(how) => format!(" by {}", narrative::ending(how)),
            Err(_) => format!(" by {word}"),
        },
    });
    who + &how
}

fn board_with_label(kind: GameKind, moment: &Moment) -> String {
    let board = read_board(&moment.board).map_or_else(|_| moment.board.clone(), |board| board.to_string());
    format!("{}\n{board}", moment.label.text_in(kind))
}

fn turn_row(kind: GameKind, turn: &TurnView) -> Vec<Cell> {
    vec![
        turn.label.text_in(kind).into(),
        turn.used.map(i64::from).into(),
        turn.gold_reserve.into(),
        turn.silver_reserve.into(),
        turn.steps.as_str().into(),
    ]
}

/// A career: totals, by colour, by ending, the most frequent opponents, and the rating over time. `opponents` is the number
/// of opponents, none for all.
#[must_use]
pub fn career_document(career: &Career, opponents: Option<usize>) -> Document {
    let other_names = (!career.other_names.is_empty()).then(|| career.other_names.join(", "));
    let facts = vec![
        ("player", career.name.as_str().into()),
        ("earlier names", other_names.into()),
        ("account", career.player_id.into()),
        ("kind", career.kind.map(PlayerKind::word).into()),
        ("country", career.country.clone().into()),
        ("first game", career.first_game.clone().into()),
        ("last game", career.last_game.clone().into()),
        ("rated games", career.rated_games.into()),
        ("last rating", career.last_rating.into()),
        ("peak rating", career.peak_rating.into()),
        ("peak on", career.peak_on.clone().into()),
    ];
    let colours = colours_of(career);
    let colours = colours.iter().map(|(colour, score)| score_row(colour, score));
    let endings = career.by_ending.iter().map(|(ending, score)| score_row(ending, score));
    let shown = opponents.unwrap_or(usize::MAX);
    let title = if career.opponents.len() > shown {
        format!("By opponent (the {shown} most frequent of {})", career.opponents.len())
    } else {
        "By opponent".to_owned()
    };
    let rows = career.opponents.iter().take(shown).map(|o| {
        let mut row = score_row(&o.name, &o.score);
        row.push(o.last_rating.into());
        row
    });
    let columns = [&score_columns("opponent")[..], &["rating"]].concat();
    Document::default()
        .named(format!("{}: career", career.name))
        .facts(facts)
        .table(table("By colour", &score_columns("colour"), colours))
        .table(table("By ending", &score_columns("ending"), endings))
        .table(table(&title, &columns, rows))
        .table(rating_table(career))
}

/// That a career counts a game which its tournament does not.
#[must_use]
pub fn counts_here(ruled: &RulingOnGame) -> String {
    let RulingOnGame { game, tournament, ruling, effect, .. } = ruled;
    format!(
        "{game} counts here; ruling {ruling} of {tournament} {effect} it, so `annals player record` leaves it out"
    )
}

/// The results with each colour, by its name in the games played.
fn colours_of(career: &Career) -> [(&'static str, &Score); 3] {
    let [gold, silver] = match career.games.as_slice() {
        [GameKind::Amazons] => ["White", "Black"],
        [] | [GameKind::Arimaa] => ["gold", "silver"],
        _ => ["gold or White", "silver or Black"],
    };
    [(gold, &career.gold), (silver, &career.silver), ("both", &career.total)]
}

/// The results of a career as one table: by colour, by ending and against each opponent.
#[must_use]
pub fn career_table(career: &Career) -> Table {
    let row = |by: &str, name: &str, score: &Score, rating: Option<i64>| {
        let mut row = vec![Cell::text(by)];
        row.extend(score_row(name, score));
        row.push(rating.into());
        row
    };
    let colours = colours_of(career);
    let colours = colours.iter().map(|(colour, score)| row("colour", colour, score, None));
    let endings = career.by_ending.iter().map(|(ending, score)| row("ending", ending, score, None));
    let opponents = career.opponents.iter().map(|o| row("opponent", &o.name, &o.score, o.last_rating));
    let columns = [&["by"], &score_columns("name")[..], &["rating"]].concat();
    table("", &columns, colours.chain(endings).chain(opponents))
}

fn score_columns(what: &str) -> [&str; 7] {
    [what, "games", "won", "lost", "drawn", "unknown", "percent"]
}

fn score_row(name: &str, score: &Score) -> Vec<Cell> {
    vec![
        name.into(),
        score.games.into(),
        score.won.into(),
        score.lost.into(),
        score.drawn.into(),
        score.unknown.into(),
        score.percent().into(),
    ]
}

fn rating_table(career: &Career) -> Table {
    let low = career.ratings.iter().map(|p| p.low).min().unwrap_or(0);
    let high = career.ratings.iter().map(|p| p.high).max().unwrap_or(0);
    let rows = career.ratings.iter().map(|p| {
        vec![
            p.period.as_str().into(),
            p.games.into(),
            p.low.into(),
            p.high.into(),
            p.last.into(),
            bar(p.last, low, high).into(),
        ]
    });
    table("Rating before the games", &["period", "games", "low", "high", "last", "line"], rows)
}

/// A bar from the lowest rating of the career (one character) to the highest (thirty).
fn bar(value: i64, low: i64, high: i64) -> String {
    let span = (high - low).max(1);
    let signs = 1 + 29 * (value - low).clamp(0, span) / span;
    "▪".repeat(usize::try_from(signs).unwrap_or(1))
}

/// An exploration: the board and the most frequent choices. `choices` is their number, none for all.
#[must_use]
pub fn explored_document(explored: &Explored, choices: Option<usize>) -> Document {
    let board = read_board(&explored.board);
    let amazons = matches!(board, Ok(StoredBoard::Amazons(_)));
    let to_move = match (amazons, explored.to_move.parse::<Side>()) {
        (true, Ok(side)) => colour(side),
        _ => &explored.to_move,
    };
    let board = board.map_or_else(|_| explored.board.clone(), |board| board.to_string());
    let names = match amazons {
        true => ["White won", "Black won", "White's percent"],
        false => ["gold won", "silver won", "gold's percent"],
    };
    let total = &explored.total;
    let facts = vec![
        ("times", total.played.into()),
        (names[0], total.gold_won.into()),
        (names[1], total.silver_won.into()),
        ("drawn or unknown", total.neither.into()),
        (names[2], gold_percent(total).into()),
        ("games ended here", explored.ended.into()),
    ];
    let shown = choices.unwrap_or(usize::MAX);
    let title = if explored.choices.len() > shown {
        format!("The {shown} most frequent of {} choices", explored.choices.len())
    } else {
        "Choices".to_owned()
    };
    let rows = explored.choices.iter().take(shown).map(|choice| choice_row(choice, total.played));
    let [gold, silver, percent] = match amazons {
        true => ["white_won", "black_won", "white_percent"],
        false => ["gold_won", "silver_won", "gold_percent"],
    };
    let columns = ["played", "share", gold, silver, "neither", percent, "rating", "game", "turn"];
    Document::default()
        .named("Turns played from a position")
        .drawing(format!("{to_move} to move\n{board}"))
        .facts(facts)
        .table(Table { keep: &["turn"], ..table(&title, &columns, rows) })
}

fn choice_row(choice: &NextTurn, all: u64) -> Vec<Cell> {
    let tally = &choice.tally;
    vec![
        tally.played.into(),
        (tally.played as f64 / all.max(1) as f64 * 100.0).into(),
        tally.gold_won.into(),
        tally.silver_won.into(),
        tally.neither.into(),
        gold_percent(tally).into(),
        tally.average_rating.into(),
        choice.example_game.into(),
        choice.turn.as_str().into(),
    ]
}

/// Gold's wins in percent of the decided games.
fn gold_percent(tally: &Tally) -> Option<f64> {
    let decided = tally.gold_won + tally.silver_won;
    (decided > 0).then(|| tally.gold_won as f64 / decided as f64 * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_grows_with_the_rating() {
        assert_eq!(bar(1400, 1400, 2000).chars().count(), 1);
        assert_eq!(bar(2000, 1400, 2000).chars().count(), 30);
        assert_eq!(bar(5, 5, 5).chars().count(), 1);
    }
}
