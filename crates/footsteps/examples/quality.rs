use footsteps::*;
fn main() {
    let limits = robot::WalkingLimits::default();
    let t = std::time::Instant::now();
    let optimum = Optimum::of(&limits, 3.6, 3, 36);
    eprintln!("optimum {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let grid = table::Grid::default();
    let rows = grid.rows(&limits, &optimum);
    eprintln!("rows {:?}", t.elapsed());
    println!("{}", table::markdown(&rows));
    println!("{:.4} failures {}", table::within_two(&rows), rows.iter().map(|r| r.failures).sum::<usize>());
    let start = stance_feet(&limits, &Planar::new(0.0, 0.0, 0.0)).map(|foot| foot.level(0.0));
    let mut worst = std::time::Duration::ZERO;
    let mut all = std::time::Duration::ZERO;
    let goals = grid.goals(3.0);
    for goal in &goals {
        let problem = Problem::new(limits.clone(), start, Goal::at(goal));
        let t = std::time::Instant::now();
        std::hint::black_box(plan(&problem, Planner::Quick, &|| false).unwrap());
        let e = t.elapsed();
        worst = worst.max(e);
        all += e;
    }
    println!("mean {:?} worst {:?}", all / goals.len() as u32, worst);
    for d in [0.4, 1.0, 2.0, 3.0] {
        let mut shown = 0;
        for goal in grid.goals(d) {
            let problem = Problem::new(limits.clone(), start, Goal::at(&goal));
            let q = plan(&problem, Planner::Quick, &|| false).unwrap().steps.len();
            let o = optimum.steps(&goal).unwrap_or(q);
            if q > o + 2 && shown < 8 {
                shown += 1;
                println!(
                    "d {d} x {:.2} y {:.2} yaw {:.0}: quick {q} optimum {o}",
                    goal.x_m,
                    goal.y_m,
                    goal.yaw_rad.to_degrees()
                );
            }
        }
    }
}
