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
    /// Several values, in order: a JSON array.
    List(Vec<Value>),
    /// Named values, in order: a JSON object.
    Map(Vec<(String, Value)>),
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
            Value::List(values) => Json::Array(values.iter().map(Value::to_json).collect()),
            Value::Map(entries) => Json::Object(entries.iter().map(|(key, value)| (key.clone(), value.to_json())).collect()),
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
            Value::List(values) if values.is_empty() => "none".to_owned(),
            Value::List(values) => values.iter().map(Value::to_nested).collect::<Vec<_>>().join(", "),
            Value::Map(entries) => entries.iter().map(|(key, value)| format!("{key}: {}", value.to_nested())).collect::<Vec<_>>().join(", "),
        }
    }
    /// As words inside another value: several stand in brackets.
    fn to_nested(&self) -> String {
        match self {
            Value::List(_) | Value::Map(_) => format!("({})", self.to_text()),
            _ => self.to_text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn nested_values_as_words_and_as_json() {
        let order = Value::List(vec![Value::Text("A".into()), Value::Text("B".into())]);
        let value = Value::Map(vec![("best".into(), order), ("cycles".into(), Value::List(vec![])), ("sum".into(), Value::Count(3))]);
        assert_eq!(value.to_text(), "best: (A, B), cycles: (none), sum: 3");
        assert_eq!(value.to_json().to_string(), r#"{"best":["A","B"],"cycles":[],"sum":3}"#);
    }
}
