//! The routes: one module each, the verdicts they add up to, and the run over a list of claims.
//!
//! The engine sees erased checks only ([`claim::Check`]), so it is compiled once whatever papers there are.
//! Its record depends on (claims, seed, effort) and on nothing else: streams are keyed, reductions have a fixed order, budgets are counts.

mod certified;
mod exact;
mod falsify;
pub mod inference;
pub mod ledger;
mod rate;
mod run;
mod settings;
mod statistical;
mod stream;
mod token;
mod witness;

pub use falsify::{BoxSearch, DEFAULT_BUDGET, Falsified, FalsifyError, MAX_BUDGET, Search, falsify, search, search_box};
pub use run::{Progress, Silent, check_claim, run};
pub use settings::{Effort, EngineError, Settings};
pub use stream::{Keyed, Stream};
pub use token::{ReplayError, Replayed, Token, replay};
pub use witness::DIGITS;
