//! Command lines run through the real program, and what they print: `tests/cmd/*.trycmd`.
//! `make bless` takes what they print now as what is expected.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
