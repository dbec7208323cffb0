//! All integration tests of this crate in one binary: each that is linked costs seconds and tens of megabytes.

mod apriltag;
#[cfg(feature = "onnx")]
mod kit;
mod onnx;
