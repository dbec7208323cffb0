//! What counts as an attempt.

use experience::{Attempts, Means};

#[test]
fn only_what_went_wrong_counts() {
    let mut attempts = Attempts::default();
    for means in [Means::Again, Means::Regrasp, Means::Retry, Means::Again] {
        attempts.chosen("low");
        attempts.begun();
        attempts.ended(&"low".into(), means);
    }
    assert_eq!((attempts.made, attempts.counted), (4, 1));
    assert!(!attempts.are_used_up(2));
    assert!(attempts.are_used_up(1));
}

/// An attempt that was to change the strategy counts as soon as the same is chosen again, and then once.
#[test]
fn a_change_that_changes_nothing_counts() {
    let mut attempts = Attempts::default();
    attempts.begun();
    attempts.ended(&"low".into(), Means::Switch);
    assert!(!attempts.chosen("high"));
    assert_eq!(attempts.counted, 0);
    attempts.begun();
    attempts.ended(&"high".into(), Means::Switch);
    assert!(attempts.chosen("high"));
    assert!(!attempts.chosen("high"));
    assert_eq!(attempts.counted, 1);
}
