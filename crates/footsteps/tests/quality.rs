//! Few steps on a level floor. `coact footsteps --table` prints the whole table; this is a smaller one.

use crate::common;

use common::small;
use footsteps::{Optimum, table};
use robot::WalkingLimits;

#[test]
fn the_quick_planner_is_near_the_optimum_and_never_above_turn_walk_turn() {
    for (limits, radius_m) in [(WalkingLimits::default(), 1.0), (small(), 0.6)] {
        let optimum = Optimum::of(&limits, radius_m + 0.5, 2, 36);
        let grid = table::Grid { distances_m: vec![0.0, radius_m / 4.0, radius_m], directions: 8, headings: 12 };
        let rows = grid.rows(&limits, &optimum);
        assert!(rows.iter().all(|row| row.failures == 0 && row.worse_than_turn_walk_turn == 0), "{rows:?}");
        assert!(table::within_two(&rows) >= 0.95, "{rows:?}");
    }
}
