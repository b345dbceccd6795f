//! The table `rejects`: every source row that did not become a game, with position and reason.

use crate::tables::column::{OptText, OptU64, Text, U64};
use crate::tables::schema::table;

table! {
    pub struct RejectRows;
    name: "rejects",
    purpose: "One row for each row of a source that is no stored game: unreadable, or a game that is stored already.",
    files: "rejects/SOURCE.parquet, one file for each source that has any",
    order: "byte_offset",
    layout: "Few rows, read as a whole. With `games` it accounts for every row of every source.",
    sorted_by: &[],
    row_group_rows: 65_536,
    page_rows: 8_192,
    columns: {
        source: Text, Dictionary, RowGroups, "", "The source: a file, or a member of an archive; one that is no archive text as a whole has one row with line 0.";
        source_digest: Text, Dictionary, RowGroups, "", "BLAKE3 of the source's text, in hexadecimal; for line 0 that of the file as it lies.";
        byte_offset: U64, Delta, RowGroups, "bytes", "Where the row begins in the source's text.";
        line: U64, Delta, RowGroups, "", "The line of the row, from 1 (the header); of a game file, the line of what is wrong.";
        byte_length: U64, Delta, RowGroups, "bytes", "Length of the row.";
        game_id: OptU64, Delta, RowGroups, "", "The game's number, where it can be read.";
        reason: Text, Dictionary, RowGroups, "",
            "Why, as a short stable word; `duplicate` is the same record again, `duplicate_differs` another record \
             of a stored game.";
        detail: Text, Dictionary, None, "", "Why, in a sentence.";
        row_digest: OptText, Plain, None, "",
            "The first 128 bits of BLAKE3 of the row's bytes, in hexadecimal; null for what was too long to keep.";
    }
}
