//! Memory with bounds: what somebody sends must not make us ask for much of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// At once: more than the largest file that is read, many times over.
const MOST_AT_ONCE: usize = 256 << 20;
/// Of all that an input may hold.
const MOST: usize = 1 << 30;

struct Bounded(AtomicUsize);

#[global_allocator]
static ALLOCATOR: Bounded = Bounded(AtomicUsize::new(0));

impl Bounded {
    fn took(&self, bytes: usize) {
        let all = self.0.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if bytes > MOST_AT_ONCE || all > MOST {
            eprintln!("an input asks for {bytes} bytes, where {all} are taken");
            std::process::abort();
        }
    }
}

unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.took(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.took(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.took(size);
        self.0.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.0.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}
