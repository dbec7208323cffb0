//! Writes to the disk itself what was written to a file, on a thread of its own: whoever edits does not wait for it.

use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
struct Wanted {
    /// A file and the folder it is in. A newer one replaces it: a file that took its place is on disk whole.
    files: Option<[Arc<File>; 2]>,
    failed: Option<io::Error>,
    over: bool,
}

#[derive(Default)]
struct Between {
    wanted: Mutex<Wanted>,
    changed: Condvar,
}

impl Between {
    fn lock(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was asked for is on disk when it is dropped.
pub struct Syncing {
    between: Arc<Between>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Syncing {
    pub fn start() -> io::Result<Syncing> {
        let between = Arc::new(Between::default());
        let theirs = Arc::clone(&between);
        let thread = std::thread::Builder::new().name("sync".to_owned()).spawn(move || run(&theirs))?;
        Ok(Syncing { between, thread: Some(thread) })
    }

    /// Soon. An error is one of what was asked for before.
    pub fn sync(&self, file: &Arc<File>, folder: &Arc<File>) -> io::Result<()> {
        let mut wanted = self.between.lock();
        wanted.files = Some([file, folder].map(Arc::clone));
        self.between.changed.notify_one();
        wanted.failed.take().map_or(Ok(()), Err)
    }
}

impl Drop for Syncing {
    fn drop(&mut self) {
        self.between.lock().over = true;
        self.between.changed.notify_one();
        let _ = self.thread.take().map(std::thread::JoinHandle::join);
    }
}

fn run(between: &Between) {
    loop {
        let idle = |wanted: &mut Wanted| wanted.files.is_none() && !wanted.over;
        let waited = between.changed.wait_while(between.lock(), idle);
        let Some([file, folder]) = waited.unwrap_or_else(PoisonError::into_inner).files.take() else { return };
        if let Err(error) = file.sync_data().and_then(|()| folder.sync_all()) {
            between.lock().failed = Some(error);
        }
    }
}
