//! What is refused, with which words, and what is not.

use sgf::{MAX_BYTES, ReadError, read};

fn mistake(text: &str) -> String {
    read(text.as_bytes()).expect_err(text).to_string()
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, expected) in [
        (
            "",
            "line 1, column 1: expected '(;' at the start of a game tree, found the end of the file",
        ),
        (
            " \r\n x",
            "line 2, column 2: expected '(;' at the start of a game tree, found 'x'",
        ),
        (
            "Hello",
            "line 1, column 1: expected '(;' at the start of a game tree, found 'H'",
        ),
        ("()", "line 1, column 2: expected ';' after '(', found ')'"),
        (
            "(FF[4];)",
            "line 1, column 2: expected ';' after '(', found 'F'",
        ),
        (
            "(",
            "line 1, column 2: expected ';' after '(', found the end of the file",
        ),
        (
            "(;\n  B;)",
            "line 2, column 4: expected '[' after the property identifier B, found ';'",
        ),
        (
            "(;C)",
            "line 1, column 4: expected '[' after the property identifier C, found ')'",
        ),
        (
            "(;é[])",
            "line 1, column 3: expected a property, ';', '(' or ')', found 'é'",
        ),
        (
            "(;A[é]\"",
            "line 1, column 7: expected a property, ';', '(' or ')', found '\"'",
        ),
        (
            "(;[aa])",
            "line 1, column 3: expected a property, ';', '(' or ')', found '['",
        ),
        (
            "(;A[];B[]",
            "line 1, column 10: expected ')' to close the game tree opened at line 1, column 1, found the end of the file",
        ),
        (
            "(;A[]\n(;B[]",
            "line 2, column 6: expected ')' to close the game tree opened at line 2, column 1, found the end of the file",
        ),
        (
            "(;A[]\n;B[b]C[x\\]",
            "line 2, column 11: expected ']' to close the value of C opened at line 2, column 7, found the end of the file",
        ),
        (
            "(;A[\\",
            "line 1, column 6: expected ']' to close the value of A opened at line 1, column 4, found the end of the file",
        ),
        (
            "(;A[]())",
            "line 1, column 7: expected ';' after '(', found ')'",
        ),
        (
            "(;A[](;B[]);C[])",
            "line 1, column 12: expected '(' or ')' after a variation, found ';'",
        ),
        (
            "(;A[](;B[])C[])",
            "line 1, column 12: expected '(' or ')' after a variation, found 'C'",
        ),
        (
            "(;A[]))",
            "line 1, column 7: expected '(' or the end of the file after a game tree, found ')'",
        ),
        (
            "(;A[])\n\n;B[]",
            "line 3, column 1: expected '(' or the end of the file after a game tree, found ';'",
        ),
        (
            "(;A[])(B[])",
            "line 1, column 8: expected ';' after '(', found 'B'",
        ),
    ] {
        assert_eq!(mistake(text), expected, "of {text:?}");
    }
}

#[test]
fn a_very_long_identifier_is_cut_in_the_error() {
    let text = format!("(;{}", "A".repeat(100_000));
    assert!(mistake(&text).len() < 200);
}

#[test]
fn a_file_too_large_is_refused() {
    let bytes = vec![0; MAX_BYTES + 1];
    let expected = ReadError::TooLarge { bytes: bytes.len() };
    assert_eq!(read(&bytes), Err(expected));
}

#[test]
fn what_real_files_do_is_accepted() {
    for (text, written) in [
        // A mail before the game, even with parentheses.
        ("Dear Ann (and Bob),\n(see below)\n(;B[])", "(;B[])\n"),
        (
            " ( ; \t B \r\n [aa] \x0b [bb] \n ( ; W [] ) ) ",
            "(;B[aa][bb]\n ;W[])\n",
        ),
        // The small letters of FF[3], digits, repeated properties.
        ("(;GaMe[1]x1[]AB[a]AB[b])", "(;GaMe[1]x1[]AB[a]AB[b])\n"),
        // What editors of other days leave at the end, and what joining files leaves between.
        ("(;B[])\r\n\x1a", "(;B[])\n"),
        ("(;B[])\0\0", "(;B[])\n"),
        ("(;B[])\u{feff}(;W[])", "(;B[])\n(;W[])\n"),
        // Nodes without properties, brackets and parentheses in values.
        ("(;;;)", "(;\n ;;)\n"),
        ("(;C[(;[])", "(;C[(;[])\n"),
        // A lone variation is the main line.
        ("(;A[](;B[](;C[])))", "(;A[]\n ;B[];C[])\n"),
    ] {
        let read = read(text.as_bytes()).expect(text);
        assert_eq!(read.to_string(), written, "of {text:?}");
    }
}

#[test]
fn an_hgf_game() {
    let text =
        "(;FF[4]EV[null]PB[A]PW[B]SZ[4]RU[LG]RE[W]GC[ game #1070487];W[D4];B[swap];W[resign])";
    let games = read(text.as_bytes()).expect("reads");
    let game = &games.trees[0];
    assert_eq!(game.root().text("GC").as_deref(), Some(" game #1070487"));
    let moves: Vec<&str> = game
        .main_line()
        .skip(1)
        .map(|node| node.properties()[0].value().raw())
        .collect();
    assert_eq!(moves, ["D4", "swap", "resign"]);
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let text = "(;FF[4]CA[UTF-8]C[é \\] \\\n x]AB[a][b]\n(;B[b](;W[c];)(;W[d]))(;B[\\\\]))";
    assert!(read(text.as_bytes()).is_ok());
    for end in 0..text.len() {
        assert!(read(&text.as_bytes()[..end]).is_err(), "cut at {end}");
    }
}
