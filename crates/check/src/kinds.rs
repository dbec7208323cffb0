//! The node types whose meaning matters to a concern, by name.

pub const ALWAYS_FAIL: &str = "always_fail";
pub const CHOOSE: &str = "choose";
pub const CONDITION: &str = "condition";
pub const COUNTER: &str = "counter";
pub const GOSUB: &str = "gosub";
pub const GOTO: &str = "goto";
pub const LOOP: &str = "loop";
pub const PARALLEL: &str = "parallel";
pub const QUESTION: &str = "question";
pub const RECEIVE: &str = "receive";
pub const RELINQUISH: &str = "relinquish";
pub const RESERVE: &str = "reserve";
pub const SEND: &str = "send";
pub const SET: &str = "set";
pub const STAND_IN: &str = "stand_in";
pub const WAIT: &str = "wait";
pub const WAIT_UNTIL: &str = "wait_until";

#[cfg(test)]
mod tests {
    use super::*;

    /// A type that is renamed must be renamed here too, or its checks fall silent.
    #[test]
    fn every_name_is_a_node_type() {
        let registry = nodes::registry();
        for name in [
            ALWAYS_FAIL,
            CHOOSE,
            CONDITION,
            COUNTER,
            GOSUB,
            GOTO,
            LOOP,
            PARALLEL,
            QUESTION,
            RECEIVE,
            RELINQUISH,
            RESERVE,
            SEND,
            SET,
            STAND_IN,
            WAIT,
            WAIT_UNTIL,
        ] {
            assert!(registry.get(name).is_some(), "there is no node type `{name}`");
        }
    }
}
