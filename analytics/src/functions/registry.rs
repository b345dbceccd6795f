//! The list of the functions, and the one type through which the engine calls any of them.

use std::hash::{Hash, Hasher};

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use super::{BOARD_BYTES, boards, labels, payload, positions, shares, turns};

/// What an argument must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A stored board, or a board text.
    Board,
    Text,
    Number,
}

/// The result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Returns {
    Text,
    Board,
    Number,
    Real,
    Hash,
    Truth,
}

impl Returns {
    fn data_type(self) -> DataType {
        match self {
            Returns::Text => DataType::Utf8,
            Returns::Board => DataType::FixedSizeBinary(BOARD_BYTES),
            Returns::Number => DataType::Int64,
            Returns::Real => DataType::Float64,
            Returns::Hash => DataType::UInt64,
            Returns::Truth => DataType::Boolean,
        }
    }
}

/// A function's body: evaluated arguments and the number of rows in, one column out.
pub(super) type Body = fn(&[ColumnarValue], usize) -> Result<ArrayRef>;

/// One of Annals' functions.
pub struct Function {
    /// Its name in SQL.
    pub name: &'static str,
    /// Names and kinds of its arguments, in order.
    pub arguments: &'static [(&'static str, Kind)],
    /// The kind of its result: "text", "board", "number", "hash", "true or false".
    pub gives: &'static str,
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
    /// An example of a complete call.
    pub example: &'static str,
    pub(super) returns: Returns,
    pub(super) body: Body,
}

impl Function {
    /// `name(argument, argument)`, as help shows it.
    #[must_use]
    pub fn call(&self) -> String {
        let arguments: Vec<&str> = self.arguments.iter().map(|(name, _)| *name).collect();
        format!("{}({})", self.name, arguments.join(", "))
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.call())
    }
}

const BOARD: (&str, Kind) = ("board", Kind::Board);

/// All functions, in the order in which help lists them.
#[must_use]
pub fn catalogue() -> &'static [Function] {
    &CATALOGUE
}

#[must_use]
pub fn find(name: &str) -> Option<&'static Function> {
    CATALOGUE.iter().find(|f| f.name.eq_ignore_ascii_case(name))
}

static CATALOGUE: [Function; 19] = [
    Function {
        name: "board_text",
        arguments: &[BOARD],
        gives: "text",
        meaning: "The board drawn with its ranks and files, over several lines.",
        example: "SELECT board_text(board) FROM turns WHERE game_id = 1 AND ply = 2",
        returns: Returns::Text,
        body: boards::board_text,
    },
    Function {
        name: "board_short",
        arguments: &[BOARD],
        gives: "text",
        meaning: "The board as 64 signs, a8 to h8 first, `.` for an empty square; in the Amazons as rows with slashes.",
        example: "SELECT board_short(board) FROM turns WHERE game_id = 1 AND ply = 2",
        returns: Returns::Text,
        body: boards::board_short,
    },
    Function {
        name: "board_of",
        arguments: &[("text", Kind::Text)],
        gives: "board",
        meaning: "The board that a text draws (64 signs, or with ranks; in the Amazons rows with slashes, or with ranks).",
        example: "SELECT board_of('rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR')",
        returns: Returns::Board,
        body: boards::board_of,
    },
    Function {
        name: "piece_at",
        arguments: &[BOARD, ("square", Kind::Text)],
        gives: "text",
        meaning: "The piece on a square: RCDHME for gold, rcdhme for silver, in the Amazons W, B and x for a block; NULL where it is \
                  empty, or the board has no such square.",
        example: "SELECT piece_at(board, 'e4') FROM turns LIMIT 5",
        returns: Returns::Text,
        body: boards::piece_at,
    },
    Function {
        name: "count_piece",
        arguments: &[BOARD, ("piece", Kind::Text)],
        gives: "number",
        meaning: "How many of a piece stand on the board: a letter RCDHME or rcdhme, `+` all of gold, `-` all of silver; in the \
                  Amazons W, B and x for blocks. NULL for a piece of the other game.",
        example: "SELECT count_piece(board, 'R') - count_piece(board, 'r') FROM turns LIMIT 5",
        returns: Returns::Number,
        body: boards::count_piece,
    },
    Function {
        name: "board_matches",
        arguments: &[BOARD, ("pattern", Kind::Text)],
        gives: "true or false",
        meaning: "Whether the board is of a pattern: a board text in which `*` or `?` is anything, `+` any gold piece, \
                  `-` any silver piece, `.` or a space an empty square. Never one of the Amazons.",
        example: "SELECT count(*) FROM turns WHERE board_matches(board, \
                  '****************************E***********************************')",
        returns: Returns::Truth,
        body: boards::board_matches,
    },
    Function {
        name: "mirror",
        arguments: &[BOARD],
        gives: "board",
        meaning: "The board mirrored left to right (a1 becomes h1).",
        example: "SELECT board_short(mirror(board)) FROM turns LIMIT 5",
        returns: Returns::Board,
        body: boards::mirror,
    },
    Function {
        name: "rotate",
        arguments: &[BOARD],
        gives: "board",
        meaning: "The board turned by 180 degrees with the colours exchanged: silver's view as if it were gold's.",
        example: "SELECT board_short(CASE to_move WHEN 'silver' THEN rotate(board) ELSE board END) FROM turns LIMIT 5",
        returns: Returns::Board,
        body: boards::rotate,
    },
    Function {
        name: "position_hash",
        arguments: &[BOARD, ("to_move", Kind::Text)],
        gives: "hash",
        meaning: "The hash of a board with a side to move, as in `hash_before` and `hash_after`.",
        example: "SELECT position_hash(board, to_move) = hash_after FROM turns LIMIT 5",
        returns: Returns::Hash,
        body: positions::position_hash,
    },
    Function {
        name: "position_key",
        arguments: &[BOARD, ("to_move", Kind::Text)],
        gives: "hash",
        meaning: "The key of a position, equal for its images, as in `turns.key` and `lookup.key`.",
        example: "SELECT count(*) FROM lookup WHERE key = \
                  position_key('rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR', 'gold')",
        returns: Returns::Hash,
        body: positions::position_key,
    },
    Function {
        name: "first_steps",
        arguments: &[BOARD, ("to_move", Kind::Text)],
        gives: "number",
        meaning: "How many first steps the side to move has, a push counted by its first step; NULL in the Amazons.",
        example: "SELECT avg(first_steps(board, to_move)) FROM turns WHERE number = 10",
        returns: Returns::Number,
        body: turns::first_steps,
    },
    Function {
        name: "distinct_turns",
        arguments: &[BOARD, ("to_move", Kind::Text)],
        gives: "number",
        meaning: "How many positions the side to move can reach in one turn; in the Amazons, how many moves it has. Some \
                  thousand positions take a second: take a sample.",
        example: "SELECT ply, distinct_turns(board, to_move) FROM turns WHERE game_id = 1 AND ply BETWEEN 2 AND 12",
        returns: Returns::Number,
        body: turns::distinct_turns,
    },
    Function {
        name: "mirror_turn",
        arguments: &[("steps", Kind::Text)],
        gives: "text",
        meaning: "A turn or setup of Arimaa in notation, mirrored left to right (`Ea2e` becomes `Eh2w`).",
        example: "SELECT CASE WHEN flipped THEN mirror_turn(steps) ELSE steps END FROM turns LIMIT 5",
        returns: Returns::Text,
        body: positions::mirror_turn,
    },
    Function {
        name: "label",
        arguments: &[("number", Kind::Number), ("side", Kind::Text)],
        gives: "text",
        meaning: "The label of a turn: number 12 and side gold give `12g`.",
        example: "SELECT label(number, side), steps FROM turns WHERE game_id = 1 ORDER BY ply",
        returns: Returns::Text,
        body: labels::label,
    },
    Function {
        name: "turns_before",
        arguments: &[("label", Kind::Text)],
        gives: "number",
        meaning: "How many turns stand before a label in a regular game: 0 for `1g`, 2 for `2g`.",
        example: "SELECT turns_before('12g')",
        returns: Returns::Number,
        body: labels::turns_before,
    },
    Function {
        name: "turns_between",
        arguments: &[("from", Kind::Text), ("to", Kind::Text)],
        gives: "number",
        meaning: "How many turns lie from one label to another: from `2w` to `12b` 21, backwards negative.",
        example: "SELECT turns_between('2w', '12b')",
        returns: Returns::Number,
        body: labels::turns_between,
    },
    Function {
        name: "wilson_low",
        arguments: &[("part", Kind::Number), ("whole", Kind::Number)],
        gives: "number",
        meaning: "The lower end of the interval in which a share lies with 95 % confidence (Wilson), from 0 to 1; NULL of nothing.",
        example: "SELECT year, wilson_low(count(*) FILTER (WHERE result = 'gold'), count(*)) FROM games GROUP BY year",
        returns: Returns::Real,
        body: shares::wilson_low,
    },
    Function {
        name: "wilson_high",
        arguments: &[("part", Kind::Number), ("whole", Kind::Number)],
        gives: "number",
        meaning: "The upper end of the interval in which a share lies with 95 % confidence (Wilson), from 0 to 1; NULL of nothing.",
        example: "SELECT year, wilson_high(count(*) FILTER (WHERE result = 'gold'), count(*)) FROM games GROUP BY year",
        returns: Returns::Real,
        body: shares::wilson_high,
    },
    Function {
        name: "payload_value",
        arguments: &[("payload", Kind::Text), ("path", Kind::Text)],
        gives: "text",
        meaning: "The value under a path of keys in an event's payload; NULL where there is none.",
        example: "SELECT payload_value(payload, 'steps') FROM events WHERE type = 'game.turn_taken' LIMIT 5",
        returns: Returns::Text,
        body: payload::payload_value,
    },
];

/// Functions with their names of dataset version 3, which the next version removes.
const OLD_NAMES: [(&str, &str); 2] = [("wilson_low", "share_low"), ("wilson_high", "share_high")];

/// The functions as the engine registers them.
pub(crate) fn udfs() -> impl Iterator<Item = ScalarUDF> {
    CATALOGUE.iter().map(|function| {
        let registered = Registered { function, signature: Signature::user_defined(Volatility::Immutable) };
        let old = OLD_NAMES.into_iter().filter(|(name, _)| *name == function.name).map(|(_, old)| old);
        ScalarUDF::new_from_impl(registered).with_aliases(old)
    })
}

#[derive(Debug)]
struct Registered {
    function: &'static Function,
    signature: Signature,
}

impl PartialEq for Registered {
    fn eq(&self, other: &Registered) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Registered {}

impl Hash for Registered {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Registered {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        Ok(self.function.returns.data_type())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let wanted = self.function.arguments;
        if given.len() != wanted.len() {
            return plan_err!(
                "{} takes {} argument(s), {} given: {}",
                self.function.name,
                wanted.len(),
                given.len(),
                self.function.call()
            );
        }
        given
            .iter()
            .zip(wanted)
            .map(|(given, (name, kind))| coerced(self.function, name, *kind, given))
            .collect()
    }

    fn invoke_with_args(&self, given: ScalarFunctionArgs) -> Result<ColumnarValue> {
        // Constants only: one row in, a constant out, so that the planner can fold the call.
        let constant = given.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if constant { 1 } else { given.number_rows };
        let column = (self.function.body)(&given.args, rows)?;
        if constant {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&column, 0)?));
        }
        Ok(ColumnarValue::Array(column))
    }
}

/// The type to which the planner casts an argument.
fn coerced(function: &Function, name: &str, kind: Kind, given: &DataType) -> Result<DataType> {
    let is_text = matches!(given, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let is_text = is_text || matches!(given, DataType::Dictionary(_, value) if **value == DataType::Utf8);
    match kind {
        Kind::Board => match given {
            DataType::FixedSizeBinary(BOARD_BYTES) => Ok(given.clone()),
            DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_) => Ok(DataType::Binary),
            DataType::Null => Ok(DataType::FixedSizeBinary(BOARD_BYTES)),
            _ if is_text => Ok(DataType::Utf8View),
            other => plan_err!("{}: {name} must be a board or a board text, not {other}", function.name),
        },
        Kind::Text if is_text || *given == DataType::Null => Ok(DataType::Utf8View),
        Kind::Text => plan_err!("{}: {name} must be text, not {given}", function.name),
        Kind::Number if given.is_integer() || *given == DataType::Null => Ok(DataType::Int64),
        Kind::Number => plan_err!("{}: {name} must be a whole number, not {given}", function.name),
    }
}
