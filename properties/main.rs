//! Property tests: instances by proptest, small algebraic laws by quickcheck. A new file beside this one is found by itself.

include!(concat!(env!("OUT_DIR"), "/modules.rs"));
