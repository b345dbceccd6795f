//! Tables computed from all stored games: `position_index` and `players`. Their bytes depend on the set of games only.

use crate::tables::column::{
    Bool, OptI32, OptInstant, OptText, OptU8, OptU64, OptWord, Text, TextList, U32, U64, Word,
};
use crate::tables::schema::table;

table! {
    pub struct LookupRows;
    name: "lookup",
    purpose: "The index of positions: one row for each row of `turns`, sorted by position, with what was played next and \
              how the game ended.",
    files: "lookup/year=YYYY-CONTENT.parquet, one file for each year of play",
    order: "key, game_id, ply",
    layout: "Sorted by position, so that all games with a position stand together: the ranges of the pages lead to \
             the one page of each column that holds them. A row group is a range of keys.",
    sorted_by: &["key", "game_id", "ply"],
    row_group_rows: 131_072,
    page_rows: 4_096,
    columns: {
        key: U64, Random, Pages, "", "The position after the ply, the same for its images.";
        flipped: Bool, Plain, None, "", "Whether another image of the position stood in this game than that of the key.";
        symmetry: OptU8, Plain, None, "", "As in `turns`; null in Arimaa.";
        game_id: U64, Random, RowGroups, "", "The game.";
        ply: U32, Delta, RowGroups, "", "The ply that led to the position.";
        next_turn: OptText, Lengths, None, "",
            "The turn played from the position, as it was played in this game; null after the last one.";
        result: Word, Dictionary, None, "", "Who won the game: gold, silver, draw or unknown.";
        gold_rating: OptI32, Plain, None, "rating points", "Gold's rating before the game.";
        silver_rating: OptI32, Plain, None, "rating points", "Silver's rating before the game.";
    }
}

table! {
    pub struct PlayerRows;
    name: "players",
    purpose: "One row for each player, by account number (by name where a record has none).",
    files: "players/CONTENT.parquet, one file",
    order: "player_id, name; players without a number last",
    layout: "Small; made anew by every ingest from all stored games.",
    sorted_by: &[],
    row_group_rows: 1_048_576,
    page_rows: 8_192,
    columns: {
        player_id: OptU64, Delta, Pages, "", "The account number; null where the records have none.";
        name: Text, Plain, Pages, "", "The name in the player's last game.";
        other_names: TextList, Dictionary, None, "", "Other names in stored games, in alphabetical order.";
        kind: OptWord, Dictionary, RowGroups, "", "Whether a human or a bot, in the last game that says so.";
        country: OptText, Dictionary, RowGroups, "", "Country code in the last game that has one.";
        games: U32, Plain, RowGroups, "games", "Stored games.";
        games_gold: U32, Plain, RowGroups, "games", "Stored games with gold.";
        games_silver: U32, Plain, RowGroups, "games", "Stored games with silver.";
        wins: U32, Plain, RowGroups, "games", "Games won, as the records state it.";
        losses: U32, Plain, RowGroups, "games", "Games lost, as the records state it.";
        draws: U32, Plain, RowGroups, "games", "Games drawn, as the records state it.";
        rated_games: U32, Plain, RowGroups, "games", "Games that counted for ratings.";
        first_seen: OptInstant, Plain, RowGroups, "UTC", "Start of the first game.";
        last_seen: OptInstant, Plain, RowGroups, "UTC", "Start of the last game.";
        last_rating: OptI32, Plain, RowGroups, "rating points", "Rating before the last game that records one.";
        last_k: OptI32, Plain, RowGroups, "", "K before that game.";
    }
}
