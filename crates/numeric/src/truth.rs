//! Three-valued answers: an enclosure may be too wide to decide a comparison.

/// The answer to a question about numbers that may only be known up to an enclosure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// Certainly true for every value enclosed.
    True,
    /// Certainly false for every value enclosed.
    False,
    /// Not decided: the enclosures overlap, or an operand is undefined.
    Unknown,
}

impl Truth {
    /// True exactly when the answer is certain and positive.
    #[must_use]
    pub fn is_true(self) -> bool {
        self == Truth::True
    }

    /// True exactly when the answer is certain and negative.
    #[must_use]
    pub fn is_false(self) -> bool {
        self == Truth::False
    }

    /// Kleene conjunction: false wins over unknown.
    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, Truth::True) => Truth::True,
            _ => Truth::Unknown,
        }
    }

    /// Kleene disjunction: true wins over unknown.
    #[must_use]
    pub fn or(self, other: Truth) -> Truth {
        !((!self).and(!other))
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Truth {
        if value { Truth::True } else { Truth::False }
    }
}
