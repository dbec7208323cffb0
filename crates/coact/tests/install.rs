//! What a person meets who installs the program: lists, a first file, completions and pages, the browser, a port that is
//! taken, and MuJoCo where it may lie.

use crate::common;

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{coact, command, folder};

const WAVE: &str = "examples/first/walk-and-wave.json";
/// Far more than is needed on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn everything_there_is_to_choose_from_is_listed() {
    let ran = coact(&["list"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    for wanted in [
        "worlds (--world NAME)",
        "  push-door-lever ",
        "robots (--robot NAME)",
        "  coact-mini ",
        "skills (coact run FILE)",
        "  skills/doors/push.json ",
        "suites (coact trial FILE)",
        "  suites/smoke.json ",
        "templates (by the class of an object)",
        "  door_handle ",
    ] {
        assert!(ran.out.contains(wanted), "{wanted} in {}", ran.out);
    }
    assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);

    let all = coact(&["list", "--json"]).json();
    let kinds: Vec<&String> = all.as_object().expect("an object").keys().collect();
    assert_eq!(kinds, ["worlds", "robots", "skills", "suites", "templates"]);
    for (kind, things) in all.as_object().expect("an object") {
        for thing in things.as_array().expect("a list") {
            assert!(thing["name"].is_string(), "{kind}: {thing}");
            assert!(thing["about"].as_str().is_some_and(|about| !about.is_empty()), "{kind}: {thing}");
        }
    }
    let skills = coact(&["list", "skills", "--json"]).json();
    let names: Vec<&str> =
        skills["skills"].as_array().expect("a list").iter().filter_map(|skill| skill["name"].as_str()).collect();
    assert!(names.contains(&"skills/tables/carry-box.json"), "{names:?}");
    assert_eq!(skills.as_object().expect("an object").len(), 1);

    let elsewhere = command(&["list", "suites"]).current_dir(folder("list-nothing")).output().expect("it runs");
    assert!(String::from_utf8_lossy(&elsewhere.stdout).contains("there is no folder `suites` here"));
    assert_eq!(coact(&["list", "wrolds"]).code, 2);
}

#[test]
fn a_new_file_is_sound_and_replaces_nothing() {
    let folder = folder("new");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let mine = path("wave-and-walk.json");
    let made = coact(&["new", &mine]);
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.contains(&format!("coact run {mine}")), "{}", made.out);
    let checked = coact(&["check", &mine]);
    assert_eq!((checked.code, &*checked.out), (0, "no problems in 1 file\n"));
    for robot in ["coact-one", "coact-mini"] {
        let ran = coact(&["run", &mine, "--robot", robot]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }
    let text = fs::read_to_string(&mine).expect("the file");
    assert!(text.contains(r#""name": "Wave and walk""#), "{text}");

    let again = coact(&["new", &mine, "--name", "Other"]);
    assert!(again.code == 2 && again.err.contains("is there already"), "{}", again.err);
    assert_eq!(fs::read_to_string(&mine).expect("the file"), text);

    let world = path("room.json");
    assert_eq!(coact(&["new", &world, "--kind", "world", "--name", "A \"room\""]).code, 0);
    let checked = coact(&["check", &world]);
    assert_eq!((checked.code, &*checked.out), (0, "no problems in 1 file\n"));
    if cfg!(feature = "mujoco") {
        let ran = coact(&["run", WAVE, "--world", &world]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }

    for (name, wanted) in [("mine.txt", "must end in .json"), ("gone/mine.json", "no such folder")] {
        let ran = coact(&["new", &path(name)]);
        assert!(ran.code == 2 && ran.err.contains(wanted), "{}", ran.err);
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let help = coact(&["--help"]).out;
    let (_, commands) = help.split_once("Commands:\n").expect("a list of commands");
    let names = commands.lines().take_while(|line| !line.is_empty()).filter(|line| line.starts_with("  "));
    let names: Vec<&str> =
        names.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"trial") && names.contains(&"list"), "{names:?}");

    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = coact(&["completions", shell]);
        assert_eq!(script.code, 0);
        for name in &names {
            assert!(script.out.contains(name), "{name} for {shell}");
        }
    }
    assert_eq!(coact(&["completions", "cmd"]).code, 2);

    let folder = folder("man");
    assert_eq!(coact(&["man", folder.to_str().expect("UTF-8")]).code, 0);
    for name in names.iter().filter(|name| **name != "help") {
        let page = fs::read_to_string(folder.join(format!("coact-{name}.1"))).expect("a page of each command");
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(coact(&["man"]).out.contains(".TH coact 1"));
    let into_a_file = coact(&["man", "Cargo.toml"]);
    assert!(into_a_file.code == 2 && into_a_file.err.contains("Cargo.toml"), "{}", into_a_file.err);
}

#[test]
fn help_is_wrapped_and_has_colour_on_a_terminal_alone() {
    let plain = command(&["demo", "--help"]).env("COLUMNS", "60").output().expect("it runs");
    let plain = String::from_utf8(plain.stdout).expect("UTF-8");
    assert!(!plain.contains('\x1b'), "{plain}");
    assert!(plain.lines().all(|line| line.chars().count() <= 60), "{plain}");

    let Some(shown) = on_terminal("demo --help", &[]) else { return };
    assert!(shown.contains("\x1b[1m\x1b[32m"), "{shown:?}");
    let quiet = on_terminal("demo --help", &[("NO_COLOR", "1")]).expect("a terminal");
    assert!(!quiet.contains('\x1b'), "{quiet:?}");
}

#[test]
fn a_taken_port_says_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    let ran = coact(&["demo", WAVE, "--port", &port.to_string()]);
    assert_eq!(ran.code, 2);
    for wanted in [&*format!("port {port} is taken"), "--port 0 finds a free one"] {
        assert!(ran.err.contains(wanted), "{wanted} in {}", ran.err);
    }
    let listen = format!("127.0.0.1:{port}");
    let folder = folder("taken-port");
    let folder = folder.to_str().expect("UTF-8");
    let ran = coact(&["operator", "--connect", "127.0.0.1:9", "--listen", &listen, "--folder", folder]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--listen 127.0.0.1:0 finds a free one"), "{}", ran.err);
}

#[test]
fn the_browser_opens_on_a_terminal_with_a_display_alone() {
    if !has_script() {
        return;
    }
    let folder = folder("browser");
    let opened = folder.join("opened");
    let opener = folder.join("xdg-open");
    fs::write(&opener, format!("#!/bin/sh\necho \"$1\" > '{}'\n", opened.display())).expect("a file for the test");
    make_program(&opener);
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a PATH"));
    let demo = format!("demo {WAVE} --port 0");
    let quiet = format!("{demo} --no-browser");

    // Gives the address. When the program has ended, it has opened whatever it would open.
    let run = |line: &str, display: &str, terminal: bool| {
        let log = folder.join("log");
        let mut command = if terminal { terminal_command(line) } else { command(&line.split(' ').collect::<Vec<_>>()) };
        command.env("PATH", &path).env("DISPLAY", display).env_remove("WAYLAND_DISPLAY").env_remove("SSH_CONNECTION");
        command.stdin(Stdio::piped()).stdout(fs::File::create(&log).expect("a file")).stderr(Stdio::null());
        let mut child = Ends(command.spawn().expect("it starts"));
        let address = until(|| {
            let log = fs::read_to_string(&log).unwrap_or_default();
            Some(log.split_once("http://")?.1.split_once(' ')?.0.to_owned())
        });
        if terminal {
            // Ctrl-C, as somebody would type it.
            child.0.stdin.take().expect("a pipe").write_all(b"\x03").expect("the terminal takes it");
        } else {
            let id = child.0.id().to_string();
            assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
        }
        until(|| child.0.try_wait().expect("a child"));
        format!("http://{address}\n")
    };
    for (line, display, terminal) in [(&quiet, ":9", true), (&demo, "", true), (&demo, ":9", false)] {
        run(line, display, terminal);
        assert!(!opened.exists(), "{line} {display} {terminal}");
    }
    let address = run(&demo, ":9", true);
    assert_eq!(until(|| fs::read_to_string(&opened).ok().filter(|text| !text.is_empty())), address);
}

#[test]
fn a_trial_on_a_terminal_shows_how_long_it_still_takes() {
    let folder = folder("bar");
    let suite = folder.join("suite.json");
    let behavior = common::root().join(WAVE);
    let text =
        format!(r#"{{"version": 1, "cases": [{{"name": "a", "behavior": "{}", "runs": 3}}]}}"#, behavior.display());
    fs::write(&suite, text).expect("a file for the test");
    let line = format!("trial {} --out {} --jobs 1", suite.display(), folder.join("out").display());
    let Some(shown) = on_terminal(&line, &[]) else { return };
    assert!(shown.contains("██████████") && shown.contains("3/3, 0 failed, about 0 s left"), "{shown:?}");
    assert!(!shown.contains("1/3 a seed"), "no line for each run: {shown:?}");
}

#[cfg(all(feature = "mujoco", target_os = "linux"))]
mod mujoco {
    use super::*;

    const BALL: &str = "examples/world/nearest-ball.json";

    /// The program in `bin` of a folder where nothing else is.
    fn installed(name: &str) -> PathBuf {
        let folder = folder(name);
        fs::create_dir_all(folder.join("bin")).expect("a folder");
        let program = folder.join("bin/coact");
        fs::hard_link(env!("CARGO_BIN_EXE_coact"), &program).expect("the program under another name");
        program
    }

    fn library() -> PathBuf {
        let program = Path::new(env!("CARGO_BIN_EXE_coact"));
        let entries = fs::read_dir(program.parent().expect("a folder")).expect("a folder").flatten();
        let names = entries.map(|entry| entry.path());
        let mut found = names.filter(|path| path.to_string_lossy().contains("libmujoco.so."));
        found.next().expect("the build puts a link to it beside the program").canonicalize().expect("the library")
    }

    fn ran(program: &Path, args: &[&str], mujoco: Option<&Path>) -> (i32, String) {
        let mut command = Command::new(program);
        command.args(args).current_dir(common::root()).env_remove("LD_LIBRARY_PATH").env_remove("COACT_MUJOCO");
        if let Some(mujoco) = mujoco {
            command.env("COACT_MUJOCO", mujoco);
        }
        let output = command.output().expect("it starts");
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    #[test]
    fn the_program_starts_without_it_and_says_how_to_get_it() {
        let program = installed("mujoco-gone");
        assert_eq!(ran(&program, &["run", WAVE], None).0, 0);
        let (code, told) = ran(&program, &["run", BALL, "--world", "table-balls"], None);
        assert_eq!(code, 2, "{told}");
        let own = program.parent().expect("a folder").display().to_string();
        for wanted in [&*own, "libmujoco.so.", "pip download", "COACT_MUJOCO"] {
            assert!(told.contains(wanted), "{wanted} in {told}");
        }
        let (code, told) = ran(&program, &["trial", "suites/smoke.json", "--out", "/nowhere"], None);
        assert!(code == 2 && told.contains("COACT_MUJOCO"), "before the first run: {told}");
    }

    #[test]
    fn the_demo_says_first_that_it_is_not_the_one_with_the_door() {
        let program = installed("mujoco-demo");
        let folder = program.parent().expect("a folder");
        let (shown, told) = (folder.join("shown"), folder.join("told"));
        let file = |path: &Path| fs::File::create(path).expect("a file");
        let mut command = Command::new(&program);
        command.args(["demo", "--port", "0", "--no-browser"]).current_dir(folder);
        command.env_remove("LD_LIBRARY_PATH").env_remove("COACT_MUJOCO");
        let _child = Ends(command.stdout(file(&shown)).stderr(file(&told)).spawn().expect("it starts"));
        until(|| fs::read_to_string(&shown).ok().filter(|text| text.contains("http://")));
        let told = fs::read_to_string(&told).expect("a file");
        assert!(told.starts_with("THIS IS NOT THE DEMO BEFORE THE DOOR: MuJoCo"), "{told}");
        for wanted in ["libmujoco.so.", "pip download", "COACT_MUJOCO", "start `coact demo` again"] {
            assert!(told.contains(wanted), "{wanted} in {told}");
        }
    }

    #[test]
    fn it_is_found_beside_the_program_in_lib_and_where_the_variable_says() {
        let world = ["run", BALL, "--world", "table-balls"];
        let name = library().file_name().expect("a name").to_owned();
        for place in ["bin", "lib", "lib/coact"] {
            let program = installed("mujoco-beside");
            let folder = program.parent().and_then(Path::parent).expect("a folder").join(place);
            fs::create_dir_all(&folder).expect("a folder");
            std::os::unix::fs::symlink(library(), folder.join(&name)).expect("a link");
            let (code, told) = ran(&program, &world, None);
            assert_eq!(code, 0, "{place}: {told}");
        }
        let program = installed("mujoco-named");
        for named in [library(), library().parent().expect("a folder").to_owned()] {
            let (code, told) = ran(&program, &world, Some(&named));
            assert_eq!(code, 0, "{told}");
        }
        let manifest = common::root().join("Cargo.toml");
        let wrong = [
            ("/nowhere", "COACT_MUJOCO: there is no file /nowhere"),
            (manifest.to_str().expect("UTF-8"), "cannot be loaded"),
        ];
        for (named, wanted) in wrong {
            let (code, told) = ran(&program, &world, Some(Path::new(named)));
            assert!(code == 2 && told.contains(wanted), "{wanted} in {told}");
        }
    }

    #[test]
    fn the_program_is_linked_by_no_path_and_not_against_it() {
        let Ok(output) = Command::new("readelf").args(["-d", env!("CARGO_BIN_EXE_coact")]).output() else { return };
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("NEEDED"), "{told}");
        for unwanted in ["RPATH", "RUNPATH", "mujoco"] {
            assert!(!told.contains(unwanted), "{told}");
        }
    }
}

struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[track_caller]
fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(start.elapsed() < PATIENCE, "it never came");
        #[expect(clippy::disallowed_methods, reason = "another process is waited for")]
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn has_script() -> bool {
    cfg!(target_os = "linux") && Command::new("script").arg("--version").output().is_ok()
}

/// The program on a terminal of its own, by `script` of util-linux.
fn terminal_command(line: &str) -> Command {
    let mut script = Command::new("script");
    let line = format!("'{}' {line}", env!("CARGO_BIN_EXE_coact"));
    script.args(["-qefc", &line, "/dev/null"]).current_dir(common::root()).stdin(Stdio::null());
    script.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("COLUMNS");
    script
}

/// What it shows there; none where there is no `script`.
fn on_terminal(line: &str, env: &[(&str, &str)]) -> Option<String> {
    if !has_script() {
        return None;
    }
    let output = terminal_command(line).envs(env.iter().copied()).output().expect("it starts");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn make_program(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
    }
}
