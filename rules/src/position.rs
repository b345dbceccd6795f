/// What the positions of both games have in common: equality by board and side, and three getters.
macro_rules! common {
    () => {
        impl PartialEq for Position {
            fn eq(&self, other: &Position) -> bool {
                self.board == other.board && self.to_move == other.to_move
            }
        }

        impl Eq for Position {}

        impl std::hash::Hash for Position {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                state.write_u64(self.hash);
            }
        }

        impl Position {
            #[inline]
            #[must_use]
            pub const fn board(&self) -> &Board {
                &self.board
            }

            #[inline]
            #[must_use]
            pub const fn to_move(&self) -> Side {
                self.to_move
            }

            /// As [`Board::hash`] of its board and side.
            #[inline]
            #[must_use]
            pub const fn hash(&self) -> u64 {
                self.hash
            }
        }
    };
}
pub(crate) use common;
