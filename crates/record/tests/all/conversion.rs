//! Games in other forms and dialects, and files in other charsets.

use engine::Playable;
use record::{ConvertError, Form, RawGame, Record, collection, read};
use sgf::Collection;

fn one<G: Playable>(
    game: &RawGame,
    form: Form,
    dialect: Option<&str>,
) -> Result<record::Converted, ConvertError> {
    let record: Record<G> = game.replay(None).expect("a board");
    // A game without dialects has none of this name.
    let dialect = dialect.and_then(|name| G::dialect(name));
    record::converted(&record, form, dialect)
}

fn tried(text: &str, form: Form, dialect: Option<&str>) -> Result<String, ConvertError> {
    let games = read(text.as_bytes()).expect("games");
    let converted = games.iter().map(|game| match game.game() {
        Some("konane") => one::<konane::Position>(game, form, dialect),
        _ => one::<havannah::Position>(game, form, dialect),
    });
    collection(converted.collect::<Result<_, _>>()?)
}

fn converted(text: &str, form: Form, dialect: Option<&str>) -> String {
    tried(text, form, dialect).expect("written")
}

fn refused(text: &str, form: Form, dialect: Option<&str>) -> ConvertError {
    tried(text, form, dialect).expect_err("refused")
}

/// The moves of the main line and how the game ends, whatever the form and the dialect.
fn played(text: &str) -> (Vec<havannah::Move>, String) {
    let game = read(text.as_bytes())
        .expect("a game")
        .pop()
        .expect("a game");
    let record: Record<havannah::Position> = game.replay(None).expect("a board");
    assert_eq!(record.fault, None, "{text}");
    (record.moves.clone(), record.end().to_string())
}

const HGF: &str = "(;FF[4]EV[Cup\\]1]PB[Ann]PW[Bob]SZ[4]RU[LG]RE[B]GC[ game #1]SO[http://www.littlegolem.com]DT[2009-01-02];W[F3];B[swap];W[B4]C[at b4]TR[G1][B4]LB[G1:G1](;B[D2]XX[odd];W[resign])(;B[G1]LN[G1:D2]))";

#[test]
fn properties_variations_and_marks_are_kept_in_every_dialect() {
    let grid = converted(HGF, Form::Sgf, Some("grid"));
    for kept in [
        "EV[Cup\\]1]",
        "DT[2009-01-02]",
        "GC[ game #1]",
        "RU[LG]",
        "RE[B]",
        "C[at b4]",
        "XX[odd]",
        "W[f5]",
        "B[swap]",
        "W[b4]",
        "TR[g4][b4]",
        "LB[g4:G1]",
        "B[g4]LN[g4:d2]",
        "W[resign]",
        "GM[havannah]",
        "DIALECT[grid]",
    ] {
        assert!(grid.contains(kept), "{kept} in {grid}");
    }
    assert_eq!(played(&grid), played(HGF));
    let back = converted(&grid, Form::Hgf, None);
    let tree = |text: &str| text.parse::<Collection>().expect("SGF").trees.remove(0);
    assert_eq!(tree(&back).to_string(), tree(HGF).to_string());
}

#[test]
fn a_game_that_needs_no_translation_is_copied_faults_and_all() {
    let faulty = "(;SZ[4]DIALECT[grid]XX[1];W[d4];B[d4]C[what?](;W[zz])(;W[c3]))";
    let copied = converted(faulty, Form::Sgf, None);
    for kept in ["XX[1]", "B[d4]C[what?]", "W[zz]", "GM[havannah]"] {
        assert!(copied.contains(kept), "{copied}");
    }
    let fault = refused(faulty, Form::Sgf, Some("row")).to_string();
    assert!(fault.contains("move 2 (d4)"), "{fault}");
    let variation = "(;SZ[4];W[d4](;B[c3])(;B[d4]))";
    let fault = refused(variation, Form::Hgf, None).to_string();
    assert!(fault.contains("move 2 (d4)"), "{fault}");
}

#[test]
fn lists_say_the_board_the_rules_and_the_dialect() {
    let list = converted(HGF, Form::List, None);
    assert_eq!(
        list,
        "havannah 4 row swap\n1. f3 swap\n2. b4 d2\n3. resign\n"
    );
    assert_eq!(played(&list), played(HGF));
    let list = converted(HGF, Form::List, Some("grid"));
    assert_eq!(
        list,
        "havannah 4 grid swap\n1. f5 swap\n2. b4 d2\n3. resign\n"
    );
    for (file, list) in [
        ("(;SZ[4x4x5]RU[swap])", "havannah 4x4x5 grid swap\n"),
        ("(;SZ[10]RU[LG])", "havannah 10 row\n"),
        ("(;GM[konane]SZ[8:6]SU[centre])", "konane 6x8 centre\n"),
        ("(;GM[konane]SZ[6]RU[any];B[c1])", "konane 6 any\n1. c1\n"),
        ("(;GM[konane]SZ[4];B[a1];W[a2])", "konane 4\n1. a1 a2\n"),
    ] {
        assert_eq!(converted(file, Form::List, None), list);
        assert_eq!(converted(list, Form::List, None), list);
    }
}

#[test]
fn hgf_says_the_swap_rule_only_where_little_golem_has_none() {
    for (list, rules) in [
        ("havannah 8 swap\nd4 c3", "RU[LG]"),
        ("havannah 9 swap\nd4 c3", "RU[LG,swap]"),
        ("havannah 9\nd4 c3", "RU[LG]"),
    ] {
        let hgf = converted(list, Form::Hgf, None);
        assert!(hgf.contains(rules), "{hgf}");
        assert_eq!(
            list.contains("swap"),
            converted(&hgf, Form::List, None).contains("swap"),
            "{hgf}"
        );
    }
}

#[test]
fn what_a_form_cannot_hold_is_refused() {
    let konane = "(;GM[konane]SZ[4])";
    assert_eq!(
        refused(konane, Form::Hgf, None),
        ConvertError::NoHgf("konane")
    );
    assert_eq!(
        refused(HGF, Form::Hgf, Some("grid")),
        ConvertError::DialectOfHgf("row")
    );
    let two = format!("{HGF}{HGF}");
    assert_eq!(
        refused(&two, Form::List, None),
        ConvertError::SeveralGames(2)
    );
    assert_eq!(converted(&two, Form::Sgf, None).matches("EV[").count(), 2);
}

#[test]
fn utf_16_with_a_byte_order_mark_is_read() {
    for text in [
        "(;SZ[4]PB[Māui];W[d4];B[c3])",
        "# Māui\nhavannah 4\nd4 c3\n",
        "\n  (;SZ[4]CA[UTF-16];W[d4];B[c3])",
    ] {
        let units: Vec<u16> = text.encode_utf16().collect();
        let bytes = |mark: [u8; 2], unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            mark.into_iter()
                .chain(units.iter().copied().flat_map(unit))
                .collect()
        };
        for file in [
            bytes([0xff, 0xfe], u16::to_le_bytes),
            bytes([0xfe, 0xff], u16::to_be_bytes),
        ] {
            let games = read(&file).expect("a game");
            let game: Record<havannah::Position> = games[0].replay(None).expect("a board");
            assert_eq!((game.moves.len(), &game.fault), (2, &None), "{text}");
            if let Some(source) = &game.source
                && text.contains("PB")
            {
                assert_eq!(source.root().simple_text("PB").as_deref(), Some("Māui"));
            }
        }
    }
}
