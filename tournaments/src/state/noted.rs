use annals_events::Micros;

/// A fact with its event and effective time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted<T> {
    pub seq: u64,
    pub at: Micros,
    pub fact: T,
}
