//! A report as one HTML page that needs nothing else: no scripts, fonts or files from elsewhere. A short script of its own
//! saves figures as PNG, which the browser draws.

use crate::{Align, Figure, Item, Report, Table, colours};
use svg::escaped;

const STYLE: &str = ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#5a6472;--rule:#dfe4ea;\
--tint:#f5f7fa;--link:#0b62a8}\
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e8ebef;--soft:#a2adba;--rule:#2f3741;\
--tint:#1b2128;--link:#7cc0ff}}\
*{box-sizing:border-box}\
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:56rem;background:var(--paper);color:var(--ink);\
font:16px/1.55 Inter,system-ui,-apple-system,\"Segoe UI\",sans-serif}\
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem}\
h2{font-size:1.2rem;line-height:1.3;margin:3rem 0 .75rem}\
a{color:var(--link)}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.25rem;margin:1.25rem 0;padding:1rem 1.25rem;\
background:var(--tint);border-radius:.5rem;font-size:.9rem}\
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\
nav{font-size:.9rem}nav ul{columns:20rem;padding-left:1.2rem}\
figure{margin:1rem 0}figure svg{display:block;width:100%;height:auto;border:1px solid var(--rule);border-radius:.5rem}\
figcaption,.note{color:var(--soft);font-size:.9rem;margin-top:.5rem}\
.scroll{overflow-x:auto;margin-top:.75rem}\
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}\
caption{text-align:left;color:var(--soft);caption-side:bottom;padding-top:.5rem}\
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--rule);text-align:left;white-space:nowrap}\
thead th{border-bottom:2px solid var(--rule)}\
.right{text-align:right}tr.published{color:var(--soft)}\
button{font:inherit;padding:0;border:0;background:none;color:var(--link);text-decoration:underline;cursor:pointer}\
details{margin-top:.5rem}summary{cursor:pointer;color:var(--link);font-size:.9rem}\
footer{margin-top:4rem;color:var(--soft);font-size:.85rem}\
@media print{details>*{display:block}body{max-width:none}}";

/// Draws the figure of each button on a light page with two pixels a unit. In the page the title stands above the
/// figure; in the file it is part of it.
const SAVE_AS_PNG: &str = r#"<script>
const light = document.getElementById("figure-style").textContent.split("@media")[0];
const element = (name, text, attributes = {}) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  made.textContent = text;
  return made;
};
for (const button of document.querySelectorAll("button[data-name]")) {
  button.hidden = false;
  button.onclick = async () => {
    const svg = button.closest("figure").querySelector("svg").cloneNode(true);
    const box = svg.viewBox.baseVal;
    const [width, height] = [box.width, box.y + box.height];
    for (const [key, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width: 2 * width, height: 2 * height }))
      svg.setAttribute(key, value);
    const title = svg.querySelector("title").textContent;
    svg.querySelector(".paper").after(element("text", title, { x: 20, y: 28, class: "title" }));
    svg.prepend(element("style", light));
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    const link = document.createElement("a");
    link.href = canvas.toDataURL("image/png");
    link.download = button.dataset.name + ".png";
    link.click();
  };
}
</script>
"#;

impl Report {
    /// The page.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<style id=\"figure-style\">{}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
            colours::style()
        );
        page += &paragraphs(&self.description);
        if !self.facts.is_empty() {
            let fact = |(name, fact): &(String, String)| {
                format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(fact))
            };
            page += &format!(
                "<dl>\n{}</dl>\n",
                self.facts.iter().map(fact).collect::<String>()
            );
        }
        page += &self.contents();
        for (index, item) in self.items.iter().enumerate() {
            page += &format!("<section id=\"part-{}\">\n", index + 1);
            page += &match item {
                Item::Figure(figure) => of_figure(figure),
                Item::Table(table) => {
                    heading(&table.title) + &of_table(table) + &published_in(&table.source)
                }
                Item::Text { title, text } => heading(title) + &paragraphs(text),
            };
            page += "</section>\n";
        }
        page += "</main>\n<footer>Made by papamu.</footer>\n";
        if self
            .items
            .iter()
            .any(|item| matches!(item, Item::Figure(_)))
        {
            page += SAVE_AS_PNG;
        }
        page + "</body>\n</html>\n"
    }

    fn contents(&self) -> String {
        if self.items.len() < 3 {
            return String::new();
        }
        let entries = self.items.iter().enumerate().filter_map(|(index, item)| {
            let title = match item {
                Item::Figure(figure) => &figure.title,
                Item::Table(table) => &table.title,
                Item::Text { title, .. } => title,
            };
            let entry = || {
                format!(
                    "<li><a href=\"#part-{}\">{}</a></li>\n",
                    index + 1,
                    escaped(title)
                )
            };
            (!title.is_empty()).then(entry)
        });
        format!(
            "<nav aria-label=\"Contents\">\n<ul>\n{}</ul>\n</nav>\n",
            entries.collect::<String>()
        )
    }
}

fn of_figure(figure: &Figure) -> String {
    let table = figure.table();
    let name = escaped(&figure.name);
    let save = format!("<button type=\"button\" data-name=\"{name}\" hidden>Save as PNG</button>");
    let caption = format!("{} {save}", escaped(&figure.caption));
    format!(
        "{}<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n{}\
         <details>\n<summary>The numbers</summary>\n{}</details>\n",
        heading(&figure.title),
        figure.drawing(),
        caption.trim(),
        published_in(&figure.source),
        of_table(&table)
    )
}

fn of_table(table: &Table) -> String {
    let class = |align: Align| match align {
        Align::Left => "",
        Align::Right => " class=\"right\"",
    };
    let mut html = String::from(
        "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\">\n<table>\n",
    );
    if !table.caption.is_empty() {
        html += &format!("<caption>{}</caption>\n", escaped(&table.caption));
    }
    html += "<thead><tr>";
    for column in &table.columns {
        html += &format!(
            "<th scope=\"col\"{}>{}</th>",
            class(column.align),
            escaped(&column.title)
        );
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in &table.rows {
        let published = Table::cell(row, 0).contains("(published");
        html += if published {
            "<tr class=\"published\">"
        } else {
            "<tr>"
        };
        for (index, column) in table.columns.iter().enumerate() {
            let cell = escaped(Table::cell(row, index));
            html += &if index == 0 {
                format!("<th scope=\"row\"{}>{cell}</th>", class(column.align))
            } else {
                format!("<td{}>{cell}</td>", class(column.align))
            };
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table>\n</div>\n"
}

fn heading(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    format!("<h2>{}</h2>\n", escaped(title))
}

fn published_in(source: &str) -> String {
    if source.is_empty() {
        return String::new();
    }
    format!(
        "<p class=\"note\">Published: {}.</p>\n",
        escaped(source.trim_end_matches('.'))
    )
}

fn paragraphs(text: &str) -> String {
    let paragraphs = text
        .split("\n\n")
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let marked: Vec<String> = paragraphs
        .map(|text| format!("<p>{}</p>\n", escaped(text)))
        .collect();
    marked.concat()
}
