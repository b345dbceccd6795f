//! The table of games in windows that follow source order. Row groups are sorted by number; source positions give the
//! order.

use std::borrow::Cow;
use std::str::FromStr;

use annals_events::{GameKind, PlayerAtStart, PlayerKind, Side, Termination};
use arrow::array::{Array as _, BooleanArray, Int64Array, StringArray};

use super::error::StoredGamesError;
use super::table::{Batch, StoredTable, among};
use super::turns::Wanted;
use crate::game_record::{Header, StatedResult};
use crate::tables::GameRows;

/// `ending_check` of a game with unplayable turns, or not over.
pub const NOT_REACHED: &str = "not_reached";

pub(super) const COLUMNS: [&str; 20] = [
    GameRows::game_id,
    GameRows::game,
    GameRows::gold,
    GameRows::silver,
    GameRows::gold_kind,
    GameRows::silver_kind,
    GameRows::gold_rating,
    GameRows::silver_rating,
    GameRows::event,
    GameRows::site,
    GameRows::started_at,
    GameRows::ended_at,
    GameRows::start,
    GameRows::result,
    GameRows::termination,
    GameRows::plies,
    GameRows::rated,
    GameRows::corrupt,
    GameRows::ending_check,
    GameRows::byte_offset,
];

/// Without its turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame<'a> {
    pub id: u64,
    pub game: GameKind,
    /// Players with kinds and ratings, event, site, start, times, result, rated, corrupt. Other columns are not read.
    pub header: Header<'a>,
    /// Of its record; in a log, the seq of its first event.
    pub byte_offset: u64,
    /// In force.
    pub plies: u32,
    /// All turns could be played.
    pub whole: bool,
    /// In the file, from 1.
    pub row: u64,
}

impl StoredGame<'_> {
    /// For finding its turns.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        Wanted {
            id: self.id,
            game: self.game,
            position: self.header.position.as_deref().map(Into::into),
            began: self.header.started_at.or(self.header.ended_at),
            plies: self.plies,
            row: self.row,
        }
    }
}

/// Row groups whose games precede those of the next window in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    groups: Vec<usize>,
}

/// Row groups with overlapping source positions form one window.
pub(super) fn windows(table: &StoredTable) -> Result<Vec<Window>, StoredGamesError> {
    let ranges = table.ranges(GameRows::byte_offset)?.into_iter();
    let mut groups: Vec<(u64, u64, usize)> =
        ranges.map(|range| range.unwrap_or((0, u64::MAX))).zip(0..).map(|((a, b), i)| (a, b, i)).collect();
    groups.sort_unstable();
    let mut windows: Vec<Window> = Vec::new();
    let mut end = None;
    for (least, most, group) in groups {
        match windows.last_mut() {
            Some(window) if end.is_some_and(|end| least <= end) => window.groups.push(group),
            _ => windows.push(Window { groups: vec![group] }),
        }
        end = end.max(Some(most));
    }
    Ok(windows)
}

/// In no particular order.
pub(super) fn read(
    table: &StoredTable,
    window: &Window,
    mut each: impl FnMut(&StoredGame<'_>) -> Result<(), StoredGamesError>,
) -> Result<(), StoredGamesError> {
    for group in &window.groups {
        let all = table.pages(*group, GameRows::byte_offset, |_, _| true);
        table.read(*group, &all, &COLUMNS, |batch| {
            let columns = Columns::of(batch)?;
            (0..batch.len()).try_for_each(|place| each(&columns.game(table, place, batch.row(place))?))
        })?;
    }
    Ok(())
}

/// Reads games by rising numbers, in no particular order.
pub(super) fn find(
    table: &StoredTable,
    ids: &[u64],
    mut each: impl FnMut(&StoredGame<'_>) -> Result<(), StoredGamesError>,
) -> Result<(), StoredGamesError> {
    let may_hold = |least, most| among(ids, least, most);
    for (group, range) in table.ranges(GameRows::game_id)?.into_iter().enumerate() {
        if !range.is_none_or(|(least, most)| may_hold(least, most)) {
            continue;
        }
        let rows = table.pages(group, GameRows::game_id, may_hold);
        table.read(group, &rows, &COLUMNS, |batch| {
            let columns = Columns::of(batch)?;
            let wanted = |place: &usize| ids.binary_search(&columns.numbers[0].value(*place)).is_ok();
            let mut places = (0..batch.len()).filter(wanted);
            places.try_for_each(|place| each(&columns.game(table, place, batch.row(place))?))
        })?;
    }
    Ok(())
}

struct Columns {
    numbers: [arrow::array::UInt64Array; 3],
    names: [StringArray; 2],
    words: [StringArray; 3],
    kinds: [StringArray; 2],
    ratings: [Int64Array; 2],
    event: StringArray,
    site: StringArray,
    times: [Int64Array; 2],
    start: StringArray,
    termination: StringArray,
    rated: BooleanArray,
    corrupt: BooleanArray,
}

impl Columns {
    fn of(batch: &Batch<'_>) -> Result<Columns, StoredGamesError> {
        Ok(Columns {
            numbers: [
                batch.counts(GameRows::game_id)?,
                batch.counts(GameRows::byte_offset)?,
                batch.counts(GameRows::plies)?,
            ],
            names: [batch.texts(GameRows::gold)?, batch.texts(GameRows::silver)?],
            words: [
                batch.texts(GameRows::game)?,
                batch.texts(GameRows::result)?,
                batch.texts(GameRows::ending_check)?,
            ],
            kinds: [batch.some_texts(GameRows::gold_kind)?, batch.some_texts(GameRows::silver_kind)?],
            ratings: [batch.numbers(GameRows::gold_rating)?, batch.numbers(GameRows::silver_rating)?],
            event: batch.some_texts(GameRows::event)?,
            site: batch.some_texts(GameRows::site)?,
            times: [batch.instants(GameRows::started_at)?, batch.instants(GameRows::ended_at)?],
            start: batch.some_texts(GameRows::start)?,
            termination: batch.some_texts(GameRows::termination)?,
            rated: batch.truths(GameRows::rated)?,
            corrupt: batch.truths(GameRows::corrupt)?,
        })
    }

    fn game(&self, table: &StoredTable, place: usize, row: u64) -> Result<StoredGame<'_>, StoredGamesError> {
        let [id, byte_offset, plies] = self.numbers.each_ref().map(|column| column.value(place));
        let [game, result, check] = self.words.each_ref().map(|column| column.value(place));
        let unknown =
            |column, found: &str| table.value(row, column, format!("says `{found}`, which no record says"));
        let termination = text(&self.termination, place)
            .map(|word| Termination::from_str(word).map_err(|_| unknown(GameRows::termination, word)));
        let rating = |side: Side, column| {
            number(&self.ratings[side as usize], place)
                .map(|rating| i32::try_from(rating).map_err(|_| table.value(row, column, "is no rating")))
                .transpose()
        };
        let kind = |side: Side, column| {
            text(&self.kinds[side as usize], place)
                .map(|word| player_kind(word).ok_or_else(|| unknown(column, word)))
                .transpose()
        };
        let player = |side: Side, kind, rating| PlayerAtStart {
            name: Cow::Borrowed(self.names[side as usize].value(place)),
            kind,
            rating,
            ..PlayerAtStart::default()
        };
        let corrupt = self.corrupt.is_valid(place) && self.corrupt.value(place);
        Ok(StoredGame {
            id,
            game: GameKind::from_str(game).map_err(|_| unknown(GameRows::game, game))?,
            header: Header {
                gold: player(
                    Side::Gold,
                    kind(Side::Gold, GameRows::gold_kind)?,
                    rating(Side::Gold, GameRows::gold_rating)?,
                ),
                silver: player(
                    Side::Silver,
                    kind(Side::Silver, GameRows::silver_kind)?,
                    rating(Side::Silver, GameRows::silver_rating)?,
                ),
                event: text(&self.event, place).map(Cow::Borrowed),
                site: text(&self.site, place).map(Cow::Borrowed),
                position: text(&self.start, place).map(Cow::Borrowed),
                rated: self.rated.is_valid(place).then(|| self.rated.value(place)),
                started_at: number(&self.times[0], place),
                ended_at: number(&self.times[1], place),
                result: stated(result).ok_or_else(|| unknown(GameRows::result, result))?,
                termination: termination.transpose()?,
                corrupt,
                ..Header::default()
            },
            byte_offset,
            plies: u32::try_from(plies).map_err(|_| table.value(row, GameRows::plies, "is too large"))?,
            whole: check != NOT_REACHED,
            row,
        })
    }
}

fn text(column: &StringArray, place: usize) -> Option<&str> {
    column.is_valid(place).then(|| column.value(place))
}

fn number(column: &Int64Array, place: usize) -> Option<i64> {
    column.is_valid(place).then(|| column.value(place))
}

fn player_kind(word: &str) -> Option<PlayerKind> {
    [PlayerKind::Human, PlayerKind::Bot].into_iter().find(|kind| kind.word() == word)
}

fn stated(word: &str) -> Option<StatedResult> {
    let [gold, silver] = Side::BOTH.map(StatedResult::Won);
    [gold, silver, StatedResult::Draw, StatedResult::Unknown].into_iter().find(|result| result.word() == word)
}
