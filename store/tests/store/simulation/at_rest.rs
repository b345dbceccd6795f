//! What happens to files at rest: bits flip, ends are lost, earlier states come back, and receipts and backups decay.

use std::fs;

use annals_events::Hash;

use super::life::Life;
use super::model::report;
use super::steps::{File, Numbers, Who};

impl Life {
    /// The processes end, with their files closed or not. With an anchor alone they may go on.
    pub fn rest(&mut self, numbers: Numbers, may_go_on: bool) {
        match numbers.below(70, 3) {
            0 if may_go_on => return,
            1 => (0..2).for_each(|writer| self.close(Who::Writer(writer), None, numbers)),
            _ => {}
        }
        self.world.stop_all();
    }

    pub fn flip(&mut self, file: File, bits: u64, numbers: Numbers) {
        // Now and then in the stored tree, which has few of the bytes, and is in the database once that is closed.
        let in_tree = file == File::Database && numbers.once_in(88, 3);
        if in_tree {
            (0..2).for_each(|writer| self.close(Who::Writer(writer), None, numbers));
            self.world.stop_all();
        } else {
            self.rest(numbers, file == File::Anchor);
        }
        let path = self.world.file(file);
        let Ok(mut bytes) = fs::read(&path) else { return };
        if bytes.is_empty() {
            return;
        }
        let tree = self.tree_in(&bytes).filter(|_| in_tree);
        let (from, length) = tree.map_or((0, bytes.len()), |from| (from, 32));
        for bit in 0..bits {
            let at = 8 * from as u64 + numbers.below(80 + bit, 8 * length as u64);
            bytes[at as usize / 8] ^= 1 << (at % 8);
        }
        self.world.change(|_| fs::write(path, bytes).unwrap());
        let place = tree.map_or("", |_| ", in the stored tree");
        self.world.tell(format!("{bits} bits of {file:?} flip{place}"));
        match file {
            File::Anchor => self.model.harm.anchor = true,
            File::Database | File::Wal => self.model.harm.inside = true,
            // It is made again by the first process that opens the log.
            File::Shm => {}
        }
        self.count(&format!("flips in {file:?}"));
    }

    /// Where the first hash of the stored tree is, which the anchor has too.
    fn tree_in(&self, bytes: &[u8]) -> Option<usize> {
        let anchor = fs::read_to_string(self.world.file(File::Anchor)).ok()?;
        let peak: Hash = anchor.split("peaks=").nth(1)?.get(..64)?.parse().ok()?;
        bytes.windows(Hash::LEN).rposition(|found| found == peak.0)
    }

    pub fn cut(&mut self, file: File, numbers: Numbers) {
        self.rest(numbers, file == File::Anchor);
        let path = self.world.file(file);
        let Ok(mut bytes) = fs::read(&path) else { return };
        bytes.truncate(numbers.below(81, bytes.len() as u64) as usize);
        self.world.tell(format!("{file:?} is cut off after {} bytes", bytes.len()));
        self.world.change(|_| fs::write(path, bytes).unwrap());
        match file {
            File::Anchor => self.model.harm.anchor = true,
            File::Database | File::Wal => self.model.harm.inside = true,
            File::Shm => {}
        }
        self.count("files cut off");
    }

    pub fn put_back(&mut self, files: &[File], numbers: Numbers) {
        // Those of another log would be reported as such.
        let logs_before = self.model.logs_before;
        let earlier: Vec<_> = self.earlier.iter().filter(|(before, _)| *before == logs_before).collect();
        if earlier.is_empty() {
            return;
        }
        let (_, earlier) = earlier[numbers.below(82, earlier.len() as u64) as usize];
        let changes: Vec<_> = earlier
            .iter()
            .filter(|(file, _)| files.contains(file))
            .map(|(file, bytes)| (self.world.file(*file), bytes.clone()))
            .collect();
        self.rest(numbers, false);
        self.world.change(|_| {
            for (path, bytes) in changes {
                match bytes {
                    Some(bytes) => fs::write(path, bytes).unwrap(),
                    None => drop(fs::remove_file(path)),
                }
            }
        });
        self.world.tell(format!("{files:?} of an earlier time are put back"));
        self.model.harm.inside |= files.contains(&File::Database) || files.contains(&File::Wal);
        self.model.harm.anchor |= files.contains(&File::Anchor);
        self.count("earlier files put back");
    }

    /// A receipt that was changed holds for nothing, unless it can still be read as it was.
    pub fn flip_receipt(&mut self, numbers: Numbers) -> Result<(), String> {
        let receipts = &self.model.receipts;
        let number = numbers.below(83, receipts.len() as u64) as usize;
        // Each of them may be lost.
        let Some(&head) = receipts.get(number) else { return Ok(()) };
        let mut line = head.to_string().into_bytes();
        let at = numbers.below(84, 8 * line.len() as u64);
        line[at as usize / 8] ^= 1 << (at % 8);
        self.count("receipts changed");
        let changed = String::from_utf8(line).ok().and_then(|line| line.parse().ok());
        let Some(changed) = changed.filter(|changed| *changed != head) else { return Ok(()) };
        match report(&self.world.path, &[changed])?.is_whole() {
            true => Err(format!("the receipt {changed} was never printed, and holds")),
            false => Ok(()),
        }
    }

    pub fn flip_backup(&mut self, numbers: Numbers) -> Result<(), String> {
        let count = self.backups.kept.len() as u64;
        if count == 0 {
            return Ok(());
        }
        let at = numbers.below(85, count) as usize;
        let path = self.world.folder.path().join(&self.backups.kept[at].name);
        let mut bytes = fs::read(&path).map_err(|error| error.to_string())?;
        let bit = numbers.below(86, 8 * bytes.len() as u64);
        bytes[bit as usize / 8] ^= 1 << (bit % 8);
        self.backups.kept[at].is_changed = bytes != self.backups.kept[at].bytes;
        self.world.change(|_| {
            // A sealed file is marked read-only.
            let _ = fs::remove_file(&path);
            fs::write(&path, bytes).unwrap();
        });
        self.count("flips in backups");
        self.look_at_backups()
    }
}
