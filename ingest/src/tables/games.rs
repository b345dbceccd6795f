//! The table `games`: one row per stored game, with the record's facts and the board's result.

use crate::tables::column::{
    Bool, I16, OptBool, OptI32, OptInstant, OptText, OptU8, OptU32, OptU64, OptWord, Text, TextList, U32,
    U64, Word,
};
use crate::tables::schema::table;

table! {
    pub struct GameRows;
    name: "games",
    purpose: "One row for each stored game: players, ratings, clock, result as the record states it, what the board says \
              about the ending, and where the record came from.",
    files: "games/SOURCE.parquet, one file for each source",
    order: "game_id within each row group; row groups in the order of the source",
    layout: "Games are few beside turns, so the files are kept whole for scans by player, date and event: dictionaries \
             for everything that comes again, ranges of every page for ids and dates.",
    sorted_by: &[],
    row_group_rows: 65_536,
    page_rows: 8_192,
    columns: {
        game_id: U64, Delta, Pages, "", "The game, by the gameroom's number; from 2^52 up to 2^53 for a game of the log or of a game file, which has none.";
        game: Word, Dictionary, RowGroups, "", "Which game was played: arimaa or amazons. In the Amazons White stands where gold is said, and Black where silver is.";
        gold: Text, Dictionary, Pages, "", "Gold's name at the time.";
        silver: Text, Dictionary, Pages, "", "Silver's name at the time.";
        gold_id: OptU64, Dictionary, Pages, "", "Gold's account number.";
        silver_id: OptU64, Dictionary, Pages, "", "Silver's account number.";
        gold_kind: OptWord, Dictionary, RowGroups, "", "Whether Gold is a human or a bot.";
        silver_kind: OptWord, Dictionary, RowGroups, "", "Whether Silver is a human or a bot.";
        gold_title: OptText, Dictionary, RowGroups, "", "Gold's title.";
        silver_title: OptText, Dictionary, RowGroups, "", "Silver's title.";
        gold_country: OptText, Dictionary, RowGroups, "", "Gold's country code.";
        silver_country: OptText, Dictionary, RowGroups, "", "Silver's country code.";
        gold_rating: OptI32, Dictionary, RowGroups, "rating points", "Gold's rating before the game.";
        silver_rating: OptI32, Dictionary, RowGroups, "rating points", "Silver's rating before the game.";
        gold_k: OptI32, Dictionary, RowGroups, "", "K of Gold's rating before the game.";
        silver_k: OptI32, Dictionary, RowGroups, "", "K of Silver's rating before the game.";
        event: OptText, Dictionary, RowGroups, "", "The event, in the words of the record.";
        site: OptText, Dictionary, RowGroups, "", "Where it was played, in the words of the record.";
        time_control: OptText, Dictionary, RowGroups, "", "The time control in the words of the record.";
        tc_move: OptU32, Dictionary, RowGroups, "seconds", "Time for each move.";
        tc_reserve: OptU32, Dictionary, RowGroups, "seconds", "Starting reserve.";
        tc_percent: OptU32, Dictionary, RowGroups, "percent", "Share of unused move time that is added to the reserve.";
        tc_reserve_limit: OptU32, Dictionary, RowGroups, "seconds",
            "Limit up to which unused time is added to the reserve; null = none.";
        tc_game_seconds: OptU32, Dictionary, RowGroups, "seconds", "Length of the game; null = no limit in time.";
        tc_game_turns: OptU32, Dictionary, RowGroups, "turns",
            "Length of the game in turns for each side; null = no limit in turns.";
        tc_turn_limit: OptU32, Dictionary, RowGroups, "seconds", "Longest time for one move; null = no limit.";
        postal: OptBool, Plain, RowGroups, "", "Whether it is a postal game.";
        started_at: OptInstant, Delta, Pages, "UTC", "When the game started.";
        ended_at: OptInstant, Delta, RowGroups, "UTC", "When the game ended.";
        board_size: OptText, Dictionary, RowGroups, "", "Files and ranks of the board in the Amazons, 10x10; null in Arimaa.";
        start: OptText, Plain, None, "",
            "The position that the game started from, with the side to move; null where it is the usual one.";
        year: I16, Delta, Pages, "", "Year of the start (UTC), by which turns and lookup are divided; 0 = not known.";
        result: Word, Dictionary, RowGroups, "", "Who won as the record states it: gold, silver, draw or unknown.";
        termination: OptWord, Dictionary, RowGroups, "", "How the game ended as the record states it; null = not known.";
        stated_termination: OptText, Dictionary, RowGroups, "",
            "The record's own word for the ending, where it is none of ours.";
        plycount: OptU32, Delta, RowGroups, "", "The number of the last turn, not of plies, as the record states it; of the log the last turn in force.";
        plies: U32, Delta, RowGroups, "turns", "Rows of this game in `turns`.";
        mode: OptText, Dictionary, RowGroups, "", "The record's `mode`.";
        rated: OptBool, Plain, RowGroups, "", "Whether the game counted for ratings.";
        corrupt: Bool, Plain, RowGroups, "", "Whether the record itself is marked corrupt.";
        board_result: OptWord, Dictionary, RowGroups, "",
            "Who won by the board after the last turn: gold, silver or draw; null where the board decides nothing.";
        board_termination: OptWord, Dictionary, RowGroups, "", "How the game ended by the board.";
        territory: OptU8, Delta, RowGroups, "squares",
            "The vacant squares that the winner's queens could reach at the end, in the Amazons where the board decided the game.";
        ending_check: Word, Dictionary, RowGroups, "",
            "Whether record and board tell the same ending: agrees, disagrees, not_on_board (time, resignation …), or \
             not_reached where not all turns could be played, or no end is stated.";
        status: Word, Dictionary, RowGroups, "", "accepted, or flagged when there is at least one flag.";
        flags: TextList, Dictionary, None, "", "What is remarkable about the record.";
        notes: TextList, Plain, None, "",
            "What was noticed in a game file, each with its line and move; empty for rows of archives and games of the log.";
        illegal_ply: OptU32, Delta, RowGroups, "",
            "The first ply that our rules refuse; it and what follows stand in `rejected_turns`.";
        illegal_code: OptWord, Dictionary, RowGroups, "", "Which rule it breaks, as a short stable word.";
        illegal_reason: OptText, Plain, None, "", "Which rule it breaks, in a sentence.";
        has_log: Bool, Plain, RowGroups, "", "Whether the record has a server log.";
        resign_listed: Bool, Plain, RowGroups, "", "Whether the archive's move list ends with `resign` under the label of the turn that was due.";
        archive_fields: TextList, Plain, None, "",
            "Fields of the archive's row that the other columns do not give back, as `COLUMN=TEXT`; empty for nearly every row.";
        source: Text, Dictionary, RowGroups, "", "The source: a file, a member of an archive (`outer.tgz!member.txt`), or a log.";
        source_digest: Text, Dictionary, RowGroups, "", "BLAKE3 of the source's text, in hexadecimal.";
        byte_offset: U64, Delta, RowGroups, "bytes", "Where the record begins in the source's text; in a log, the seq of the game's first event.";
        line: U64, Delta, RowGroups, "", "The line of the record in the source's text, from 1 (the header); in a log as `byte_offset`.";
        row_digest: Text, Plain, None, "",
            "The first 128 bits of BLAKE3 of the record's 29 fields in their usual order, joined by tabs, in hexadecimal; of a game of \
             the log, that of its events; of a game file, that of its bytes.";
        stream: OptText, Plain, RowGroups, "", "The stream of the log that holds the game; null for a game of a file.";
    }
}
