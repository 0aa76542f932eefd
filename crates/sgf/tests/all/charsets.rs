//! Which encoding a file is read in, and what is written.

use sgf::{Collection, decode, read};

fn comment(bytes: &[u8]) -> String {
    let games = read(bytes).expect("reads");
    games.trees[0].root().text("C").expect("a comment").into()
}

fn rewritten(bytes: &[u8]) -> String {
    read(bytes).expect("reads").to_string()
}

#[test]
fn without_a_charset_utf8_if_it_fits_or_else_latin1() {
    assert_eq!(comment("(;C[Kōnane é])".as_bytes()), "Kōnane é");
    assert_eq!(comment(b"(;C[H\xe9ctor])"), "Héctor");
    // windows-1252 has quotes where Latin-1 has control characters.
    assert_eq!(comment(b"(;C[\x93a\x94])"), "“a”");
}

#[test]
fn every_byte_is_a_character_of_latin1() {
    let mut bytes = b"(;C[".to_vec();
    bytes.extend((0..=255).filter(|b| !b"]\\".contains(b)));
    bytes.extend(b"])");
    let games = read(&bytes).expect("reads");
    let value = games.trees[0]
        .root()
        .property("C")
        .expect("a comment")
        .value();
    let (back, _, lost) = encoding_rs::WINDOWS_1252.encode(value.raw());
    assert!(!lost);
    assert_eq!(*back, bytes[4..bytes.len() - 2]);
}

#[test]
fn a_charset_that_the_root_names() {
    // 表 is 95 5C in Shift_JIS, and 5C alone is a backslash.
    assert_eq!(comment(b"(;FF[4]CA[Shift_JIS]C[\x95\x5c])"), "表");
    assert_eq!(comment(b"(;FF[4]ChArset[ shift_jis ]C[\x95\x5c])"), "表");
    // 本 is A5 BB in Big5, 因 is A6 5D, and 5D alone is a bracket.
    assert_eq!(comment(b"(;CA[big5]C[\xa5\xbb\xa6\x5d])"), "本因");
    assert_eq!(comment(b"(;CA[GB2312]C[\xce\xa7\xc6\xe5])"), "围棋");
    assert_eq!(comment(b"(;CA[EUC-KR]C[\xb9\xd9\xb5\xcf])"), "바둑");
    assert_eq!(comment(b"(;CA[ISO-2022-JP]C[\x1b$B0O8k\x1b(B])"), "囲碁");
    assert_eq!(comment(b"(;CA[windows-1251]C[\xc3\xee])"), "Го");
}

#[test]
fn a_charset_after_values_that_look_as_if_they_hid_it() {
    assert_eq!(comment(b"(;PB[\x95\x5c]C[\x95\x5c]CA[Shift_JIS])"), "表");
    assert_eq!(
        comment(b"(;PB[\xa6\x5d]C[\xa5\xbb\xa6\x5d]CA[big5])"),
        "本因"
    );
}

#[test]
fn only_the_ca_of_the_first_root_counts() {
    assert_eq!(comment(b"(;C[CA[big5\\] \xe9])"), "CA[big5] é");
    assert_eq!(comment(b"(;C[\xe9];CA[big5])"), "é");
    assert_eq!(comment(b"(;C[\xe9]XCA[big5])"), "é");
    assert_eq!(comment(b"CA[big5] (;C[\xe9])"), "é");
}

#[test]
fn a_charset_that_does_not_fit_is_not_believed() {
    // Claims UTF-8, is Latin-1.
    assert_eq!(comment(b"(;CA[UTF-8]C[Lo\xefc])"), "Loïc");
    // Was converted to UTF-8, still claims Big5, in which E6 9C is one character and AC begins another
    // that is not there.
    assert_eq!(comment("(;CA[Big5]C[日本])".as_bytes()), "日本");
    // Unknown, or impossible.
    for label in ["klingon", "", "UTF-16", "hz-gb-2312", "\\]"] {
        assert_eq!(
            comment(format!("(;CA[{label}]C[é])").as_bytes()),
            "é",
            "{label}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_believed_first() {
    assert_eq!(comment(b"\xef\xbb\xbf(;CA[Shift_JIS]C[\xc3\xa9])"), "é");
    assert_eq!(comment(b"\xef\xbb\xbf(;C[\xe9])"), "é");
    let text = "(;CA[UTF-8]C[表])";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(comment(&[b"\xff\xfe", &little[..]].concat()), "表");
    assert_eq!(comment(&[b"\xfe\xff", &big[..]].concat()), "表");
    // Cut in the middle of a character.
    assert!(read(&[b"\xff\xfe", &little[..9]].concat()).is_err());
}

#[test]
fn the_encoding_has_a_name() {
    assert_eq!(decode(b"(;C[a])"), ("(;C[a])".into(), "UTF-8"));
    assert_eq!(decode(b"(;C[\xe9])").1, "windows-1252");
    assert_eq!(decode(b"(;CA[sjis]C[\x95\x5c])").1, "Shift_JIS");
    assert_eq!(decode(b"\xff\xfe(\0;\0)\0"), ("(;)".into(), "UTF-16LE"));
}

#[test]
fn text_outside_ascii_is_written_as_utf8_and_says_so() {
    for (read, written) in [
        (&b"(;FF[4]C[\xe9])"[..], "(;FF[4]CA[UTF-8]C[é])\n"),
        (b"(;C[\xe9])", "(;CA[UTF-8]C[é])\n"),
        (b"(;C[\xc3\xa9])", "(;CA[UTF-8]C[é])\n"),
        (
            b"(;C[]CA[Shift_JIS]N[\x95\x5c]CA[x])",
            "(;C[]CA[UTF-8]N[表])\n",
        ),
        (b"(;;C[\xe9])", "(;CA[UTF-8]\n ;C[é])\n"),
        (b"(;CA[utf8]C[\xc3\xa9])", "(;CA[utf8]C[é])\n"),
        // All of a file is in one charset.
        (
            b"(;CA[big5])(;C[\xa5\xbb])",
            "(;CA[UTF-8])\n(;CA[UTF-8]C[本])\n",
        ),
        (b"(;C[\xe9])(;B[])", "(;CA[UTF-8]C[é])\n(;B[])\n"),
    ] {
        assert_eq!(rewritten(read), written);
        assert_eq!(rewritten(written.as_bytes()), written);
    }
}

#[test]
fn ascii_keeps_its_charset() {
    for text in [
        "(;CA[Shift_JIS]C[a\\\\~])\n",
        "(;FF[4])\n",
        "(;CA[klingon])\n",
    ] {
        assert_eq!(rewritten(text.as_bytes()), text);
        assert_eq!(
            read(text.as_bytes()).unwrap(),
            text.parse::<Collection>().unwrap()
        );
    }
    assert_eq!(rewritten(b"(;CA[ISO-2022-JP]C[a])"), "(;CA[UTF-8]C[a])\n");
}
