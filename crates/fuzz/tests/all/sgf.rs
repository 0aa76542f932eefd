//! The SGF reader: any bytes are a collection of games or an error, and what was read can be written and
//! read again.

const DICTIONARY: &[&str] = &[
    "(;",
    "(",
    ")",
    ";",
    "W",
    "B",
    "C",
    "CA",
    "AB",
    "FF",
    "[",
    "]",
    "[d4]",
    "[]",
    "\\",
    "\\]",
    ":",
    " ",
    "\n",
    "[UTF-8]",
    "[Shift_JIS]",
    "a",
    "\u{feff}",
];

#[test]
fn read() {
    let check = bolero::check!().with_iterations(50_000).with_max_len(200);
    check.for_each(|bytes: &[u8]| {
        let Ok(games) = sgf::read(&fuzz::input(bytes, DICTIONARY)) else {
            return;
        };
        let written = games.to_string();
        let again = sgf::read(written.as_bytes()).expect("what is written can be read");
        assert_eq!(again.to_string(), written);
    });
}
