//! Property tests, one file per paper. This library is empty: the package is its test binary.
