//! Anchors next to the known log: what they acknowledge without a contradiction is true of the log. The first byte chooses
//! whether the rest is the file itself, or lines that become blocks with the right checksum.
#![no_main]

use std::sync::LazyLock;

use annals_fuzz::known_log::KnownLog;
use annals_store::{Log, VerifyOptions, anchor_path, verify};
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};

static LOG: LazyLock<KnownLog> = LazyLock::new(KnownLog::create);
const BLOCK: usize = 4096;

fn blocks(lines: &[u8]) -> Vec<u8> {
    let block = |line: &[u8]| {
        let sum: String = Sha256::digest(line).iter().map(|byte| format!("{byte:02x}")).collect();
        let mut block = [line, b" sum=", sum.as_bytes()].concat();
        block.resize(BLOCK - 1, b' ');
        block.push(b'\n');
        block
    };
    lines.split(|byte| *byte == b'\n').flat_map(block).collect()
}

fuzz_target!(|data: &[u8]| {
    let [form, rest @ ..] = data else { return };
    let anchor = if form % 2 == 0 { rest.to_vec() } else { blocks(rest) };
    std::fs::write(anchor_path(&LOG.path()), &anchor).unwrap();
    if let Ok(log) = Log::inspect(&LOG.path())
        && log.problems().is_empty()
    {
        let acknowledged = log.acknowledged();
        assert!(acknowledged.is_none_or(|head| head.seq == 0 || LOG.heads.contains(&head)));
        drop(log);
        let report = verify(&LOG.path(), &VerifyOptions::default()).unwrap();
        let receipts = vec![LOG.head()];
        let with_receipt =
            verify(&LOG.path(), &VerifyOptions { receipts, ..VerifyOptions::default() }).unwrap();
        assert_eq!(report.is_clean(), with_receipt.is_clean());
    }
});
