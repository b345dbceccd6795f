//! Values of one state of the log or of the record: none of another state is given.

use std::hash::Hash;
use std::sync::Mutex;

use annals_analytics::Kept;

use crate::app::locked;

pub struct KeptOf<S, K: Hash + Eq, V>(Mutex<(Option<S>, Kept<K, V>)>);

impl<S: PartialEq, K: Hash + Eq, V: Clone> KeptOf<S, K, V> {
    /// Keeps values of at most `most` bytes together.
    pub fn new(most: usize) -> KeptOf<S, K, V> {
        KeptOf(Mutex::new((None, Kept::new(most))))
    }

    pub fn get(&self, state: &S, key: &K) -> Option<V> {
        let (known, kept) = &mut *locked(&self.0);
        if known.as_ref() != Some(state) {
            return None;
        }
        kept.get(key)
    }

    /// Keeps a value of some bytes, its key included, that was made while the state did not change.
    pub fn put(&self, state: S, key: K, value: V, bytes: usize) {
        let (known, kept) = &mut *locked(&self.0);
        if known.as_ref() != Some(&state) {
            kept.clear();
            *known = Some(state);
        }
        kept.put(key, value, bytes);
    }
}
