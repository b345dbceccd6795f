//! The schemas in which SQL looks names up.

use crate::old_names;

/// The schemas of SQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Schema {
    /// The tables as they are.
    #[default]
    Public,
    /// The tables with the columns of dataset version 3, and its function `standings`.
    V3,
}

impl Schema {
    pub const ALL: [(&'static str, Schema); 2] = [("public", Schema::Public), (old_names::V3, Schema::V3)];
}
