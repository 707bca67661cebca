//! calculator
