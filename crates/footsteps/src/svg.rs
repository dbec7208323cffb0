//! A plan as a picture: seen from above, x to the right, y up.

use std::fmt::Write;

use quick_xml::escape::escape;
use robot::{Side, WalkingLimits};

use crate::plan::Plan;
use crate::planar::Planar;
use crate::problem::Problem;
use crate::reach::{Reach, Sole};
use crate::services::feet_after;
use crate::shapes::Rectangle;
use crate::terrain::Terrain;

const MARGIN_M: f64 = 0.5;
const PIXELS_M: f64 = 160.0;

struct Canvas {
    text: String,
    left_m: f64,
    top_m: f64,
}

/// Without a plan, the problem alone: what was asked, and what stands in the way.
pub fn svg(problem: &Problem, plan: Option<&Plan>) -> String {
    let [[x0, x1], [y0, y1]] = bounds_m(problem, plan);
    let mut canvas = Canvas { text: String::new(), left_m: x0, top_m: y1 };
    let (width, height) = ((x1 - x0) * PIXELS_M, (y1 - y0) * PIXELS_M);
    canvas.put(&format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#f7f6f2\"/>\n"
    ));
    if let Some(terrain) = &problem.terrain {
        canvas.terrain(terrain);
    }
    canvas.grid([[x0, x1], [y0, y1]]);
    for obstacle in problem.obstacles.boxes() {
        // What hangs over the floor is seen through.
        let fill = if obstacle.bottom_m > 0.3 { "#8d6e6355" } else { "#5d4037" };
        canvas.polygon(&obstacle.footprint.corners(), fill, "#3e2723");
        let large = obstacle.footprint.half_length_m.max(obstacle.footprint.half_width_m) > 0.1;
        if large {
            let at = canvas.place(obstacle.footprint.at.x_m, obstacle.footprint.at.y_m);
            canvas.label(at, &escape(&obstacle.name), 11, "#3e2723");
        }
    }
    for [x, y, _] in problem.obstacles.points_m() {
        let [x, y] = canvas.place(*x, *y);
        canvas.put(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.5\" fill=\"#5d4037\"/>\n"));
    }
    canvas.walk(problem, plan);
    canvas.put("</svg>\n");
    canvas.text
}

impl Canvas {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn place(&self, x_m: f64, y_m: f64) -> [f64; 2] {
        [(x_m - self.left_m) * PIXELS_M, (self.top_m - y_m) * PIXELS_M]
    }

    fn polygon(&mut self, corners_m: &[[f64; 2]], fill: &str, stroke: &str) {
        let mut points = String::new();
        for corner in corners_m {
            let [x, y] = self.place(corner[0], corner[1]);
            // Writing to a string does not fail.
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        let points = points.trim_end();
        self.put(&format!("<polygon points=\"{points}\" fill=\"{fill}\" stroke=\"{stroke}\"/>\n"));
    }

    fn label(&mut self, [x, y]: [f64; 2], text: &str, size: u32, fill: &str) {
        self.put(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\" stroke=\"#ffffffa0\" stroke-width=\"2\" paint-order=\"stroke\" text-anchor=\"middle\" dominant-baseline=\"central\">{text}</text>\n"
        ));
    }

    fn grid(&mut self, [[x0, x1], [y0, y1]]: [[f64; 2]; 2]) {
        let metres = |from: f64, to: f64| (libm::ceil(from) as i32)..=(libm::floor(to) as i32);
        for x in metres(x0, x1) {
            let ([x_at, top], [_, bottom]) = (self.place(f64::from(x), y1), self.place(f64::from(x), y0));
            self.line([x_at, top], [x_at, bottom]);
            self.label([x_at + 14.0, bottom - 8.0], &format!("{x} m"), 10, "#90908a");
        }
        for y in metres(y0, y1) {
            let ([left, y_at], [right, _]) = (self.place(x0, f64::from(y)), self.place(x1, f64::from(y)));
            self.line([left, y_at], [right, y_at]);
            self.label([left + 14.0, y_at - 8.0], &format!("{y} m"), 10, "#90908a");
        }
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.put(&format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#00000018\"/>\n",
            from[0], from[1], to[0], to[1]
        ));
    }

    /// Darker is higher.
    fn terrain(&mut self, terrain: &Terrain) {
        if let Some(map) = terrain.height_map() {
            let half_m = map.cell_m() / 2.0;
            for row in 0..map.rows() {
                for column in 0..map.columns() {
                    if let Some(height_m) = map.cell(column, row) {
                        let [x, y] = map.centre_m(column, row);
                        let at = Planar::new(x, y, 0.0);
                        let cell = Rectangle { at, half_length_m: half_m, half_width_m: half_m };
                        self.polygon(&cell.corners(), &shade(height_m), &shade(height_m));
                    }
                }
            }
        }
        let middle_m = |outline: &[[f64; 2]]| {
            let count = outline.len() as f64;
            [outline.iter().map(|it| it[0]).sum::<f64>() / count, outline.iter().map(|it| it[1]).sum::<f64>() / count]
        };
        let mut regions: Vec<_> = terrain.regions().iter().collect();
        let height = |region: &crate::terrain::Region| {
            let [x, y] = middle_m(region.outline_m());
            region.plane_m(x, y)
        };
        // The higher hides the lower.
        regions.sort_by(|one, other| height(one).total_cmp(&height(other)));
        for region in regions {
            self.polygon(region.outline_m(), &shade(height(region)), "#a8a69c");
        }
    }

    fn walk(&mut self, problem: &Problem, plan: Option<&Plan>) {
        let reach = Reach::of(&problem.limits);
        let steps = plan.map_or(&[][..], |plan| &plan.steps);
        for (side, pose) in Side::BOTH.into_iter().zip(problem.start) {
            self.foot(&reach, side, &Planar::of(&pose), "#ffffff", "");
        }
        for (side, at) in Side::BOTH.into_iter().zip(problem.goal.feet(&problem.limits)) {
            let corners = reach.rectangle(at).grown(0.02).corners();
            self.polygon(&corners, "none", if side == Side::Left { "#1565c0" } else { "#c62828" });
        }
        let mut hips = Vec::new();
        for count in 0..=steps.len() {
            let feet = feet_after(problem.start, &steps[..count]).map(|pose| Sole::of(&pose).at);
            hips.push(feet[0].middle(&feet[1]));
        }
        self.polyline(&hips, "#2e7d32", "4 3");
        self.polyline(plan.map_or(&[][..], |plan| &plan.way), "#f9a825", "1 3");
        for (index, step) in steps.iter().enumerate() {
            let fill = if step.side == Side::Left { "#64b5f6" } else { "#ef9a9a" };
            self.foot(&reach, step.side, &Planar::of(&step.world_from_sole), fill, &(index + 1).to_string());
        }
        if !problem.obstacles.is_empty() {
            let body = &problem.parameters.body;
            for hips in hips {
                let shape = Rectangle { at: hips, half_length_m: body.depth_m / 2.0, half_width_m: body.width_m / 2.0 };
                self.polygon(&shape.corners(), "none", "#2e7d3255");
            }
        }
    }

    /// With a line across the toes, so that its heading is seen.
    fn foot(&mut self, reach: &Reach, side: Side, at: &Planar, fill: &str, text: &str) {
        let stroke = if side == Side::Left { "#0d47a1" } else { "#b71c1c" };
        self.polygon(&reach.rectangle(*at).corners(), fill, stroke);
        let WalkingLimits { foot_length_m, foot_width_m, .. } = reach.limits;
        let toes = [-0.5, 0.5].map(|across| at.point(foot_length_m * 0.36, foot_width_m * across));
        let [from, to] = toes.map(|[x, y]| self.place(x, y));
        self.put(&format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{stroke}\" stroke-width=\"2\"/>\n",
            from[0], from[1], to[0], to[1]
        ));
        let place = self.place(at.x_m, at.y_m);
        self.label(place, text, 10, "#202020");
    }

    fn polyline(&mut self, places: &[Planar], stroke: &str, dashes: &str) {
        let mut points = String::new();
        for at in places {
            let [x, y] = self.place(at.x_m, at.y_m);
            // Writing to a string does not fail.
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        let points = points.trim_end();
        self.put(&format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>\n"
        ));
    }
}

fn shade(height_m: f64) -> String {
    let light = (232.0 - height_m.clamp(-0.5, 1.0) * 160.0).clamp(60.0, 250.0) as u8;
    format!("#{light:02x}{light:02x}{:02x}", light.saturating_sub(12))
}

fn bounds_m(problem: &Problem, plan: Option<&Plan>) -> [[f64; 2]; 2] {
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    let mut add = |x: f64, y: f64| {
        for (range, number) in bounds.iter_mut().zip([x, y]) {
            // A picture of a hall is still a picture.
            *range = [range[0].min(number.max(-50.0)), range[1].max(number.min(50.0))];
        }
    };
    for at in problem.start.iter().map(Planar::of).chain(problem.goal.feet(&problem.limits)) {
        add(at.x_m, at.y_m);
    }
    for step in plan.iter().flat_map(|plan| &plan.steps) {
        let at = step.world_from_sole.translation_m();
        add(at.x, at.y);
    }
    for [x, y] in problem.obstacles.boxes().iter().flat_map(|obstacle| obstacle.footprint.corners()) {
        add(x, y);
    }
    if let Some([[x0, x1], [y0, y1]]) = problem.terrain.as_ref().and_then(|terrain| terrain.bounds_m()) {
        add(x0, y0);
        add(x1, y1);
    }
    bounds.map(|[low, high]| [low - MARGIN_M, high + MARGIN_M])
}
