//! A guard that runs each tick must not allocate.
#![allow(unsafe_code, reason = "counting allocations takes a global allocator, whose trait is unsafe")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod world;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use expression::Expression;
use world::sample;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn conditions_do_not_allocate() {
    let mut world = sample();
    for text in [
        "x < 5",
        "x < 5 && s == 'go'",
        "s in ['stop', 'go'] || s in [s, 'go']",
        "tray.slot == 4 && tray['name'] == 'tray' && items[1] == 'two'",
        "free('left_hand') && outcome('scan') == 'found' && result('scan') == 'success'",
        "defined(x) && !defined(speed) && !defined(tray.lid)",
        "(x > 2 ? min(x, 4, 9) : sqrt(x)) + hypot(x, 1) % 2 > time() - random()",
        "s.startsWith('g') && size(items) == 3 && count(s) < 9 && s < 'z'",
        "'a' + 'b' == 'ab' && s != 'a' + 'b'",
    ] {
        let mut expression = Expression::new(text);
        expression.bind(&mut world).unwrap();
        let before = ALLOCATIONS.get();
        let held = expression.holds(&world);
        assert_eq!(ALLOCATIONS.get(), before, "{text} allocates");
        assert!(held.is_ok(), "{text}: {held:?}");
    }
}

#[test]
fn failing_does_not_allocate() {
    let mut world = sample();
    for text in ["speed < 5", "x < s", "x / 0 > 1", "items[9]", "tray.lid", "x", "huge * huge > 1"] {
        let mut expression = Expression::new(text);
        expression.bind(&mut world).unwrap();
        let before = ALLOCATIONS.get();
        let held = expression.holds(&world);
        assert_eq!(ALLOCATIONS.get(), before, "{text} allocates");
        assert!(held.is_err(), "{text}");
    }
}
