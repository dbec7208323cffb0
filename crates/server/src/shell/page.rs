//! The page: part of the program, and read from the disk in debug builds.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$COACT_PAGE"]
struct Page;

/// Scripts and styles are ours alone; the page may open sockets to where it came from. Pictures of meshes come to it in
/// the meshes, and are read from there as blobs.
const POLICY: &str = "default-src 'self'; connect-src 'self' blob:; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
     worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'";

pub fn file(path: &str) -> Response {
    let path = path.trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Page::get(path) else {
        return (StatusCode::NOT_FOUND, "there is no such page").into_response();
    };
    // Names of built files change with their content; the first page must be asked for again.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (header::CONTENT_TYPE, kind(path)),
        (header::CACHE_CONTROL, cache),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // An address may carry a token.
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, file.data.into_owned()).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
