//! What is freed goes back to the machine. Edits of an hour come and go, each history that begins anew frees megabytes, and
//! the C library keeps what was freed: a robot process would take half as much again as one that was never edited.

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// One arena: in several, each keeps pages that are nearly empty. Threads keep back small pieces alone, and what is free for
/// half a second goes back, by a thread of its own.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the allocator finds its settings by this name before anything of Rust runs")]
#[used]
#[unsafe(export_name = "_rjem_malloc_conf")]
pub static SETTINGS: &[u8; 86] =
    b"background_thread:true,narenas:1,dirty_decay_ms:500,muzzy_decay_ms:0,lg_tcache_max:12\0";
