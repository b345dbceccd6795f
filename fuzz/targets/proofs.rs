//! Proofs of inclusion and consistency: one that holds under a head of the known log proves what is true of that log.
#![no_main]

use std::sync::LazyLock;

use annals_fuzz::known_log::KnownLog;
use annals_fuzz::survives_to_the_byte;
use annals_store::{ConsistencyProof, Head, InclusionProof};
use libfuzzer_sys::fuzz_target;

static LOG: LazyLock<KnownLog> = LazyLock::new(KnownLog::create);

fuzz_target!(|text: &str| {
    if text.trim() == text {
        survives_to_the_byte::<Head>(text);
    }
    if let Ok(proof) = serde_json::from_str::<InclusionProof>(text) {
        let written = serde_json::to_string(&proof).unwrap();
        assert_eq!(serde_json::from_str::<InclusionProof>(&written).unwrap(), proof);
        let is_known = LOG.heads.contains(&proof.head);
        assert!(!proof.holds() || !is_known || LOG.has(&proof.event), "{text}");
        assert!(!proof.holds() || proof.event.seq <= proof.head.seq, "{text}");
    }
    if let Ok(proof) = serde_json::from_str::<ConsistencyProof>(text) {
        let written = serde_json::to_string(&proof).unwrap();
        assert_eq!(serde_json::from_str::<ConsistencyProof>(&written).unwrap(), proof);
        let is_known = LOG.heads.contains(&proof.new);
        assert!(!proof.holds() || !is_known || LOG.heads.contains(&proof.old), "{text}");
        assert!(!proof.holds() || proof.old.seq <= proof.new.seq, "{text}");
    }
});
