//! One-sidedness: draws far inside a null hypothesis are never evidence against it, however far and however many.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine::inference::{Betting, Catoni, EProcess, HalfNormalMixture, Null};

#[test]
fn draws_far_inside_the_null_never_reject_it() {
    for null in [Null::AtMost, Null::AtLeast] {
        let side = if null == Null::AtMost { -1.0 } else { 1.0 };
        for distance in [0.0, 0.01, 0.5, 1.0, 5.0, 40.0, 1e3, 1e6, 1e100] {
            for horizon in [10, 1_000, 100_000] {
                let mut tests: Vec<(&str, Box<dyn EProcess>)> = vec![
                    ("normal mixture", Box::new(HalfNormalMixture::new(1.0, null, 0.0, horizon).unwrap())),
                    ("Catoni 1.5", Box::new(Catoni::central(1.5, 1.0, null, 0.0, horizon).unwrap())),
                    ("Catoni 2", Box::new(Catoni::central(2.0, 1.0, null, 0.0, horizon).unwrap())),
                    ("betting", Box::new(Betting::new(-1e101, 1e101, null, 0.0).unwrap())),
                ];
                for (name, test) in &mut tests {
                    for count in 1..=2_000 {
                        assert!(test.update(side * distance));
                        let log = test.log_capital();
                        assert!(log <= 1e-9 || log.is_nan(), "{name}, {null:?}: {count} draws {distance} inside the null give ln capital {log}");
                    }
                }
            }
        }
    }
}
