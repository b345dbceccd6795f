//! The tables `server_log` (every line of the server) and `rejected_turns` (every turn tried, retracted or unplayable).

use crate::tables::column::{
    OptBool, OptI32, OptI64, OptInstant, OptText, OptU32, OptU64, OptWord, Text, U32, U64, Word,
};
use crate::tables::schema::table;

table! {
    pub struct ServerLogRows;
    name: "server_log",
    purpose: "One row for each line of a game's server log: who came and went, turns received, clocks, rejections, result.",
    files: "server_log/SOURCE.parquet, one file for each source",
    order: "game_id, line within each row group; row groups in the order of the source",
    layout: "As `turns`. A turn that the log repeats is not stored again: `steps` is null where it equals the turn played.",
    sorted_by: &[],
    row_group_rows: 131_072,
    page_rows: 16_384,
    columns: {
        game_id: U64, Delta, Pages, "", "The game.";
        line: U32, Delta, RowGroups, "", "The line of the log, from 1.";
        at: OptInstant, Delta, RowGroups, "UTC", "When, by the number in front of the line.";
        utc_offset: OptI32, Delta, RowGroups, "seconds",
            "By how much the line's time in words is ahead of UTC; null where it is no time in the server's form.";
        kind: Word, Dictionary, RowGroups, "",
            "What happened: joining, present, left, start_received, move_received, after_move, rejected, result, finished, \
             other.";
        number: OptU32, Delta, RowGroups, "", "The number of the turn that the line speaks of.";
        side: OptWord, Dictionary, RowGroups, "", "The side that the line speaks of.";
        steps: OptText, Lengths, None, "", "The turn received or refused; null where `turns` has the same steps under this number and side.";
        used: OptU32, Delta, RowGroups, "seconds", "Time used for the move.";
        gold_reserve: OptI64, Delta, RowGroups, "seconds", "Gold's reserve.";
        silver_reserve: OptI64, Delta, RowGroups, "seconds", "Silver's reserve.";
        game_time: OptU64, Delta, RowGroups, "seconds", "Length of the game so far.";
        text: OptText, Lengths, None, "", "What the columns do not say of the line, in its own words.";
    }
}

table! {
    pub struct RejectedTurnRows;
    name: "rejected_turns",
    purpose: "One row for each turn that did not come to stand: refused by the server, taken back, refused by our rules, \
              or following one that was.",
    files: "rejected_turns/SOURCE.parquet, one file for each source",
    order: "game_id, seq within each row group",
    layout: "Few rows, read as a whole.",
    sorted_by: &[],
    row_group_rows: 65_536,
    page_rows: 8_192,
    columns: {
        game_id: U64, Delta, Pages, "", "The game.";
        seq: U32, Delta, RowGroups, "", "The position among the game's rejected turns, from 1, in the order of the record.";
        kind: Word, Dictionary, RowGroups, "",
            "rejected (by the server), taken back, illegal (by our rules), or unplayed (after an illegal one).";
        ply: U32, Delta, RowGroups, "", "The ply that the turn was, or would have been.";
        number: OptU32, Delta, RowGroups, "", "The number of the turn.";
        side: OptWord, Dictionary, RowGroups, "", "Who tried it.";
        steps: Text, Lengths, None, "", "What was tried.";
        reason: OptText, Dictionary, None, "", "The server's reason, in its own words.";
        illegal_code: OptWord, Dictionary, RowGroups, "", "The rule that the turn breaks, as a short stable word; null = none.";
        illegal_reason: OptText, Dictionary, None, "", "The rule that the turn breaks, in a sentence.";
        agrees: OptBool, Plain, RowGroups, "",
            "For a turn that the server refused: whether our rules refuse it too.";
        at: OptInstant, Delta, RowGroups, "UTC", "When, where the log says so.";
    }
}
