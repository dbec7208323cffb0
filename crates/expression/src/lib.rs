//! Conditions and values over blackboard variables: CEL text, compiled once, evaluated without allocation.
