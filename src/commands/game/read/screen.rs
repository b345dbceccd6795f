//! The screen of `annals game read`: the board at the left, the turn and the clocks at its right, the turns below.

use annals_analytics::dates::seconds;
use annals_analytics::game_view::{Seat, TurnView};
use annals_rules::TurnLabel;
use ratatui_core::layout::{Constraint, Layout, Rect};
use ratatui_core::style::{Modifier, Style};
use ratatui_core::terminal::Frame;
use ratatui_core::text::{Line, Span, Text};

use super::frames::sides;
use super::reader::Reader;
use crate::output::{damage_line, one_line};

/// From the longest; the first that fits is shown.
const KEYS: [&str; 3] = [
    "Left/Right turn  Up/Down , . step  PgUp/PgDn 10 turns  Home/End  f flip  q end",
    "Left/Right turn  Up/Down step  Home/End  f flip  q end",
    "arrows move  f flip  q end",
];

/// Columns for the clocks and the steps at the right of the board.
const PANEL: u16 = 24;

/// Draws the position that is shown.
pub fn draw(reader: &Reader, frame: &mut Frame) {
    let board = Text::from(board(reader.board(), reader.flipped).join("\n"));
    let (height, width) = (board.height() as u16, board.width() as u16);
    let area = frame.area();
    if area.width < width || area.height < height + 2 {
        let needed = format!("{width}x{} needed; q end", height + 2);
        return frame.render_widget(Line::from(needed), area);
    }
    let head = head(reader);
    // The least important parts first are left out where there is no room for them: the header, then the panel.
    let spare = area.height - height - 2;
    let of_head = if usize::from(spare) > head.height() { head.height() as u16 + 1 } else { 0 };
    let rows = Layout::vertical([
        Constraint::Length(of_head),
        Constraint::Length(height),
        Constraint::Fill(1),
        Constraint::Length(1),
    ]);
    let [top, middle, below, keys] = rows.areas(area);
    let [left, right] =
        Layout::horizontal([Constraint::Length(width + 3), Constraint::Fill(1)]).areas(middle);
    frame.render_widget(head, top);
    frame.render_widget(board, left);
    if right.width >= PANEL {
        frame.render_widget(panel(reader, right.width), right);
        frame.render_widget(turns(reader, below.height.saturating_sub(1).into()), rest(below));
    } else {
        frame.render_widget(panel(reader, below.width), below);
    }
    let fits = KEYS.iter().find(|line| line.len() <= usize::from(keys.width));
    frame.render_widget(Line::styled(*fits.unwrap_or(&KEYS[2]), Modifier::DIM), keys);
}

/// An area without its first line.
fn rest(area: Rect) -> Rect {
    let taken = area.height.min(1);
    Rect { y: area.y + taken, height: area.height - taken, ..area }
}

/// The game, its players and its result.
fn head(reader: &Reader) -> Text<'static> {
    let game = &reader.game;
    let [gold, silver] = sides(game.game);
    let result = match game.result.as_str() {
        "gold" => format!("{gold} won"),
        "silver" => format!("{silver} won"),
        "draw" => "drawn".to_owned(),
        _ => "result not known".to_owned(),
    };
    let ending = game.ending.as_ref().map_or_else(String::new, |ending| format!(" ({ending})"));
    let players = format!("{gold} {}, {silver} {}", seat(&game.gold), seat(&game.silver));
    let mut text =
        Text::from(damage_line().lines().map(|line| Line::from(line.to_owned())).collect::<Vec<_>>());
    text.push_line(Line::styled(one_line(&format!("{}: {result}{ending}", game.name)), Modifier::BOLD));
    text.push_line(one_line(&players));
    if !game.flags.is_empty() {
        text.push_line(one_line(&format!("flags: {}", game.flags.join(", "))));
    }
    text
}

fn seat(seat: &Seat) -> String {
    seat.rating.map_or_else(|| seat.name.clone(), |rating| format!("{} ({rating})", seat.name))
}

/// The lines of a board; flipped, the first rank is at the top and the last file at the left.
fn board(drawn: &str, flipped: bool) -> Vec<String> {
    let mut lines: Vec<String> = drawn.lines().map(str::to_owned).collect();
    if !flipped {
        return lines;
    }
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    for line in &mut lines {
        if let [rank, squares, ..] = line.split('|').collect::<Vec<_>>()[..] {
            *line = format!("{rank}|{}|", reversed(squares));
        } else if !line.contains('+') {
            let files = line.trim();
            *line = format!("{}{}", &line[..line.len() - line.trim_start().len()], reversed(files));
        }
    }
    let is_border = |line: &String| line.contains('+');
    if let (Some(first), Some(last)) = (lines.iter().position(is_border), lines.iter().rposition(is_border)) {
        lines[first..=last].reverse();
    }
    lines
}

/// The turn that is shown: its steps, the clocks and the evaluation.
fn panel(reader: &Reader, width: u16) -> Text<'static> {
    let game = &reader.game;
    let shown = reader.shown();
    let moment = &shown.moment;
    let label = moment.label.text_in(game.game);
    let names = sides(game.game);
    let to_move = names[moment.to_move.index()];
    let is_over = moment.played.is_none();
    let mut lines = vec![
        Line::styled(
            if is_over {
                format!("after the last turn, {to_move} to move")
            } else {
                format!("{label}: {to_move} to move")
            },
            Modifier::BOLD,
        ),
        Line::from(format!("turn {} of {}", (reader.turn() + 1).min(game.turns.len()), game.turns.len())),
        Line::default(),
    ];
    let reserves = moment.before.as_ref().map(|turn| [turn.gold_reserve, turn.silver_reserve]);
    for (name, reserve) in names.into_iter().zip(reserves.unwrap_or_default()) {
        let reserve = reserve.map_or_else(|| "-".to_owned(), seconds);
        lines.push(Line::from(format!("{name:<7} reserve {reserve}")));
    }
    if let Some(used) = moment.played.as_ref().and_then(|turn| turn.used) {
        lines.push(Line::from(format!("time used {}", seconds(used.into()))));
    }
    if let Some(value) = shown.evaluation {
        let rabbits = f64::from(value) / 100.0;
        lines.push(Line::from(format!("before {label}: {rabbits:+.2} rabbits for gold")));
    }
    lines.push(Line::default());
    let made = reader.step();
    for (number, step) in shown.steps.iter().enumerate() {
        let mark = if number < made { "* " } else { "  " };
        let parts = wrapped(&one_line(step), usize::from(width).saturating_sub(2).max(1));
        lines.extend(parts.into_iter().map(|part| Line::from(format!("{mark}{part}"))));
    }
    let illegal = game.illegal_reason.as_ref().filter(|_| is_over);
    let notes = game.notes.iter().filter(|_| is_over);
    for text in illegal.map(|why| format!("next turn illegal: {why}")).iter().chain(notes) {
        lines.extend(wrapped(&one_line(text), width.max(1).into()).into_iter().map(Line::from));
    }
    Text::from(lines)
}

/// A text in lines of at most `width` characters, divided at spaces.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    textwrap::wrap(text, width).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// The turns around the one that is shown, as many as there is room for.
fn turns(reader: &Reader, room: usize) -> Text<'static> {
    let (game, at) = (&reader.game, reader.turn());
    let first = at.saturating_sub(room / 2).min(game.turns.len().saturating_sub(room));
    let line = |(place, turn): (usize, &TurnView)| {
        let label: TurnLabel = turn.label;
        let text = one_line(&format!("{:>5} {}", label.text_in(game.game), turn.steps));
        let style = if place == at { Style::from(Modifier::REVERSED) } else { Style::default() };
        Line::from(Span::styled(text, style))
    };
    game.turns.iter().enumerate().skip(first).take(room).map(line).collect()
}

#[cfg(test)]
mod tests {
    use annals_events::GameKind;
    use ratatui_core::backend::TestBackend;
    use ratatui_core::terminal::Terminal;
    use ratatui_crossterm::crossterm::event::KeyCode;

    use super::super::reader::tests::{of, press, reader};
    use super::*;

    fn drawn(reader: &Reader, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(reader, frame)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn a_step_within_a_turn_is_drawn() {
        let mut reader = reader();
        press(&mut reader, &[KeyCode::Right, KeyCode::Right, KeyCode::Down, KeyCode::Down]);
        insta::assert_snapshot!(drawn(&reader, 80, 24));
    }

    #[test]
    fn a_flipped_board_has_the_first_rank_at_the_top() {
        let mut reader = of(GameKind::Amazons, &["d1-d7(g7)"]);
        press(&mut reader, &[KeyCode::Char('f'), KeyCode::End]);
        insta::assert_snapshot!(drawn(&reader, 60, 22));
    }

    #[test]
    fn a_small_terminal_is_no_failure() {
        for (width, height) in [(1, 1), (10, 5), (300, 100)] {
            drawn(&reader(), width, height);
        }
        assert!(drawn(&reader(), 30, 8).contains("needed; q end"));
        let narrow = drawn(&reader(), 32, 20);
        assert!(narrow.contains("1g: gold to move") && narrow.contains("arrows move"), "{narrow}");
        let low = drawn(&reader(), 80, 14);
        assert!(low.contains("+-----") && low.contains("1g: gold to move"), "{low}");
    }
}
