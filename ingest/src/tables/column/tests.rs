//! What the builders give back.

use arrow::array::{Array, AsArray, StringArray};
use arrow::datatypes::{Int8Type, UInt32Type};

use super::*;

#[test]
fn a_builder_gives_back_what_was_pushed_and_is_empty_afterwards() {
    let mut numbers = OptU32::default();
    let mut flags = OptBool::default();
    let mut texts = OptText::default();
    for i in 0..20u32 {
        numbers.push((i % 3 != 0).then_some(i));
        flags.push((i % 4 != 0).then_some(i % 2 == 0));
        texts.push((i % 5 != 0).then_some("ab"));
    }
    let array = numbers.finish().unwrap();
    let array = array.as_primitive::<UInt32Type>();
    assert_eq!((array.len(), array.null_count(), array.value(19)), (20, 7, 19));
    let array = flags.finish().unwrap();
    assert_eq!((array.null_count(), array.as_boolean().value(18)), (5, true));
    let array = texts.finish().unwrap();
    assert_eq!((array.null_count(), array.as_string::<i32>().value(19)), (4, "ab"));
    assert!(numbers.is_empty() && flags.is_empty() && texts.is_empty());
    texts.push(Some("again"));
    assert_eq!(texts.finish().unwrap().as_string::<i32>().value(0), "again");
}

#[test]
fn words_become_a_dictionary_whose_missing_values_are_null() {
    let mut words = OptWord::default();
    for word in [None, Some("gold"), Some("silver"), Some("gold"), None] {
        words.push(word);
    }
    let array = words.finish().unwrap();
    let array = array.as_dictionary::<Int8Type>();
    assert_eq!(array.null_count(), 2);
    let values = array.downcast_dict::<StringArray>().unwrap();
    let read: Vec<_> = values.into_iter().collect();
    assert_eq!(read, [None, Some("gold"), Some("silver"), Some("gold"), None]);
    words.push(None);
    assert_eq!(words.finish().unwrap().null_count(), 1);
}

#[test]
fn lists_keep_their_bounds() {
    let mut lists = TextList::default();
    lists.push::<&str>([]);
    lists.push(["corrupt", "illegal-turn"]);
    lists.push(["corrupt"]);
    let array = lists.finish().unwrap();
    let lengths: Vec<_> = array.as_list::<i32>().iter().map(|l| l.map(|l| l.len())).collect();
    assert_eq!(lengths, [Some(0), Some(2), Some(1)]);
    assert!(lists.is_empty());
}

#[test]
fn boards_stand_one_behind_the_other() {
    let mut boards = Board::default();
    let mut board = [0; Board::WIDTH];
    boards.push(&board);
    board[33] = 7;
    boards.push(&board);
    let array = boards.finish().unwrap();
    let array = array.as_fixed_size_binary();
    assert_eq!((array.len(), array.value(0)[33], array.value(1)), (2, 0, board.as_slice()));
}
