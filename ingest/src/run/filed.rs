//! Whether a game stored from a file is the log's game: compares record facts and turns, since a file's events are not
//! stored.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use annals_events::{PlayerAtStart, Side};

use crate::archive_row::StoredTurn;
use crate::game_record::{Header, TimedEvent};
use crate::playthrough::Playthrough;
use crate::stored_games::{OpenSource, StoredGamesError, StoredSource, of_dataset};

/// The compared values of a logged game.
#[derive(Debug)]
pub struct Compared {
    header: Header<'static>,
    turns: Vec<(u32, Side, Box<str>)>,
}

impl Compared {
    /// With the times that the source states.
    pub fn of(events: &[TimedEvent<'_>], played: &mut Playthrough) -> Compared {
        played.play(events);
        let turns = StoredTurn::standing(events, played);
        Compared {
            header: facts(&Header::of_events(events)),
            turns: turns.iter().map(|turn| (turn.number, turn.side, turn.steps.as_ref().into())).collect(),
        }
    }

    /// The first differing fact of a file's record. Unstated facts do not differ.
    fn other_fact(&self, filed: &Header<'_>) -> Option<&'static str> {
        let own = &self.header;
        let time = |own: Option<i64>, filed: Option<i64>| filed.is_some() && own != filed;
        let facts = [
            ("names, kinds or ratings of the players", own.gold != filed.gold || own.silver != filed.silver),
            ("event", own.event != filed.event),
            ("site", own.site != filed.site),
            ("position at the start", own.position != filed.position),
            ("time of the start", time(own.started_at, filed.started_at)),
            ("time of the end", time(own.ended_at, filed.ended_at)),
            ("result", own.result != filed.result),
            ("ending", own.termination != filed.termination),
            ("statement whether the game is rated", filed.rated.is_some() && own.rated != filed.rated),
        ];
        facts.into_iter().find(|(_, other)| *other).map(|(fact, _)| fact)
    }

    /// The first turn that differs or is missing.
    fn other_turn(&self, filed: &[(u32, Side, &str)]) -> Option<String> {
        let own = self.turns.iter().map(|(number, side, steps)| (*number, *side, &**steps));
        let same = own.zip(filed).take_while(|(own, filed)| own == *filed).count();
        let own = self.turns.get(same).map(|(number, side, _)| (*number, *side));
        let (number, side) = own.or_else(|| filed.get(same).map(|(number, side, _)| (*number, *side)))?;
        Some(format!("turn {number} of {}", side.word()))
    }
}

/// The facts that [`crate::stored_games`] reads.
fn facts(header: &Header<'_>) -> Header<'static> {
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().map(|text| text.to_owned().into());
    let player = |side: Side| {
        let player = header.player(side);
        PlayerAtStart {
            name: player.name.to_string().into(),
            kind: player.kind,
            rating: player.rating,
            ..PlayerAtStart::default()
        }
    };
    Header {
        gold: player(Side::Gold),
        silver: player(Side::Silver),
        event: text(&header.event),
        site: text(&header.site),
        position: text(&header.position),
        rated: header.rated,
        started_at: header.started_at,
        ended_at: header.ended_at,
        result: header.result,
        termination: header.termination,
        ..Header::default()
    }
}

/// The dataset's stored games, opened at the first comparison.
#[derive(Debug)]
pub struct FiledGames<'d> {
    dataset: &'d Path,
    sources: Option<Vec<(String, OpenSource)>>,
}

impl FiledGames<'_> {
    #[must_use]
    pub fn of(dataset: &Path) -> FiledGames<'_> {
        FiledGames { dataset, sources: None }
    }

    /// How logged games first differ from those stored under their numbers. Equal ones are omitted.
    ///
    /// # Errors
    /// If the dataset cannot be read, or is damaged.
    pub fn differences(
        &mut self,
        games: &BTreeMap<u64, Compared>,
    ) -> Result<BTreeMap<u64, String>, StoredGamesError> {
        let mut found = BTreeMap::new();
        if games.is_empty() {
            return Ok(found);
        }
        let ids: Vec<u64> = games.keys().copied().collect();
        for (name, source) in self.sources()? {
            let words =
                |what: &str| format!("another record of this game is stored from {name}: its {what} differs");
            let mut wanted = Vec::new();
            source.find(&ids, |game| {
                let Some(own) = games.get(&game.id) else { return Ok(()) };
                match own.other_fact(&game.header) {
                    Some(fact) => {
                        found.insert(game.id, words(fact));
                    }
                    None => wanted.push(game.wanted()),
                }
                Ok(())
            })?;
            let turns = source.turns(&wanted)?;
            for (place, wanted) in wanted.iter().enumerate() {
                let filed: Vec<(u32, Side, &str)> = turns.standing(place).collect();
                if let Some(turn) = games.get(&wanted.id).and_then(|own| own.other_turn(&filed)) {
                    found.insert(wanted.id, words(&turn));
                }
            }
        }
        Ok(found)
    }

    fn sources(&mut self) -> Result<&[(String, OpenSource)], StoredGamesError> {
        if self.sources.is_none() {
            let (sources, _) = of_dataset(&self.dataset.into())?;
            let open = |source: &StoredSource| Ok(source.open()?.map(|open| (source.name.clone(), open)));
            let open: Result<Vec<_>, StoredGamesError> =
                sources.iter().filter_map(|source| open(source).transpose()).collect();
            self.sources = Some(open?);
        }
        Ok(self.sources.as_deref().unwrap_or_default())
    }
}
