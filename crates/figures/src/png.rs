//! A picture as PNG, with the fonts that this crate brings along.

use crate::Figure;
use resvg::usvg::{Options, Tree, fontdb};
use resvg::{tiny_skia, usvg};
use std::sync::{Arc, LazyLock};

/// Inter (SIL Open Font License, `fonts/LICENSE`): regular and semi-bold, with the Latin letters of
/// Europe and Polynesia.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for font in [
        include_bytes!("../fonts/Inter-Regular.ttf").as_slice(),
        include_bytes!("../fonts/Inter-SemiBold.ttf"),
        include_bytes!("../fonts/Inter-Regular-extended.ttf"),
        include_bytes!("../fonts/Inter-SemiBold-extended.ttf"),
    ] {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Inter");
    Arc::new(fonts)
});

/// A picture that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG was not understood.
    #[error("the picture cannot be read: {0}")]
    Svg(#[from] usvg::Error),
    /// A picture without area, or one that memory does not hold.
    #[error("the picture's size is impossible")]
    Size,
    /// The PNG could not be written.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
}

impl Figure {
    /// The figure as PNG for a light page, at `scale` pixels a unit of the SVG (2 suits most screens).
    ///
    /// # Errors
    /// A scale of nothing, or too large for memory.
    pub fn png(&self, scale: f32) -> Result<Vec<u8>, PngError> {
        let options = Options {
            fontdb: Arc::clone(&FONTS),
            font_family: "Inter".to_owned(),
            ..Options::default()
        };
        let tree = Tree::from_str(&self.svg(), &options)?;
        let [width, height] =
            [tree.size().width(), tree.size().height()].map(|length| (length * scale).ceil());
        let mut picture =
            tiny_skia::Pixmap::new(width as u32, height as u32).ok_or(PngError::Size)?;
        let transform = tiny_skia::Transform::from_scale(scale, scale);
        resvg::render(&tree, transform, &mut picture.as_mut());
        picture
            .encode_png()
            .map_err(|error| PngError::Encoding(error.to_string()))
    }
}
