//! MuJoCo's library, found and loaded when the first world is opened. The program is linked against none of it: it starts
//! without it, runs what needs no physics, and says how to get it.
//!
//! The binding declares the functions of MuJoCo and leaves them to the linker. Those that we use are defined here instead
//! and lead into the library. One that is not in the list would be linked as before, and the program would no longer start
//! without the library: `tests/install.rs` of `coact` looks for that.

#![expect(unsafe_code, reason = "functions of a library that is loaded while the program runs")]
#![expect(non_snake_case, reason = "MuJoCo's own names")]

use std::env::{current_exe, var_os};
use std::ffi::{OsString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;
use mujoco_rs::mujoco_c::{mjData, mjLogConfig, mjModel, mjVFS, mjtBool, mjtByte, mjtNum};

use super::PhysicsError;

const VERSION: &str = "3.17.0";
/// As the library says it.
const VERSION_NUMBER: c_int = 3_017_000;
/// A folder with the library, or the library itself.
const VARIABLE: &str = "COACT_MUJOCO";

macro_rules! forward {
    ($(fn $name:ident($($of:ident: $kind:ty),*) $(-> $gives:ty)?;)*) => {
        struct Functions {
            $($name: unsafe extern "C" fn($($kind),*) $(-> $gives)?,)*
            _library: Library,
        }

        impl Functions {
            fn of(library: Library) -> Result<Functions, libloading::Error> {
                Ok(Functions {
                    // SAFETY: the types are those of the binding, and the version was compared.
                    $($name: *unsafe { library.get(concat!(stringify!($name), "\0")) }?,)*
                    _library: library,
                })
            }
        }

        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($of: $kind),*) $(-> $gives)? {
                // SAFETY: as promised by who calls it.
                unsafe { (loaded().$name)($($of),*) }
            }
        )*
    };
}

forward! {
    fn mj_addBufferVFS(vfs: *mut mjVFS, name: *const c_char, buffer: *const c_void, size: c_int) -> c_int;
    fn mj_contactForce(model: *const mjModel, data: *const mjData, id: c_int, result: *mut [mjtNum; 6]);
    fn mj_defaultVFS(vfs: *mut mjVFS);
    fn mj_deleteData(data: *mut mjData);
    fn mj_deleteModel(model: *mut mjModel);
    fn mj_deleteVFS(vfs: *mut mjVFS);
    fn mj_forward(model: *const mjModel, data: *mut mjData);
    fn mj_geomDistance(
        model: *const mjModel, data: *mut mjData, first: c_int, second: c_int, max: mjtNum, ends: *mut [mjtNum; 6]
    ) -> mjtNum;
    fn mj_id2name(model: *const mjModel, kind: c_int, id: c_int) -> *const c_char;
    fn mj_loadXML(file: *const c_char, vfs: *const mjVFS, error: *mut c_char, error_size: c_int) -> *mut mjModel;
    fn mj_makeData(model: *const mjModel) -> *mut mjData;
    fn mj_multiRay(
        model: *const mjModel, data: *mut mjData, from: *const [mjtNum; 3], directions: *const mjtNum,
        groups: *const mjtByte, fixed_too: mjtBool, without_body: c_int, geoms: *mut c_int, distances: *mut mjtNum,
        normals: *mut mjtNum, count: c_int, cutoff: mjtNum
    );
    fn mj_name2id(model: *const mjModel, kind: c_int, name: *const c_char) -> c_int;
    fn mj_step(model: *const mjModel, data: *mut mjData);
    fn mj_version() -> c_int;
    fn mju_getLogConfig() -> mjLogConfig;
    fn mju_setLogConfig(config: mjLogConfig);
}

static LOADED: OnceLock<Result<Functions, String>> = OnceLock::new();

fn loaded() -> &'static Functions {
    match LOADED.get() {
        Some(Ok(functions)) => functions,
        // A panic must not leave a function that C may call.
        _ => std::process::abort(),
    }
}

/// Must have succeeded before anything of MuJoCo is called.
pub fn ready() -> Result<(), PhysicsError> {
    match LOADED.get_or_init(|| open(var_os(VARIABLE).filter(|value| !value.is_empty()))) {
        Ok(_) => Ok(()),
        Err(why) => Err(PhysicsError::Library { why: why.clone() }),
    }
}

fn file_name() -> String {
    if cfg!(target_os = "macos") { format!("libmujoco.{VERSION}.dylib") } else { format!("libmujoco.so.{VERSION}") }
}

/// `asked` is where somebody wants it to be taken from.
fn open(asked: Option<OsString>) -> Result<Functions, String> {
    let name = file_name();
    if let Some(asked) = asked {
        let path = PathBuf::from(asked);
        let path = if path.is_dir() { path.join(&name) } else { path };
        if !path.is_file() {
            return Err(format!("{VARIABLE}: there is no file {}. {}", path.display(), remedy(&name)));
        }
        return load(&path).map_err(|why| format!("{VARIABLE}: {why}"));
    }
    let folders = folders();
    let found = folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file());
    if let Some(path) = found {
        return load(&path);
    }
    // Where the system looks: LD_LIBRARY_PATH, /usr/lib and so on.
    load(Path::new(&name)).map_err(|_| {
        let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        format!(
            "{name} is neither in {}, nor where the system looks for libraries. {}",
            folders.join(", "),
            remedy(&name)
        )
    })
}

/// Beside the program, as packages have it, and as cargo lays out what it builds.
fn folders() -> Vec<PathBuf> {
    let Some(own) = current_exe().ok().and_then(|program| Some(program.parent()?.to_owned())) else {
        return Vec::new();
    };
    let above = own.parent().unwrap_or(&own).to_owned();
    vec![own, above.join("lib"), above.join("lib/coact"), above]
}

fn remedy(name: &str) -> String {
    format!(
        "Get it with `pip download --no-deps mujoco=={VERSION}`, whose file is a zip archive with mujoco/{name} in it, or from \
         https://github.com/google-deepmind/mujoco/releases/tag/{VERSION}; put it beside the program, or say its folder in \
         {VARIABLE}. What needs no world runs without it"
    )
}

fn load(path: &Path) -> Result<Functions, String> {
    let place = path.display();
    // SAFETY: what the library does when it is loaded is its own: MuJoCo's does nothing but set up its tables.
    let library = unsafe { Library::new(path) }.map_err(|error| format!("{place} cannot be loaded: {error}"))?;
    // SAFETY: every version of MuJoCo has it.
    let version = unsafe { library.get::<unsafe extern "C" fn() -> c_int>("mj_version\0").map(|version| version()) };
    match version {
        Ok(VERSION_NUMBER) => {}
        Ok(other) => {
            let (major, minor, patch) = (other / 1_000_000, other / 1000 % 1000, other % 1000);
            return Err(format!("{place} is MuJoCo {major}.{minor}.{patch}: this program needs {VERSION}"));
        }
        Err(_) => return Err(format!("{place} is not MuJoCo: it has no function mj_version")),
    }
    Functions::of(library).map_err(|error| format!("{place}: {error}"))
}
