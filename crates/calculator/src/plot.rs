//! A picture as data: axes, series, and words for those who do not see it. How it is drawn is the report's business.

/// How an axis counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    #[default]
    Linear,
    /// Equal steps are equal ratios: positive values only.
    Log,
}

/// One axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What is counted, with its unit.
    pub label: String,
    /// How.
    pub scale: Scale,
}

impl Axis {
    /// An axis of equal differences.
    #[must_use]
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear }
    }

    /// An axis of equal ratios.
    #[must_use]
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Log }
    }
}

/// What a series shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// A line through (x, y).
    Line(Vec<(f64, f64)>),
    /// Single points (x, y).
    Points(Vec<(f64, f64)>),
    /// A band (x, low, high).
    Band(Vec<(f64, f64, f64)>),
}

/// One series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its marks, x ascending.
    pub marks: Marks,
}

/// A picture. Its numbers are for the eye: a verdict never rests on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The title.
    pub title: String,
    /// What is to be seen, in a sentence (the text in place of the picture).
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, in drawing order.
    pub series: Vec<Series>,
}
