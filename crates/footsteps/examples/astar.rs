use footsteps::*;
fn main() {
    let limits = robot::WalkingLimits::default();
    let start = stance_feet(&limits, &Planar::new(0.0, 0.0, 0.0)).map(|foot| foot.level(0.0));
    for goal in [
        Planar::new(3.0, 0.0, 0.0),
        Planar::new(2.0, 2.2, 1.5),
        Planar::new(-3.0, 0.3, 0.0),
        Planar::new(0.0, 3.0, 0.0),
    ] {
        let mut problem = Problem::new(limits.clone(), start, Goal::at(&goal));
        problem.parameters.search.max_expansions = 3000;
        let t = std::time::Instant::now();
        match plan(&problem, Planner::AStar, &|| false) {
            Ok(p) => {
                println!(
                    "{:?} steps {} cost {:.3} exp {} fin {} imps {:?}",
                    t.elapsed(),
                    p.steps.len(),
                    p.cost,
                    p.search.expansions,
                    p.search.finished,
                    p.search.improvements
                );
                let quick = plan(&problem, Planner::Quick, &|| false).unwrap();
                println!("   quick {}", quick.steps.len());
                problem.parameters.search.max_expansions = p.search.improvements[0].expansions;
                let best = (0..10)
                    .map(|_| {
                        let t = std::time::Instant::now();
                        plan(&problem, Planner::AStar, &|| false).unwrap();
                        t.elapsed()
                    })
                    .min();
                println!("   first in {best:?}");
            }
            Err(e) => println!("{e}"),
        }
    }
}
