//! Which position of a game is shown, and what each key does to that.

use annals_analytics::game_view::GameView;
use annals_replay::GameReplay;
use annals_rules::TurnChoice;
use ratatui_crossterm::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::frames::{TurnFrames, frames};
use crate::errors::CliError;

/// Turns that Page Down and Page Up move.
const PAGE: usize = 10;

pub struct Reader {
    pub game: GameView,
    /// All turns, and the end: at least one.
    frames: Vec<TurnFrames>,
    /// The turn that is shown, from 0.
    turn: usize,
    /// Steps of it that were made.
    step: usize,
    pub flipped: bool,
}

impl Reader {
    /// Begins before the first turn.
    pub fn new(game: GameView, replay: &GameReplay, flipped: bool) -> Reader {
        let frames = frames(&game, replay);
        Reader { game, frames, turn: 0, step: 0, flipped }
    }

    /// Shows the position before a turn.
    pub fn go_to(&mut self, turn: TurnChoice) -> Result<(), CliError> {
        self.show(self.game.place(turn)?);
        Ok(())
    }

    /// Obeys a key. Returns false if reading ends.
    pub fn press(&mut self, key: KeyEvent) -> bool {
        if key.kind == KeyEventKind::Release {
            return true;
        }
        let last = self.frames.len() - 1;
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => return false,
            KeyCode::Char('q') | KeyCode::Esc => return false,
            KeyCode::Char('f') => self.flipped = !self.flipped,
            KeyCode::Right => self.show(self.turn + 1),
            KeyCode::Left if self.step > 0 => self.show(self.turn),
            KeyCode::Left => self.show(self.turn.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('.') if self.step + 1 < self.shown().boards.len() => self.step += 1,
            KeyCode::Down | KeyCode::Char('.') => self.show(self.turn + 1),
            KeyCode::Up | KeyCode::Char(',') if self.step > 0 => self.step -= 1,
            KeyCode::Up | KeyCode::Char(',') if self.turn > 0 => {
                self.show(self.turn - 1);
                self.step = self.shown().boards.len() - 1;
            }
            KeyCode::PageDown => self.show(self.turn + PAGE),
            KeyCode::PageUp => self.show(self.turn.saturating_sub(PAGE)),
            KeyCode::Home => self.show(0),
            KeyCode::End => self.show(last),
            _ => {}
        }
        true
    }

    fn show(&mut self, turn: usize) {
        (self.turn, self.step) = (turn.min(self.frames.len() - 1), 0);
    }

    /// The turn that is shown.
    pub fn shown(&self) -> &TurnFrames {
        &self.frames[self.turn]
    }

    /// The board that is shown.
    pub fn board(&self) -> &str {
        &self.shown().boards[self.step]
    }

    /// How many steps of the turn were made.
    pub const fn step(&self) -> usize {
        self.step
    }

    /// The place of the turn, from 0.
    pub const fn turn(&self) -> usize {
        self.turn
    }
}

#[cfg(test)]
pub mod tests {
    use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};

    use super::*;

    const SETUPS: [&str; 2] = [
        "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2",
        "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 da7 hb7 cc7 ed7 me7 cf7 hg7 dh7",
    ];

    /// A game of six turns; in the fifth a cat is lost on a trap.
    pub fn reader() -> Reader {
        let turns = [
            SETUPS[0],
            SETUPS[1],
            "Ee2n Ee3n Ee4n Ee5n",
            "ed7s ed6s ed5s",
            "Cc2n Cc3x Md2n Hb2n Dh2n",
            "rb8w",
        ];
        of(GameKind::Arimaa, &turns[..5])
    }

    pub fn of(kind: GameKind, turns: &[&str]) -> Reader {
        let mut started = Started::plain(kind, None);
        started.gold.name = "Ada".into();
        started.silver.name = "Bela \u{1b}[31m".into();
        started.time_control = Some("2/2/100/10/8".into());
        let mut replay = GameReplay::default();
        replay.apply_event(0, None, &GameEvent::Started(Box::new(started)));
        for (place, steps) in turns.iter().enumerate() {
            let side = Side::BOTH[place % 2];
            let taken = TurnTaken::plain(place as u32 / 2 + 1, side, *steps);
            replay.apply_event(0, None, &GameEvent::TurnTaken(TurnTaken { used: Some(30), ..taken }));
        }
        assert!(replay.findings().is_empty(), "{:?}", replay.findings());
        Reader::new(GameView::of_replay("evening", &replay), &replay, false)
    }

    pub fn press(reader: &mut Reader, keys: &[KeyCode]) -> bool {
        keys.iter().all(|key| reader.press((*key).into()))
    }

    /// The label of the turn that is shown, and the steps of it that were made.
    fn place(reader: &Reader) -> (String, usize) {
        (reader.shown().moment.label.to_string(), reader.step())
    }

    #[test]
    fn keys_move_through_turns_and_through_their_steps() {
        use KeyCode::{Down, End, Home, Left, PageDown, PageUp, Right, Up};
        let mut reader = reader();
        for (keys, label, step) in [
            (&[][..], "1g", 0),
            (&[Left, Up], "1g", 0),
            (&[Right], "1s", 0),
            (&[Down], "2g", 0),
            (&[Down, Down, Down], "2g", 3),
            (&[Down], "2s", 0),
            (&[Up], "2g", 3),
            (&[Left], "2g", 0),
            (&[Down, Right], "2s", 0),
            (&[End], "3s", 0),
            (&[Right, Down], "3s", 0),
            (&[Up], "3g", 3),
            (&[PageUp], "1g", 0),
            (&[PageDown], "3s", 0),
            (&[Home], "1g", 0),
        ] {
            assert!(press(&mut reader, keys));
            assert_eq!(place(&reader), (label.to_owned(), step), "{keys:?}");
        }
        for end in [KeyCode::Esc, KeyCode::Char('q')] {
            assert!(!press(&mut reader, &[end]));
        }
        assert!(!reader.press(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
        assert!(press(&mut reader, &[KeyCode::Char('c'), KeyCode::Char('f')]) && reader.flipped);
    }

    #[test]
    fn a_game_without_turns_and_one_of_the_amazons_are_read_too() {
        let mut empty = of(GameKind::Arimaa, &[]);
        assert!(press(&mut empty, &[KeyCode::Down, KeyCode::Right, KeyCode::End, KeyCode::Up]));
        assert_eq!(place(&empty), ("1g".to_owned(), 0));
        let mut amazons = of(GameKind::Amazons, &["d1-d7(g7)", "a7-b8(b3)"]);
        assert!(press(&mut amazons, &[KeyCode::Down]));
        assert_eq!(place(&amazons), ("1s".to_owned(), 0));
        assert_eq!(amazons.shown().steps, ["a7-b8(b3)"]);
        assert_eq!(amazons.shown().evaluation, None);
    }

    #[test]
    fn a_capture_is_shown_with_its_step() {
        let mut reader = reader();
        press(&mut reader, &[KeyCode::End, KeyCode::Left]);
        assert_eq!(reader.shown().steps, ["Cc2n Cc3x", "Md2n", "Hb2n", "Dh2n"]);
        let cats = |reader: &Reader| reader.board().matches('C').count();
        assert_eq!(cats(&reader), 2);
        press(&mut reader, &[KeyCode::Char('.')]);
        assert_eq!((cats(&reader), reader.step()), (1, 1));
        press(&mut reader, &[KeyCode::Char(',')]);
        assert_eq!((cats(&reader), reader.step()), (2, 0));
    }

    #[test]
    fn a_turn_is_chosen_as_in_other_commands() {
        let mut reader = reader();
        reader.go_to("last".parse().unwrap()).unwrap();
        assert_eq!(place(&reader).0, "3g");
        assert!(reader.go_to("9w".parse().unwrap()).is_err());
    }
}
