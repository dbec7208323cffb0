//! What binding and evaluating cost: `cargo run --release -p expression --example speed`.

use std::hint::black_box;
use std::time::Instant;

use expression::{Cache, Env, Expression, Names, Slot};
use model::Value;

struct Board(Vec<Value>);

const NAMES: [&str; 3] = ["x", "s", "items"];

impl Names for Board {
    fn variable(&mut self, name: &str) -> Option<Slot> {
        NAMES.iter().position(|known| *known == name).map(|at| Slot(at as u32))
    }

    fn token(&mut self, _: &str) -> u32 {
        0
    }

    fn node(&mut self, _: &str) -> Option<u32> {
        Some(0)
    }
}

impl Env for Board {
    fn variable(&self, slot: Slot) -> Option<&Value> {
        self.0.get(slot.0 as usize)
    }

    fn is_free(&self, _: u32) -> bool {
        true
    }

    fn outcome(&self, _: u32) -> &str {
        "found"
    }

    fn result(&self, _: u32) -> &'static str {
        "success"
    }

    fn time_s(&self) -> f64 {
        1.0
    }

    fn random(&self) -> f64 {
        0.5
    }
}

/// The best of several rounds, in nanoseconds per call.
fn measure(calls: u32, mut call: impl FnMut()) -> f64 {
    let round = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(calls)
    };
    (0..15).map(|_| round(&mut call)).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let items = Value::List([Value::from(1.0), Value::from("go")].into());
    let mut board = Board(vec![Value::from(3.0), Value::from("go"), items]);
    let mut cache = Cache::new();
    println!("{:>9} {:>9} {:>9}", "evaluate", "bind", "cached");
    for text in [
        "x < 5",
        "x < 5 && s == 'go'",
        "s in ['stop', 'wait', 'go']",
        "free('arm') && outcome('scan') == 'found'",
        "(x + 1) * 2 - x / 4 > sqrt(x)",
        "x < 5 || x > 9 && items[1] == s && !(x == 4)",
    ] {
        let mut expression = Expression::new(text);
        let bind = measure(2000, || drop(black_box(black_box(&mut expression).bind(&mut board))));
        let cached = measure(2000, || drop(black_box(black_box(&mut expression).bind_with(&mut board, &mut cache))));
        let env: &dyn Env = black_box(&board);
        expression.holds(env)?;
        let evaluate = measure(200_000, || drop(black_box(black_box(&expression).holds(env))));
        println!("{evaluate:6.1} ns {bind:6.0} ns {cached:6.0} ns  {text}");
    }
    Ok(())
}
