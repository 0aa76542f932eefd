//! Fuzz targets for all that reads text from outside: the tests of this crate.
//!
//! `cargo test -p papamu-fuzz` runs each on its corpus (`tests/all/__fuzz__/<target>__read/corpus`) and for some time on
//! random input. With a nightly toolchain and cargo-bolero installed, `cargo bolero test -p papamu-fuzz <target>::read`
//! lets a coverage-guided fuzzer look for more; what it finds goes into the corpus.

/// What a target reads. Random bytes hardly ever get past the first character of a language, so input
/// that begins with a zero stands for words of a dictionary, and bytes in between: each byte below 192 is
/// a word, counted round, the others are themselves. Other input, such as the files of a corpus, is read
/// as it is.
pub fn input(bytes: &[u8], dictionary: &[&str]) -> Vec<u8> {
    let Some((0, words)) = bytes.split_first() else {
        return bytes.to_vec();
    };
    let mut text = Vec::new();
    for &byte in words {
        match byte {
            0..192 => text.extend(dictionary[usize::from(byte) % dictionary.len()].bytes()),
            _ => text.push(byte & 0x7f),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::input;

    #[test]
    fn a_zero_turns_to_the_dictionary() {
        let dictionary = ["(;", "W", "[d4]"];
        assert_eq!(input(b"\0\x00\x01\x02\x04\xc1", &dictionary), b"(;W[d4]WA");
        assert_eq!(input(b"(;W[d4])", &dictionary), b"(;W[d4])");
        assert_eq!(input(b"", &dictionary), b"");
    }
}
