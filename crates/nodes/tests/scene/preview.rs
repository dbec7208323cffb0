use testkit::Stage;

const OUTLINE: &str = "neck Look pitch_deg=10 duration_s=0.5
setup_object Lock class=ball nominal={\"x_m\":2,\"z_m\":1}
define_frame Stand object=stand a=walking b=ball distance_m=1
freeze_object Freeze object=stand
walk Go frame=stand focal={\"x_m\":1}";

const SCRIPT: &str = "end 30
0 see ball ball 1.5 0.2 1";

fn x_m(stage: &Stage, frame: &str) -> f64 {
    stage.engine.body().expect("a robot").world_from(frame).expect("the frame").translation_m().x
}

#[test]
fn a_preview_runs_beside_the_real_robot_from_where_that_is() {
    let mut alone = Stage::new("coact-one", OUTLINE, SCRIPT);
    alone.run();
    let mut real = Stage::new("coact-one", OUTLINE, SCRIPT);
    real.run_until(0.3);
    let at_start = real.state().positions.clone();
    let mut preview = real.beside();
    assert_eq!(preview.state().positions, at_start);
    preview.run();
    assert!(preview.trace().contains("- Go success"), "{}", preview.trace());
    assert!((x_m(&preview, "ball") - 2.0).abs() < 0.02, "nominal, not seen: {}", preview.trace());
    assert_eq!(real.state().positions, at_start, "the real one has not moved");
    real.run();
    assert!((x_m(&real, "ball") - 1.5).abs() < 0.01, "seen, not nominal");
    assert_eq!(real.trace(), alone.trace());
}
