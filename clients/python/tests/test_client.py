"""Runs against a real server: `python test_client.py PATH_TO_COACT`. Needs the package installed."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import coact

BINARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "coact"
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "first.py")
TREE = '{"version": 1, "name": "Main", "children": [{"type": "wait", "name": "First", "duration_s": 0.2}]}'


class WithServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "main.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(TREE)
        cls.server = subprocess.Popen([BINARY, "demo", "--port", "0", path], stdout=subprocess.PIPE, text=True)
        line = cls.server.stdout.readline()
        cls.address = re.search(r"http://(\S+)", line).group(1)

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait(timeout=30)
        cls.server.stdout.close()
        cls.folder.cleanup()

    def test_1_edits_and_undo(self):
        with coact.connect(self.address, name="Ann") as ann, coact.connect(self.address, name="Bob") as bob:
            first = ann.document.find("First")
            bob.document
            ann.set(first, duration_s=0.5)
            bob.wait_until(lambda: bob.document.find("First").settings["duration_s"] == 0.5)
            with self.assertRaises(coact.CoactError) as refused:
                bob.undo()
            self.assertEqual(refused.exception.code, "refused")
            ann.undo()
            bob.wait_until(lambda: bob.document.find("First").settings["duration_s"] == 0.2)
            with self.assertRaises(coact.CoactError) as refused:
                ann.set(first, speed=1)
            self.assertIn("speed", refused.exception.text)
            self.assertIn("main.json", ann.files())

    def test_2_runs_to_the_end(self):
        with coact.connect(self.address, name="Ann") as ann:
            ann.watch(robot_hz=20, happenings=True)
            run = ann.run(timeout=60)
            self.assertEqual(run.result, "success")
            self.assertAlmostEqual(run.duration_s, 0.2, delta=0.1)
            self.assertLess(run.duration_s, run.view["time_s"], "the engine's clock began before the run")
            ann.wait_until(lambda: any(each["what"] == "ended" for each in ann.happenings))
            ann.wait_until(lambda: ann.robot_state)
            self.assertEqual(len(ann.robot_state.joints), len(ann.robot()["joints"]))

    def test_3_the_example(self):
        result = subprocess.run([sys.executable, EXAMPLE, self.address], capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("success", result.stdout)
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "wave-from-python.json")))

    def test_4_control_is_of_one_connection(self):
        with coact.connect(self.address, name="Ann") as first, coact.connect(self.address, name="Ann") as second:
            self.assertTrue(first.wait_until(lambda: first.link and first.link["quality"] == "good"))
            first.take_control()
            with self.assertRaises(coact.CoactError) as refused:
                second.control("automatic", on=False)
            self.assertIn("another window", refused.exception.text)
            with coact.connect(self.address, name="Ann", session=first.session) as again:
                again.control("automatic", on=False)
                second.take_control()
                second.give_control()

    def test_5_stop_is_for_everybody(self):
        with coact.connect(self.address, name="Cleo") as cleo:
            cleo.stop()


if __name__ == "__main__":
    unittest.main()
