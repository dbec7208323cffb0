use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

/// Of poses of both legs, in a control step: a walk of twenty steps on the floor takes no more.
const POSES: usize = 1_000;

/// How much may still be gone through in this control step. Counted, not timed: a run repeats whatever the machine does.
/// What is cloned has the same one.
#[derive(Clone, Debug)]
pub(crate) struct Allowance(Arc<AtomicUsize>);

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance(Arc::new(AtomicUsize::new(POSES)))
    }
}

impl Allowance {
    pub fn refill(&self) {
        self.0.store(POSES, Ordering::Relaxed);
    }

    /// More than is left is not refused: the next one waits.
    pub fn spend(&self, poses: usize) {
        self.0.store(self.0.load(Ordering::Relaxed).saturating_sub(poses), Ordering::Relaxed);
    }

    /// Waits until something is left.
    pub async fn room(&self) {
        std::future::poll_fn(|_| if self.0.load(Ordering::Relaxed) > 0 { Poll::Ready(()) } else { Poll::Pending })
            .await;
    }
}
