//! A board's squares by number, with neighbours.

use annals_rules::amazons::{Move, Size, Square};

/// For every square of a size.
#[derive(Debug, Clone)]
pub(super) struct Neighbours {
    size: Size,
    beside: Box<[u128; 128]>,
}

impl Neighbours {
    pub(super) fn of(size: Size) -> Neighbours {
        let mut beside = Box::new([0; 128]);
        for square in size.squares(size.all()) {
            let steps = [-1i16, 0, 1].map(|step| step + i16::from(square.rank()));
            let at = |file: i16, rank: i16| Square::at(u8::try_from(file).ok()?, u8::try_from(rank).ok()?);
            let mut set = 0;
            for file in [-1i16, 0, 1].map(|step| step + i16::from(square.file())) {
                set |= steps.iter().filter_map(|rank| at(file, *rank)).fold(0, |set, s| set | size.bit(s));
            }
            if let Some(entry) = beside.get_mut(usize::from(number(size, square))) {
                *entry = set & !size.bit(square);
            }
        }
        Neighbours { size, beside }
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(super) fn beside(&self, square: u8) -> u128 {
        self.beside[usize::from(square & 127)]
    }
}

#[inline]
pub(super) const fn number(size: Size, square: Square) -> u8 {
    square.rank().wrapping_mul(size.files()).wrapping_add(square.file())
}

/// As a number of 21 bits.
#[inline]
pub(super) const fn id_of(size: Size, played: Move) -> u32 {
    (number(size, played.from) as u32 & 127)
        | (number(size, played.to) as u32 & 127) << 7
        | (number(size, played.block) as u32 & 127) << 14
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_a_square_is_one_step_away_on_every_size() {
        for (files, ranks) in [(1, 1), (10, 10), (8, 8), (3, 4), (1, 9), (26, 4), (11, 11)] {
            let size = Size::new(files, ranks).unwrap();
            let neighbours = Neighbours::of(size);
            for square in size.squares(size.all()) {
                let near = size.squares(size.all()).filter(|other| {
                    let files = other.file().abs_diff(square.file());
                    let ranks = other.rank().abs_diff(square.rank());
                    files.max(ranks) == 1
                });
                let near = near.fold(0, |set, other| set | size.bit(other));
                assert_eq!(neighbours.beside(number(size, square)), near, "{size}, {square}");
            }
        }
    }
}
