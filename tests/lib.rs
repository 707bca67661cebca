//! End-to-end tests. This library is empty: the package is its test binary.
