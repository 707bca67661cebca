//! Pictures as SVG: plotters draws them, and what it leaves out is added (a title and a description for those who do not see them, colours that follow the
//! page). The same plot gives the same bytes.

use calculator::{Axis, Marks, Plot, Scale};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use serde_json::{Value, json};

/// Pixels of the drawing for one of the picture: plotters counts in whole pixels, and a curve on a coarse grid looks like stairs.
const FINE: i32 = 4;
const WIDTH: i32 = 720;
/// Without the legend.
const HEIGHT: i32 = 354;
/// The height of one line of the legend.
const ROW: i32 = 20;

/// Told apart by most eyes, and legible on white as on black.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x2f, 0x7e, 0xd8),
    RGBColor(0xd9, 0x6b, 0x12),
    RGBColor(0x23, 0x95, 0x5f),
    RGBColor(0xb0, 0x5c, 0xc6),
    RGBColor(0xd1, 0x3f, 0x5a),
    RGBColor(0x7d, 0x7d, 0x7d),
];

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

/// A value on an axis; None where the axis has no place for it.
fn place(axis: &Axis, value: f64) -> Option<f64> {
    let placed = match axis.scale {
        Scale::Linear => value,
        Scale::Log if value > 0.0 => core_math::log10(value),
        Scale::Log => return None,
    };
    placed.is_finite().then_some(placed)
}

/// The runs of points that have a place, in order: a curve is cut where a value is missing.
fn runs<const N: usize>(points: impl Iterator<Item = Option<[f64; N]>>) -> Vec<Vec<[f64; N]>> {
    let mut all = vec![Vec::new()];
    for point in points {
        match (point, all.last_mut()) {
            (Some(point), Some(run)) => run.push(point),
            _ => all.push(Vec::new()),
        }
    }
    all.retain(|run| !run.is_empty());
    all
}

/// A series' runs as polygons: (x, low, high), low = high but for bands.
fn placed(plot: &Plot, marks: &Marks) -> Vec<Vec<[f64; 3]>> {
    let (x, y) = (&plot.x, &plot.y);
    match marks {
        Marks::Line(points) | Marks::Points(points) => runs(points.iter().map(|&(a, b)| place(y, b).and_then(|b| place(x, a).map(|a| [a, b, b])))),
        Marks::Band(points) => runs(
            points.iter().map(|&(a, low, high)| place(x, a).and_then(|a| place(y, low).and_then(|low| place(y, high).map(|high| [a, low, high])))),
        ),
    }
}

/// The range of an axis, widened where it is a point, with a margin.
fn range(values: impl Iterator<Item = f64>, margin: f64) -> Option<(f64, f64)> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return None;
    }
    let spread = if high > low { high - low } else { low.abs().max(1.0) };
    Some((low - margin * spread, high + margin * spread))
}

/// 10^k
fn power(k: i32) -> f64 {
    10_f64.powi(k)
}

/// Round places for ticks in a range, as positions on the axis.
fn ticks(axis: &Axis, (low, high): (f64, f64)) -> Vec<f64> {
    let linear = |low: f64, high: f64, about: f64| -> Vec<f64> {
        let rough = (high - low) / about;
        let base = power(core_math::log10(rough).floor() as i32);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * base).find(|step| *step >= rough).unwrap_or(10.0 * base);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|index| index as f64 * step).collect()
    };
    match axis.scale {
        Scale::Linear => linear(low, high, 7.0),
        Scale::Log => {
            let (first, last) = (low.ceil() as i32, high.floor() as i32);
            if last - first >= 2 {
                let stride = (last - first) / 8 + 1;
                return (first..=last).filter(|k| k.rem_euclid(stride) == 0).map(f64::from).collect();
            }
            // Few decades: 1, 2 and 5 of each; where that is too little, equal steps.
            let (from, to) = (core_math::exp10(low), core_math::exp10(high));
            let decades = (first - 1..=last).flat_map(|k| [1.0, 2.0, 5.0].map(|factor| factor * power(k)));
            let mut all: Vec<f64> = decades.filter(|value| *value >= from && *value <= to).collect();
            if all.len() < 3 {
                all = linear(from, to, 5.0).into_iter().filter(|value| *value > 0.0).collect();
            }
            all.into_iter().map(core_math::log10).collect()
        }
    }
}

/// A tick's label: at most four significant digits.
fn label(axis: &Axis, position: f64) -> String {
    let value = if axis.scale == Scale::Log { core_math::exp10(position) } else { position };
    number(value)
}

/// A number for the eye, at most four significant digits.
fn number(value: f64) -> String {
    let size = value.abs();
    // A position that should be 0 may be a rounding error away from it.
    if size < 1e-300 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.3e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let trim = |text: &str| if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !value.is_finite() {
        value.to_string()
    } else if (-4..5).contains(&exponent) {
        let places = usize::try_from(3 - exponent).unwrap_or(0);
        trim(&format!("{value:.places$}"))
    } else {
        format!("{}e{exponent}", trim(digits))
    }
}

/// An axis with its ticks: positions in a range, in equal steps on the page.
struct Steps {
    range: (f64, f64),
    places: Vec<f64>,
}

impl Ranged for Steps {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.0) / (self.range.1 - self.range.0);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // The finer ticks between are none.
        if hint.weight().allow_light_points() { Vec::new() } else { self.places.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.0..self.range.1
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

fn words(size: i32, anchor: HPos) -> TextStyle<'static> {
    TextStyle::from(("sans-serif", size * FINE).into_font()).pos(Pos::new(anchor, VPos::Center))
}

/// Title and legend around the chart, the legend one series a line: names are sentences as often as words.
fn draw<'a>(root: &Area<'a>, plot: &Plot) -> Drawn<'a> {
    let (upper, legend) = root.split_vertically(HEIGHT * FINE);
    let (head, middle) = upper.split_vertically(34 * FINE);
    // Wide titles are set smaller rather than cut.
    let size = if plot.title.chars().count() > 80 { 12 } else { 15 };
    head.draw(&Text::new(plot.title.clone(), (WIDTH * FINE / 2, 18 * FINE), words(size, HPos::Center)))?;
    for (index, series) in plot.series.iter().enumerate() {
        let y = (ROW * index as i32 + ROW / 2) * FINE;
        let (left, right) = (58 * FINE, 84 * FINE);
        let colour = colour(index);
        match series.marks {
            Marks::Line(_) => legend.draw(&PathElement::new(vec![(left, y), (right, y)], colour.stroke_width(2 * FINE as u32)))?,
            Marks::Points(_) => legend.draw(&Circle::new(((left + right) / 2, y), 4 * FINE, colour.filled()))?,
            Marks::Band(_) => legend.draw(&Rectangle::new([(left, y - 6 * FINE), (right, y + 6 * FINE)], colour.mix(0.25).filled()))?,
        }
        legend.draw(&Text::new(series.name.clone(), (right + 8 * FINE, y), words(13, HPos::Left)))?;
    }
    let all: Vec<Vec<Vec<[f64; 3]>>> = plot.series.iter().map(|series| placed(plot, &series.marks)).collect();
    let points = || all.iter().flatten().flatten();
    let Some((x_range, y_range)) = range(points().map(|p| p[0]), 0.02).zip(range(points().flat_map(|p| [p[1], p[2]]), 0.06)) else {
        return middle.draw(&Text::new("no values to draw", (WIDTH * FINE / 2, HEIGHT * FINE / 2), words(15, HPos::Center)));
    };
    let axis = |axis: &Axis, range: (f64, f64)| Steps { range, places: ticks(axis, range) };
    let mut horizontal = axis(&plot.x, x_range);
    // What is counted one by one has no halves.
    let whole: Vec<f64> = horizontal.places.iter().copied().filter(|place| place.fract() == 0.0).collect();
    if plot.x.scale == Scale::Linear && !whole.is_empty() && points().all(|p| p[0].fract() == 0.0 || p[0].fract() == 0.5) {
        horizontal.places = whole;
    }
    let mut chart = ChartBuilder::on(&middle)
        .margin_right(18 * FINE)
        .margin_left(6 * FINE)
        .x_label_area_size(40 * FINE)
        .y_label_area_size(66 * FINE)
        .build_cartesian_2d(horizontal, axis(&plot.y, y_range))?;
    chart
        .configure_mesh()
        .bold_line_style(BLACK.mix(0.12).stroke_width(FINE as u32))
        .light_line_style(TRANSPARENT)
        .axis_style(BLACK.stroke_width(FINE as u32))
        .x_labels(20)
        .y_labels(20)
        .x_desc(plot.x.label.clone())
        .y_desc(plot.y.label.clone())
        .x_label_formatter(&|position| label(&plot.x, *position))
        .y_label_formatter(&|position| label(&plot.y, *position))
        .label_style(("sans-serif", 12 * FINE))
        .axis_desc_style(("sans-serif", 13 * FINE))
        .draw()?;
    for (index, (series, runs)) in plot.series.iter().zip(&all).enumerate() {
        let colour = colour(index);
        match series.marks {
            Marks::Line(_) => {
                let style = colour.stroke_width(2 * FINE as u32);
                chart.draw_series(runs.iter().map(|run| PathElement::new(run.iter().map(|p| (p[0], p[1])).collect::<Vec<_>>(), style)))?;
            }
            Marks::Points(_) => {
                chart.draw_series(runs.iter().flatten().map(|p| Circle::new((p[0], p[1]), 4 * FINE, colour.filled())))?;
            }
            Marks::Band(_) => {
                let outline = |run: &Vec<[f64; 3]>| {
                    let low = run.iter().map(|p| (p[0], p[1]));
                    low.chain(run.iter().rev().map(|p| (p[0], p[2]))).collect::<Vec<_>>()
                };
                chart.draw_series(runs.iter().map(|run| Polygon::new(outline(run), colour.mix(0.25).filled())))?;
            }
        }
    }
    Ok(())
}

/// The picture as one SVG element: black on a white ground by itself; inside a page, text and axes follow the page's colour where its style says
/// `svg { color: inherit }`, and the ground has the class `ground`.
#[must_use]
pub fn plot_svg(plot: &Plot) -> String {
    let mut body = String::new();
    let height = HEIGHT + ROW * plot.series.len() as i32 + 6;
    {
        let root = SVGBackend::with_string(&mut body, ((WIDTH * FINE) as u32, (height * FINE) as u32)).into_drawing_area();
        // Writing into a string does not fail; a picture that plotters refuses shows what it has drawn so far.
        let _ = draw(&root, plot).and_then(|()| root.present());
    }
    let inside = body.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>")).map_or("", |(inside, _)| inside);
    let inside = inside.replace("#000000", "currentColor");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {} {}\" role=\"img\" color=\"#1a1a1a\">\n<title>{}</title>\n<desc>{}</desc>\n<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>{}</svg>\n",
        WIDTH * FINE,
        height * FINE,
        escape(&plot.title),
        escape(&plot.description),
        inside.trim_end()
    )
}

/// The picture's numbers: axes and series, each value the shortest decimal that reads back as it (null where it is not finite).
#[must_use]
pub fn plot_json(plot: &Plot) -> Value {
    let axis = |axis: &Axis| json!({ "label": axis.label, "scale": if axis.scale == Scale::Log { "log" } else { "linear" } });
    let text = |value: f64| if value.is_finite() { Value::String(value.to_string()) } else { Value::Null };
    let series: Vec<Value> = plot
        .series
        .iter()
        .map(|series| {
            let (kind, points): (&str, Vec<Value>) = match &series.marks {
                Marks::Line(points) => ("line", points.iter().map(|&(x, y)| json!([text(x), text(y)])).collect()),
                Marks::Points(points) => ("points", points.iter().map(|&(x, y)| json!([text(x), text(y)])).collect()),
                Marks::Band(points) => ("band", points.iter().map(|&(x, low, high)| json!([text(x), text(low), text(high)])).collect()),
            };
            json!({ "name": series.name, "marks": kind, "values": points })
        })
        .collect();
    json!({ "title": plot.title, "description": plot.description, "x": axis(&plot.x), "y": axis(&plot.y), "series": series })
}

#[cfg(test)]
mod tests {
    use super::{label, number, plot_json, plot_svg, ticks};
    use calculator::{Axis, Marks, Plot, Series};

    fn sample(x: Axis, y: Axis) -> Plot {
        Plot {
            title: "T < 1 & \"so\"".into(),
            description: "falls".into(),
            x,
            y,
            series: vec![
                Series { name: "line".into(), marks: Marks::Line(vec![(1.0, 4.0), (10.0, 3.0), (20.0, f64::NAN), (50.0, 2.0), (100.0, 1.0)]) },
                Series { name: "points".into(), marks: Marks::Points(vec![(1.0, 2.0), (100.0, 0.0)]) },
                Series { name: "band".into(), marks: Marks::Band(vec![(1.0, 1.0, 2.0), (100.0, 2.0, 3.0)]) },
            ],
        }
    }

    /// The corners of every polyline, polygon and circle.
    fn corners(svg: &str, element: &str, key: &str) -> Vec<String> {
        svg.lines()
            .filter(|line| line.starts_with(&format!("<{element} ")))
            .filter_map(|line| line.split_once(&format!("{key}=\"")).and_then(|(_, rest)| rest.split('"').next()).map(str::to_owned))
            .collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let linear = Axis::linear("x");
        assert_eq!(ticks(&linear, (0.0, 1.0)), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(&linear, (-3.0, 11.0)), [-2.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        let log = Axis::log("x");
        let labels = |range| ticks(&log, range).into_iter().map(|at| label(&log, at)).collect::<Vec<_>>();
        assert_eq!(labels((0.0, 3.0)), ["1", "10", "100", "1000"]);
        assert_eq!(labels((-0.01, 1.01)), ["1", "2", "5", "10"]);
        // 3.1 to 3.9: no 1, 2 or 5 in it.
        assert_eq!(labels((0.4913, 0.5911)), ["3.2", "3.4", "3.6", "3.8"]);
        assert_eq!(labels((-20.0, 20.0)), ["1e-18", "1e-12", "1e-6", "1", "1e6", "1e12", "1e18"]);
    }

    #[test]
    fn numbers_for_the_eye() {
        let shown = [0.0, 1.0, -0.25, 0.6000000000000001, 12345.6, 123456.0, 1e-4, 1.5e-7, f64::INFINITY].map(number);
        assert_eq!(shown, ["0", "1", "-0.25", "0.6", "12346", "1.235e5", "0.0001", "1.5e-7", "inf"]);
    }

    #[test]
    fn what_is_drawn_stands_where_it_should() {
        let svg = plot_svg(&sample(Axis::linear("x"), Axis::linear("y")));
        assert!(svg.contains("<title>T &lt; 1 &amp; &quot;so&quot;</title>\n<desc>falls</desc>"), "{svg}");
        // The line is cut at the missing value: two pieces in its colour (and its legend), of two corners each.
        let lines: Vec<String> = corners(&svg, "polyline", "points");
        let blue: Vec<&str> = svg.lines().filter(|line| line.starts_with("<polyline") && line.contains("#2F7ED8")).collect();
        assert_eq!(blue.len(), 3, "{lines:?}");
        // Points that fall together in value fall together on the page: (1, 2) and the band's upper left corner.
        let circles =
            corners(&svg, "circle", "cx").into_iter().zip(corners(&svg, "circle", "cy")).map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>();
        assert!(corners(&svg, "polygon", "points")[0].split_whitespace().any(|corner| circles.contains(&corner.to_owned())), "{circles:?}");
        // Between x = 1 and x = 100 a linear axis puts 10 near the left end, a log axis in the middle.
        let share = |svg: &str| {
            let line =
                svg.lines().find(|line| line.starts_with("<polyline") && line.contains("#2F7ED8") && !line.contains("232,")).unwrap_or_default();
            let xs: Vec<f64> = line
                .split("points=\"")
                .nth(1)
                .unwrap_or_default()
                .split_whitespace()
                .filter_map(|corner| corner.split(',').next()?.parse().ok())
                .collect();
            let right: f64 = circles.iter().filter_map(|corner| corner.split(',').next()?.parse::<f64>().ok()).fold(0.0, f64::max);
            (xs[1] - xs[0]) / (right - xs[0])
        };
        // 9/99, up to a pixel of about 2400.
        assert!((share(&svg) - 9.0 / 99.0).abs() < 1e-3, "{}", share(&svg));
        let log = plot_svg(&sample(Axis::log("x"), Axis::linear("y")));
        assert!((share(&log) - 0.5).abs() < 1e-3, "{}", share(&log));
    }

    #[test]
    fn the_bytes_are_the_same_and_degenerate_pictures_are_pictures() {
        let plot = sample(Axis::log("x"), Axis::log("y"));
        assert_eq!(plot_svg(&plot), plot_svg(&plot));
        // 0 has no place on a log axis: one circle less (the legend's and (1, 2) are left).
        assert_eq!(plot_svg(&plot).matches("<circle").count(), 2);
        let empty = Plot { series: vec![], ..plot.clone() };
        assert!(plot_svg(&empty).contains("no values to draw"));
        let point = Plot {
            series: vec![Series { name: "p".into(), marks: Marks::Points(vec![(3.0, 0.0)]) }],
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            ..plot
        };
        let svg = plot_svg(&point);
        assert!(svg.matches("<circle").count() == 2 && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn the_numbers_are_given_exactly() {
        let json = plot_json(&sample(Axis::log("x"), Axis::linear("y")));
        assert_eq!(json["x"]["scale"], "log");
        assert_eq!(json["series"][0]["values"][2], serde_json::json!(["20", null]));
        assert_eq!(json["series"][2]["marks"], "band");
    }
}
