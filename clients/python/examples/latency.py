"""Prints how long a request takes, and how long it takes until the robot has an edit: latency.py [ADDRESS]."""

import statistics
import sys
import time

import coact


def measure(what, times, act):
    took_ms = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        took_ms.append((time.perf_counter() - start) * 1e3)
        time.sleep(0.01)
    took_ms.sort()
    print(f"{what}: median {statistics.median(took_ms):.2f} ms, p95 {took_ms[int(times * 0.95)]:.2f} ms, {times} times")


with coact.connect(*sys.argv[1:2]) as robot:
    robot.new("latency.json", discard=True)
    node = robot.add("log", "Say", {"text": "0"})
    count = iter(range(1, 1_000_000))

    def edit():
        robot.set(node, text=str(next(count)))

    def deliver():
        answer = robot.request(ask="edit", operation={"do": "notes", "node": node, "notes": str(next(count))})
        robot.wait_until(lambda: (robot.robot_has or 0) >= answer["version"], what="delivery")

    measure("request", 300, lambda: robot.request(ask="history", most=1))
    measure("edit", 300, edit)
    measure("edit until the robot has it", 300, deliver)
