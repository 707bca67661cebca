//! How hard a run tries: counts only, never seconds.

use std::fmt;
use std::str::FromStr;

/// How hard a run tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Effort {
    /// Seconds on a laptop; enough for every declared verdict.
    #[default]
    Quick,
    /// About ten times quick.
    Standard,
    /// About two hundred times quick.
    Deep,
}

impl Effort {
    /// The word of the flag and of the record.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Standard => "standard",
            Effort::Deep => "deep",
        }
    }

    /// Distinct instances that satisfy the assumptions which a sampled family must give before a part `holds`.
    ///
    /// The quick figure is the least that the verdict's definition allows (10,000) with a margin for coinciding fingerprints.
    #[must_use]
    pub fn instances(self) -> u64 {
        match self {
            Effort::Quick => 10_240,
            Effort::Standard => 102_400,
            Effort::Deep => 2_048_000,
        }
    }

    /// Evaluations that the falsifier may spend on a part that holds, and on a mutant that has not fallen.
    #[must_use]
    pub fn falsifier(self) -> u64 {
        match self {
            Effort::Quick => 3_000,
            Effort::Standard => 60_000,
            Effort::Deep => 2_000_000,
        }
    }

    /// By how much the statistical routes' numbers of draws exceed those at the quick effort.
    #[must_use]
    pub fn draws_factor(self) -> u64 {
        match self {
            Effort::Quick => 1,
            Effort::Standard => 8,
            Effort::Deep => 100,
        }
    }

    /// Boxes that a branch-and-bound search may visit, over all values of the integer parameters.
    #[must_use]
    pub fn boxes(self) -> u64 {
        match self {
            Effort::Quick => 200_000,
            Effort::Standard => 2_000_000,
            Effort::Deep => 40_000_000,
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Effort {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<Effort, EngineError> {
        [Effort::Quick, Effort::Standard, Effort::Deep]
            .into_iter()
            .find(|effort| effort.as_str() == text)
            .ok_or_else(|| EngineError::UnknownEffort { given: text.to_owned() })
    }
}

/// What a run depends on. The number of threads changes its time only.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The seed of every stream.
    pub seed: u64,
    /// How hard to try.
    pub effort: Effort,
    /// Threads; None for one a core.
    pub threads: Option<usize>,
}

/// What can go wrong with a run itself (not with a claim).
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// An effort that does not exist.
    #[error("effort '{given}' is not one of quick, standard, deep")]
    UnknownEffort {
        /// What was given.
        given: String,
    },
    /// Two claims share an id, or two parts a name: the registry is wrong.
    #[error("the registry lists '{id}' twice")]
    Duplicate {
        /// The id.
        id: String,
    },
    /// The levels of the statistical checks sum to more than the budget.
    #[error("the statistical checks' levels sum to {total}, above the budget {budget}")]
    Ledger {
        /// The sum.
        total: String,
        /// The budget.
        budget: String,
    },
    /// A statistical or rate check that is no test: its level, its law or its sizes are out of range.
    #[error("{claim} {part}: {source}")]
    Inference {
        /// The claim.
        claim: String,
        /// The part, or the mutant behind a tilde.
        part: String,
        /// What is wrong.
        source: crate::inference::InferenceError,
    },
    /// The operating system gave no threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// The system's words.
        reason: String,
    },
}
