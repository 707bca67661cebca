//! Properties of newpaper, as an outsider would test them.

use crate::report_new::newpaper::bounds::{product, squares};
use proptest::prelude::*;
use theorycheck::numeric::{Ordered, Rational};

proptest! {
    #[test]
    fn the_product_is_at_most_the_squares(x in -1000_i64..1000, y in -1000_i64..1000) {
        let (x, y) = (Rational::from(x), Rational::from(y));
        prop_assert!(Ordered::le(&product(&x, &y), &squares(&x, &y)).is_true());
    }
}
