//! Values computed once at stable addresses, so that they can be borrowed while others are added.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A tree in which the key's hash selects the branch per level.
#[derive(Debug)]
pub(crate) struct Shelf<K, V> {
    root: Branch<K, V>,
}

type Branch<K, V> = OnceCell<Box<Place<K, V>>>;

#[derive(Debug)]
struct Place<K, V> {
    key: K,
    value: V,
    branches: [Branch<K, V>; 16],
}

impl<K, V> Default for Shelf<K, V> {
    fn default() -> Shelf<K, V> {
        Shelf { root: OnceCell::new() }
    }
}

/// The branches for a key, from the root.
fn path<K: Hash>(key: &K) -> impl FnMut() -> usize {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    let mut hash = hasher.finish();
    move || {
        hash = hash.rotate_left(4);
        (hash & 15) as usize
    }
}

impl<K: Eq + Hash + Clone, V> Shelf<K, V> {
    /// Computed at the first call.
    pub fn find<E>(&self, key: &K, find: impl FnOnce() -> Result<V, E>) -> Result<&V, E> {
        if let Some(value) = self.get(key) {
            return Ok(value);
        }
        let value = find()?;
        let (mut end, mut next) = (&self.root, path(key));
        while let Some(place) = end.get() {
            end = &place.branches[next()];
        }
        let place = || Box::new(Place { key: key.clone(), value, branches: Default::default() });
        Ok(&end.get_or_init(place).value)
    }

    /// If computed before.
    pub fn get(&self, key: &K) -> Option<&V> {
        let (mut end, mut next) = (&self.root, path(key));
        loop {
            let place = end.get()?;
            if place.key == *key {
                return Some(&place.value);
            }
            end = &place.branches[next()];
        }
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let (mut end, mut next) = (&mut self.root, path(key));
        loop {
            let place = end.get_mut()?;
            if place.key == *key {
                return Some(&mut place.value);
            }
            end = &mut place.branches[next()];
        }
    }

    /// All values, unordered.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        let mut left: Vec<&Place<K, V>> = self.root.get().map(|root| &**root).into_iter().collect();
        std::iter::from_fn(move || {
            let place = left.pop()?;
            left.extend(place.branches.iter().filter_map(OnceCell::get).map(|place| &**place));
            Some((&place.key, &place.value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_the_value_that_was_found_first() {
        let mut shelf = Shelf::default();
        for key in (0..1_000u32).chain(0..1_000) {
            let found = shelf.find(&key, || Ok::<_, ()>(shelf.iter().count()));
            assert_eq!(found, Ok(&(key as usize)));
        }
        *shelf.get_mut(&7).unwrap() = 8;
        assert_eq!((shelf.get(&7), shelf.get(&1_000), shelf.iter().count()), (Some(&8), None, 1_000));
    }
}
