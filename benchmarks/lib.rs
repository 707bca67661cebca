//! Speeds: what is promised (`figures.toml`) and the program that measures it (`table.rs`).
