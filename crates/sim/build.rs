//! Says to what is built where the library of MuJoCo is, so that it runs from any folder.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-env-changed=MUJOCO_DYNAMIC_LINK_DIR");
    let on = std::env::var_os("CARGO_FEATURE_MUJOCO").is_some();
    let Some(folder) = std::env::var_os("MUJOCO_DYNAMIC_LINK_DIR").filter(|_| on) else { return };
    if !Path::new(&folder).join("libmujoco.so").exists() {
        println!("cargo:warning=MuJoCo is not in {}: run `./dev setup`", folder.display());
    }
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
}
