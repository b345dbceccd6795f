//! The qualifier and who goes on: benchmarks, games, order, seeds, invitations, disqualifications.

pub(super) mod games;
pub(super) mod invitations;
pub(super) mod order;
