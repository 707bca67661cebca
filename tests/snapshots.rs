//! `explain` for every claim, as snapshots.

use crate::run::{claims, command};

#[test]
fn explain_every_claim() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for claim in claims() {
            let explained = command(&["explain", claim.id], "");
            insta::assert_snapshot!(format!("explain-{}", claim.id.replace('/', "-")), explained.output);
        }
    });
}
