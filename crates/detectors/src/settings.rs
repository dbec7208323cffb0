//! Which detectors a robot has, and opening them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scene::{Detector, Detectors};
use serde::{Deserialize, Serialize};

use crate::intrinsics::Intrinsics;

/// One of a robot's list, `{"onnx": {…}}` or `{"apriltag": {…}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetectorChoice {
    Onnx(OnnxSettings),
    Apriltag(AprilTagSettings),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnnxSettings {
    pub name: Arc<str>,
    /// The `.onnx` file, from the folder of the settings.
    pub model: PathBuf,
    /// onnxruntime's library; None: `ORT_DYLIB_PATH`, else `third_party/onnxruntime/libonnxruntime.so`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<PathBuf>,
    /// The least confidence of classes that `class_confidence` does not name.
    #[serde(default = "usual_confidence")]
    pub confidence: f32,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub class_confidence: BTreeMap<Arc<str>, f32>,
    /// Of two boxes of a class that overlap by more (shared area over the area of both), only the surer one counts.
    #[serde(default = "usual_overlap")]
    pub overlap: f32,
    /// Side of the picture that the model gets, where the model leaves that open.
    #[serde(default = "usual_side")]
    pub side_px: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AprilTagSettings {
    pub name: Arc<str>,
    /// Side of the black square. Of all tags that `tags` gives no other.
    pub size_m: f64,
    /// By number. Others are told, too, as `tag_7`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<u16, Tag>,
    /// None: as the points of the picture have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intrinsics: Option<Intrinsics>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tag {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_m: Option<f64>,
}

fn usual_confidence() -> f32 {
    0.25
}

fn usual_overlap() -> f32 {
    0.45
}

fn usual_side() -> u32 {
    640
}

#[derive(Debug, thiserror::Error)]
pub enum DetectorError {
    #[error("detector `{detector}`: this program was built without `{feature}`; build it with `--features {feature}`")]
    NotBuilt { detector: Arc<str>, feature: &'static str },
    #[error("detector `{detector}`: `{field}` is {value}, but {wanted}")]
    Setting { detector: Arc<str>, field: String, value: String, wanted: &'static str },
    #[error("two detectors have the name `{0}`: a behavior turns them on and off by name, so give one another")]
    TwoOfAName(Arc<str>),
    #[error("no model at {}: `model` of a detector is a path from the folder of its settings", .0.display())]
    NoModel(PathBuf),
    #[error(
        "no library of onnxruntime at {}: `./dev test-detectors` fetches it to third_party/onnxruntime; for another \
         place give `library` or ORT_DYLIB_PATH",
        .0.display()
    )]
    NoLibrary(PathBuf),
    #[error("cannot use {} as onnxruntime's library: {why}; 1.24 or later is needed", library.display())]
    BadLibrary { library: PathBuf, why: String },
    #[error("cannot load the model {}: {why}", model.display())]
    BadModel { model: PathBuf, why: String },
    #[error(
        "{}: {why}. A YOLO model is wanted: one picture [1, 3, height, width] of 32-bit floats in; boxes \
         [1, 4 + classes + masks, anchors] out, and prototypes [1, masks, height / 4, width / 4] if it has masks. \
         Ultralytics: yolo export format=onnx nms=False half=False",
        model.display()
    )]
    Shape { model: PathBuf, why: String },
    #[error(
        "{}: {why}. The names of the classes come from the model's metadata (`names`) or from {}, \
         which holds them in order, as [\"cup\", \"ball\"]",
        model.display(),
        beside.display()
    )]
    Names { model: PathBuf, beside: PathBuf, why: String },
}

impl OnnxSettings {
    fn check(&self) -> Result<(), DetectorError> {
        let bad = |field: String, value: f32, wanted| {
            Err(DetectorError::Setting { detector: self.name.clone(), field, value: value.to_string(), wanted })
        };
        let share = |value: f32| (0.0..=1.0).contains(&value);
        if !share(self.confidence) {
            return bad("confidence".into(), self.confidence, "a confidence is from 0 to 1");
        }
        if let Some((class, least)) = self.class_confidence.iter().find(|(_, least)| !share(**least)) {
            return bad(format!("class_confidence.{class}"), *least, "a confidence is from 0 to 1");
        }
        if !share(self.overlap) {
            return bad("overlap".into(), self.overlap, "an overlap is from 0 to 1");
        }
        if !(32..=4096).contains(&self.side_px) || !self.side_px.is_multiple_of(32) {
            return bad("side_px".into(), self.side_px as f32, "it must be a multiple of 32 from 32 to 4096");
        }
        Ok(())
    }
}

impl AprilTagSettings {
    fn check(&self) -> Result<(), DetectorError> {
        let bad = |field: String, value: String, wanted| {
            Err(DetectorError::Setting { detector: self.name.clone(), field, value, wanted })
        };
        let is_size = |size_m: f64| size_m.is_finite() && size_m > 0.0;
        if !is_size(self.size_m) {
            return bad("size_m".into(), self.size_m.to_string(), "a tag has a side above 0 m");
        }
        let sizes = self.tags.iter().filter_map(|(id, tag)| Some((id, tag.size_m?)));
        if let Some((id, size_m)) = sizes.into_iter().find(|(_, size_m)| !is_size(*size_m)) {
            return bad(format!("tags.{id}.size_m"), size_m.to_string(), "a tag has a side above 0 m");
        }
        if let Some(intrinsics) = self.intrinsics.filter(|intrinsics| !intrinsics.is_usable()) {
            let value = format!("{intrinsics:?}");
            return bad("intrinsics".into(), value, "focal lengths are above 0 and all numbers finite");
        }
        Ok(())
    }
}

/// Opens all of a robot's detectors. They take turns in the order of the list.
pub fn open(choices: &[DetectorChoice], folder: &Path) -> Result<Detectors, DetectorError> {
    let mut models: Vec<Box<dyn Detector + Send>> = Vec::new();
    for choice in choices {
        let model = open_one(choice, folder)?;
        if models.iter().any(|other| other.name() == model.name()) {
            return Err(DetectorError::TwoOfAName(model.name().clone()));
        }
        models.push(model);
    }
    Ok(Detectors::new(models))
}

fn open_one(choice: &DetectorChoice, folder: &Path) -> Result<Box<dyn Detector + Send>, DetectorError> {
    match choice {
        DetectorChoice::Onnx(settings) => {
            settings.check()?;
            open_onnx(settings, folder)
        }
        DetectorChoice::Apriltag(settings) => {
            settings.check()?;
            open_apriltag(settings)
        }
    }
}

#[cfg(feature = "onnx")]
fn open_onnx(settings: &OnnxSettings, folder: &Path) -> Result<Box<dyn Detector + Send>, DetectorError> {
    Ok(Box::new(crate::OnnxModel::open(settings, folder)?))
}

#[cfg(not(feature = "onnx"))]
fn open_onnx(settings: &OnnxSettings, _folder: &Path) -> Result<Box<dyn Detector + Send>, DetectorError> {
    Err(DetectorError::NotBuilt { detector: settings.name.clone(), feature: "onnx" })
}

#[cfg(feature = "apriltag")]
fn open_apriltag(settings: &AprilTagSettings) -> Result<Box<dyn Detector + Send>, DetectorError> {
    Ok(Box::new(crate::AprilTags::new(settings)))
}

#[cfg(not(feature = "apriltag"))]
fn open_apriltag(settings: &AprilTagSettings) -> Result<Box<dyn Detector + Send>, DetectorError> {
    Err(DetectorError::NotBuilt { detector: settings.name.clone(), feature: "apriltag" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let choices: Vec<DetectorChoice> = serde_json::from_str(text).unwrap();
        open(&choices, Path::new(".")).err().expect("an error").to_string()
    }

    #[test]
    fn settings_are_read_and_written_the_same() {
        let text = r#"[{"onnx":{"name":"things","model":"things.onnx","confidence":0.5,"overlap":0.25,"side_px":320}},{"apriltag":{"name":"tags","size_m":0.1,"tags":{"3":{"class":"door"}}}}]"#;
        let choices: Vec<DetectorChoice> = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&choices).unwrap(), text);
    }

    #[test]
    fn the_settings_in_the_documentation_are_read() {
        let page = include_str!("../../../docs/detectors.md");
        let text = page.split("```json").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of settings");
        let choices: Vec<DetectorChoice> = serde_json::from_str(text).unwrap();
        assert!(matches!(&choices[..], [DetectorChoice::Onnx(_), DetectorChoice::Apriltag(_)]));
    }

    #[test]
    fn bad_settings_are_named() {
        let onnx = |rest: &str| error(&format!(r#"[{{"onnx":{{"name":"a","model":"m"{rest}}}}}]"#));
        assert!(onnx(r#","confidence":2"#).starts_with("detector `a`: `confidence` is 2, but a confidence is from"));
        assert!(onnx(r#","class_confidence":{"cup":-1}"#).contains("`class_confidence.cup` is -1"));
        assert!(onnx(r#","side_px":100"#).contains("multiple of 32"));
        assert!(error(r#"[{"apriltag":{"name":"a","size_m":0}}]"#).contains("`size_m` is 0"));
        assert!(
            error(r#"[{"apriltag":{"name":"a","size_m":1,"tags":{"4":{"size_m":-1}}}}]"#).contains("tags.4.size_m")
        );
        let focal = r#""intrinsics":{"focal_px":[0,1],"centre_px":[1,1]}"#;
        assert!(error(&format!(r#"[{{"apriltag":{{"name":"a","size_m":1,{focal}}}}}]"#)).contains("focal lengths"));
    }

    #[test]
    #[cfg(not(feature = "onnx"))]
    fn what_was_not_built_in_is_told_with_the_remedy() {
        let told = error(r#"[{"onnx":{"name":"a","model":"m.onnx"}}]"#);
        assert!(told.contains("build it with `--features onnx`"), "{told}");
    }

    #[test]
    #[cfg(feature = "apriltag")]
    fn two_of_a_name_are_refused() {
        let one = r#"{"apriltag":{"name":"a","size_m":1}}"#;
        assert!(error(&format!("[{one},{one}]")).contains("two detectors have the name `a`"));
    }
}
