//! Values kept in memory up to a number of bytes; those used longest ago are dropped first.

use std::hash::Hash;

use lru::LruCache;

pub struct Kept<K: Hash + Eq, V> {
    values: LruCache<K, (V, usize)>,
    bytes: usize,
    most: usize,
}

impl<K: Hash + Eq, V: Clone> Kept<K, V> {
    /// Keeps values of at most `most` bytes together.
    #[must_use]
    pub fn new(most: usize) -> Kept<K, V> {
        Kept { values: LruCache::unbounded(), bytes: 0, most }
    }

    pub fn get(&mut self, key: &K) -> Option<V> {
        self.values.get(key).map(|(value, _)| value.clone())
    }

    /// Keeps a value of some bytes, its key included; not one that is larger than all values may be.
    pub fn put(&mut self, key: K, value: V, bytes: usize) {
        if bytes > self.most {
            return;
        }
        if let Some((_, replaced)) = self.values.put(key, (value, bytes)) {
            self.bytes -= replaced;
        }
        self.bytes += bytes;
        while self.bytes > self.most {
            let Some((_, (_, dropped))) = self.values.pop_lru() else { return };
            self.bytes -= dropped;
        }
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.bytes = 0;
    }

    /// Bytes of all values.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_used_longest_ago_is_dropped_and_the_bytes_never_exceed_the_bound() {
        let mut kept = Kept::new(100);
        kept.put("a", 1, 40);
        kept.put("b", 2, 40);
        assert_eq!(kept.get(&"a"), Some(1));
        kept.put("c", 3, 40);
        assert_eq!((kept.get(&"a"), kept.get(&"b"), kept.get(&"c")), (Some(1), None, Some(3)));
        assert_eq!(kept.bytes(), 80);
        kept.put("a", 4, 10);
        assert_eq!((kept.get(&"a"), kept.bytes()), (Some(4), 50));
        kept.put("huge", 5, 101);
        assert_eq!((kept.get(&"huge"), kept.bytes()), (None, 50));
        kept.clear();
        assert_eq!((kept.get(&"a"), kept.bytes()), (None, 0));
    }
}
