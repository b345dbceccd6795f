use annals_events::Side;
use annals_rules::amazons::Size;

use super::super::dates;
use super::super::ending;
use super::super::error::WriteError;
use super::super::record::{Record, Step, Turn, one_line};
use super::super::time;
use super::points::{LETTERS, point, three_points};
use super::read::RETRACTED;

/// The start position is always set up in the root; retracted moves are variations.
pub(crate) fn write(record: &Record<'_>) -> Result<String, WriteError> {
    let board = record.position.board();
    let size = board.size();
    if size.ranks() > LETTERS {
        return Err(WriteError::TooLong { size });
    }
    let started = record.started;
    let mut out = format!("(;FF[4]GM[18]CA[UTF-8]AP[Annals:{}]", env!("CARGO_PKG_VERSION"));
    if size.is_square() {
        out += &format!("SZ[{}]\n", size.files());
    } else {
        out += &format!("SZ[{}:{}]\n", size.files(), size.ranks());
    }
    let mut say = |name: &str, value: &str| {
        let value = one_line(value);
        if !value.is_empty() {
            out += &format!("{name}[{}]\n", escaped(&value));
        }
    };
    say("PW", &started.gold.name);
    say("PB", &started.silver.name);
    for (name, player) in [("WR", &started.gold), ("BR", &started.silver)] {
        say(name, &player.rating.map_or_else(String::new, |rating| rating.to_string()));
    }
    say("EV", started.event.as_deref().unwrap_or_default());
    say("PC", started.site.as_deref().unwrap_or_default());
    say("DT", &record.at.and_then(dates::date).unwrap_or_default());
    let fixed = started.time_control.as_deref().and_then(time::fixed_seconds);
    match (fixed, started.time_control.as_deref()) {
        (Some(seconds), _) => say("TM", &seconds.to_string()),
        (None, control) => say("OT", control.unwrap_or_default()),
    }
    say("GN", started.pairing.as_deref().unwrap_or_default());
    if let Some(ended) = record.ended {
        say("RE", &ending::to_sgf(ended, record.territory));
    }
    let notes: Vec<&str> = record.notes().collect();
    if !notes.is_empty() {
        out += &format!("GC[{}]\n", escaped(&notes.join("\n")));
    }
    // Without any set-up the game would begin at the standard start.
    let vacant = if board.taken() == 0 { size.all() } else { 0 };
    let [white, black] = Side::BOTH.map(|side| board.queens(side));
    let sets = [("AW", white), ("AB", black), ("AA", board.blocks()), ("AE", vacant)];
    for (name, set) in sets {
        if set != 0 {
            out += name;
            out.extend(size.squares(set).map(|square| format!("[{}]", point(square, size))));
        }
    }
    out += match record.position.to_move() {
        Side::Gold => "PL[W]",
        Side::Silver => "PL[B]",
    };
    out.push('\n');
    Tree::of(record, fixed).write(size, record.first(), &mut out);
    out += ")\n";
    Ok(out)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(sign, ']' | '\\') {
            out.push('\\');
        }
        // A reader takes other control characters for spaces.
        out.push(if sign.is_control() && sign != '\n' { ' ' } else { sign });
    }
    out
}

/// A move in the tree; the root has none.
struct Node<'r> {
    turn: Option<Turn>,
    /// Seconds left per side, if known.
    left: [Option<i64>; 2],
    parent: usize,
    /// In order; the one in force, if any, is last.
    children: Vec<usize>,
    retracted: Option<Option<&'r str>>,
}

struct Tree<'r> {
    nodes: Vec<Node<'r>>,
}

impl<'r> Tree<'r> {
    fn of(record: &'r Record<'_>, fixed: Option<u32>) -> Tree<'r> {
        let left = [fixed.map(i64::from); 2];
        let root = Node { turn: None, left, parent: 0, children: Vec::new(), retracted: None };
        let mut nodes = vec![root];
        let mut at = 0;
        for step in &record.steps {
            match step {
                Step::Turn(turn) => {
                    let mut left = nodes.get(at).map_or([None; 2], |node| node.left);
                    let index = turn.side.index();
                    // Stated, or from the time used with a fixed time.
                    left[index] = turn.reserves[index].or_else(|| {
                        fixed.and(left[index]).zip(turn.used).map(|(left, used)| left - i64::from(used))
                    });
                    let other = 1 - index;
                    left[other] = turn.reserves[other].or(left[other]);
                    let new = nodes.len();
                    let children = Vec::new();
                    nodes.push(Node { turn: Some(*turn), left, parent: at, children, retracted: None });
                    if let Some(node) = nodes.get_mut(at) {
                        node.children.push(new);
                    }
                    at = new;
                }
                Step::Retract(reason) => {
                    if let Some(node) = nodes.get_mut(at) {
                        node.retracted = Some(*reason);
                        at = node.parent;
                    }
                }
                Step::Note(_) => {}
            }
        }
        Tree { nodes }
    }

    fn write(&self, size: Size, first: Option<&Turn>, out: &mut String) {
        enum Task {
            Node(usize),
            Text(&'static str),
        }
        let mut tasks = vec![Task::Node(0)];
        while let Some(task) = tasks.pop() {
            let index = match task {
                Task::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Task::Node(index) => index,
            };
            let Some(node) = self.nodes.get(index) else { continue };
            if let Some(turn) = &node.turn {
                // Only the first moves can have a deviating number.
                let numbered = node.parent == 0 && first.is_some_and(|first| first.number > 1);
                self.node(node, turn, numbered, size, out);
            }
            if let [only] = node.children.as_slice() {
                tasks.push(Task::Node(*only));
                continue;
            }
            let retracted =
                |child: &&usize| self.nodes.get(**child).is_some_and(|node| node.retracted.is_some());
            let (taken_back, stands): (Vec<&usize>, Vec<&usize>) = node.children.iter().partition(retracted);
            for child in stands.into_iter().chain(taken_back).rev() {
                tasks.extend([Task::Text(")\n"), Task::Node(*child), Task::Text("(")]);
            }
        }
    }

    fn node(&self, node: &Node<'_>, turn: &Turn, numbered: bool, size: Size, out: &mut String) {
        let letter = match turn.side {
            Side::Gold => 'W',
            Side::Silver => 'B',
        };
        *out += &format!(";{letter}[{}]", three_points(turn.played, size));
        if numbered {
            let before = u64::from(turn.number.saturating_sub(1)) * 2;
            *out += &format!("MN[{}]", before + 1 + turn.side.index() as u64);
        }
        for (side, name) in [(Side::Gold, "WL"), (Side::Silver, "BL")] {
            let index = side.index();
            let stated = turn.reserves[index].is_some() || (side == turn.side && turn.used.is_some());
            if let Some(left) = node.left[index].filter(|_| stated) {
                *out += &format!("{name}[{left}]");
            }
        }
        if let Some(reason) = node.retracted {
            *out += &format!("N[{RETRACTED}]");
            if let Some(reason) = reason {
                *out += &format!("C[{}]", escaped(reason));
            }
        }
        out.push('\n');
    }
}
