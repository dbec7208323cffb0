use engine::{Command, Control, Engine, Options, RunState, TickInput};
use expect_test::{Expect, expect};
use recording::{Layout, Report, SentCommand, timeline, width_of};

fn report(outline: &str, most_ticks: u32) -> Report {
    let mut engine = testkit::load(outline, &Options { seed: 7, ..Options::default() });
    let mut sent = Vec::new();
    for tick in 0..most_ticks {
        let commands = (tick == 0).then_some(Command { id: 1, what: Control::Automatic { on: true } });
        let time_ns = i64::from(tick) * testkit::TICK_NS;
        let input = TickInput { time_ns, commands: commands.into_iter().collect(), ..TickInput::default() };
        engine.tick(&input);
        sent.extend(engine.output().sent.iter().map(|each| SentCommand::new(time_ns, each)));
        if ended(&engine) {
            break;
        }
    }
    Report::new(&engine, 7, sent)
}

fn ended(engine: &Engine) -> bool {
    matches!(engine.run_state(), RunState::Ended(_)) && engine.running().is_empty()
}

#[track_caller]
fn check(outline: &str, layout: Layout, expected: Expect) {
    let text = timeline(&report(outline, 1000), &layout);
    for line in text.lines() {
        assert!(width_of(line) <= layout.width, "too wide: {line}");
    }
    expected.assert_eq(&text);
}

const LAYERED: &str = "
sequence Demo
  stand_in Walk duration_s=7.6
  wait First duration_s=1 after=Demo
  wait Second duration_s=2.5 after=Demo
  stand_in RightArm duration_s=2 after=First
  stand_in LeftArm duration_s=2 after=Second
";

const ALL_RESULTS: &str = r#"
sequence Main
  fallback F
    stand_in Grasp duration_s=1 fails_if=true
    stand_in Regrasp duration_s=0.5
  parallel P policy=one
    stand_in Fast duration_s=1
    stand_in Slow duration_s=3
  loop L count=3
    wait Pause duration_s=0.3
"#;

#[test]
fn concurrent_steps_stand_one_above_the_other() {
    check(
        LAYERED,
        Layout { width: 80, ..Layout::default() },
        expect![[r#"
        step      start s    end s  result   0 s        2           4          6
        Walk         0.00     7.60  success  ███████████████████████████████████████████
        First        0.00     1.00  success  ██████
        Second       0.00     2.50  success  ██████████████
        RightArm     1.00     3.00  success        ███████████
        LeftArm      2.50     4.50  success                ███████████
    "#]],
    );
}

#[test]
fn results_differ_to_the_eye_and_repeated_steps_share_a_row() {
    check(
        ALL_RESULTS,
        Layout { width: 70, ..Layout::default() },
        expect![[r#"
        step        start s    end s  result   0 s      1        2        3
        Grasp          0.00     1.00  failure  ▓▓▓▓▓▓▓▓✕
        Regrasp        1.00     1.50  success           █████
        P              1.50     2.50  success                █████████
          Fast         1.50     2.50  success                █████████
          Slow         1.50     2.50  halted                 ░░░░░░░░░
        L              2.50     3.40  success                         ████████
          Pause x3     2.50     3.40  success                         ████████
    "#]],
    );
    check(
        ALL_RESULTS,
        Layout { width: 70, ascii: true, ..Layout::default() },
        expect![[r#"
        step        start s    end s  result   0 s      1        2        3
        Grasp          0.00     1.00  failure  xxxxxxxxX
        Regrasp        1.00     1.50  success           =====
        P              1.50     2.50  success                =========
          Fast         1.50     2.50  success                =========
          Slow         1.50     2.50  halted                 ---------
        L              2.50     3.40  success                         ========
          Pause x3     2.50     3.40  success                         ========
    "#]],
    );
}

#[test]
fn colours_close_what_they_open() {
    let text = timeline(&report(ALL_RESULTS, 100), &Layout { colour: true, ..Layout::default() });
    for line in text.lines() {
        let opened = line.matches("\x1b[3").count() + line.matches("\x1b[2m").count();
        assert_eq!(opened, line.matches("\x1b[0m").count(), "{line:?}");
    }
}

#[test]
fn uses_of_a_skill_head_their_steps() {
    let outline = r#"
sequence Main
  skill Left file=pick.json
  skill Right file=pick.json after=Beginning
--- pick.json
sequence Pick
  stand_in Reach duration_s=1
  stand_in Close duration_s=0.5
"#;
    check(
        outline,
        Layout { width: 70, ..Layout::default() },
        expect![[r#"
        step     start s    end s  result   0 s           1            2
        Left        0.00     1.50           ────────────────────
          Reach     0.00     1.00  success  ██████████████
          Close     1.00     1.50  success                ██████
        Right       1.00     2.50                         ────────────────────
          Reach     1.00     2.00  success                █████████████
          Close     2.00     2.50  success                             ███████
    "#]],
    );
}

#[test]
fn narrow_terminals_lose_columns_not_rows() {
    for width in [1, 5, 12, 20, 30, 45] {
        let text = timeline(&report(ALL_RESULTS, 100), &Layout { width, ..Layout::default() });
        for line in text.lines() {
            assert!(width_of(line) <= width, "{width}: {line}");
        }
        assert_eq!(text.lines().count(), 8, "{width}");
    }
    check(
        ALL_RESULTS,
        Layout { width: 30, ..Layout::default() },
        expect![[r#"
        step        0 s        2
        Grasp       ▓▓▓▓✕
        Regrasp          ███
        P                   █████
          Fast              █████
          Slow              ░░░░░
        L                        █████
          Pause x3               █████
    "#]],
    );
}

#[test]
fn long_runs_are_counted_not_drawn() {
    let steps: String = (0..2000).map(|index| format!("  wait W{index} duration_s=0.1\n")).collect();
    let text =
        timeline(&report(&format!("sequence Main\n{steps}"), 5000), &Layout { max_rows: 3, ..Layout::default() });
    assert_eq!(text.lines().count(), 5);
    assert_eq!(text.lines().last(), Some("… and 1,997 more steps"));
}

#[test]
fn a_run_that_takes_no_time_and_one_without_steps() {
    check(
        "sequence Main\n  checkpoint Here\n",
        Layout { width: 60, ..Layout::default() },
        expect![[r#"
        step  start s    end s  result   0 s
        Here     0.00     0.00  success  █
    "#]],
    );
    check(
        "sequence Main\n",
        Layout::default(),
        expect![[r#"
        no step was started
    "#]],
    );
}

#[test]
fn wide_letters_and_control_letters_keep_the_columns() {
    let outline = "sequence Main\n  wait \"歩く歩く歩く歩く歩く歩く歩く歩く歩く歩く歩く歩く\" duration_s=1\n  wait \"a\tb\" duration_s=1\n";
    check(
        outline,
        Layout { width: 60, ..Layout::default() },
        expect![[r#"
        step             start s    end s  result   0 s     1
        "歩く歩く歩く…      0.00     1.00  success  ████████
        "a b"               1.00     2.00  success          ████████
    "#]],
    );
}

#[test]
fn a_report_says_everything_once() {
    let outline = r#"
@variables {"count": 0}
sequence Main
  set More values={"count":"count+1"}
  send Tell command=lamp values={"on":"true"}
  log Say text=counted value=count
  parallel P
    stand_in A duration_s=0.5 claims=["arm"]
    stand_in B duration_s=0.5 claims=["arm"] outcome_as="late"
"#;
    let report = report(outline, 100);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("valid JSON");
    expect![[r#"
        {
          "result": "success",
          "reason": "",
          "duration_s": 1.1,
          "ticks": 12,
          "seed": 7,
          "steps": [
            {
              "node": "More",
              "id": "7452fa409e0c6731",
              "path": "/More",
              "type": "set",
              "start_s": 0.0,
              "end_s": 0.1,
              "result": "success",
              "reason": ""
            },
            {
              "node": "Tell",
              "id": "c4664e9320d7067a",
              "path": "/Tell",
              "type": "send",
              "start_s": 0.1,
              "end_s": 0.1,
              "result": "success",
              "reason": ""
            },
            {
              "node": "Say",
              "id": "fbdc305dbe8a8eb8",
              "path": "/Say",
              "type": "log",
              "start_s": 0.1,
              "end_s": 0.1,
              "result": "success",
              "reason": ""
            },
            {
              "node": "P",
              "id": "c193ef0c75a68fc4",
              "path": "/P",
              "type": "parallel",
              "start_s": 0.1,
              "end_s": 1.1,
              "result": "success",
              "reason": ""
            },
            {
              "node": "A",
              "id": "673881bc65a3e8d2",
              "path": "/P/A",
              "type": "stand_in",
              "start_s": 0.1,
              "end_s": 0.6,
              "result": "success",
              "reason": ""
            },
            {
              "node": "B",
              "id": "dbdb416ae9027435",
              "path": "/P/B",
              "type": "stand_in",
              "start_s": 0.6,
              "end_s": 1.1,
              "result": "success",
              "reason": "",
              "outcome": "late"
            }
          ],
          "blackboard": {
            "count": 1
          },
          "changes": [
            {
              "time_s": 0.0,
              "name": "count",
              "value": 1,
              "scope": "/",
              "by": "/More"
            }
          ],
          "holds": [
            {
              "time_s": 0.1,
              "node": "B",
              "path": "/P/B",
              "why": "`arm` is held by `A`"
            }
          ],
          "sent": [
            {
              "time_s": 0.1,
              "command": "lamp",
              "values": {
                "on": true
              }
            }
          ],
          "log": [
            {
              "time_s": 0.0,
              "kind": "run",
              "text": "the behavior runs"
            },
            {
              "time_s": 0.1,
              "kind": "log",
              "path": "/Say",
              "text": "counted 1"
            },
            {
              "time_s": 1.1,
              "kind": "run",
              "text": "the behavior succeeded"
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&json).expect("JSON"));
}

#[test]
fn steps_that_still_run_have_no_end() {
    let report = report("sequence Main\n  wait Long duration_s=100\n", 5);
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("valid JSON");
    assert_eq!(json["steps"][0]["end_s"], serde_json::Value::Null);
    assert_eq!(json["steps"][0]["result"], serde_json::Value::Null);
    assert_eq!(json["result"], "halted");
    expect![[r#"
        step  start s    end s  result   0 s           0.2
        Long     0.00           running  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
    "#]]
    .assert_eq(&timeline(&report, &Layout { width: 60, ..Layout::default() }));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    assert_eq!(report(ALL_RESULTS, 100).to_json(), report(ALL_RESULTS, 100).to_json());
}
