"""What ticks of py_trees cost, in nanoseconds: an instant step of 1,000, a tick with 100 running, a tick of an action
under ten conditions. The best of several rounds, one figure a line."""

import time

import py_trees
from py_trees.common import ParallelPolicy, Status


class Act(py_trees.behaviour.Behaviour):
    def __init__(self, name, status):
        super().__init__(name)
        self.result = status

    def update(self):
        return self.result


class Holds(py_trees.behaviour.Behaviour):
    def __init__(self, name, values, index):
        super().__init__(name)
        self.values, self.index = values, index

    def update(self):
        return Status.SUCCESS if self.values[self.index] < 5 else Status.FAILURE


def best(root, ticks, rounds):
    root.setup_with_descendants()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter_ns()
        for _ in range(ticks):
            root.tick_once()
        times.append((time.perf_counter_ns() - begin) / ticks)
    return min(times)


def sequence(children, memory):
    root = py_trees.composites.Sequence("root", memory=memory)
    root.add_children(children)
    return root


py_trees.logging.level = py_trees.logging.Level.ERROR
instant = sequence([Act(f"step {i}", Status.SUCCESS) for i in range(1000)], memory=True)
running = py_trees.composites.Parallel("root", ParallelPolicy.SuccessOnAll(synchronise=False))
running.add_children([Act(f"run {i}", Status.RUNNING) for i in range(100)])
values = [1.0] * 10
guarded = sequence([Holds(f"v{i}", values, i) for i in range(10)] + [Act("move", Status.RUNNING)], memory=False)
print(best(instant, 1, 60) / 1000)
print(best(running, 20, 30))
print(best(guarded, 100, 30))
