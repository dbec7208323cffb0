//! The numbers by which robot and operator name instances.

use std::collections::BTreeSet;

use engine::Instance;
use model::NodeId;
use protocol::talk::{InstanceNumber, instance_number};

#[test]
fn no_two_instances_of_a_large_tree_have_one_number() {
    let number = |node: u64| instance_number(&Instance { uses: Vec::new(), node: NodeId(node) });
    let numbers: BTreeSet<InstanceNumber> = (0..200_000).map(number).collect();
    assert_eq!(numbers.len(), 200_000);
    assert!(numbers.iter().all(|number| number >> 56 == 0), "a report has room for 56 bits");
}
