//! The qualifier explained.
