//! The run: what is running and how far, what is next, and how it is being run.

use link::wire::{Malformed, Reader, Writer};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{ReportError, Snapshot, from_bytes, to_bytes};
use crate::talk::InstanceNumber;

/// Of an [`InstanceNumber`]: more would leave less room for steps in a narrow datagram.
const NUMBER_BYTES: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningStep {
    pub node: InstanceNumber,
    /// Whole percent; none where a step cannot know.
    pub progress_percent: Option<u8>,
}

/// How it is being run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum RunMode {
    #[default]
    Stopped,
    Manual,
    Automatic,
    Paused,
    Stopping,
    Failed,
}

impl RunMode {
    const ALL: [Self; 6] = [Self::Stopped, Self::Manual, Self::Automatic, Self::Paused, Self::Stopping, Self::Failed];
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunReport {
    pub mode: RunMode,
    /// Hundredths of a second of the engine's time.
    pub tick: u64,
    pub next: Option<InstanceNumber>,
    /// The edit of the document that is in force.
    pub document_version: u32,
    pub running: Vec<RunningStep>,
}

const UNKNOWN: u8 = 255;
const HAS_NEXT: u8 = 0x10;
const SAME_STEPS: u8 = 0x20;
const SAME_NEXT: u8 = 0x40;
const SAME_VERSION: u8 = 0x80;

impl RunReport {
    pub fn to_bytes(&self) -> Result<Vec<u8>, ReportError> {
        self.check()?;
        Ok(to_bytes(self, None))
    }

    /// None: this is no report.
    pub fn from_bytes(bytes: &[u8]) -> Option<RunReport> {
        from_bytes(bytes, None)
    }

    fn check(&self) -> Result<(), ReportError> {
        let mut numbers = self.running.iter().map(|step| step.node).chain(self.next);
        if let Some(number) = numbers.find(|number| number >> (8 * NUMBER_BYTES) != 0) {
            return Err(ReportError::Number(number));
        }
        if self.running.len() > 255 { Err(ReportError::Steps(self.running.len())) } else { Ok(()) }
    }
}

fn number_out(number: InstanceNumber, out: &mut Writer) {
    out.put(&number.to_le_bytes()[..NUMBER_BYTES]);
}

fn number_in(input: &mut Reader<'_>) -> Result<InstanceNumber, Malformed> {
    let mut bytes = [0; 8];
    bytes[..NUMBER_BYTES].copy_from_slice(input.bytes(NUMBER_BYTES)?);
    Ok(InstanceNumber::from_le_bytes(bytes))
}

fn progress_out(step: &RunningStep) -> u8 {
    step.progress_percent.map_or(UNKNOWN, |percent| percent.min(100))
}

fn progress_in(byte: u8) -> Option<u8> {
    (byte != UNKNOWN).then_some(byte.min(100))
}

impl Snapshot for RunReport {
    fn write(&self, base: Option<&Self>, out: &mut Writer) {
        let nodes = |report: &Self| report.running.iter().map(|step| step.node).collect::<Vec<_>>();
        let same_steps = base.filter(|base| nodes(base) == nodes(self));
        let same_next = base.is_some_and(|base| base.next == self.next);
        let same_version = base.is_some_and(|base| base.document_version == self.document_version);
        out.u8(self.mode as u8
            | if self.next.is_some() { HAS_NEXT } else { 0 }
            | if same_steps.is_some() { SAME_STEPS } else { 0 }
            | if same_next { SAME_NEXT } else { 0 }
            | if same_version { SAME_VERSION } else { 0 });
        out.varint(self.tick);
        if !same_version {
            out.varint(self.document_version.into());
        }
        if let Some(next) = self.next.filter(|_| !same_next) {
            number_out(next, out);
        }
        let Some(base) = same_steps else {
            out.u8(self.running.len() as u8);
            for step in &self.running {
                number_out(step.node, out);
                out.u8(progress_out(step));
            }
            return;
        };
        let mut changed = vec![0_u8; self.running.len().div_ceil(8)];
        let differs = |index: usize| progress_out(&self.running[index]) != progress_out(&base.running[index]);
        for index in (0..self.running.len()).filter(|&index| differs(index)) {
            changed[index / 8] |= 1 << (index % 8);
        }
        out.put(&changed);
        for index in (0..self.running.len()).filter(|&index| differs(index)) {
            out.u8(progress_out(&self.running[index]));
        }
    }

    fn read(input: &mut Reader<'_>, base: Option<&Self>) -> Result<Self, Malformed> {
        let head = input.u8()?;
        let of_base = || base.ok_or(Malformed::OutOfRange);
        let mode = *RunMode::ALL.get(usize::from(head & 0x0f)).ok_or(Malformed::OutOfRange)?;
        let tick = input.varint()?;
        let document_version =
            if head & SAME_VERSION != 0 { of_base()?.document_version } else { input.varint_u32()? };
        let next = match (head & SAME_NEXT != 0, head & HAS_NEXT != 0) {
            (true, _) => of_base()?.next,
            (false, true) => Some(number_in(input)?),
            (false, false) => None,
        };
        let running = if head & SAME_STEPS != 0 { progressed(input, &of_base()?.running)? } else { steps(input)? };
        Ok(Self { mode, tick, next, document_version, running })
    }
}

fn steps(input: &mut Reader<'_>) -> Result<Vec<RunningStep>, Malformed> {
    let count = input.u8()?;
    let step = |_| Ok(RunningStep { node: number_in(input)?, progress_percent: progress_in(input.u8()?) });
    (0..count).map(step).collect()
}

fn progressed(input: &mut Reader<'_>, base: &[RunningStep]) -> Result<Vec<RunningStep>, Malformed> {
    let bits = input.bytes(base.len().div_ceil(8))?;
    let step = |(index, before): (usize, &RunningStep)| {
        let changed = bits[index / 8] & (1 << (index % 8)) != 0;
        let progress_percent = if changed { progress_in(input.u8()?) } else { before.progress_percent };
        Ok(RunningStep { progress_percent, ..*before })
    };
    base.iter().enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    fn report() -> impl Strategy<Value = RunReport> {
        let step = (0..1_u64 << 56, prop::option::of(0_u8..=100))
            .prop_map(|(node, progress_percent)| RunningStep { node, progress_percent });
        (0_usize..6, any::<u64>(), prop::option::of(0..1_u64 << 56), any::<u32>(), prop::collection::vec(step, 0..20))
            .prop_map(|(mode, tick, next, document_version, running)| RunReport {
                mode: RunMode::ALL[mode],
                tick,
                next,
                document_version,
                running,
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn whole_or_against_another_it_comes_back(base in report(), other in report(), percent in 0_u8..=100) {
            let mut progressed = base.clone();
            if let Some(step) = progressed.running.first_mut() {
                step.progress_percent = Some(percent);
            }
            for report in [base.clone(), other, progressed] {
                for base in [None, Some(&base)] {
                    let mut out = Writer::default();
                    report.write(base, &mut out);
                    prop_assert_eq!(&RunReport::read(&mut Reader::new(&out.bytes), base).unwrap(), &report);
                }
            }
        }
    }
}
