//! Values that are found once and then stay where they are, so that they can be lent while others are added.

use std::cell::OnceCell;

/// Values by key, in the order in which they were asked for.
#[derive(Debug)]
pub(crate) struct Shelf<K, V> {
    first: OnceCell<Box<Place<K, V>>>,
}

#[derive(Debug)]
struct Place<K, V> {
    key: K,
    value: V,
    next: OnceCell<Box<Place<K, V>>>,
}

impl<K, V> Default for Shelf<K, V> {
    fn default() -> Shelf<K, V> {
        Shelf { first: OnceCell::new() }
    }
}

impl<K: PartialEq + Clone, V> Shelf<K, V> {
    /// The value of a key, found now where it is asked for the first time.
    pub fn find<E>(&self, key: &K, find: impl FnOnce() -> Result<V, E>) -> Result<&V, E> {
        let mut end = &self.first;
        while let Some(place) = end.get() {
            if place.key == *key {
                return Ok(&place.value);
            }
            end = &place.next;
        }
        let value = find()?;
        while let Some(place) = end.get() {
            end = &place.next;
        }
        Ok(&end.get_or_init(|| Box::new(Place { key: key.clone(), value, next: OnceCell::new() })).value)
    }

    /// The value of a key, if it was found before.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let mut end = &mut self.first;
        loop {
            let place = end.get_mut()?;
            if place.key == *key {
                return Some(&mut place.value);
            }
            end = &mut place.next;
        }
    }

    /// All that were found.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        std::iter::successors(self.first.get(), |place| place.next.get())
            .map(|place| (&place.key, &place.value))
    }
}

impl<K, V> Drop for Shelf<K, V> {
    fn drop(&mut self) {
        // One after the other: a long row dropped by itself would go as deep as it is long.
        let mut next = self.first.take();
        while let Some(mut place) = next {
            next = place.next.take();
        }
    }
}
