//! Reports in every form: the texts against files in `golden/` (BLESS=1 writes them), the pictures by
//! reading them back.

use crate::samples;
use figures::{Figure, Item};
use std::path::Path;

fn golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, found).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("a golden file; BLESS=1 makes it");
    assert!(
        expected == found,
        "{name} has changed; look at the difference after BLESS=1"
    );
}

#[test]
fn texts() {
    let report = samples::report();
    golden("report.txt", &report.text());
    golden("report.md", &report.markdown(Some("pictures")));
    golden("report.csv", &report.csv());
    golden(
        "report.json",
        &serde_json::to_string_pretty(&report.json()).unwrap(),
    );
    golden("few.svg", &samples::few().svg());
}

/// Programs that read a report find numbers where people find them, whatever else the text says.
#[test]
fn numbers_are_numbers() {
    let json = samples::report().json();
    let tables = json["items"].as_array().expect("items").iter();
    let table = tables.clone().find(|item| item["kind"] == "table");
    let row = &table.expect("a table")["rows"][0];
    let expected = serde_json::json!([
        "rave | 500",
        { "value": 121.4, "low": 80.0, "high": 162.8 },
        72.0,
        [10, 2, 3],
        "won"
    ]);
    assert_eq!(*row, expected);
    // A report without figures has all its numbers in CSV too.
    let mut report = samples::report();
    report.items.retain(|item| matches!(item, Item::Table(_)));
    let lines = [
        "figure,line,x,kind,value,low,high,games,note",
        "who-beat-whom,rave | 500,rating,measured,121.4,80,162.8,,",
        "who-beat-whom,rave | 500,score,measured,72,,,,",
        "who-beat-whom,rave | 500,games,measured,10 2 3,,,,",
        "who-beat-whom,rave | 500,test,measured,,,,,won",
        "who-beat-whom,uct,rating,measured,-121.4,,,,",
    ];
    assert_eq!(report.csv().lines().collect::<Vec<_>>(), lines);
}

/// Every element of a kind with a class.
fn count(svg: &str, element: &str, class: &str) -> usize {
    let document = roxmltree::Document::parse(svg).expect("well-formed SVG");
    let has = |node: &roxmltree::Node| {
        node.has_tag_name(element)
            && node
                .attribute("class")
                .is_some_and(|classes| classes.split(' ').any(|c| c == class))
    };
    document.descendants().filter(has).count()
}

#[test]
fn pictures_show_every_point() {
    let few = samples::few().svg();
    // Fourteen published points and four measured ones, and one of each in the key.
    assert_eq!(
        count(&few, "circle", "hollow") + count(&few, "polygon", "hollow"),
        15
    );
    assert_eq!(count(&few, "path", "whisker"), 5);
    assert_eq!(count(&few, "line", "half"), 1);
    let many = samples::many().svg();
    assert_eq!(count(&many, "polyline", "other"), 7);
    let series = samples::series().svg();
    assert_eq!(
        (
            count(&series, "polygon", "band"),
            count(&series, "path", "whisker")
        ),
        (3, 0)
    );
    for figure in [samples::full(), samples::names(), Figure::default()] {
        roxmltree::Document::parse(&figure.svg()).expect("well-formed SVG");
    }
}

#[test]
fn pictures_take_any_text_and_number() {
    let mut figure = samples::few();
    figure.title = "<&\"\0>".to_owned();
    figure.lines[0].points[0].value = f64::NAN;
    figure.lines[0].points[1].interval = Some((f64::NEG_INFINITY, f64::INFINITY));
    figure.lines[1].published.points[0].1 = f64::INFINITY;
    figure.y.percent = false;
    let svg = figure.svg();
    roxmltree::Document::parse(&svg).expect("well-formed SVG");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

/// PNG without any font of the machine; the files are left where they can be looked at.
#[test]
#[cfg(feature = "png")]
fn png() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures");
    std::fs::create_dir_all(&folder).unwrap();
    let all = [
        samples::few(),
        samples::many(),
        samples::full(),
        samples::series(),
        samples::names(),
    ];
    for figure in &all {
        let png = figure.png(2.0).unwrap();
        assert!(png.starts_with(b"\x89PNG"));
        assert!(
            png.len() > 20_000,
            "{}: only {} bytes, is the text missing?",
            figure.name,
            png.len()
        );
        std::fs::write(folder.join(&figure.name).with_extension("png"), png).unwrap();
    }
    std::fs::write(folder.join("page.html"), samples::report().html()).unwrap();
    assert!(samples::few().png(0.0).is_err());
}

#[test]
fn the_page_needs_nothing_else() {
    let page = samples::report().html();
    for outside in ["<script ", "src=", "@import", "url(", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let addresses = page.matches("href=\"").count();
    let inside = page.matches("href=\"#").count();
    assert_eq!(addresses, inside);
    assert!(page.contains("Numbers of ours are invented &lt;here&gt;."));
    assert_eq!(page.matches("<svg ").count(), 4);
    assert_eq!(page.matches("<table>").count(), 5);
}
