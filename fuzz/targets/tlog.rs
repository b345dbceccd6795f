//! Notes, checkpoints, proofs and requests of C2SP: each has one spelling, and proves under the known log what is true of it.
#![no_main]

use std::sync::LazyLock;

use annals_fuzz::known_log::{EVENTS, KnownLog};
use annals_fuzz::{survives, survives_to_the_byte};
use annals_store::merkle::check_consistency;
use annals_store::tlog::checkpoint::{SignedCheckpoint, log_of};
use annals_store::tlog::note::{Note, Signed, VerifierKey};
use annals_store::tlog::proof::TlogProof;
use annals_store::tlog::request::Request;
use libfuzzer_sys::fuzz_target;

static LOG: LazyLock<KnownLog> = LazyLock::new(KnownLog::create);
static KEY: LazyLock<VerifierKey> = LazyLock::new(|| LOG.key().verifier());
static SIGNED: LazyLock<Vec<String>> =
    LazyLock::new(|| (1..=EVENTS).map(|size| LOG.checkpoint(size).note.text().to_owned()).collect());

fuzz_target!(|text: &str| {
    survives::<VerifierKey>(text);
    survives_to_the_byte::<Note>(text);
    survives_to_the_byte::<SignedCheckpoint>(text);
    survives_to_the_byte::<TlogProof>(text);
    survives_to_the_byte::<Request>(text);
    if let Ok(mut note) = text.parse::<Note>() {
        let is_signed = matches!(note.signed_by(&KEY), Signed::Yes(_));
        assert!(!is_signed || SIGNED.iter().any(|signed| signed == note.text()), "{text}");
        let _ = note.add_lines(text);
    }
    let heads = &LOG.heads;
    let is_known = |of: &annals_store::tlog::checkpoint::Checkpoint| {
        let head = usize::try_from(of.size).ok().and_then(|size| heads.get(size.checked_sub(1)?));
        head.is_some_and(|head| head.root == of.root && log_of(&of.origin) == Some(head.log))
    };
    if let Ok(proof) = text.parse::<TlogProof>()
        && is_known(&proof.checkpoint.checkpoint)
        && let Some(event) = proof.event()
    {
        assert!(!proof.holds(&event.hash) || LOG.has(&event), "{text}");
    }
    if let Ok(Request { old, path, checkpoint }) = text.parse::<Request>() {
        let of = &checkpoint.checkpoint;
        for head in heads.iter().filter(|head| head.seq == old) {
            let holds = check_consistency(old, &head.root, of.size, &of.root, &path);
            assert!(
                !holds || of.size > EVENTS || is_known(of) || log_of(&of.origin) != Some(head.log),
                "{text}"
            );
        }
    }
});
