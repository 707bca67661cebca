//! theorycheck
