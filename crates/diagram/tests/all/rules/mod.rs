//! The pictures of `docs/rules.md`, and that the committed ones are these.

mod havannah;
mod konane;

use ::havannah::rules::notation::{parse_cell, write_cell};
use ::havannah::{Dialect, Geometry, Shape};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// A picture in `docs/images`.
struct Picture {
    /// The file's name without its ending.
    name: &'static str,
    svg: String,
}

fn pictures() -> Vec<Picture> {
    [havannah::pictures(), konane::pictures()]
        .into_iter()
        .flatten()
        .collect()
}

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn the_committed_pictures_are_what_the_program_draws() {
    for Picture { name, svg } in pictures() {
        crate::support::compare(&docs().join(format!("images/{name}.svg")), &svg);
    }
}

fn page() -> String {
    fs::read_to_string(docs().join("rules.md")).expect("docs/rules.md")
}

#[test]
fn the_page_shows_all_pictures_and_no_others_and_says_what_they_show() {
    let page = page();
    let mut shown = BTreeSet::new();
    for image in page.split("![").skip(1) {
        let (words, rest) = image.split_once("](images/").expect("an image of ours");
        assert!(
            words.len() > 20,
            "{words:?} is too short to describe a picture"
        );
        let (name, _) = rest.split_once(".svg)").expect("an SVG file");
        assert!(shown.insert(name.to_owned()), "{name} is shown twice");
    }
    let drawn = pictures()
        .into_iter()
        .map(|picture| picture.name.to_owned());
    assert_eq!(shown, drawn.collect());
}

#[test]
fn no_picture_of_an_earlier_page_is_left() {
    let files = fs::read_dir(docs().join("images")).expect("a folder of pictures");
    let names = files.map(|file| file.expect("a file").file_name().into_string());
    let drawn: BTreeSet<String> = pictures()
        .iter()
        .map(|picture| format!("{}.svg", picture.name))
        .collect();
    for name in names.map(|name| name.expect("a name in Unicode")) {
        let ours = name.starts_with("havannah-") || name.starts_with("konane-");
        assert!(!ours || drawn.contains(&name), "{name} is no longer drawn");
    }
}

/// The rows of the table of cells are `place`, grid, row.
#[test]
fn the_table_of_dialects_is_right() {
    let geometry = Geometry::of(Shape::regular(4).expect("a size"));
    let page = page();
    let table = page
        .split("| Cell | Grid | Row |")
        .nth(1)
        .expect("the table");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let mut count = 0;
    for row in rows {
        let columns: Vec<&str> = row
            .split('|')
            .map(|column| column.trim_matches([' ', '`']))
            .collect();
        let [_, _, grid, in_row, _] = columns[..] else {
            panic!("{row} has three columns");
        };
        let cell = parse_cell(geometry, grid, Dialect::Grid).expect("a cell");
        assert_eq!(write_cell(geometry, cell, Dialect::Row), in_row, "{row}");
        count += 1;
    }
    assert!(count > 5);
}
