//! What is written is read back as it was, and what is read is written so that it reads the same.

use proptest::prelude::*;
use sgf::{Collection, NodeId, Property, Tree, Value};

/// Values as a file can have them: with every character that means something, and some that do not.
fn raw_value(ascii: bool) -> impl Strategy<Value = Value> {
    let any_char = any::<char>().prop_map(move |c| match c {
        ']' | '\\' => format!("\\{c}"),
        _ if ascii && !c.is_ascii() => String::new(),
        _ => c.to_string(),
    });
    let piece = prop_oneof![
        4 => "[a-z0-9 :\\[();]{1,4}",
        1 => "[\n\r\t\x0b\x0c]{1,2}",
        1 => "\\\\[\\]\\\\:\n\r\ta]",
        1 => any_char,
    ];
    prop::collection::vec(piece, 0..5)
        .prop_map(|pieces| Value::from_raw(pieces.concat()).expect("escaped"))
}

fn property(ascii: bool) -> impl Strategy<Value = Property> {
    let identifier = prop_oneof!["[A-Z]{1,2}", "[A-Za-z][A-Za-z0-9]{0,5}"];
    let values = prop::collection::vec(raw_value(ascii), 1..4);
    (identifier, values).prop_map(|(identifier, values)| {
        let property = Property::new(&identifier, values);
        // What becomes of charsets is tested elsewhere.
        if property.is("CA") {
            Property::new("AC", property.values().to_vec())
        } else {
            property
        }
    })
}

/// Trees of every shape: each node after the first names the one it comes after.
fn tree(ascii: bool) -> impl Strategy<Value = Tree> {
    let node = (
        any::<prop::sample::Index>(),
        prop::collection::vec(property(ascii), 0..4),
    );
    prop::collection::vec(node, 1..20).prop_map(|nodes| {
        let mut tree = Tree::new();
        let mut ids = vec![NodeId::ROOT];
        for (place, (parent, properties)) in nodes.into_iter().enumerate() {
            if place > 0 {
                ids.push(tree.add_child(ids[parent.index(ids.len())]));
            }
            *tree.properties_mut(ids[place]) = properties;
        }
        tree
    })
}

fn collection() -> impl Strategy<Value = Collection> {
    any::<bool>()
        .prop_flat_map(|ascii| prop::collection::vec(tree(ascii), 1..4))
        .prop_map(|trees| Collection { trees })
}

/// Without the charsets, which are the writer's to say.
fn without_charset(mut collection: Collection) -> Collection {
    for tree in &mut collection.trees {
        tree.remove(NodeId::ROOT, "CA");
    }
    collection
}

/// Bytes that look like SGF, right or wrong.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec![
            "(;", "(", ")", ";", "[", "]", "\\", "A[]", "B[aa]", "C[\\]]", ":", "\n", "\r\n", " ", "é",
            "CA[UTF-8]", "CA[Shift_JIS]", "CA[iso-2022-jp]", "CA[big5]", "CA[utf-16]", "GaMe[1]",
        ]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::sample::select(vec![
            b"\xef\xbb\xbf".to_vec(), b"\xff\xfe".to_vec(), b"\xfe\xff".to_vec(), b"\x95\x5c".to_vec(),
            b"\x1b$B".to_vec(),
        ]),
        1 => prop::collection::vec(any::<u8>(), 1..3),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(collection in collection()) {
        let written = collection.to_string();
        let read = sgf::read(written.as_bytes()).expect("what was written is SGF");
        prop_assert_eq!(&without_charset(read.clone()), &collection);
        // A second time nothing changes, the charset included.
        prop_assert_eq!(&read.to_string(), &written);
        if written.is_ascii() {
            prop_assert_eq!(read, collection);
        }
    }

    #[test]
    fn texts_are_read_back(text in "[a-z\\]\\[\\\\: \t\n\r\x0b\x0cé]{0,12}") {
        let simple = text
            .replace("\r\n", "\n")
            .replace("\n\r", "\n")
            .replace('\r', "\n")
            .replace(['\t', '\x0b', '\x0c'], " ");
        let mut tree = Tree::new();
        tree.set(NodeId::ROOT, "C", text.as_str());
        tree.set(NodeId::ROOT, "LB", Value::composed(&text, &text));
        let read = sgf::read(tree.to_string().as_bytes()).expect("reads");
        let root = read.trees[0].root();
        let comment = root.text("C").expect("a comment");
        // A CR that follows a CRLF begins a break of its own or belongs to the one before, as one
        // counts; only the runs without such pairs are compared.
        if !text.contains("\r\n\r") && !text.contains("\n\r\n") {
            prop_assert_eq!(&comment, &simple);
            prop_assert_eq!(root.simple_text("C").expect("a comment"), simple.replace('\n', " "));
        }
        let (first, second) = root.property("LB").expect("a label").value().parts().expect("two");
        prop_assert_eq!(&first.text(), &comment);
        prop_assert_eq!(&second.text(), &comment);
    }

    #[test]
    fn any_bytes_give_games_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = sgf::read(&bytes);
    }

    #[test]
    fn any_soup_gives_games_that_are_read_back_or_an_error(bytes in soup()) {
        check_bytes(&bytes)?;
    }

    /// As above, but mostly without mistakes.
    #[test]
    fn any_game_with_strange_bytes_gives_games_that_are_read_back(bytes in soup()) {
        let clean: Vec<u8> = bytes.into_iter().filter(|b| !b"()[]\\".contains(b)).collect();
        check_bytes(&[b"(;AP[x]CA[shift_jis]C[", &clean[..], b"])"].concat())?;
        check_bytes(&[b"(;C[", &clean[..], b"]CA[big5](;B[a])(;W[", &clean[..], b"]))"].concat())?;
    }
}

fn check_bytes(bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(read) = sgf::read(bytes) else {
        return Ok(());
    };
    let written = read.to_string();
    let again = sgf::read(written.as_bytes()).expect("what was written is SGF");
    prop_assert_eq!(&again.to_string(), &written);
    if written.is_ascii() && !bytes.windows(4).any(|w| w == b"2022") {
        prop_assert_eq!(&again, &read);
    }
    prop_assert_eq!(without_charset(again), without_charset(read));
    Ok(())
}
