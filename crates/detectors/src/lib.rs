//! Detectors of real pictures behind [`scene::Detector`], the door that the simulated one uses too.
//!
//! Both are features that are off, so that the ordinary build stays light; what needs no library is built always.
//! `onnx` runs models of the YOLO family with onnxruntime, bound by `ort` and loaded when a model is opened: it is faster
//! than `tract-onnx` (1.2 against 5.9 ms for a small net), takes every model that exporters write, and adds 12 crates
//! instead of 96. The price is a library beside the program, which `./dev test-detectors` fetches. `apriltag` finds tags
//! with `kornia-apriltag`, which is Rust alone.

#[cfg(feature = "apriltag")]
mod apriltag;
pub mod intrinsics;
pub mod letterbox;
mod names;
#[cfg(feature = "onnx")]
mod onnx;
mod settings;
pub mod tag_pose;
pub mod yolo;

#[cfg(feature = "apriltag")]
pub use apriltag::AprilTags;
pub use names::{class_names, read_names};
#[cfg(feature = "onnx")]
pub use onnx::OnnxModel;
pub use settings::{AprilTagSettings, DetectorChoice, DetectorError, OnnxSettings, Tag, open};
