//! The page is built by npm into web/dist. Without it, the server builds all the same and says how to get it.

use std::path::Path;

const PLACEHOLDER: &str = "<!doctype html><meta charset=utf-8><title>Coact</title>\
<p>The page is not built. Run <code>npm ci &amp;&amp; npm run build</code> in <code>web/</code>, then build Coact again. \
The API at <code>/api/v1</code> works without it.";

fn main() {
    // Asked when it runs: a build folder may be shared by several checkouts.
    let own = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let dist = Path::new(&own).join("../../web/dist");
    println!("cargo::rerun-if-changed={}", dist.display());
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    let placeholder = Path::new(&out).join("page");
    std::fs::create_dir_all(&placeholder).expect("OUT_DIR can be written");
    std::fs::write(placeholder.join("index.html"), PLACEHOLDER).expect("OUT_DIR can be written");
    let page = if dist.join("index.html").exists() { dist } else { placeholder };
    println!("cargo::rustc-env=COACT_PAGE={}", page.display());
}
