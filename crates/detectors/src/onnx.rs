//! Models of the YOLO family, run by onnxruntime.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ort::environment::Environment;
use ort::session::Session;
use ort::value::{Outlet, Tensor, TensorElementType, ValueType};
use scene::{Cloud, DetectError, Detector, Found, Picture};

use crate::letterbox::Letterbox;
use crate::names::{class_names, read_names};
use crate::settings::{DetectorError, OnnxSettings};
use crate::yolo::{Answer, Limits, Prototypes};

const USUAL_LIBRARY: &str = "third_party/onnxruntime/libonnxruntime.so";

pub struct OnnxModel {
    name: Arc<str>,
    file: PathBuf,
    session: Session,
    /// Width and height of what the model gets.
    field: [u32; 2],
    classes: Vec<Arc<str>>,
    limits: Limits,
}

impl OnnxModel {
    /// Runs the model once on an empty picture, so that what does not fit is told now and not on the robot's way.
    pub fn open(settings: &OnnxSettings, folder: &Path) -> Result<OnnxModel, DetectorError> {
        let file = folder.join(&settings.model);
        if !file.is_file() {
            return Err(DetectorError::NoModel(file));
        }
        let environment = environment(&library(settings, folder))?;
        let bad = |error: ort::Error| DetectorError::BadModel { model: file.clone(), why: error.to_string() };
        let session = Session::builder(&environment).and_then(|mut builder| builder.commit_from_file(&file));
        let session = session.map_err(bad)?;
        let classes = classes(&session, &file)?;
        let field =
            field(&session, settings.side_px).map_err(|why| DetectorError::Shape { model: file.clone(), why })?;
        let least = |class: &Arc<str>| *settings.class_confidence.get(class).unwrap_or(&settings.confidence);
        if let Some(unknown) = settings.class_confidence.keys().find(|class| !classes.contains(class)) {
            return Err(DetectorError::Setting {
                detector: settings.name.clone(),
                field: format!("class_confidence.{unknown}"),
                value: "given".into(),
                wanted: "the model has no such class",
            });
        }
        let limits = Limits { confidence: classes.iter().map(least).collect(), overlap: settings.overlap };
        let name = settings.name.clone();
        let mut model = OnnxModel { name, file, session, field, classes, limits };
        model.found(&Cloud::new(0, geometry::Pose::identity(), 1, 1))?;
        Ok(model)
    }

    pub fn classes(&self) -> &[Arc<str>] {
        &self.classes
    }

    fn found(&mut self, cloud: &Cloud) -> Result<Vec<Found>, DetectorError> {
        let picture = [cloud.width(), cloud.height()];
        let letterbox = Letterbox::fit(picture, self.field);
        let shape = [1, 3, self.field[1] as usize, self.field[0] as usize];
        let bad = |error: ort::Error| DetectorError::BadModel { model: self.file.clone(), why: error.to_string() };
        let input = Tensor::from_array((shape, letterbox.planes(cloud, self.field))).map_err(bad)?;
        let outputs = self.session.run(ort::inputs![input]).map_err(bad)?;
        let tensors: Result<Vec<_>, _> = (0..outputs.len()).map(|index| tensor(&outputs[index])).collect();
        let answer = tensors.and_then(|tensors| answer(&tensors, self.classes.len()));
        let answer = answer.map_err(|why| DetectorError::Shape { model: self.file.clone(), why })?;
        let hits = answer.hits(&self.limits).into_iter();
        let found = hits.map(|hit| Found {
            class: self.classes[hit.class].clone(),
            confidence: f64::from(hit.confidence),
            mask: answer.mask(&hit, letterbox, self.field, picture),
            world_from_object: None,
        });
        Ok(found.filter(|found| !found.mask.is_empty()).collect())
    }
}

impl Detector for OnnxModel {
    fn name(&self) -> &Arc<str> {
        &self.name
    }

    fn detect(&mut self, picture: &Picture) -> Result<Vec<Found>, DetectError> {
        self.found(&picture.cloud).map_err(|problem| DetectError(problem.to_string()))
    }
}

fn library(settings: &OnnxSettings, folder: &Path) -> PathBuf {
    let named = std::env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty());
    let given = settings.library.as_ref().map(|path| folder.join(path));
    given.or_else(|| named.map(PathBuf::from)).unwrap_or_else(|| PathBuf::from(USUAL_LIBRARY))
}

/// There can be one in a process; the library it was made with serves all models.
fn environment(library: &Path) -> Result<Environment, DetectorError> {
    static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);
    let bad = |why: String| DetectorError::BadLibrary { library: library.to_owned(), why };
    // A relative name would be looked for beside the program, and then wherever the linker looks.
    let Ok(absolute) = library.canonicalize() else { return Err(DetectorError::NoLibrary(library.to_owned())) };
    let mut made = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = &*made {
        return Ok(environment.clone());
    }
    let builder = ort::init_from(absolute).map_err(|error| bad(error.to_string()))?;
    let environment = builder.with_telemetry(false).build().map_err(|error| bad(error.to_string()))?;
    Ok(made.insert(environment).clone())
}

fn classes(session: &Session, file: &Path) -> Result<Vec<Arc<str>>, DetectorError> {
    let beside = file.with_extension("json");
    let in_model = session.metadata().ok().and_then(|metadata| metadata.custom("names"));
    let names = match (read_names(&beside), in_model) {
        (Some(names), _) => names,
        (None, Some(text)) => class_names(&text).ok_or_else(|| format!("its `names` are no list of names: {text}")),
        (None, None) => Err("it does not name its classes".to_owned()),
    };
    let names = names.map_err(|why| DetectorError::Names { model: file.to_owned(), beside, why })?;
    Ok(names.into_iter().map(Arc::from).collect())
}

/// Width and height of the model's one input.
fn field(session: &Session, usual: u32) -> Result<[u32; 2], String> {
    let [input] = session.inputs() else { return Err(format!("it has {} inputs", session.inputs().len())) };
    let (ty, shape) = shape_of(input).ok_or("its input is no tensor")?;
    if ty != TensorElementType::Float32 {
        return Err(format!("its input is of {ty}"));
    }
    let side = |size: i64| match size {
        -1 => Some(usual),
        1..=8192 => u32::try_from(size).ok(),
        _ => None,
    };
    match shape {
        [1 | -1, 3 | -1, height, width] => side(*width).zip(side(*height)).map(|(width, height)| [width, height]),
        _ => None,
    }
    .ok_or_else(|| format!("its input is {shape:?}"))
}

fn shape_of(outlet: &Outlet) -> Option<(TensorElementType, &[i64])> {
    match outlet.dtype() {
        ValueType::Tensor { ty, shape, .. } => Some((*ty, &shape[..])),
        ValueType::Sequence(_) | ValueType::Map { .. } | ValueType::Optional(_) => None,
    }
}

type Numbers<'a> = (Vec<usize>, &'a [f32]);

fn tensor<'a>(value: &'a ort::value::DynValue) -> Result<Numbers<'a>, String> {
    let (shape, numbers) = value.try_extract_tensor::<f32>().map_err(|error| format!("an output: {error}"))?;
    Ok((shape.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect(), numbers))
}

/// Which output is which, told by how many sizes each has.
fn answer<'a>(outputs: &[Numbers<'a>], classes: usize) -> Result<Answer<'a>, String> {
    let boxes = outputs.iter().find(|(shape, _)| shape.len() == 3);
    let Some((shape, rows)) = boxes else { return Err("no output has three sizes, as boxes have".into()) };
    let prototypes = outputs.iter().find(|(shape, _)| shape.len() == 4).map(|(shape, values)| Prototypes {
        values,
        count: shape[1],
        width: shape[3] as u32,
        height: shape[2] as u32,
    });
    let masks = prototypes.map_or(0, |prototypes| prototypes.count);
    if shape[0] != 1 || shape[1] != 4 + classes + masks {
        return Err(format!(
            "its boxes are {shape:?}, but with {classes} classes and {masks} prototypes of masks they must be [1, {}, …]",
            4 + classes + masks
        ));
    }
    let of_one = |prototypes: &Prototypes| {
        let area = prototypes.width as usize * prototypes.height as usize;
        area > 0 && prototypes.values.len() == prototypes.count * area
    };
    if !prototypes.as_ref().is_none_or(of_one) {
        return Err("its prototypes of masks are not those of one picture".into());
    }
    Ok(Answer { rows, anchors: shape[2], classes, prototypes })
}
