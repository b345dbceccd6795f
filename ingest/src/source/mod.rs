//! Sources: from given paths to blocks of rows. This half of the crate handles files, packing and lines, and parses no
//! games except game files ([`FoundGames`]). One thread reads the sources in sorted order, digests them, splits blocks
//! at line ends, and rejects invalid rows and repeated ids.

mod block;
mod blocks;
mod container;
mod cut;
mod discover;
mod end;
mod games;
mod meter;
mod tar;
mod zip;

pub use block::{
    BLOCK_BYTES, Block, EVIDENCE_BYTES, MAX_FIELD_BYTES, MAX_ROW_BYTES, RejectReason, RowRef, RowStatus,
    SourceDigest, SourceInfo,
};
pub use blocks::{Blocks, Piece};
pub use discover::{DiscoverError, MANIFEST_FILE, SourceFile, discover};
pub use end::{SourceEnd, SourceRejectReason, SourceRejected};
pub(crate) use games::unnumbered;
pub use games::{
    FoundGame, FoundGames, GameStatus, GameText, MAX_GAME_FILE_BYTES, UNNUMBERED, format_of, game_texts,
    number,
};
pub use meter::{MAX_LAYERS, MAX_RATIO, MAX_UNPACKED_BYTES, Progress, RATIO_FREE_BYTES};
