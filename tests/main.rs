//! End-to-end tests: verdicts, mutants, determinism, bad input, the command line, the documents. They share one quick run.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bad_input;
mod calculator;
mod cli;
mod documents;
mod examples;
mod falsifier;
mod lean;
mod report_new;
mod report_page;
mod report_plots;
mod report_records;
mod run;
mod snapshots;
mod verdicts;
