//! The table `turns`: every ply of every game, in order of play.

use crate::tables::column::{
    Board, Bool, OptBool, OptI64, OptInstant, OptU8, OptU16, OptU32, OptU64, Text, U8, U32, U64, Word,
};
use crate::tables::schema::table;

table! {
    pub struct TurnRows;
    name: "turns",
    purpose: "One row for each completed turn of every game, as far as the game could be played through: what was \
              played, the clocks, and the position that it led to.",
    files: "turns/year=YYYY/SOURCE.parquet, one file for each source and year of play",
    order: "game_id, ply within each row group; row groups in the order of the source",
    layout: "The order of play keeps a game together, so that reading one game touches one page of each column, and \
             lets the board of a ply be compressed against the board before it. One row group for each 8 MiB of source \
             text, at most 131,072 rows: a scan can use many cores, and a reader of one game skips \
             the rest by the ranges of game_id. No bloom filter: positions are looked up in `lookup`, which is \
             sorted by them.",
    sorted_by: &[],
    row_group_rows: 131_072,
    page_rows: 8_192,
    columns: {
        game_id: U64, Delta, Pages, "", "The game, by the gameroom's number.";
        ply: U32, Delta, Pages, "", "The position of the turn in the game, from 1; takebacks already undone.";
        number: U32, Delta, RowGroups, "", "The number of the turn as the record writes it (both sides share it).";
        label: Text, Dictionary, None, "", "The turn as the record writes it, number and letter: 12w, 12b; in the Amazons w is White, b is Black.";
        side: Word, Dictionary, RowGroups, "", "Who took the turn: gold or silver; in the Amazons gold is White, silver is Black.";
        steps: Text, Lengths, None, "", "The turn in the words of the record: placements, or steps and captures; in the Amazons a move, d1-d7(g7).";
        step_count: U8, Dictionary, RowGroups, "steps", "Steps made, 1 to 4; 0 for a setup; a move of the Amazons is one.";
        capture_count: U8, Dictionary, RowGroups, "pieces", "Pieces captured by the turn, of either side.";
        setup: Bool, Plain, RowGroups, "", "Whether the turn is a setup.";
        used: OptU32, Delta, RowGroups, "seconds", "Time used for the turn, where the server log says so.";
        gold_reserve: OptI64, Delta, RowGroups, "seconds", "Gold's reserve after the turn, as the server showed it.";
        silver_reserve: OptI64, Delta, RowGroups, "seconds",
            "Silver's reserve after the turn, as the server showed it.";
        game_time: OptU64, Delta, RowGroups, "seconds", "Length of the game after the turn, as the server showed it.";
        at: OptInstant, Delta, RowGroups, "UTC", "When the server received the turn, where the log says so.";
        clock_ok: OptBool, Plain, RowGroups, "",
            "Whether our clock gives the reserves that the server showed; null where there is nothing to compare.";
        hash_before: U64, Random, RowGroups, "", "Hash of the position (board and side to move) before the turn.";
        hash_after: U64, Random, RowGroups, "", "Hash of the position after the turn.";
        key: U64, Random, RowGroups, "",
            "Hash of the position after the turn that is the same for its images: the smallest of theirs. Images are the left-right \
             mirror, in the Amazons all symmetries of the board.";
        flipped: Bool, Plain, RowGroups, "", "Whether `key` is the hash of another image than the position itself.";
        symmetry: OptU8, Delta, RowGroups, "",
            "The symmetry that leads to the image of `key` in the Amazons: 1 files reversed, plus 2 ranks reversed, plus 4 files and \
             ranks exchanged before; null in Arimaa.";
        board: Board, Plain, None, "",
            "The board after the turn. Arimaa: four bit planes of the piece code (1 to 6 gold R C D H M E, 9 to 14 silver), \
             8 bytes each, little-endian, bit 0 = a1, bit 63 = h8; then 0, 0. Amazons: 2 bits for each square along the \
             ranks from a1, the lowest first (0 vacant, 1 White, 2 Black, 3 blocked), 32 bytes; then files and ranks.";
        to_move: Word, Dictionary, RowGroups, "", "Whose turn it is in the position after the turn.";
        g_rabbits: OptU8, Dictionary, RowGroups, "pieces", "Gold rabbits on the board after the turn; null in the Amazons.";
        g_cats: OptU8, Dictionary, RowGroups, "pieces", "Gold cats on the board after the turn; null in the Amazons.";
        g_dogs: OptU8, Dictionary, RowGroups, "pieces", "Gold dogs on the board after the turn; null in the Amazons.";
        g_horses: OptU8, Dictionary, RowGroups, "pieces", "Gold horses on the board after the turn; null in the Amazons.";
        g_camel: OptU8, Dictionary, RowGroups, "pieces", "Gold camels on the board after the turn; null in the Amazons.";
        g_elephant: OptU8, Dictionary, RowGroups, "pieces", "Gold elephants on the board after the turn; null in the Amazons.";
        s_rabbits: OptU8, Dictionary, RowGroups, "pieces", "Silver rabbits on the board after the turn; null in the Amazons.";
        s_cats: OptU8, Dictionary, RowGroups, "pieces", "Silver cats on the board after the turn; null in the Amazons.";
        s_dogs: OptU8, Dictionary, RowGroups, "pieces", "Silver dogs on the board after the turn; null in the Amazons.";
        s_horses: OptU8, Dictionary, RowGroups, "pieces", "Silver horses on the board after the turn; null in the Amazons.";
        s_camel: OptU8, Dictionary, RowGroups, "pieces", "Silver camels on the board after the turn; null in the Amazons.";
        s_elephant: OptU8, Dictionary, RowGroups, "pieces", "Silver elephants on the board after the turn; null in the Amazons.";
        g_queens: OptU8, Dictionary, RowGroups, "pieces", "White queens on the board in the Amazons; null in Arimaa.";
        s_queens: OptU8, Dictionary, RowGroups, "pieces", "Black queens on the board in the Amazons; null in Arimaa.";
        gold_territory: OptU8, Delta, RowGroups, "squares",
            "Vacant squares that White's queens could reach with any number of moves after the turn; null in Arimaa.";
        silver_territory: OptU8, Delta, RowGroups, "squares",
            "Vacant squares that Black's queens could reach with any number of moves after the turn; null in Arimaa.";
        gold_frozen: OptU8, Dictionary, RowGroups, "pieces", "Gold pieces that are frozen after the turn; null in the Amazons.";
        silver_frozen: OptU8, Dictionary, RowGroups, "pieces", "Silver pieces that are frozen after the turn; null in the Amazons.";
        gold_mobile: U8, Dictionary, RowGroups, "pieces", "Gold pieces that could make a first step after the turn, or queens that could move.";
        silver_mobile: U8, Dictionary, RowGroups, "pieces", "Silver pieces that could make a first step after the turn, or queens that could move.";
        first_steps: OptU16, Delta, RowGroups, "steps",
            "First steps open to the side to move after the turn; only where counts were asked for, and never in the Amazons.";
        distinct_turns: OptU32, Delta, RowGroups, "turns",
            "Positions that the side to move can reach in one turn; only where counts were asked for.";
    }
}
