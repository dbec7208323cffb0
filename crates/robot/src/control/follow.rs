//! What a joint may do from one control step to the next. Every joint but those of the legs goes through here, whatever
//! commands ask for: no position beyond a limit and no step faster than the limit leaves the controller.

use crate::Limits;
use crate::trajectory::Pace;

/// Full speed is reached, and left, in this time.
const SPEED_UP_S: f64 = 0.1;
/// For joints whose file gives no speed.
const SPEED: f64 = 10.0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct JointLimits {
    pub lower: f64,
    pub upper: f64,
    pub pace: Pace,
}

/// Where a joint should be after this step, and how fast that moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub position: f64,
    pub velocity: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct JointState {
    pub position: f64,
    pub velocity: f64,
}

impl JointLimits {
    pub fn of(limits: &Limits) -> JointLimits {
        let speed = if limits.speed.is_finite() && limits.speed > 0.0 { limits.speed } else { SPEED };
        let pace = Pace { speed, acceleration: speed / SPEED_UP_S };
        JointLimits { lower: limits.lower, upper: limits.upper, pace }
    }

    /// Onto the aim if it can be reached in this step, else the fastest way there that does not overshoot it.
    pub fn follow(&self, now: JointState, aim: &Aim, dt_s: f64) -> JointState {
        let along = aim.velocity.clamp(-self.pace.speed, self.pace.speed);
        let error = aim.position - now.position - along * dt_s;
        let catch_up = self.stopping_within(error.abs(), dt_s);
        self.moved(now, along + catch_up.copysign(error), dt_s)
    }

    pub fn brake(&self, now: JointState, dt_s: f64) -> JointState {
        self.moved(now, 0.0, dt_s)
    }

    fn moved(&self, now: JointState, wanted: f64, dt_s: f64) -> JointState {
        let Pace { speed, acceleration } = self.pace;
        let change = acceleration * dt_s;
        let velocity = wanted.clamp(now.velocity - change, now.velocity + change).clamp(-speed, speed);
        let up = self.stopping_within((self.upper - now.position).max(0.0), dt_s);
        let down = self.stopping_within((now.position - self.lower).max(0.0), dt_s);
        let velocity = velocity.clamp(-down, up);
        let position = (now.position + velocity * dt_s).max(self.lower).min(self.upper);
        JointState { position, velocity: (position - now.position) / dt_s }
    }

    /// The largest speed from which braking, step by step, ends within a way.
    fn stopping_within(&self, way: f64, dt_s: f64) -> f64 {
        if way == f64::INFINITY {
            return way;
        }
        let acceleration = self.pace.acceleration;
        let half = 0.5 * acceleration * dt_s;
        ((half * half + 2.0 * acceleration * way).sqrt() - half).min(way / dt_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: JointLimits = JointLimits { lower: -1.0, upper: 1.0, pace: Pace { speed: 2.0, acceleration: 20.0 } };
    const DT_S: f64 = 0.005;

    fn run(start: JointState, aim: impl Fn(usize) -> Aim, steps: usize) -> Vec<JointState> {
        let mut states = vec![start];
        for step in 0..steps {
            let now = LIMITS.follow(states[step], &aim(step), DT_S);
            assert!((now.velocity - states[step].velocity).abs() <= 20.0 * DT_S + 1e-9);
            assert!(now.velocity.abs() <= 2.0 + 1e-9 && now.position.abs() <= 1.0);
            states.push(now);
        }
        states
    }

    #[test]
    fn goes_there_without_overshoot_and_rests() {
        for (start, velocity, goal) in [(0.0, 0.0, 0.8), (-0.9, 0.0, 1.0), (0.5, 1.5, 1.0), (0.0, 0.0, 0.001)] {
            let aim = Aim { position: goal, velocity: 0.0 };
            let states = run(JointState { position: start, velocity }, |_| aim, 400);
            assert!(states.iter().all(|state| state.position <= goal + 1e-9));
            assert!((states[400].position - goal).abs() < 1e-9 && states[400].velocity.abs() < 1e-6);
        }
    }

    #[test]
    fn an_aim_that_can_be_followed_is_met_exactly() {
        let place = |step: usize| 0.5 * libm::sin(step as f64 * DT_S * 2.0);
        let aim = |step: usize| Aim { position: place(step + 1), velocity: (place(step + 1) - place(step)) / DT_S };
        let states = run(JointState { position: 0.0, velocity: 1.0 }, aim, 600);
        for (step, state) in states.iter().enumerate() {
            assert!((state.position - place(step)).abs() < 1e-12);
        }
    }

    #[test]
    fn aims_beyond_a_limit_end_at_the_limit_without_a_bump() {
        let states = run(JointState { position: 0.0, velocity: 0.0 }, |_| Aim { position: 3.0, velocity: 5.0 }, 400);
        assert!((states[400].position - 1.0).abs() < 1e-9);
    }
}
