//! A scene as SVG, layer by layer.

use crate::Options;
use crate::plane::{Point, closed_path};
use crate::scene::{PITCH, Scene, Tile, capitalised};
use crate::xml::{escaped, length};
use game::Side;

const BACKGROUND: &str = "#f6efe0";
const CELL: &str = "#e8cd9b";
const DARK_CELL: &str = "#dcbb82";
const HIGHLIGHTED_CELL: &str = "#62aee6";
const LINE: &str = "#8d6b3a";
const INK: &str = "#33281a";
const WHITE_STONE: &str = "#ffffff";
const BLACK_STONE: &str = "#26221e";
/// The last move, and arrows: seen on white, on black and on the board.
const ACCENT: &str = "#e0401f";

const STONE_RADIUS: f64 = 0.39 * PITCH;
const RING_RADIUS: f64 = 0.31 * PITCH;
const COORDINATE_SIZE: f64 = 0.35 * PITCH;
const LABEL_SIZE: f64 = 0.42 * PITCH;
/// From the outermost corner of a cell, or the middle of the outermost coordinate, to the end of the
/// picture.
const MARGIN: f64 = 0.4 * PITCH;
/// From the middle of a capital letter or a digit down to the line it stands on, in font sizes.
const HALF_LETTER: f64 = 0.36;

/// Writes the picture.
pub fn paint<C: PartialEq>(scene: &Scene<C>, options: &Options<C>) -> String {
    let painter = Painter::new(scene, options);
    let Point { x, y } = painter.size;
    let (width, height) = (length(x), length(y));
    let title = options.title.as_ref().unwrap_or(&scene.name);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\">\n\
         <title>{}</title>\n<desc>{}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"{BACKGROUND}\"/>\n",
        escaped(title),
        escaped(&description(scene, options)),
    );
    let mut layer = |name: &str, style: String, elements: String| {
        if !elements.is_empty() {
            svg += &format!("<g class=\"{name}\" {style}>\n{elements}</g>\n");
        }
    };
    for (shade, fill) in [
        (Shade::Light, CELL),
        (Shade::Dark, DARK_CELL),
        (Shade::Highlighted, HIGHLIGHTED_CELL),
    ] {
        let style = format!("fill=\"{fill}\" stroke=\"{LINE}\"");
        layer("cells", style, painter.cells(shade));
    }
    for (name, side, fill) in [
        ("white stones", Side::White, WHITE_STONE),
        ("black stones", Side::Black, BLACK_STONE),
    ] {
        let style = format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.5\"");
        layer(name, style, painter.stones(side));
    }
    let style = format!("fill=\"none\" stroke=\"{ACCENT}\" stroke-width=\"2.5\"");
    layer("last", style, painter.last());
    let style = format!("fill=\"{ACCENT}\" stroke=\"{BACKGROUND}\"");
    layer("arrows", style, painter.arrows());
    let style = format!("font-weight=\"bold\" fill=\"{INK}\"");
    layer("labels", style, painter.labels());
    let size = length(COORDINATE_SIZE);
    let style = format!("font-size=\"{size}\" fill=\"{INK}\"");
    layer("coordinates", style, painter.coordinates());
    svg += "</svg>\n";
    svg
}

/// The picture in words, labels apart: where the stones are, and what is marked.
fn description<C: PartialEq>(scene: &Scene<C>, options: &Options<C>) -> String {
    let mut sentences: Vec<String> = Side::BOTH
        .map(|side| {
            let stones = scene.names(|tile| tile.stone == Some(side));
            format!("{}: {stones}.", capitalised(side))
        })
        .into();
    let move_between = |(from, to): &(C, C)| {
        let (from, to) = (scene.tile(from)?, scene.tile(to)?);
        Some(if from.cell == to.cell {
            to.name.clone()
        } else {
            format!("{} to {}", from.name, to.name)
        })
    };
    if let Some(last) = scene.last.as_ref().and_then(move_between)
        && options.last_move
    {
        sentences.push(format!("Last move: {last}."));
    }
    sentences.push(scene.state.clone());
    let is_highlighted = |tile: &Tile<C>| options.highlighted.contains(&tile.cell);
    if scene.tiles.iter().any(is_highlighted) {
        sentences.push(format!("Highlighted: {}.", scene.names(is_highlighted)));
    }
    let arrows: Vec<String> = options.arrows.iter().filter_map(move_between).collect();
    if !arrows.is_empty() {
        sentences.push(format!("Arrows: {}.", arrows.join(", ")));
    }
    sentences.join(" ")
}

/// The colours that a cell can have.
#[derive(Clone, Copy, PartialEq)]
enum Shade {
    Light,
    Dark,
    Highlighted,
}

/// What all layers need to know.
struct Painter<'a, C> {
    scene: &'a Scene<C>,
    options: &'a Options<C>,
    /// What is written round the board in this picture.
    coordinates: &'a [(Point, String)],
    /// The top left corner of the picture, seen from the origin of the scene.
    corner: Point,
    size: Point,
}

impl<'a, C: PartialEq> Painter<'a, C> {
    /// With a frame that holds all cells and coordinates.
    fn new(scene: &'a Scene<C>, options: &'a Options<C>) -> Self {
        let coordinates = if options.coordinates {
            &scene.coordinates[..]
        } else {
            &[]
        };
        let corners = scene.tiles.iter().flat_map(|tile| {
            let corners = scene.outline.iter();
            corners.map(|&corner| tile.centre + corner)
        });
        let (mut low, mut high) = (Point::MAX, Point::MIN);
        for point in corners.chain(coordinates.iter().map(|&(place, _)| place)) {
            (low, high) = (low.min(point), high.max(point));
        }
        let margin = Point {
            x: MARGIN,
            y: MARGIN,
        };
        Painter {
            scene,
            options,
            coordinates,
            corner: low - margin,
            size: high - low + margin * 2.0,
        }
    }

    fn cells(&self, shade: Shade) -> String {
        let cells = self.scene.tiles.iter().filter(|tile| {
            let highlighted = self.options.highlighted.contains(&tile.cell);
            let own = match (highlighted, tile.dark) {
                (true, _) => Shade::Highlighted,
                (_, true) => Shade::Dark,
                _ => Shade::Light,
            };
            own == shade
        });
        cells
            .map(|tile| {
                let corners = self.scene.outline.iter();
                self.polygon(corners.map(|&corner| tile.centre + corner))
            })
            .collect()
    }

    fn stones(&self, side: Side) -> String {
        let tiles = self.scene.tiles.iter();
        tiles
            .filter(|tile| tile.stone == Some(side))
            .map(|tile| self.circle(tile.centre, STONE_RADIUS))
            .collect()
    }

    /// The last move, if it is shown.
    fn shown_last(&self) -> Option<&(C, C)> {
        self.scene.last.as_ref().filter(|_| self.options.last_move)
    }

    /// A ring where the last move ended.
    fn last(&self) -> String {
        let tile = self.shown_last().and_then(|(_, to)| self.scene.tile(to));
        tile.map(|tile| self.circle(tile.centre, RING_RADIUS))
            .unwrap_or_default()
    }

    fn arrows(&self) -> String {
        let arrows = self.shown_last().into_iter().chain(&self.options.arrows);
        let tiles = arrows.filter_map(|(from, to)| {
            let (from, to) = (self.scene.tile(from)?, self.scene.tile(to)?);
            (from.cell != to.cell).then_some((from, to))
        });
        tiles.map(|(from, to)| self.arrow(from, to)).collect()
    }

    /// From the middle of a cell nearly to that of another, or to the rim of the stone there.
    fn arrow(&self, from: &Tile<C>, to: &Tile<C>) -> String {
        const HALF_SHAFT: f64 = 0.05 * PITCH;
        const HALF_HEAD: f64 = 0.17 * PITCH;
        const HEAD: f64 = 0.3 * PITCH;
        let way = to.centre - from.centre;
        let ahead = way * (1.0 / way.norm());
        let aside = ahead.turned();
        let gap = match to.stone {
            Some(_) => STONE_RADIUS,
            None => 0.15 * PITCH,
        };
        let tip = to.centre - ahead * gap;
        let neck = tip - ahead * HEAD;
        let shaft = aside * HALF_SHAFT;
        let head = aside * HALF_HEAD;
        let corners = [
            from.centre - shaft,
            neck - shaft,
            neck - head,
            tip,
            neck + head,
            neck + shaft,
            from.centre + shaft,
        ];
        self.polygon(corners.into_iter())
    }

    fn labels(&self) -> String {
        let labels = self.options.labels.iter();
        labels
            .filter_map(|(cell, text)| {
                let tile = self.scene.tile(cell)?;
                let shrink = (2.6 / text.chars().count() as f64).min(1.0);
                let size = LABEL_SIZE * shrink;
                let light = tile.stone == Some(Side::Black);
                let fill = if light { " fill=\"#fff\"" } else { "" };
                let style = format!(" font-size=\"{}\"{fill}", length(size));
                Some(self.text(tile.centre, size, &style, text))
            })
            .collect()
    }

    fn coordinates(&self) -> String {
        let coordinates = self.coordinates.iter();
        coordinates
            .map(|(place, text)| self.text(*place, COORDINATE_SIZE, "", text))
            .collect()
    }

    fn polygon(&self, corners: impl Iterator<Item = Point>) -> String {
        let corners: Vec<Point> = corners.map(|corner| corner - self.corner).collect();
        format!("<path d=\"{}\"/>\n", closed_path(&corners))
    }

    fn circle(&self, centre: Point, radius: f64) -> String {
        let Point { x, y } = centre - self.corner;
        let (x, y, radius) = (length(x), length(y), length(radius));
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\n")
    }

    /// A text whose middle is at a point.
    fn text(&self, middle: Point, size: f64, style: &str, text: &str) -> String {
        let Point { x, y } = middle - self.corner;
        let (x, y) = (length(x), length(y + HALF_LETTER * size));
        format!(
            "<text x=\"{x}\" y=\"{y}\"{style}>{}</text>\n",
            escaped(text)
        )
    }
}
