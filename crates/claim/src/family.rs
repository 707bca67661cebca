//! Families: generators of instances that satisfy a claim's assumptions, special ones first.

use crate::Tape;
use std::hash::Hash;

/// One concrete configuration. Its hash tells distinct instances apart; its text is exact (integers and p/q) and is what a witness prints.
pub trait Instance: Clone + Send + Sync + Hash + 'static {
    /// The instance in exact form, short enough for one line.
    fn show(&self) -> String;
}

impl Instance for Vec<i64> {
    fn show(&self) -> String {
        let inner: Vec<String> = self.iter().map(i64::to_string).collect();
        format!("({})", inner.join(", "))
    }
}

/// A generator of instances.
pub trait Family: Send + Sync + 'static {
    /// What it generates.
    type Instance: Instance;

    /// A short stable name, unique within its claim's part; it is part of the replay token.
    fn id(&self) -> String;

    /// What the instances are, in one line: shown as the part's domain.
    fn domain(&self) -> String;

    /// Zeros, ties, equality cases, extremes, sizes 0, 1, 2: always tried, in this order.
    fn special(&self) -> Vec<Self::Instance>;

    /// How many words an instance may read from its tape; 0 when the special instances are the whole family.
    fn tape_len(&self) -> usize;

    /// The instance of a tape. Total: every tape gives an instance (the check says whether it satisfies the assumptions).
    fn draw(&self, tape: &mut Tape<'_>) -> Self::Instance;
}
