//! The robot: joints at 1e-4 rad, its pose against a reference, both in 16 bits.

use geometry::Pose;
use link::wire::{Malformed, Reader, Writer};

use super::{ReportError, Snapshot, from_bytes, to_bytes};

const JOINT_RAD: f64 = 1e-4;
const POSITION_M: f64 = 5e-4;
const QUATERNION: f64 = 1.0 / 32_767.0;

/// A joint beyond half a turn is sent as the same angle within it.
const TURN_UNITS: f64 = std::f64::consts::TAU / JOINT_RAD;

const REFERENCE_NS: u64 = 16_000_000_000;
pub(super) const MAX_JOINTS: usize = 255;
pub(super) const FARTHEST_M: f64 = 100_000.0;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct RobotReport {
    pub world_from_base: Pose,
    /// In the robot's order of joints.
    pub joints_rad: Vec<f64>,
    /// What both sides agree on: falling, in contact, holding, battery low …
    pub flags: u16,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct RobotSnapshot {
    /// In units of a position.
    reference: [i32; 3],
    pose: [i16; 6],
    joints: Vec<i16>,
    flags: u16,
}

/// Turns reports into snapshots, with a new reference now and then.
#[derive(Debug, Default)]
pub struct RobotPacker {
    reference: Option<([i32; 3], u64)>,
}

impl RobotPacker {
    pub fn pack(&mut self, report: &RobotReport, now_ns: u64) -> Result<Vec<u8>, ReportError> {
        Ok(to_bytes(&self.snapshot(report, now_ns)?, None))
    }

    fn snapshot(&mut self, report: &RobotReport, now_ns: u64) -> Result<RobotSnapshot, ReportError> {
        check(report)?;
        let [x, y, z, turn @ ..] = report.world_from_base.numbers();
        let position = [x, y, z].map(|length| (length / POSITION_M).round() as i32);
        let offset = |reference: [i32; 3], axis: usize| i16::try_from(position[axis] - reference[axis]);
        let fits = |reference| (0..3).all(|axis| offset(reference, axis).is_ok());
        let reference = match self.reference {
            Some((reference, since_ns)) if now_ns.saturating_sub(since_ns) < REFERENCE_NS && fits(reference) => {
                reference
            }
            _ => {
                self.reference = Some((position, now_ns));
                position
            }
        };
        let mut pose = [0; 6];
        for (axis, part) in pose.iter_mut().take(3).enumerate() {
            *part = offset(reference, axis).unwrap_or_default();
        }
        pose[3..].copy_from_slice(&quaternion(turn));
        let joints = report.joints_rad.iter().map(|&angle| joint(angle)).collect();
        Ok(RobotSnapshot { reference, pose, joints, flags: report.flags })
    }
}

impl RobotReport {
    /// It differs by less than what reports tell apart.
    pub fn is_like(&self, other: &RobotReport) -> bool {
        let near = |one: &[f64], other: &[f64], unit: f64| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| (one - other).abs() < unit)
        };
        let ([at @ .., x, y, z, w], [other_at @ .., i, j, k, l]) =
            (self.world_from_base.numbers(), other.world_from_base.numbers());
        self.flags == other.flags
            && near(&at, &other_at, POSITION_M)
            && near(&[x, y, z, w], &[i, j, k, l], QUATERNION)
            && near(&self.joints_rad, &other.joints_rad, JOINT_RAD)
    }
}

fn check(report: &RobotReport) -> Result<(), ReportError> {
    if report.joints_rad.len() > MAX_JOINTS {
        return Err(ReportError::Joints(report.joints_rad.len()));
    }
    if !report.joints_rad.iter().all(|angle| angle.is_finite()) {
        return Err(ReportError::NotFinite("a joint"));
    }
    if !report.world_from_base.is_finite() {
        return Err(ReportError::NotFinite("the pose"));
    }
    if !report.world_from_base.translation_m().iter().all(|length| length.abs() < FARTHEST_M) {
        return Err(ReportError::Far);
    }
    Ok(())
}

fn joint(angle_rad: f64) -> i16 {
    let units = angle_rad / JOINT_RAD;
    let within =
        if units.abs() <= f64::from(i16::MAX) { units } else { units - (units / TURN_UNITS).round() * TURN_UNITS };
    within.round() as i16
}

/// The fourth follows from these: it is not negative.
fn quaternion([x, y, z, w]: [f64; 4]) -> [i16; 3] {
    let length = (x * x + y * y + z * z + w * w).sqrt();
    [x, y, z].map(|part| (part / length / QUATERNION).round() as i16)
}

impl RobotReport {
    /// None: this is no report.
    pub fn from_bytes(bytes: &[u8]) -> Option<RobotReport> {
        from_bytes::<RobotSnapshot>(bytes, None)?.report()
    }
}

impl RobotSnapshot {
    /// None: it says no orientation.
    fn report(&self) -> Option<RobotReport> {
        let position =
            |axis: usize| f64::from(self.reference[axis].saturating_add(self.pose[axis].into())) * POSITION_M;
        let [x, y, z] = [3, 4, 5].map(|index: usize| f64::from(self.pose[index]) * QUATERNION);
        let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
        Some(RobotReport {
            world_from_base: Pose::from_numbers([position(0), position(1), position(2), x, y, z, w])?,
            joints_rad: self.joints.iter().map(|&units| f64::from(units) * JOINT_RAD).collect(),
            flags: self.flags,
        })
    }

    fn write_against(&self, base: &Self, out: &mut Writer) {
        let (same_reference, same_pose) = (base.reference == self.reference, base.pose == self.pose);
        let same_flags = base.flags == self.flags;
        out.u8(DELTA
            | if same_reference { SAME_REFERENCE } else { 0 }
            | if same_pose { SAME_POSE } else { 0 }
            | if same_flags { SAME_FLAGS } else { 0 });
        self.write_rest(out, same_reference, same_pose, same_flags);
        let mut changed = vec![0_u8; self.joints.len().div_ceil(8)];
        for (index, (now, before)) in self.joints.iter().zip(&base.joints).enumerate() {
            if now != before {
                changed[index / 8] |= 1 << (index % 8);
            }
        }
        out.put(&changed);
        for (now, _) in self.joints.iter().zip(&base.joints).filter(|(now, before)| now != before) {
            out.i16(*now);
        }
    }

    fn write_rest(&self, out: &mut Writer, same_reference: bool, same_pose: bool, same_flags: bool) {
        if !same_reference {
            self.reference.iter().for_each(|&part| out.u32(part.cast_unsigned()));
        }
        if !same_pose {
            self.pose.iter().for_each(|&part| out.i16(part));
        }
        if !same_flags {
            out.u16(self.flags);
        }
    }
}

const DELTA: u8 = 1;
const SAME_REFERENCE: u8 = 2;
const SAME_POSE: u8 = 4;
const SAME_FLAGS: u8 = 8;

impl Snapshot for RobotSnapshot {
    fn write(&self, base: Option<&Self>, out: &mut Writer) {
        let mut whole = Writer::default();
        let same_reference = base.is_some_and(|base| base.reference == self.reference);
        whole.u8(if same_reference { SAME_REFERENCE } else { 0 });
        self.write_rest(&mut whole, same_reference, false, false);
        whole.u8(self.joints.len() as u8);
        self.joints.iter().for_each(|&joint| whole.i16(joint));
        let mut best = whole;
        if let Some(base) = base.filter(|base| base.joints.len() == self.joints.len()) {
            let mut delta = Writer::default();
            self.write_against(base, &mut delta);
            if delta.bytes.len() < best.bytes.len() {
                best = delta;
            }
        }
        out.put(&best.bytes);
    }

    fn read(input: &mut Reader<'_>, base: Option<&Self>) -> Result<Self, Malformed> {
        let head = input.u8()?;
        let of_base = || base.ok_or(Malformed::OutOfRange);
        let mut reference = [0; 3];
        if head & SAME_REFERENCE != 0 {
            reference = of_base()?.reference;
        } else {
            for part in &mut reference {
                *part = input.u32()?.cast_signed();
            }
        }
        let mut pose = [0; 6];
        if head & SAME_POSE != 0 {
            pose = of_base()?.pose;
        } else {
            for part in &mut pose {
                *part = input.i16()?;
            }
        }
        let flags = if head & SAME_FLAGS != 0 { of_base()?.flags } else { input.u16()? };
        let joints = if head & DELTA != 0 { changed(input, &of_base()?.joints)? } else { all(input)? };
        Ok(Self { reference, pose, joints, flags })
    }
}

fn all(input: &mut Reader<'_>) -> Result<Vec<i16>, Malformed> {
    let count = input.u8()?;
    (0..count).map(|_| input.i16()).collect()
}

fn changed(input: &mut Reader<'_>, base: &[i16]) -> Result<Vec<i16>, Malformed> {
    let bits = input.bytes(base.len().div_ceil(8))?;
    let joint = |(index, &before): (usize, &i16)| {
        if bits[index / 8] & (1 << (index % 8)) != 0 { input.i16() } else { Ok(before) }
    };
    base.iter().enumerate().map(joint).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    fn report(seed: &[f64]) -> RobotReport {
        RobotReport {
            world_from_base: Pose::from_numbers([
                seed[0] * 40.0,
                seed[1] * 40.0,
                seed[2],
                seed[3],
                seed[4],
                seed[5],
                seed[6] + 0.01,
            ])
            .unwrap_or_default(),
            joints_rad: seed[7..].iter().map(|part| part * PI).collect(),
            flags: 3,
        }
    }

    fn close(a: &RobotReport, b: &RobotReport) -> bool {
        let near = |(a, b): (&f64, &f64), limit: f64| (a - b).abs() <= limit;
        let (at_a, at_b) = (a.world_from_base.translation_m(), b.world_from_base.translation_m());
        at_a.iter().zip(at_b.iter()).all(|pair| near(pair, POSITION_M * 0.51))
            && a.world_from_base.distance(&b.world_from_base).angle_rad < 0.025
            && a.joints_rad.len() == b.joints_rad.len()
            && a.joints_rad.iter().zip(&b.joints_rad).all(|pair| near(pair, JOINT_RAD * 0.51))
            && a.flags == b.flags
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn whole_or_against_another_it_comes_back(
            first in prop::collection::vec(-1.0..1.0_f64, 37),
            second in prop::collection::vec(-1.0..1.0_f64, 37),
            same in prop::collection::vec(any::<bool>(), 37),
        ) {
            let mut packer = RobotPacker::default();
            let base = packer.snapshot(&report(&first), 0).unwrap();
            let mixed: Vec<f64> = (0..37).map(|i| if same[i] { first[i] } else { second[i] }).collect();
            let next = packer.snapshot(&report(&mixed), 100).unwrap();
            for base in [None, Some(&base)] {
                let mut out = Writer::default();
                next.write(base, &mut out);
                let back = RobotSnapshot::read(&mut Reader::new(&out.bytes), base).unwrap();
                prop_assert_eq!(&back, &next);
                prop_assert!(close(&report(&mixed), &back.report().unwrap()));
                prop_assert_eq!(RobotReport::from_bytes(&to_bytes(&next, None)), next.report());
            }
        }
    }

    #[test]
    fn what_reports_do_not_tell_apart_is_alike() {
        let still = report(&[0.5; 37]);
        let moved =
            |by: f64| RobotReport { joints_rad: still.joints_rad.iter().map(|at| at + by).collect(), ..still.clone() };
        assert!(still.is_like(&moved(0.9e-4)) && !still.is_like(&moved(1.1e-4)) && !still.is_like(&moved(f64::NAN)));
        assert!(!still.is_like(&RobotReport { flags: still.flags ^ 1, ..still.clone() }));
        assert!(!still.is_like(&report(&[0.5; 36])));
    }

    #[test]
    fn thirty_joints_take_what_is_said() {
        let mut packer = RobotPacker::default();
        let still = packer.snapshot(&report(&[0.5; 37]), 0).unwrap();
        let mut seed = [0.5; 37];
        let size = |snapshot: &RobotSnapshot, base: Option<&RobotSnapshot>| {
            let mut out = Writer::default();
            snapshot.write(base, &mut out);
            out.bytes.len()
        };
        assert_eq!(size(&still, None), 1 + 12 + 12 + 2 + 1 + 60, "the first, with its reference");
        assert_eq!(size(&still, Some(&still)), 1 + 4, "nothing changed");
        seed[10] = 0.4;
        seed[20] = 0.4;
        let waving = packer.snapshot(&report(&seed), 0).unwrap();
        assert_eq!(size(&waving, Some(&still)), 1 + 4 + 4, "two joints moved");
        let walking = packer.snapshot(&report(&[0.4; 37]), 0).unwrap();
        assert_eq!(size(&walking, Some(&still)), 1 + 12 + 2 + 1 + 60, "everything moved: whole is shorter");
    }

    #[test]
    fn the_reference_is_new_every_16_s_and_when_the_robot_is_far() {
        let mut packer = RobotPacker::default();
        let mut at = |x: f64, now_ns: u64| {
            let report = RobotReport { world_from_base: Pose::from_translation(x, 0.0, 0.0), ..report(&[0.5; 37]) };
            f64::from(packer.snapshot(&report, now_ns).unwrap().reference[0]) * POSITION_M
        };
        assert_eq!(at(1.0, 0), 1.0);
        assert_eq!(at(2.0, 15_999_999_999), 1.0);
        assert_eq!(at(3.0, 16_000_000_000), 3.0);
        assert_eq!(at(30.0, 16_000_000_001), 30.0);
    }

    #[test]
    fn an_angle_beyond_half_a_turn_looks_the_same() {
        for angle in [3.5, -4.0, 7.0, 100.0] {
            let sent = f64::from(joint(angle)) * JOINT_RAD;
            let turns = (angle - sent) / TAU;
            assert!((turns - turns.round()).abs() < 1e-4, "{angle} became {sent}");
        }
        assert_eq!(f64::from(joint(3.2)) * JOINT_RAD, 3.2, "inside 16 bits it stays what it is");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let mut packer = RobotPacker::default();
        let mut bad = report(&[0.5; 37]);
        bad.joints_rad[2] = f64::NAN;
        assert_eq!(packer.snapshot(&bad, 0), Err(ReportError::NotFinite("a joint")));
        let bad = RobotReport { world_from_base: Pose::from_translation(f64::NAN, 0.0, 0.0), ..report(&[0.5; 37]) };
        assert_eq!(packer.snapshot(&bad, 0), Err(ReportError::NotFinite("the pose")));
        assert_eq!(RobotReport::from_bytes(&[0; 9]), None);
    }
}
