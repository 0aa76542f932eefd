//! What Winning Ways (Berlekamp, Conway and Guy), On Numbers and Games (Conway) and Siegel's book say.

use konane::cgt::{Dyadic, Games, Outcome, Value};

/// That two texts name the same value.
fn same(pairs: &[(&str, &str)]) {
    let mut games = Games::new();
    for (one, other) in pairs {
        let [a, b] = [one, other].map(|text| games.parse(text).expect("a value"));
        assert_eq!(a, b, "{one} = {other}, not {}", games.write(a));
    }
}

#[test]
fn sums_and_simplest_forms() {
    same(&[
        ("{|}", "0"),
        ("{0|}", "1"),
        ("{|0}", "-1"),
        ("{0|1}", "1/2"),
        ("{1/2|1}", "3/4"),
        ("{-3|2}", "0"),
        ("{1/4|3}", "1"),
        ("{-5/2|-1/4}", "-1"),
        ("{2,1|}", "3"),
        ("{0|0}", "*"),
        ("{0,*|0,*}", "*2"),
        ("{0,*,*2|0,*,*2}", "*3"),
        ("*+*", "0"),
        ("*2+*3", "*"),
        ("*5*3", "*6"),
        ("{0|*}", "↑"),
        ("{*|0}", "↓"),
        ("↑↓", "0"),
        ("{0|↑*}", "⇑"),
        ("↑↑", "⇑"),
        ("{0|↑}", "⇑*"),
        ("{0,*|0}", "↑*"),
        ("±1±1", "0"),
        ("±1+1", "{2|0}"),
        ("{3|1}", "2±1"),
        ("±2±1", "{{3|1}|{-1|-3}}"),
        ("{1|1}", "1*"),
        ("{*|*}", "0"),
        ("{↑|↓}", "*"),
        ("3.^", "⇑↑"),
        ("vv*", "⇓*"),
        ("1/2^*", "{1/2|1/2*}*"),
    ]);
}

#[test]
fn order() {
    let mut games = Games::new();
    for (text, outcome) in [
        ("0", Outcome::Second),
        ("1/8", Outcome::Left),
        ("-3", Outcome::Right),
        ("*", Outcome::First),
        ("*4", Outcome::First),
        ("↑", Outcome::Left),
        ("↑*", Outcome::First),
        ("⇑*", Outcome::Left),
        ("↓", Outcome::Right),
        ("1/1024⇓", Outcome::Left),
        ("±1", Outcome::First),
        ("{2|-1}", Outcome::First),
        ("{2|0}", Outcome::First),
        ("{2|1}", Outcome::Left),
        ("{0|{0|-1}}", Outcome::Left),
        ("{0|{0|-1}}↓", Outcome::Right),
    ] {
        let value = games.parse(text).expect("a value");
        assert_eq!(games.outcome(value), outcome, "{text}");
    }
}

#[test]
fn names() {
    let mut games = Games::new();
    for text in [
        "0",
        "7",
        "-2",
        "3/8",
        "-5/2",
        "*",
        "*3",
        "↑",
        "⇓",
        "3·↑",
        "4·↓*2",
        "↑*",
        "1*",
        "-1/2⇑*",
        "±1",
        "{2|-1}",
        "±{2|1}",
        "{3|{1|0}}",
        "{0|{0|-2}}",
        "{1,±1|-2}",
    ] {
        let value = games.parse(text).expect("a value");
        assert_eq!(games.write(value), text);
        let ascii = games.write_ascii(value);
        assert!(ascii.is_ascii());
        assert_eq!(games.parse(&ascii), Ok(value), "{ascii}");
    }
    for text in [
        "",
        " ",
        "1/3",
        "1//2",
        "{0|",
        "{0}",
        "0|1",
        "*99",
        "99999999999999999999",
        "x",
        "{0|1}}",
        "±",
        "100.^",
        "1/0",
    ] {
        assert!(games.parse(text).is_err(), "{text:?}");
    }
    let deep = "{".repeat(100_000);
    assert!(games.parse(&deep).is_err());
}

#[test]
fn thermographs() {
    let mut games = Games::new();
    let half = Dyadic::new(1, 1);
    let whole = Dyadic::whole;
    for (text, mean, temperature) in [
        ("3", whole(3), whole(-1)),
        ("3/4", Dyadic::new(3, 2), Dyadic::new(-1, 2)),
        ("*", whole(0), whole(0)),
        ("5⇑*", whole(5), whole(0)),
        ("±1", whole(0), whole(1)),
        ("{2|-1}", half, Dyadic::new(3, 1)),
        ("{4|{2|0}}", Dyadic::new(5, 1), Dyadic::new(3, 1)),
        ("{{5|3}|{-1|-3}}", whole(1), whole(3)),
        ("{1|{0|-10}}", whole(0), whole(1)),
        ("{0|{0|-4}}", whole(0), whole(0)),
        ("{{6|0}|-2}", whole(0), whole(2)),
    ] {
        let value = games.parse(text).expect("a value");
        let thermograph = games.thermograph(value);
        assert_eq!(
            (thermograph.mean, thermograph.temperature),
            (mean, temperature),
            "{text}"
        );
        let [left, right] = games.stops(value);
        assert_eq!(thermograph.left_stop(Dyadic::ZERO), left);
        assert_eq!(thermograph.right_stop(Dyadic::ZERO), right);
    }
}

#[test]
fn means_add_up() {
    let mut games = Games::new();
    let texts = [
        "3/4",
        "*",
        "±1",
        "{2|-1}",
        "{4|{2|0}}",
        "{1|{0|-10}}",
        "{3|{1|0}}",
        "↑",
    ];
    let values: Vec<Value> = texts
        .iter()
        .map(|text| games.parse(text).expect("a value"))
        .collect();
    for &a in &values {
        for &b in &values {
            let sum = games.add(a, b);
            let [a, b, sum] = [a, b, sum].map(|value| games.thermograph(value));
            assert_eq!(a.mean + b.mean, sum.mean);
            assert!(sum.temperature <= a.temperature.max(b.temperature));
        }
    }
}
