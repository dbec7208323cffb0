//! Forward kinematics, laid out for speed: all sines first, in one pass without branches, then link after link.

use geometry::{Matrix3, Vector3};

use crate::model::{Body, LinkPoses, Movement};
use crate::sine::sin_cos_all;
use crate::transform::Transform;

/// What `Model::forward` needs of a link, and nothing else: a description of a robot would not fit the cache.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    parent: usize,
    drive: usize,
    action: Action,
    translation_m: [f64; 3],
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Fixed,
    TurnX,
    TurnY,
    TurnZ,
    Slide,
    /// Turned already where it hangs, or about an axis that is none of x, y and z.
    Any,
}

#[derive(Clone, Debug)]
struct Driven {
    coordinate: usize,
    multiplier: f64,
    offset: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Of all links but the root.
    steps: Vec<Step>,
    driven: Vec<Driven>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Sines {
    positions: Vec<f64>,
    sin: Vec<f64>,
    cos: Vec<f64>,
}

type Columns = [[f64; 3]; 3];

impl Plan {
    pub fn new(links: &[Body]) -> Plan {
        let mut plan = Plan { steps: Vec::new(), driven: Vec::new() };
        for link in links {
            let Some(parent) = link.parent else { continue };
            let action = match &link.drive {
                _ if !link.aligned => Action::Any,
                None => Action::Fixed,
                Some(drive) => match drive.movement {
                    Movement::TurnX => Action::TurnX,
                    Movement::TurnY => Action::TurnY,
                    Movement::TurnZ => Action::TurnZ,
                    Movement::Turn => Action::Any,
                    Movement::Slide => Action::Slide,
                },
            };
            plan.steps.push(Step {
                parent,
                drive: plan.driven.len(),
                action,
                translation_m: link.parent_from_joint.translation_m.into(),
            });
            plan.driven.extend(link.drive.as_ref().map(|drive| Driven {
                coordinate: drive.coordinate,
                multiplier: drive.multiplier,
                offset: drive.offset,
            }));
        }
        plan
    }

    pub fn new_sines(&self) -> Sines {
        let zeros = vec![0.0; self.driven.len()];
        Sines { positions: zeros.clone(), sin: zeros.clone(), cos: zeros }
    }

    pub fn run(&self, links: &[Body], positions: &[f64], poses: &mut LinkPoses) {
        let LinkPoses { base_from_link, sines } = poses;
        for (moved, driven) in sines.positions.iter_mut().zip(&self.driven) {
            *moved = driven.multiplier * positions[driven.coordinate] + driven.offset;
        }
        sin_cos_all(&sines.positions, &mut sines.sin, &mut sines.cos);
        for (index, step) in self.steps.iter().enumerate() {
            let (above, below) = base_from_link.split_at_mut(index + 1);
            let (base_from_parent, base_from_link) = (&above[step.parent], &mut below[0]);
            let [x, y, z] = &base_from_parent.rotation.data.0;
            base_from_link.translation_m = placed(base_from_parent, &step.translation_m);
            let turned = match step.action {
                Action::Fixed => [*x, *y, *z],
                Action::TurnX => {
                    let (sin, cos) = (sines.sin[step.drive], sines.cos[step.drive]);
                    [*x, mix(y, cos, z, sin), mix(z, cos, y, -sin)]
                }
                Action::TurnY => {
                    let (sin, cos) = (sines.sin[step.drive], sines.cos[step.drive]);
                    [mix(x, cos, z, -sin), *y, mix(z, cos, x, sin)]
                }
                Action::TurnZ => {
                    let (sin, cos) = (sines.sin[step.drive], sines.cos[step.drive]);
                    [mix(x, cos, y, sin), mix(y, cos, x, -sin), *z]
                }
                Action::Slide | Action::Any => {
                    let link = &links[index + 1];
                    let base_from_joint = Transform {
                        rotation: base_from_parent.rotation * link.parent_from_joint.rotation,
                        translation_m: base_from_link.translation_m,
                    };
                    *base_from_link = sines.moved(link, step.drive, base_from_joint);
                    continue;
                }
            };
            base_from_link.rotation = Matrix3::from(turned);
        }
    }
}

impl Sines {
    #[inline(never)]
    fn moved(&self, link: &Body, index: usize, base_from_joint: Transform) -> Transform {
        let Some(drive) = &link.drive else { return base_from_joint };
        let Transform { rotation, translation_m } = base_from_joint;
        match drive.movement {
            Movement::Slide => {
                Transform { rotation, translation_m: translation_m + rotation * (drive.axis * self.positions[index]) }
            }
            Movement::TurnX | Movement::TurnY | Movement::TurnZ | Movement::Turn => {
                Transform { rotation: rotation * turn(&drive.axis, self.sin[index], self.cos[index]), translation_m }
            }
        }
    }
}

#[inline(always)]
fn mix(a: &[f64; 3], a_share: f64, b: &[f64; 3], b_share: f64) -> [f64; 3] {
    [a[0] * a_share + b[0] * b_share, a[1] * a_share + b[1] * b_share, a[2] * a_share + b[2] * b_share]
}

#[inline(always)]
fn placed(outer: &Transform, point_m: &[f64; 3]) -> Vector3<f64> {
    let [x, y, z]: &Columns = &outer.rotation.data.0;
    let at = &outer.translation_m;
    let row = |i: usize| x[i] * point_m[0] + y[i] * point_m[1] + z[i] * point_m[2] + at[i];
    Vector3::new(row(0), row(1), row(2))
}

fn turn(axis: &Vector3<f64>, sin: f64, cos: f64) -> Matrix3<f64> {
    let cross = axis.cross_matrix();
    Matrix3::identity() + cross * sin + cross * cross * (1.0 - cos)
}
