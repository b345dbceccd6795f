//! The schemas of table names in SQL.

use crate::old_names;

/// The schemas of SQL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Schema {
    /// The present tables.
    #[default]
    Public,
    /// The tables with the columns of dataset version 3, and its function `standings`.
    V3,
}

impl Schema {
    pub const ALL: [(&'static str, Schema); 2] = [("public", Schema::Public), (old_names::V3, Schema::V3)];
}
