//! Colours of lines that readers with any kind of colour vision can tell apart.

/// Lines with a colour of their own; more take the colours in turn, with another marker.
pub const COLOURS: usize = 7;

/// For a light and a dark page: Okabe and Ito's palette ("Color universal design", 2008) without its
/// yellow, which is invisible on white, and each lightened or darkened until it has a contrast of at
/// least 3:1 with the page.
const PALETTE: [(&str, &str); COLOURS] = [
    ("#0072b2", "#56a8e0"),
    ("#d55e00", "#ff8a47"),
    ("#00835f", "#2fc89c"),
    ("#b14a86", "#e59ac6"),
    ("#9a6b00", "#f0b429"),
    ("#2a8fc7", "#8fd3f4"),
    ("#333333", "#e6e6e6"),
];

/// The palette in order of a quantity, dark to light (viridis without its pale end), for lines whose
/// names are numbers.
const SEQUENCE: [(&str, &str); COLOURS] = [
    ("#440154", "#d9a7f5"),
    ("#414487", "#a3b1f0"),
    ("#2a788e", "#6cc3dc"),
    ("#1f9e89", "#3fd0b4"),
    ("#4aa83d", "#7fdc6a"),
    ("#8a9a00", "#d4e157"),
    ("#c77700", "#ffb74d"),
];

/// Which colour each of these lines takes, by class: `c0`… for names, `q0`… spread over the sequence
/// for four or more numbers.
pub fn classes(names: &[&str]) -> Vec<String> {
    let quantities = names.len() > 3 && names.iter().all(|name| name.trim().parse::<f64>().is_ok());
    (0..names.len())
        .map(|index| {
            if quantities {
                format!("q{}", index * (COLOURS - 1) / (names.len() - 1))
            } else {
                format!("c{}", index % COLOURS)
            }
        })
        .collect()
}

/// The style sheet of a picture, for one page or for a picture that stands alone.
pub fn style() -> String {
    let mut light = String::new();
    let mut dark = String::new();
    for (prefix, palette) in [("c", PALETTE), ("q", SEQUENCE)] {
        for (index, (day, night)) in palette.iter().enumerate() {
            for (sheet, colour) in [(&mut light, day), (&mut dark, night)] {
                *sheet += &format!(".figure .{prefix}{index}{{stroke:{colour};fill:{colour}}}");
            }
        }
    }
    // These name elements too, which makes them stronger than the colours, on dark pages as well.
    let shapes = ".figure text{font-family:Inter,system-ui,sans-serif;font-size:12px}\
        .figure text.title{font-size:15px;font-weight:600}\
        .figure text.label{font-weight:600;stroke:none}\
        .figure text.other{font-weight:400}\
        .figure polyline.line{fill:none;stroke-width:2;stroke-linejoin:round}\
        .figure line.line{stroke-width:2}\
        .figure polyline.published,.figure line.published{stroke-dasharray:5 4;stroke-width:1.5}\
        .figure .marker{stroke-width:1.5}\
        .figure path.whisker{stroke-width:1.5;fill:none}\
        .figure polygon.band{stroke:none;opacity:.18}\
        .figure path.leader{stroke-width:.8;fill:none;opacity:.6}";
    let page = |paper: &str, ink: &str, soft: &str, grid: &str, half: &str| {
        format!(
            ".figure .paper,.figure .hollow{{fill:{paper}}}.figure text{{fill:{ink}}}\
             .figure .soft{{fill:{soft}}}.figure .grid{{stroke:{grid}}}.figure .half{{stroke:{half}}}\
             .figure .other{{stroke:{soft};fill:{soft};opacity:.65}}"
        )
    };
    let hollow =
        |sheet: &str, paper: &str| format!("{sheet}.figure .marker.hollow{{fill:{paper}}}");
    format!(
        "{shapes}{}{}@media (prefers-color-scheme:dark){{{}{}}}",
        page("#ffffff", "#1b1f24", "#5a6472", "#e4e8ee", "#8a94a3"),
        hollow(&light, "#ffffff"),
        page("#14181d", "#e8ebef", "#a2adba", "#2b323b", "#77828f"),
        hollow(&dark, "#14181d"),
    )
}
