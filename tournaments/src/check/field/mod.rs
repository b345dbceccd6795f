pub(super) mod games;
pub(super) mod invitations;
pub(super) mod order;
