//! The link to the Lean project in `lean/`: which declaration stands beside which claim, static checks of the source, its statements tried
//! on random instances, golden vectors, generated certificates, and the run of `lake` where there is one.
//!
//! The room knows no paper: claims are ids, certificates are numbers that the caller brings.

mod certificate;
mod check;
mod declaration;
mod golden;
mod interpreter;
mod lake;
mod lexer;
mod map;
mod syntax;

pub use certificate::{Candidate, CertificateError, Export, export};
pub use check::{Checked, Finding, FormalError, check, program, refresh};
pub use declaration::{Declaration, Keyword, declarations, sha256};
pub use golden::{GoldenEntry, golden, golden_json};
pub use interpreter::{Program, RunError};
pub use lake::{Lake, run_lake, version};
pub use lexer::{FORBIDDEN, forbidden, strip};
pub use map::{Entry, Kind, MapError, lean_names, own_map, read_map};
