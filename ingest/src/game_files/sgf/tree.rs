//! The game trees of an SGF file, uninterpreted, with byte offsets. Reading never fails: meaningless characters are
//! counted, and an unclosed tree is what there is of it.

use std::ops::Range;

use super::super::{MAX_GAMES, MAX_PARTS};

#[derive(Debug, Default)]
pub(super) struct Tree {
    /// In file order; the first is the root.
    pub nodes: Vec<Node>,
    pub properties: Vec<Property>,
    /// Between brackets, with escapes.
    pub values: Vec<Range<usize>>,
    /// From first to last bracket.
    pub bytes: Range<usize>,
    /// The first meaningless character, and their number.
    pub stray: Option<(usize, u64)>,
    /// Where an unfinished item begins.
    pub cut: Option<usize>,
}

impl Tree {
    /// Nodes, properties and values.
    fn parts(&self) -> usize {
        self.nodes.len() + self.properties.len() + self.values.len()
    }
}

#[derive(Debug)]
pub(super) struct Node {
    pub at: usize,
    pub children: Vec<usize>,
    pub properties: Range<usize>,
}

#[derive(Debug)]
pub(super) struct Property {
    pub at: usize,
    /// Capital letters only; older files have meaningless small ones.
    pub name: String,
    pub values: Range<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Found {
    pub trees: Vec<Tree>,
    /// Offset and length of stray text outside trees.
    pub outside: Option<(usize, u64)>,
    /// Offset of the unread rest, and the limit reached.
    pub rest: Option<(usize, &'static str, usize)>,
}

/// All game trees, up to the limits.
///
/// An unclosed game would include those after it. So after one, a line that begins as a root ends a game; before, such
/// a line may be in a comment. The text is read at most twice.
pub(super) fn trees(text: &[u8]) -> Found {
    let Found { mut trees, mut outside, mut rest } = Found::default();
    let mut parts = MAX_PARTS;
    let mut broken = false;
    let mut next = NextGame(None);
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    while let Some(&byte) = text.get(at) {
        if byte == b'(' && next_sign(text, at + 1) == Some(b';') {
            let read = |to: Option<usize>| {
                let text = to.and_then(|to| text.get(..to)).unwrap_or(text);
                let mut reader = Reader { text, at, most: parts, tree: Tree::default() };
                reader.read();
                reader.tree
            };
            if trees.len() == MAX_GAMES {
                rest = Some((at, "games", MAX_GAMES));
                break;
            }
            let mut tree = read(if broken { next.after(text, at) } else { None });
            if !broken && tree.cut.is_some() {
                broken = true;
                tree = next.after(text, at).map_or(tree, |next| read(Some(next)));
            }
            let Some(left) = parts.checked_sub(tree.parts()) else {
                rest = Some((at, "nodes, properties and values", MAX_PARTS));
                break;
            };
            parts = left;
            at = tree.bytes.end.max(at + 1);
            trees.push(tree);
        } else {
            if !is_space(byte) {
                note(&mut outside, at);
            }
            at += 1;
        }
    }
    Found { trees, outside, rest }
}

/// The next game after offsets that increase, for which the text is searched once.
struct NextGame(Option<Option<usize>>);

impl NextGame {
    fn after(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let is_behind = self.0.is_some_and(|found| found.is_none_or(|next| next > at));
        if !is_behind {
            self.0 = Some(next_game(text, at));
        }
        self.0.flatten()
    }
}

/// The next game after an offset: a line with a bracket and a node with format or game, which only roots have.
fn next_game(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let begins =
        |window: &[u8]| matches!(window, [b'\n' | b'\r', root @ ..] if root == b"(;FF[" || root == b"(;GM[");
    rest.windows(6).position(begins).map(|at| from + at + 1)
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b || byte == 0
}

fn next_sign(text: &[u8], from: usize) -> Option<u8> {
    text.get(from..)?.iter().copied().find(|byte| !is_space(*byte))
}

fn note(stray: &mut Option<(usize, u64)>, at: usize) {
    match stray {
        Some((_, count)) => *count += 1,
        None => *stray = Some((at, 1)),
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    /// The most parts; one more ends the tree.
    most: usize,
    tree: Tree,
}

impl Reader<'_> {
    fn read(&mut self) {
        let start = self.at;
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut node: Option<usize> = None;
        // Properties after variations do not belong to the node.
        let mut takes = false;
        while self.tree.parts() <= self.most {
            let Some(&byte) = self.text.get(self.at) else {
                self.tree.cut.get_or_insert(self.text.len());
                break;
            };
            match byte {
                b'(' => {
                    open.push(node);
                    takes = false;
                    self.at += 1;
                }
                b')' => {
                    node = open.pop().flatten();
                    takes = false;
                    self.at += 1;
                    if open.is_empty() {
                        break;
                    }
                }
                b';' => {
                    let properties = self.tree.properties.len();
                    let new = self.tree.nodes.len();
                    let children = Vec::new();
                    self.tree.nodes.push(Node { at: self.at, children, properties: properties..properties });
                    if let Some(parent) = node.and_then(|node| self.tree.nodes.get_mut(node)) {
                        parent.children.push(new);
                    }
                    node = Some(new);
                    takes = true;
                    self.at += 1;
                }
                b'A'..=b'Z' | b'a'..=b'z' => {
                    if !self.property(node.filter(|_| takes)) {
                        break;
                    }
                }
                b'[' => {
                    note(&mut self.tree.stray, self.at);
                    if self.value().is_none() {
                        break;
                    }
                }
                byte => {
                    if !is_space(byte) {
                        note(&mut self.tree.stray, self.at);
                    }
                    self.at += 1;
                }
            }
        }
        self.tree.bytes = start..self.at.min(self.text.len());
    }

    /// False at the end of the text.
    fn property(&mut self, node: Option<usize>) -> bool {
        let at = self.at;
        let mut name = String::new();
        while let Some(letter) = self.text.get(self.at).filter(|byte| byte.is_ascii_alphabetic()) {
            if letter.is_ascii_uppercase() {
                name.push(char::from(*letter));
            }
            self.at += 1;
        }
        let first = self.tree.values.len();
        while next_sign(self.text, self.at) == Some(b'[') {
            while self.text.get(self.at) != Some(&b'[') {
                self.at += 1;
            }
            match self.value() {
                Some(value) => self.tree.values.push(value),
                None => {
                    self.tree.values.truncate(first);
                    self.tree.cut = Some(at);
                    return false;
                }
            }
        }
        let values = first..self.tree.values.len();
        match node.and_then(|node| self.tree.nodes.get_mut(node)) {
            Some(node) if !name.is_empty() && !values.is_empty() => {
                self.tree.properties.push(Property { at, name, values });
                node.properties.end = self.tree.properties.len();
            }
            _ => {
                self.tree.values.truncate(first);
                note(&mut self.tree.stray, at);
            }
        }
        true
    }

    /// The text between brackets; none if unclosed.
    fn value(&mut self) -> Option<Range<usize>> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            match self.text.get(at) {
                Some(b'\\') => at += 2,
                Some(b']') => break,
                Some(_) => at += 1,
                None => {
                    self.tree.cut = Some(self.at);
                    self.at = self.text.len();
                    return None;
                }
            }
        }
        self.at = at + 1;
        Some(start..at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        let Found { trees, outside, .. } = trees(text.as_bytes());
        let mut shape = String::new();
        for tree in &trees {
            for node in &tree.nodes {
                let names: Vec<&str> =
                    tree.properties[node.properties.clone()].iter().map(|p| p.name.as_str()).collect();
                shape += &format!("{}{:?} ", names.join(","), node.children);
            }
            shape += &format!("{:?} stray {:?} cut {:?}; ", tree.bytes, tree.stray, tree.cut);
        }
        shape + &format!("{outside:?}")
    }

    #[test]
    fn a_tree_is_read_as_the_specification_writes_it() {
        let text = "(;FF[4]C[root](;C[a];C[b](;C[c])(;C[d];C[e]))(;C[f](;C[g];C[h])(;C[j])))";
        assert_eq!(
            shape(text),
            "FF,C[1, 6] C[2] C[3, 4] C[] C[5] C[] C[7, 9] C[8] C[] C[] 0..72 stray None cut None; None"
        );
        assert_eq!(
            shape("x (;A[\\]]B [1]\n[2]CoLour[x])(;)"),
            "A,B,CL[] 2..28 stray None cut None; [] 28..31 stray None cut None; Some((0, 1))"
        );
    }

    #[test]
    fn what_the_file_does_not_end_is_kept_as_far_as_it_goes() {
        assert_eq!(shape("(;A[1];B[2"), "A[1] [] 0..10 stray None cut Some(7); None");
        assert_eq!(shape("(;A[1](;B[2]"), "A[1] B[] 0..12 stray None cut Some(12); None");
        assert_eq!(
            shape("(;A[1];B[2]\n(;FF[4]C[2])"),
            "A[1] B[] 0..12 stray None cut Some(12); FF,C[] 12..24 stray None cut None; None"
        );
        // However many there are, none swallows the rest, and what is whole stays whole.
        let many = "(;FF[4];B[1]\n".repeat(40) + "(;GM[18]C[x](;B[1])(;B[2]))\r(;GM[18])";
        let Found { trees: all, outside, .. } = trees(many.as_bytes());
        assert_eq!(
            (all.len(), all.iter().filter(|tree| tree.cut.is_some()).count(), outside),
            (42, 40, None)
        );
        // A line like a root in a comment of a complete file does not begin a game.
        assert_eq!(trees(b"(;GM[18]C[as in\n(;GM[18\\];B[1\\]) here];B[2])\n(;FF[4])").trees.len(), 2);
        assert_eq!(shape("(;A[1]]x(;B[1])C[2])"), "A[1] B[] 0..20 stray Some((6, 3)) cut None; None");
    }
}
