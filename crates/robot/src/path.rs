use geometry::Pose;
use model::Random;

use crate::chain::Chain;
use crate::descent::{Descent, Tolerance};
use crate::ik::IkResult;
use crate::transform::Transform;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathSettings {
    pub position_tolerance_m: f64,
    pub angle_tolerance_rad: f64,
    /// No joint goes further, rad or m, from one pose to the next: a jump is worse than a miss.
    pub largest_step: f64,
    /// How often `PathSolver::solve` may go through the path, each time leaning towards another configuration.
    pub tries: usize,
    /// Of all tries together: with more behind it, `PathSolver::solve` does not begin another.
    pub most_iterations: usize,
    /// The same seed, path and start give the same result, whatever was solved before.
    pub seed: u64,
}

impl Default for PathSettings {
    fn default() -> PathSettings {
        PathSettings {
            position_tolerance_m: 1e-4,
            angle_tolerance_rad: 1e-3,
            largest_step: 0.2,
            tries: 50,
            most_iterations: 8000,
            seed: 1,
        }
    }
}

/// One entry for each pose of the path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolvedPath {
    pub configurations: Vec<Vec<f64>>,
    pub results: Vec<IkResult>,
    /// How often the path was gone through, or begun.
    pub tries: usize,
    /// Of inverse kinematics, in all tries.
    pub iterations: usize,
}

impl SolvedPath {
    /// That of the worst pose: up to 1 all are solved, above 1 not.
    pub fn quality(&self) -> f64 {
        self.results.iter().fold(0.0, |worst, result| worst.max(result.quality))
    }

    pub fn is_solved(&self) -> bool {
        self.quality() <= 1.0
    }

    fn solved_poses(&self) -> usize {
        self.results.iter().filter(|result| result.is_solved()).count()
    }
}

/// The share of the way to the configuration leant to that is gone with a step of the path.
const LEAN: f64 = 0.06;

/// Inverse kinematics along a path of the tip, without jumps. What the pose of the tip leaves free leans away from the
/// limits, where a path ends that could go on.
#[derive(Clone, Debug)]
pub struct PathSolver {
    descent: Descent,
    settings: PathSettings,
    middle: Vec<f64>,
}

impl PathSolver {
    pub fn new(chain: Chain, settings: PathSettings) -> PathSolver {
        let tolerance =
            Tolerance { position_m: settings.position_tolerance_m, angle_rad: settings.angle_tolerance_rad };
        // Not a number: a joint without end leans nowhere.
        let middle = chain.limits.iter().map(|limits| 0.5 * (limits.lower + limits.upper)).collect();
        PathSolver { descent: Descent::new(chain, tolerance), settings, middle }
    }

    pub fn chain(&self) -> &Chain {
        &self.descent.chain
    }

    /// The next pose of a path that is not known further, as when a person guides the hand. From the configuration in
    /// `positions`, which becomes the one found, or the nearest to it within a step.
    pub fn step(&mut self, base_from_tip: &Pose, positions: &mut [f64]) -> IkResult {
        assert_eq!(positions.len(), self.descent.chain.len(), "one position for each coordinate of the chain");
        follow(&mut self.descent, self.settings.largest_step, &self.middle, base_from_tip, positions)
    }

    /// A path that is known as a whole. The arm that leans wrongly at its beginning is stuck at a limit before its end:
    /// then it is gone through again, leaning elsewhere. What solves the most poses counts.
    pub fn solve(&mut self, base_from_tip: &[Pose], start: &[f64]) -> SolvedPath {
        assert_eq!(start.len(), self.descent.chain.len(), "one position for each coordinate of the chain");
        let mut random = Random::new(self.settings.seed);
        let mut lean_to = self.middle.clone();
        let mut best = SolvedPath::default();
        let mut unsolved = usize::MAX;
        self.descent.iterations = 0;
        for tries in 1..=self.settings.tries.max(1) {
            if let Some(path) = self.go_through(base_from_tip, start, &lean_to, unsolved) {
                unsolved = base_from_tip.len() - path.solved_poses();
                best = path;
            }
            (best.tries, best.iterations) = (tries, self.descent.iterations);
            if best.is_solved() || best.iterations >= self.settings.most_iterations {
                break;
            }
            for (lean_to, limits) in lean_to.iter_mut().zip(&self.descent.chain.limits) {
                *lean_to = random.between(limits.lower, limits.upper);
            }
        }
        best
    }

    /// None as soon as it is known to leave as many poses unsolved as another try did, or took too much besides one.
    fn go_through(
        &mut self,
        base_from_tip: &[Pose],
        start: &[f64],
        lean_to: &[f64],
        fewer_than: usize,
    ) -> Option<SolvedPath> {
        let mut path = SolvedPath::default();
        let mut positions = start.to_vec();
        let mut unsolved = 0;
        for pose in base_from_tip {
            let result = follow(&mut self.descent, self.settings.largest_step, lean_to, pose, &mut positions);
            unsolved += usize::from(!result.is_solved());
            let tired = fewer_than != usize::MAX && self.descent.iterations >= self.settings.most_iterations;
            if unsolved >= fewer_than || tired {
                return None;
            }
            path.results.push(result);
            path.configurations.push(positions.clone());
        }
        Some(path)
    }
}

fn follow(
    descent: &mut Descent,
    largest_step: f64,
    lean_to: &[f64],
    base_from_tip: &Pose,
    positions: &mut [f64],
) -> IkResult {
    if !base_from_tip.is_finite() {
        return IkResult::NONE;
    }
    let target = Transform::from(base_from_tip);
    for (index, position) in positions.iter().enumerate() {
        let limits = &descent.chain.limits[index];
        // What is outside comes to the limit at once.
        let from = if position.is_finite() { position.max(limits.lower).min(limits.upper) } else { 0.0 };
        descent.bounds[index] = [limits.lower.max(from - largest_step), limits.upper.min(from + largest_step)];
        let lean = LEAN * (lean_to[index] - from);
        descent.pull[index] =
            if lean.is_finite() { lean.max(-0.5 * largest_step).min(0.5 * largest_step) } else { 0.0 };
    }
    descent.begin_at(positions);
    let mut error = descent.descend_pulled(&target);
    if error.quality > 1.0 {
        descent.begin_at(positions);
        error = descent.descend(&target);
    }
    positions.copy_from_slice(&descent.tried);
    IkResult::new(&error, 0)
}
