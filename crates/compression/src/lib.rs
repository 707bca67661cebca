//! Papers on compression: pruning, quantization, routing.

pub mod emp;
