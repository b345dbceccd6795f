//! Archive files, packed or not: every row is accounted for.
#![no_main]

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::LazyLock;

use annals_events::GameEvent;
use annals_fuzz::known_log::folder;
use annals_ingest::archive_games::{Found, archive_games};
use annals_ingest::source::{Progress, SourceFile};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(folder);

fuzz_target!(|data: &[u8]| {
    let path = FOLDER.path().join("games.txt");
    std::fs::write(&path, data).unwrap();
    let file = SourceFile { name: "games.txt".to_owned(), path, bytes: data.len() as u64 };
    let (mut games, mut refused) = (0, 0);
    let each = |found: Found<'_>| {
        match found {
            Found::Game(game) => {
                games += 1;
                let events = game.events.iter().map(|placed| placed.event).collect::<Vec<_>>();
                assert!(matches!(events.first(), Some(GameEvent::Started(_))));
                assert!(matches!(events.last(), Some(GameEvent::Ended(_))));
            }
            Found::Refused(_) => refused += 1,
            Found::LeftOut { .. } => panic!("every game is wanted"),
        }
        Ok::<(), Infallible>(())
    };
    let Ok(counts) = archive_games(&file, &mut HashSet::new(), &Progress::default(), |_| true, each);
    assert_eq!((counts.games, counts.refused + counts.bad_sources), (games, refused));
    assert_eq!(counts.rows, counts.games + counts.refused);
});
