//! Properties of newpaper, as an outsider would test them.

use proptest::prelude::*;
use theorycheck::FIELD::newpaper::bounds::{product, squares};
use theorycheck::numeric::{Ordered, Rational};

proptest! {
    #[test]
    fn the_product_is_at_most_the_squares(x in -1000_i64..1000, y in -1000_i64..1000) {
        let (x, y) = (Rational::from(x), Rational::from(y));
        prop_assert!(product(&x, &y).le(&squares(&x, &y)).is_true());
    }
}
