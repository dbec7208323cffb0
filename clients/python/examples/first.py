"""Authors a behavior, looks at what it would do, runs it."""

import sys

import coact

with coact.connect(*sys.argv[1:2]) as robot:
    robot.new("wave-from-python.json", discard=True)
    robot.add("arm", "Up", {"by": "preset", "preset": "home", "duration_s": 1})
    down = robot.add("arm", "Down", {"side": "left", "by": "angles", "duration_s": 1})
    robot.set_to_robot(down)
    robot.add("log", "Say", {"text": "hello from Python"})
    robot.notes(robot.document.root, "Written by a script.")
    for problem in robot.check():
        print(problem["file"], problem["text"])
    for step in robot.preview():
        print(f"{step['path']}: {step['duration_s']:.1f} s, {step['problem'] or 'good'}")
    robot.save(overwrite=True)
    print(robot.run())
