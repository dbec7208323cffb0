"""Authors a behavior, looks at what it would do, runs it."""

import sys

import coact

with coact.connect(*sys.argv[1:2]) as robot:
    robot.new("wave-from-python.json", discard=True)
    robot.set_variables(waves=2)
    loop = robot.add("loop", "Wave", {"times": "waves"})
    up = robot.add("joint_move", "Up", {"part": "right_arm"}, parent=loop)
    robot.add("wait", "Hold", {"duration_s": 0.5}, parent=loop)
    robot.add("log", "Say", {"text": "hello"}, parent=loop)
    for problem in robot.check():
        print(problem["file"], problem["text"])
    for step in robot.preview(up):
        print(f"{step['path']}: {step['duration_s']:.1f} s, {step['problem'] or 'good'}")
    robot.save(overwrite=True)
    print(robot.run())
