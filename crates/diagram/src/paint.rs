//! A scene as SVG, layer by layer.

use crate::Options;
use crate::plane::{Point, closed_path};
use crate::scene::{BORDER, Material, PITCH, Scene, Tile, Tone, capitalised};
use game::Side;
use svg::{escaped, length};

/// The colours of a board and of what is drawn on it; `ui/src/tokens.css` has the same ones.
struct Colours {
    slab: &'static str,
    cell: &'static str,
    edge: &'static str,
    corner: &'static str,
    highlighted: &'static str,
    line: &'static str,
    writing: &'static str,
    ink: &'static str,
    arrow: &'static str,
}

const WOOD: Colours = Colours {
    slab: "#6b3f20",
    cell: "#e9c993",
    edge: "#dfb97e",
    corner: "#cf9f5e",
    highlighted: "#7db7d6",
    line: "#7c5729",
    writing: "#f4dfbd",
    ink: "#1d1711",
    arrow: "#96160f",
};

const LAVA: Colours = Colours {
    slab: "#8d857c",
    cell: "#4d463f",
    edge: "#4d463f",
    corner: "#4d463f",
    highlighted: "#2f7d94",
    line: "#3a342e",
    writing: "#1b1714",
    ink: "#fff6dd",
    arrow: "#ffd970",
};

const WHITE_STONE: &str = "#fbf8f1";
const WHITE_RIM: &str = "#5d5140";
const BLACK_STONE: &str = "#1f1b18";
const BLACK_RIM: &str = "#000000";
/// The last move, on a white stone and on a black one.
const ON_WHITE: &str = "#9c1d12";
const ON_BLACK: &str = "#ffb49f";
/// Texts on stones.
const INK_ON_WHITE: &str = "#1d1711";
const INK_ON_BLACK: &str = "#fffaf0";

const STONE_RADIUS: f64 = 0.4 * PITCH;
const PIT_RADIUS: f64 = 0.43 * PITCH;
const RING_RADIUS: f64 = 0.24 * PITCH;
const INLAY_RADIUS: f64 = 0.09 * PITCH;
const COORDINATE_SIZE: f64 = 0.3 * PITCH;
const LABEL_SIZE: f64 = 0.42 * PITCH;
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
         <title>{}</title>\n<desc>{}</desc>\n",
        escaped(title),
        escaped(&description(scene, options)),
    );
    let mut layer = |name: &str, style: String, elements: String| {
        if !elements.is_empty() {
            svg += &format!("<g class=\"{name}\" {style}>\n{elements}</g>\n");
        }
    };
    let colours = &painter.colours;
    let style = format!(
        "fill=\"{0}\" stroke=\"{0}\" stroke-linejoin=\"round\" stroke-width=\"{1}\"",
        colours.slab,
        length(2.0 * BORDER * PITCH)
    );
    layer("slab", style, painter.slab());
    for (shade, fill) in [
        (Shade::Tone(Tone::Plain), colours.cell),
        (Shade::Tone(Tone::Edge), colours.edge),
        (Shade::Tone(Tone::Corner), colours.corner),
        (Shade::Highlighted, colours.highlighted),
    ] {
        let style = format!("fill=\"{fill}\" stroke=\"{}\"", colours.line);
        layer("cells", style, painter.cells(shade));
    }
    for (name, side, colour) in [
        ("white sides", Side::White, WHITE_STONE),
        ("black sides", Side::Black, BLACK_STONE),
    ] {
        let width = length(0.16 * PITCH);
        let style = format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\""
        );
        layer(name, style, painter.sides(side));
    }
    let style = format!("fill=\"{}\"", colours.line);
    layer("inlays", style, painter.inlays());
    let style = format!("stroke=\"{}\"", colours.line);
    layer("shades", style, painter.shades());
    for (name, side, fill, rim) in [
        ("white stones", Side::White, WHITE_STONE, WHITE_RIM),
        ("black stones", Side::Black, BLACK_STONE, BLACK_RIM),
    ] {
        let style = format!("fill=\"{fill}\" stroke=\"{rim}\"");
        layer(name, style, painter.stones(side));
    }
    let style = "fill=\"#fff\" fill-opacity=\"0.16\"".to_owned();
    layer("gleam", style, painter.gleam());
    let style = "fill=\"none\" stroke-width=\"2.5\"".to_owned();
    layer("last", style, painter.last());
    let style = format!("fill=\"{}\" stroke=\"{}\"", colours.arrow, colours.slab);
    layer("arrows", style, painter.arrows());
    let style = format!("font-weight=\"bold\" fill=\"{}\"", colours.ink);
    layer("labels", style, painter.labels());
    let size = length(COORDINATE_SIZE);
    let style = format!("font-size=\"{size}\" fill=\"{}\"", colours.writing);
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
    Tone(Tone),
    Highlighted,
}

/// What all layers need to know.
struct Painter<'a, C> {
    scene: &'a Scene<C>,
    options: &'a Options<C>,
    colours: Colours,
    /// The top left corner of the picture, seen from the origin of the scene.
    corner: Point,
    size: Point,
}

impl<'a, C: PartialEq> Painter<'a, C> {
    /// As large as the board.
    fn new(scene: &'a Scene<C>, options: &'a Options<C>) -> Self {
        let (mut low, mut high) = (Point::MAX, Point::MIN);
        for &corner in &scene.slab {
            (low, high) = (low.min(corner), high.max(corner));
        }
        let border = Point {
            x: BORDER * PITCH,
            y: BORDER * PITCH,
        };
        Painter {
            scene,
            options,
            colours: match scene.material {
                Material::Wood => WOOD,
                Material::Lava => LAVA,
            },
            corner: low - border,
            size: high - low + border * 2.0,
        }
    }

    fn slab(&self) -> String {
        self.polygon(self.scene.slab.iter().copied())
    }

    fn cells(&self, shade: Shade) -> String {
        let cells = self.scene.tiles.iter().filter(|tile| {
            let own = if self.options.highlighted.contains(&tile.cell) {
                Shade::Highlighted
            } else {
                Shade::Tone(tile.tone)
            };
            own == shade
        });
        cells
            .map(|tile| match self.scene.material {
                Material::Lava => self.circle(tile.centre, PIT_RADIUS, ""),
                Material::Wood => {
                    let corners = self.scene.outline.iter();
                    self.polygon(corners.map(|&corner| tile.centre + corner))
                }
            })
            .collect()
    }

    /// The parts of the border that belong to a side.
    fn sides(&self, side: Side) -> String {
        let own = self.scene.sides.iter().filter(|(of, _)| *of == side);
        own.map(|(_, points)| self.line(points)).collect()
    }

    /// A line through points, which does not end where it began.
    fn line(&self, points: &[Point]) -> String {
        let points = points.iter().map(|&point| point - self.corner);
        let written = points.map(|Point { x, y }| format!("{},{}", length(x), length(y)));
        let written: Vec<String> = written.collect();
        format!("<polyline points=\"{}\"/>\n", written.join(" "))
    }

    fn shades(&self) -> String {
        let shaded = self.options.shaded.iter();
        shaded
            .filter_map(|(cell, shading)| {
                let tile = self.scene.tile(cell)?;
                let corners = self.scene.outline.iter();
                let corners = corners.map(|&corner| tile.centre + corner - self.corner);
                let path = closed_path(&corners.collect::<Vec<Point>>());
                Some(format!(
                    "<path fill=\"{}\" d=\"{path}\"/>\n",
                    shading.colour()
                ))
            })
            .collect()
    }

    /// Pins in the corners, which the rules treat as no part of an edge.
    fn inlays(&self) -> String {
        let corners = self.scene.tiles.iter();
        corners
            .filter(|tile| tile.tone == Tone::Corner)
            .map(|tile| self.circle(tile.centre, INLAY_RADIUS, ""))
            .collect()
    }

    /// Light on the stones, from the upper left.
    fn gleam(&self) -> String {
        let aside = Point {
            x: -0.13 * PITCH,
            y: -0.15 * PITCH,
        };
        let stones = self.scene.tiles.iter().filter(|tile| tile.stone.is_some());
        stones
            .map(|tile| self.circle(tile.centre + aside, 0.14 * PITCH, ""))
            .collect()
    }

    fn stones(&self, side: Side) -> String {
        let tiles = self.scene.tiles.iter();
        tiles
            .filter(|tile| tile.stone == Some(side))
            .map(|tile| self.circle(tile.centre, STONE_RADIUS, ""))
            .collect()
    }

    /// The last move, if it is shown.
    fn shown_last(&self) -> Option<&(C, C)> {
        self.scene.last.as_ref().filter(|_| self.options.last_move)
    }

    /// A ring where the last move ended.
    fn last(&self) -> String {
        let tile = self.shown_last().and_then(|(_, to)| self.scene.tile(to));
        tile.map(|tile| {
            let colour = match tile.stone {
                Some(Side::White) => ON_WHITE,
                Some(Side::Black) => ON_BLACK,
                None => self.colours.arrow,
            };
            let style = format!(" stroke=\"{colour}\"");
            self.circle(tile.centre, RING_RADIUS, &style)
        })
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
        let is_shaded = |cell| {
            let mut shaded = self.options.shaded.iter();
            shaded.any(|(other, _)| other == cell)
        };
        // Those of shaded cells are compared with each other, so they have one size.
        let compared = labels.clone().filter(|(cell, _)| is_shaded(cell));
        let longest = compared.map(|(_, text)| text.chars().count()).max();
        labels
            .filter_map(|(cell, text)| {
                let tile = self.scene.tile(cell)?;
                let own = text.chars().count();
                let letters = longest.filter(|_| is_shaded(cell)).unwrap_or(own);
                let shrink = (2.6 / letters as f64).min(1.0);
                let size = LABEL_SIZE * shrink;
                let fill = match tile.stone {
                    Some(Side::White) => format!(" fill=\"{INK_ON_WHITE}\""),
                    Some(Side::Black) => format!(" fill=\"{INK_ON_BLACK}\""),
                    None => String::new(),
                };
                let style = format!(" font-size=\"{}\"{fill}", length(size));
                Some(self.text(tile.centre, size, &style, text))
            })
            .collect()
    }

    fn coordinates(&self) -> String {
        if !self.options.coordinates {
            return String::new();
        }
        let coordinates = self.scene.coordinates.iter();
        coordinates
            .map(|(place, text)| self.text(*place, COORDINATE_SIZE, "", text))
            .collect()
    }

    fn polygon(&self, corners: impl Iterator<Item = Point>) -> String {
        let corners: Vec<Point> = corners.map(|corner| corner - self.corner).collect();
        format!("<path d=\"{}\"/>\n", closed_path(&corners))
    }

    fn circle(&self, centre: Point, radius: f64, style: &str) -> String {
        let Point { x, y } = centre - self.corner;
        let (x, y, radius) = (length(x), length(y), length(radius));
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{style}/>\n")
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
