//! From the problem of a caller to the one planners solve, and from their steps back.

use std::cell::Cell;

use robot::Side;
use robot::interface::Footstep;

use crate::parameters::Parameters;
use crate::plan::{PlanFailure, Reason, WayEnd};
use crate::planar::{Planar, wrap_rad};
use crate::planning::Work;
use crate::problem::{First, Goal, Problem};
use crate::reach::{Reach, Sole};
use crate::terrain::{Foothold, Terrain};
use crate::timing::timed;
use crate::view::View;

/// A problem seen from between the feet it starts on.
pub(crate) struct Setup<'a> {
    pub problem: &'a Problem,
    pub parameters: &'a Parameters,
    pub reach: Reach,
    pub view: View,
    /// Left, right.
    pub start: [Sole; 2],
    pub goal: [Foothold; 2],
    pub square_up: bool,
    pub waypoints: Vec<(Planar, bool)>,
    pub first: Option<Side>,
    /// Counted while it is solved.
    pub work: Cell<Work>,
    /// Told when there is a first plan.
    pub first_plan: &'a dyn Fn(),
    /// Left, right, in the words of the caller.
    pub goal_moved_m: [f64; 2],
}

/// A step of a planner.
pub(crate) type Step = (Side, Foothold);

/// How near a foot counts as there.
pub(crate) const GOAL_M: f64 = 0.01;
pub(crate) const GOAL_RAD: f64 = 5.0 * std::f64::consts::PI / 180.0;

impl<'a> Setup<'a> {
    pub fn of(problem: &'a Problem, first_plan: &'a dyn Fn()) -> Result<Setup<'a>, PlanFailure> {
        check_input(problem)?;
        let mut limits = problem.limits.clone();
        if let Some(length_m) = problem.parameters.max_step_length_m {
            limits.max_forward_m = limits.max_forward_m.min(length_m);
            limits.max_backward_m = limits.max_backward_m.min(length_m);
        }
        let start = problem.start.map(|pose| Sole::of(&pose));
        let world_from_here = start[0].at.middle(&start[1].at);
        let mirrored = leans_right(problem, &world_from_here);
        let view = View::of(problem, world_from_here, mirrored);
        let place = |at: &Planar| even(&view.seen(at));
        let swapped = |pair: [Planar; 2]| if mirrored { [pair[1], pair[0]] } else { pair };
        let goal_feet = swapped(problem.goal.feet(&problem.limits).map(|at| place(&at)));
        let start_feet = swapped(start.map(|sole| place(&sole.at)));
        let heights = if mirrored { [start[1].z_m, start[0].z_m] } else { [start[0].z_m, start[1].z_m] };
        let start = [0, 1].map(|side| Sole { at: start_feet[side], z_m: heights[side] });
        let first = problem.first.side().map(|side| if mirrored { side.other() } else { side });
        let reach = Reach::of(&limits);
        let slack_m = problem.parameters.search.goal_slack_m;
        let goal = goal_footholds(&view, &reach, &goal_feet)
            .or_else(|failure| goal_near_by(&view, &reach, &goal_feet, slack_m).ok_or(failure))?;
        let goal_moved_m = swapped_back(mirrored, [0, 1].map(|side| goal[side].sole.at.distance_m(&goal_feet[side])));
        let waypoints = problem.waypoints.iter().map(|waypoint| {
            let yaw_rad = waypoint.yaw_rad.unwrap_or(0.0);
            (place(&Planar::new(waypoint.at_m[0], waypoint.at_m[1], yaw_rad)), waypoint.yaw_rad.is_some())
        });
        let waypoints = waypoints.collect();
        let square_up = !matches!(problem.goal, Goal::Stance { square_up: false, .. });
        let (parameters, work) = (&problem.parameters, Cell::default());
        let mut setup = Setup {
            problem,
            parameters,
            reach,
            view,
            start,
            goal,
            square_up,
            waypoints,
            first,
            work,
            first_plan,
            goal_moved_m,
        };
        setup.make_room()?;
        Ok(setup)
    }

    fn make_room(&mut self) -> Result<(), PlanFailure> {
        let (start, goal) = (self.start_hips(), self.goal_hips());
        let start_z_m = self.start[0].z_m.min(self.start[1].z_m);
        let goal_z_m = self.goal[0].sole.z_m.min(self.goal[1].sole.z_m);
        let room = self.view.set_ends((&start, start_z_m), (&goal, goal_z_m));
        room.map_err(|(hit, end)| {
            let at = match end {
                WayEnd::Start => start,
                WayEnd::Goal => goal,
            };
            self.failure(Reason::BodyInObstacle { hit, end }, Some(&at))
        })
    }

    pub fn start_hips(&self) -> Planar {
        self.start[0].at.middle(&self.start[1].at)
    }

    pub fn goal_hips(&self) -> Planar {
        self.goal[0].sole.at.middle(&self.goal[1].sole.at)
    }

    /// Around all that may matter: x from, to; y from, to.
    pub fn bounds_m(&self, margin_m: f64) -> [[f64; 2]; 2] {
        let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        let mut add = |x: f64, y: f64| {
            for (range, number) in bounds.iter_mut().zip([x, y]) {
                *range = [range[0].min(number), range[1].max(number)];
            }
        };
        for at in self.waypoints.iter().map(|(at, _)| *at).chain([self.start_hips(), self.goal_hips()]) {
            add(at.x_m, at.y_m);
        }
        for obstacle in self.view.obstacles.boxes() {
            for [x, y] in obstacle.footprint.corners() {
                add(x, y);
            }
        }
        for [x, y, _] in self.view.obstacles.points_m() {
            add(*x, *y);
        }
        bounds.map(|[low, high]| [low - margin_m, high + margin_m])
    }

    pub fn count(&self, expansions: usize, places: usize) {
        let Work { expansions: before, places: seen } = self.work.get();
        self.work.set(Work { expansions: before + expansions, places: seen + places });
    }

    pub fn is_at_goal(&self, side: Side, at: &Planar) -> bool {
        let goal = &self.goal[side.index()].sole.at;
        goal.distance_m(at) < GOAL_M && goal.turn_rad(at).abs() < GOAL_RAD
    }

    pub fn failure(&self, reason: Reason, at: Option<&Planar>) -> PlanFailure {
        PlanFailure::new(self.worded(reason), at.map(|at| self.view.world(at)).as_ref())
    }

    /// In a mirrored problem the left foot is the right one of the caller.
    fn worded(&self, reason: Reason) -> Reason {
        if !self.view.mirrored {
            return reason;
        }
        match reason {
            Reason::Stuck { steps, side, why } => Reason::Stuck { steps, side: side.other(), why },
            Reason::GoalFoothold { side, problem } => Reason::GoalFoothold { side: side.other(), problem },
            Reason::GoalFootInObstacle { side, hit } => Reason::GoalFootInObstacle { side: side.other(), hit },
            other => other,
        }
    }

    pub fn footsteps(&self, steps: &[Step]) -> Vec<Footstep> {
        let world = steps.iter().map(|(side, foothold)| {
            let side = if self.view.mirrored { side.other() } else { *side };
            (side, self.view.world_foothold(foothold).pose())
        });
        timed(self.problem, world.collect())
    }
}

fn check_input(problem: &Problem) -> Result<(), PlanFailure> {
    let bad = |text: &str| Err(PlanFailure::new(Reason::BadProblem(text.to_owned()), None));
    let goal = problem.goal.feet(&problem.limits);
    let waypoints = problem.waypoints.iter().flat_map(|it| [it.at_m[0], it.at_m[1], it.yaw_rad.unwrap_or(0.0)]);
    if !problem.start.iter().all(geometry::Pose::is_finite) || !goal.iter().all(Planar::is_finite) {
        return bad("start and goal need finite numbers");
    }
    if !waypoints.into_iter().all(f64::is_finite) {
        return bad("waypoints need finite numbers");
    }
    let hips = Planar::of(&problem.start[0]).middle(&Planar::of(&problem.start[1]));
    if goal.iter().any(|foot| hips.distance_m(foot) > MAX_DISTANCE_M) {
        return bad("the goal is more than 100 m away");
    }
    if let Some(text) = problem.parameters.problem() {
        return bad(&text);
    }
    let limits = &problem.limits;
    let ordered = limits.min_width_m <= limits.stance_width_m && limits.stance_width_m <= limits.max_width_m;
    let sizes = [limits.foot_length_m, limits.foot_width_m, limits.max_forward_m, limits.stance_width_m];
    if !ordered || !sizes.iter().all(|size| *size > 0.0 && size.is_finite()) {
        return bad("the walking limits of the robot contradict each other");
    }
    Ok(())
}

/// Farther is a mistake in a number.
const MAX_DISTANCE_M: f64 = 100.0;

fn goal_footholds(view: &View, reach: &Reach, feet: &[Planar; 2]) -> Result<[Foothold; 2], PlanFailure> {
    let word = |side: Side| if view.mirrored { side.other() } else { side };
    let fail = |reason: Reason, at: &Planar| PlanFailure::new(reason, Some(&view.world(at)));
    let mut footholds = Vec::new();
    for side in Side::BOTH {
        let at = &feet[side.index()];
        let found = view.foothold(at);
        let foothold = found.map_err(|problem| fail(Reason::GoalFoothold { side: word(side), problem }, at))?;
        if let Some(hit) = view.foot_hit(&foothold.sole) {
            return Err(fail(Reason::GoalFootInObstacle { side: word(side), hit }, at));
        }
        footholds.push(foothold);
    }
    let [left, right] = [footholds[0], footholds[1]];
    // The last foot to come must find its place beside the other: one order is enough.
    let onto = |side: Side, stance: &Sole, landing: &Sole| {
        reach.check_place(side, &stance.at, &landing.at).and_then(|()| reach.check_height(landing.z_m - stance.z_m))
    };
    if let Err(why) = onto(Side::Left, &right.sole, &left.sole)
        && onto(Side::Right, &left.sole, &right.sole).is_err()
    {
        return Err(fail(Reason::GoalFeet(why), &feet[0].middle(&feet[1])));
    }
    Ok([left, right])
}

fn swapped_back(mirrored: bool, pair: [f64; 2]) -> [f64; 2] {
    if mirrored { [pair[1], pair[0]] } else { pair }
}

/// Nobody who says where to stand on a floor of stones means it to the centimetre: each foot goes to footholds near by,
/// the pair of them that fits together and is nearest. The heading stays.
fn goal_near_by(view: &View, reach: &Reach, feet: &[Planar; 2], slack_m: f64) -> Option<[Foothold; 2]> {
    const GRID_M: f64 = 0.02;
    /// Of each foot, so many are tried with those of the other.
    const MOST: usize = 24;
    if view.is_flat() || slack_m <= 0.0 {
        return None;
    }
    let half = (slack_m / GRID_M) as i32;
    let near = |foot: &Planar| {
        let offsets = (-half..=half).flat_map(|x| (-half..=half).map(move |y| (x, y)));
        let mut places: Vec<(f64, Planar)> = offsets
            .map(|(x, y)| foot.point(f64::from(x) * GRID_M, f64::from(y) * GRID_M))
            .map(|[x_m, y_m]| Planar::new(x_m, y_m, foot.yaw_rad))
            .map(|at| (at.distance_m(foot), at))
            .filter(|(away_m, _)| *away_m <= slack_m)
            .collect();
        places.sort_by(|one, other| one.0.total_cmp(&other.0));
        let holding = places
            .into_iter()
            .filter(|(_, at)| view.foothold(at).is_ok_and(|foothold| view.foot_hit(&foothold.sole).is_none()));
        holding.take(MOST).collect::<Vec<_>>()
    };
    let [left, right] = [near(&feet[0]), near(&feet[1])];
    let mut pairs: Vec<(f64, [Planar; 2])> = left
        .iter()
        .flat_map(|(l, one)| right.iter().map(move |(r, other)| (l.max(*r) + 0.1 * (l + r), [*one, *other])))
        .collect();
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    pairs.iter().find_map(|(_, pair)| goal_footholds(view, reach, pair).ok())
}

/// Without the last digits, in which a problem and its mirror image differ by rounding: of two ways that cost the same a
/// search would take one here and the other there.
fn even(at: &Planar) -> Planar {
    const GRID: f64 = 1e10;
    let rounded = |number: f64| libm::round(number * GRID) / GRID;
    Planar::new(rounded(at.x_m), rounded(at.y_m), rounded(at.yaw_rad))
}

/// Of a problem and its mirror image exactly one leans right, unless they are the same.
fn leans_right(problem: &Problem, world_from_here: &Planar) -> bool {
    const EVEN: f64 = 1e-7;
    let goal = problem.goal.feet(&problem.limits).map(|foot| world_from_here.seen(&foot));
    let hips = goal[0].middle(&goal[1]);
    let goal_in_hips = goal.map(|foot| hips.seen(&foot));
    let start = problem.start.map(|pose| world_from_here.seen(&Planar::of(&pose)));
    let about_face = std::f64::consts::PI - hips.turn_rad(&Planar::new(0.0, 0.0, 0.0)).abs() < EVEN;
    let yaw_rad = if about_face { 0.0 } else { wrap_rad(hips.yaw_rad) };
    let first = match problem.first {
        First::Auto => 0.0,
        First::Left => 1.0,
        First::Right => -1.0,
    };
    let seen = |x: f64, y: f64| world_from_here.local(x, y)[1];
    let waypoints: f64 = problem.waypoints.iter().map(|waypoint| seen(waypoint.at_m[0], waypoint.at_m[1])).sum();
    let boxes = problem.obstacles.boxes().iter().map(|it| seen(it.footprint.at.x_m, it.footprint.at.y_m)).sum();
    let points = problem.obstacles.points_m().iter().map(|point| seen(point[0], point[1])).sum();
    let regions = problem.terrain.iter().flat_map(|terrain| terrain.regions());
    let corners = regions.flat_map(|region| region.outline_m()).map(|corner| seen(corner[0], corner[1])).sum();
    let leanings = [
        hips.y_m,
        yaw_rad,
        goal_in_hips[0].x_m - goal_in_hips[1].x_m,
        goal_in_hips[0].yaw_rad + goal_in_hips[1].yaw_rad,
        start[0].x_m - start[1].x_m,
        first,
        waypoints,
        boxes,
        points,
        corners,
    ];
    let uneven = leanings.into_iter().find(|leaning: &f64| leaning.abs() > EVEN);
    let leaning = uneven.unwrap_or_else(|| problem.terrain.as_ref().map_or(0.0, |it| heights_lean(it, &seen)));
    leaning.abs() > EVEN && leaning < 0.0
}

/// Pieces of ground may lie evenly and be uneven in height. Only asked where nothing else decides: it looks at them all.
fn heights_lean(terrain: &Terrain, seen: &dyn Fn(f64, f64) -> f64) -> f64 {
    let corners = terrain.regions().iter().flat_map(|region| region.outline_m().iter().map(move |at| (region, at)));
    let regions: f64 = corners.map(|(region, [x, y])| seen(*x, *y) * region.plane_m(*x, *y)).sum();
    let cells = terrain.height_map().into_iter().flat_map(|map| {
        let all = (0..map.rows()).flat_map(move |row| (0..map.columns()).map(move |column| (column, row)));
        all.filter_map(move |(column, row)| map.cell(column, row).map(|z_m| (map.centre_m(column, row), z_m)))
    });
    regions + cells.map(|([x, y], z_m)| seen(x, y) * z_m).sum::<f64>()
}
