//! Reading a picture.

use roxmltree::{Document, Node};

/// The distance between neighbours that the pictures promise.
pub const PITCH: f64 = 40.0;

pub type Point = (f64, f64);

/// What is in a picture.
#[derive(Default)]
pub struct Read {
    pub size: Point,
    pub cells: Vec<Point>,
    pub white: Vec<Point>,
    pub black: Vec<Point>,
    pub last: Vec<Point>,
    pub labels: Vec<(Point, String)>,
    pub coordinates: Vec<(Point, String)>,
}

/// Reads a picture, and checks what holds for all.
pub fn read(svg: &str) -> Read {
    let document = Document::parse(svg).expect("well-formed XML");
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(root.attribute("role"), Some("img"));
    let mut children = root.children().filter(Node::is_element);
    for name in ["title", "desc"] {
        let text = children
            .next()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)));
        assert!(
            text.and_then(|node| node.text())
                .is_some_and(|text| !text.is_empty()),
            "{name}"
        );
    }

    let mut read = Read {
        size: (number(root, "width"), number(root, "height")),
        ..Read::default()
    };
    for node in root.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(
            [
                "svg", "title", "desc", "rect", "g", "path", "circle", "text"
            ]
            .contains(&name),
            "{name} may depend on something else"
        );
        assert_eq!(
            node.attribute("id"),
            None,
            "several pictures may stand in one page"
        );
        let layer = node
            .parent_element()
            .and_then(|parent| parent.attribute("class"));
        match (layer.unwrap_or_default(), name) {
            ("cells", "path") => read.cells.push(middle_of_path(node)),
            ("cells", "circle") => read.cells.push(middle_of_circle(node)),
            ("white stones", _) => read.white.push(middle_of_circle(node)),
            ("black stones", _) => read.black.push(middle_of_circle(node)),
            ("last", _) => read.last.push(middle_of_circle(node)),
            ("labels", _) => read.labels.push(text(node)),
            ("coordinates", _) => read.coordinates.push(text(node)),
            ("slab" | "inlays" | "gleam" | "arrows", _) => {}
            (_, "path" | "circle" | "text") => panic!("a {name} in the layer {layer:?}"),
            _ => {}
        }
    }
    let (width, height) = read.size;
    let texts = read.coordinates.iter().map(|(place, _)| place);
    for &(x, y) in texts.chain(&read.cells) {
        let margin = PITCH / 4.0;
        assert!(x >= margin && x <= width - margin && y >= margin && y <= height - margin);
    }
    read
}

fn number(node: Node<'_, '_>, attribute: &str) -> f64 {
    let text = node.attribute(attribute).expect(attribute);
    text.parse().expect("a number")
}

fn middle_of_circle(node: Node<'_, '_>) -> Point {
    (number(node, "cx"), number(node, "cy"))
}

/// The middle of the corners of a path such as `M1 2l3 4 5 6z`.
fn middle_of_path(node: Node<'_, '_>) -> Point {
    let path = node.attribute("d").expect("a path");
    let numbers: Vec<f64> = path
        .split(|c: char| c.is_alphabetic() || c == ' ')
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().expect("a number"))
        .collect();
    let (mut x, mut y) = (0.0, 0.0);
    let mut corners = Vec::new();
    for step in numbers.chunks(2) {
        (x, y) = (x + step[0], y + step[1]);
        corners.push((x, y));
    }
    let count = corners.len() as f64;
    let sum = corners.iter().fold((0.0, 0.0), |sum, corner| {
        (sum.0 + corner.0, sum.1 + corner.1)
    });
    (sum.0 / count, sum.1 / count)
}

/// A text and its middle, which is a little above the line it stands on.
fn text(node: Node<'_, '_>) -> (Point, String) {
    let sized = node
        .ancestors()
        .find(|node| node.has_attribute("font-size"));
    let size = number(sized.expect("a font size"), "font-size");
    let place = (number(node, "x"), number(node, "y") - 0.36 * size);
    (place, node.text().unwrap_or_default().to_owned())
}

pub fn distance(one: Point, other: Point) -> f64 {
    (one.0 - other.0).hypot(one.1 - other.1)
}
