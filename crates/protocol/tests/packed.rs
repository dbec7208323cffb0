//! What happens arrives as it was told, whatever values are in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::RunFact;
use model::Value;
use protocol::talk::{Happening, What, pack, unpack};

#[test]
fn values_that_a_step_starts_with_arrive() {
    let entries: BTreeMap<Arc<str>, Value> = [("x_m".into(), Value::Number(0.25))].into();
    let all = [
        Value::Bool(true),
        Value::Number(-1.5),
        Value::text("left"),
        Value::List([Value::Number(1.0), Value::text("a")].into()),
        Value::Map(Arc::new(entries)),
    ];
    let values = all.into_iter().enumerate().map(|(place, value)| (Arc::from(format!("setting_{place}")), value));
    let fact = RunFact::With { values: values.collect() };
    let told = vec![Happening { at_ms: 7, what: What::Run { step: None, fact } }; 2];
    assert_eq!(unpack::<Vec<Happening>>(&pack(&told)), Some(told));
}
