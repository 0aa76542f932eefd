//! Command lines run through the real program, and what they print: `tests/cmd`.
//! `make bless` takes what they print now as what is expected.

#[test]
fn commands() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml");
}
