//! Simple shapes, and where rays meet them.

use geometry::{Matrix3, Vector3};

/// A shape in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// Seen from above; half sizes along x and y, without end where zero.
    Plane([f64; 2]),
    Sphere(f64),
    /// Along z: radius, and half of its length without the caps.
    Capsule(f64, f64),
    Cylinder(f64, f64),
    /// Half sizes.
    Box(Vector3<f64>),
}

/// One shape where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    pub form: Form,
    pub at_m: Vector3<f64>,
    pub turn: Matrix3<f64>,
}

impl Form {
    /// Of the box around it; None: it has no end.
    pub fn half_m(&self) -> Option<Vector3<f64>> {
        Some(match self {
            Form::Plane([x, y]) if *x > 0.0 && *y > 0.0 => Vector3::new(*x, *y, 0.0),
            Form::Plane(_) => return None,
            Form::Sphere(radius_m) => Vector3::repeat(*radius_m),
            Form::Capsule(radius_m, half_m) => Vector3::new(*radius_m, *radius_m, half_m + radius_m),
            Form::Cylinder(radius_m, half_m) => Vector3::new(*radius_m, *radius_m, *half_m),
            Form::Box(half_m) => *half_m,
        })
    }

    /// How far along a ray of length 1; of what the ray begins in, the far side.
    #[inline]
    pub fn meets(&self, from: &Vector3<f64>, along: &Vector3<f64>) -> Option<f64> {
        match self {
            Form::Plane([x, y]) => {
                let away = -from.z / along.z;
                let within = |half: f64, at: f64| half <= 0.0 || at.abs() <= half;
                (along.z < 0.0 && away >= 0.0)
                    .then_some(away)
                    .filter(|away| within(*x, from.x + along.x * away) && within(*y, from.y + along.y * away))
            }
            Form::Sphere(radius) => nearest(roots(1.0, from.dot(along), from.dot(from) - radius * radius)?),
            Form::Capsule(radius, half) => {
                let side = tube(from, along, *radius).and_then(|roots| {
                    roots.into_iter().find(|away| *away >= 0.0 && (from.z + along.z * away).abs() <= *half)
                });
                let cap = |end: f64| {
                    let from = from - Vector3::z() * end;
                    let both = roots(1.0, from.dot(along), from.dot(&from) - radius * radius)?;
                    both.into_iter().find(|away| *away >= 0.0 && (from.z + along.z * away) * end >= 0.0)
                };
                least([side, cap(*half), cap(-half)])
            }
            Form::Cylinder(radius, half) => {
                let side = tube(from, along, *radius).and_then(|roots| {
                    roots.into_iter().find(|away| *away >= 0.0 && (from.z + along.z * away).abs() <= *half)
                });
                let end = |end: f64| {
                    let away = (end - from.z) / along.z;
                    let (x, y) = (from.x + along.x * away, from.y + along.y * away);
                    (away >= 0.0 && x * x + y * y <= radius * radius).then_some(away)
                };
                least([side, end(*half), end(-half)])
            }
            Form::Box(half) => slabs(from, along, half),
        }
    }

    /// At a point of its surface.
    pub fn normal(&self, at: &Vector3<f64>) -> Vector3<f64> {
        let unit = |vector: Vector3<f64>| vector.try_normalize(1e-12).unwrap_or_else(Vector3::z);
        match self {
            Form::Plane(_) => Vector3::z(),
            Form::Sphere(_) => unit(*at),
            Form::Capsule(_, half) => unit(at - Vector3::z() * at.z.clamp(-half, *half)),
            Form::Cylinder(_, half) if at.z.abs() >= half - 1e-9 => Vector3::z(),
            Form::Cylinder(..) => unit(Vector3::new(at.x, at.y, 0.0)),
            Form::Box(half) => {
                let outwards = at.component_div(&half.map(|half| half.max(1e-9))).abs();
                Vector3::ith(outwards.imax(), 1.0)
            }
        }
    }
}

/// Of `a t² + 2 b t + c`, the smaller first.
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let inner = b * b - a * c;
    if inner < 0.0 || a < 1e-15 {
        return None;
    }
    let root = inner.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}

fn nearest(roots: [f64; 2]) -> Option<f64> {
    roots.into_iter().find(|away| *away >= 0.0)
}

fn least<const N: usize>(all: [Option<f64>; N]) -> Option<f64> {
    all.into_iter().flatten().reduce(f64::min)
}

/// With the tube without ends around z.
fn tube(from: &Vector3<f64>, along: &Vector3<f64>, radius: f64) -> Option<[f64; 2]> {
    let a = along.x * along.x + along.y * along.y;
    let b = from.x * along.x + from.y * along.y;
    roots(a, b, from.x * from.x + from.y * from.y - radius * radius)
}

fn slabs(from: &Vector3<f64>, along: &Vector3<f64>, half: &Vector3<f64>) -> Option<f64> {
    let (mut enters, mut leaves) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        if along[axis].abs() < 1e-15 {
            if from[axis].abs() > half[axis] {
                return None;
            }
            continue;
        }
        let inverse = 1.0 / along[axis];
        let (one, other) = ((-half[axis] - from[axis]) * inverse, (half[axis] - from[axis]) * inverse);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    if enters > leaves || leaves < 0.0 {
        return None;
    }
    Some(if enters >= 0.0 { enters } else { leaves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_met_where_they_begin() {
        let from = Vector3::new(-3.0, 0.0, 0.0);
        let ahead = Vector3::x();
        for (form, away) in [
            (Form::Sphere(0.5), 2.5),
            (Form::Capsule(0.25, 1.0), 2.75),
            (Form::Cylinder(0.5, 1.0), 2.5),
            (Form::Box(Vector3::new(1.0, 0.1, 0.1)), 2.0),
        ] {
            assert!((form.meets(&from, &ahead).expect("met") - away).abs() < 1e-12, "{form:?}");
            assert_eq!(form.meets(&from, &-ahead), None, "{form:?}");
            assert_eq!(form.meets(&Vector3::new(-3.0, 1.6, 1.6), &ahead), None, "{form:?}");
            assert!(form.meets(&Vector3::zeros(), &ahead).is_some_and(|away| away > 0.0), "{form:?} from inside");
        }
        let down = Vector3::new(0.6, 0.0, -0.8);
        assert_eq!(Form::Plane([0.0; 2]).meets(&Vector3::new(0.0, 0.0, 1.6), &down), Some(2.0));
        assert_eq!(Form::Plane([0.5, 0.5]).meets(&Vector3::new(0.0, 0.0, 1.6), &down), None);
        let above = Vector3::new(0.0, 0.1, 3.0);
        assert_eq!(Form::Cylinder(0.5, 1.0).meets(&above, &-Vector3::z()), Some(2.0));
        assert!(
            (Form::Capsule(0.5, 1.0).meets(&(Vector3::z() * 3.0), &-Vector3::z()).expect("met") - 1.5).abs() < 1e-12
        );
    }
}
