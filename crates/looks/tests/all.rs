//! Meshes of every format, of the test's own and of real robots where they are there.

mod allowed;
mod damaged;
mod formats;
mod kept;
mod real;
mod support;
