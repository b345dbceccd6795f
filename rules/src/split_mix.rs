//! SplitMix64: for position hashes and seeded sequences.

/// The next state, and the number drawn.
pub(crate) const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

#[cfg(test)]
mod tests {
    use super::split_mix;

    #[test]
    fn the_first_numbers_are_those_of_the_published_generator() {
        let (state, first) = split_mix(0);
        assert_eq!([first, split_mix(state).1], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }
}
