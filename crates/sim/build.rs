//! Puts a link to MuJoCo's library beside what is built, where programs look for it: they run from any folder, and none has
//! the path of this one in it.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-env-changed=MUJOCO_DYNAMIC_LINK_DIR");
    let on = std::env::var_os("CARGO_FEATURE_MUJOCO").is_some();
    let Some(folder) = std::env::var_os("MUJOCO_DYNAMIC_LINK_DIR").filter(|_| on) else { return };
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    // Of `target/debug/build/sim-…/out`, `target/debug`.
    let built = Path::new(&out).ancestors().nth(3).expect("cargo's folders");
    let is_mac = std::env::var_os("CARGO_CFG_TARGET_OS").is_some_and(|os| os == "macos");
    let library = Path::new(&folder).join(if is_mac { "libmujoco.dylib" } else { "libmujoco.so" });
    let Ok(library) = library.canonicalize() else {
        println!("cargo:warning=MuJoCo is not in {}: run `./dev setup`", folder.display());
        return;
    };
    let link = built.join(library.file_name().expect("a file"));
    println!("cargo:rerun-if-changed={}", link.display());
    if link.canonicalize().is_ok_and(|there| there == library) {
        return;
    }
    let _ = std::fs::remove_file(&link);
    if let Err(error) = put(&library, &link) {
        println!("cargo:warning={}: {error}: set COACT_MUJOCO={}", link.display(), folder.display());
    }
}

#[cfg(unix)]
fn put(library: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(library, link)
}

#[cfg(not(unix))]
fn put(library: &Path, link: &Path) -> std::io::Result<()> {
    std::fs::copy(library, link).map(|_| ())
}
