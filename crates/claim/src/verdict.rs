//! Verdicts, routes and provenance: the words every report uses.

use std::fmt;

/// What a run says of a claim, weakest first (the derived order is the strength).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// An instance that satisfies the assumptions breaks the statement; the witness is exact.
    Refuted,
    /// No instance satisfies the assumptions.
    Vacuous,
    /// Neither shown nor broken within the budget.
    Undecided,
    /// Statistics at a stated error level, with the power to refute the claim's statistical mutant.
    Supported,
    /// Rigorous arithmetic on every instance tried, at least 10,000 distinct ones or the whole finite family.
    Holds,
    /// Rigorous arithmetic over the claim's whole domain.
    Proved,
}

impl Verdict {
    /// All verdicts, strongest first.
    pub const ALL: [Verdict; 6] = [Verdict::Proved, Verdict::Holds, Verdict::Supported, Verdict::Undecided, Verdict::Vacuous, Verdict::Refuted];

    /// The word used on screen and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Holds => "holds",
            Verdict::Supported => "supported",
            Verdict::Undecided => "undecided",
            Verdict::Vacuous => "vacuous",
            Verdict::Refuted => "refuted",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A way to check a part of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Route {
    /// Exact arithmetic on instances.
    Exact,
    /// Outward-rounded arithmetic over boxes.
    Certified,
    /// Anytime-valid tests of expectations.
    Statistical,
    /// Slopes of means over sizes, with confidence.
    Rate,
}

impl Route {
    /// The word used on screen, in JSON and as the key of the route's random streams.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Route::Exact => "exact",
            Route::Certified => "certified",
            Route::Statistical => "statistical",
            Route::Rate => "rate",
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where a statement comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// Printed in the paper or in its public material (the claim's source says in which).
    Paper,
    /// Only said in the abstract.
    Abstract,
    /// Ours; the argument is in the claim.
    Derived,
}

impl Provenance {
    /// The word used on screen and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Provenance::Paper => "paper",
            Provenance::Abstract => "abstract",
            Provenance::Derived => "derived",
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
