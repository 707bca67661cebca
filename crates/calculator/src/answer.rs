//! Answers: ordered keys with exact numbers, decimals and counts.

use crate::Plot;
use serde_json::{Map, Value as Json};

/// One value of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An exact number as "p/q" (an integer without a denominator), or null where it is too long or does not exist.
    Exact(Option<String>),
    /// A decimal of at least 20 significant digits, rounded as the key's meaning asks.
    Decimal(String),
    /// A count: a JSON integer.
    Count(u64),
    /// Words.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// No value.
    Null,
}

/// The keys of one report, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The tensor or row it is about, where there are several.
    pub name: Option<String>,
    /// Keys and values.
    pub entries: Vec<(&'static str, Value)>,
}

impl Report {
    /// Adds a key.
    pub fn push(&mut self, key: &'static str, value: Value) {
        self.entries.push((key, value));
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    fn to_json(&self) -> Json {
        let mut map = Map::new();
        if let Some(name) = &self.name {
            map.insert("name".to_owned(), Json::String(name.clone()));
        }
        for (key, value) in &self.entries {
            map.insert((*key).to_owned(), value.to_json());
        }
        Json::Object(map)
    }
}

/// What a calculator says: one report, or one for each tensor or row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The reports.
    pub reports: Vec<Report>,
    /// The reports stand in a list even if there is only one (the user asked for one each).
    pub listed: bool,
    /// Remarks for the user, in order (on standard error; not part of the JSON).
    pub notes: Vec<String>,
    /// A picture of the answer, where it has one (drawn with `--plot FILE.svg`; not part of the JSON).
    pub plot: Option<Plot>,
}

impl Answer {
    /// An answer of one report.
    #[must_use]
    pub fn single(report: Report) -> Answer {
        Answer { reports: vec![report], listed: false, notes: Vec::new(), plot: None }
    }

    /// One JSON object: the report's keys, or `{"reports": [..]}`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        if let ([report], false) = (&self.reports[..], self.listed) {
            return report.to_json();
        }
        let mut map = Map::new();
        map.insert("reports".to_owned(), Json::Array(self.reports.iter().map(Report::to_json).collect()));
        Json::Object(map)
    }
}

impl Value {
    /// As JSON: counts are integers, all other numbers strings.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self {
            Value::Exact(None) | Value::Null => Json::Null,
            Value::Exact(Some(text)) | Value::Decimal(text) | Value::Text(text) => Json::String(text.clone()),
            Value::Count(count) => Json::from(*count),
            Value::Flag(flag) => Json::Bool(*flag),
        }
    }

    /// As words for a terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Value::Exact(None) => "- (irrational, or more than 200 digits)".to_owned(),
            Value::Null => "-".to_owned(),
            Value::Exact(Some(text)) | Value::Decimal(text) | Value::Text(text) => text.clone(),
            Value::Count(count) => count.to_string(),
            Value::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        }
    }
}
