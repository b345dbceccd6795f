//! The search for duplicates alone: enters so many numbers of games, asks for each before and for some after, and prints the
//! time and the peak of the process's memory. `many_numbers 30000000 scattered` or `… rising`.

use std::time::Instant;

use annals_ingest::spill::{HELD_BYTES, NumberedMap};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let count: u64 = words.next().ok_or("how many numbers?")?.parse()?;
    let scattered = words.next().as_deref() == Some("scattered");
    // An odd factor: no number comes twice.
    let number = |i: u64| if scattered { i.wrapping_mul(0x9E37_79B9_7F4A_7C15) } else { i };
    let begun = Instant::now();
    let folder = std::env::temp_dir();
    let mut map = NumberedMap::<[u8; 16]>::new(&folder, HELD_BYTES);
    for i in 0..count {
        assert!(map.get(number(i))?.is_none(), "{i} is new");
        map.insert(number(i), u128::from(i).to_le_bytes())?;
    }
    println!("{count} new numbers: {:.1} s", begun.elapsed().as_secs_f64());
    let (begun, asked) = (Instant::now(), count.min(1_000_000));
    for i in 0..asked {
        let i = i * (count / asked);
        assert_eq!(map.get(number(i))?, Some(u128::from(i).to_le_bytes()), "{i} came before");
    }
    println!("{asked} of them again: {:.1} s", begun.elapsed().as_secs_f64());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown"));
    Ok(())
}
