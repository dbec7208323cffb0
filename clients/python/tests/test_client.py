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


ABLE = """{"start": ["here"], "modes": {"here": {"to": ["there"]}, "there": {}},
 "actions": {"look": {"needs": ["here"]}, "grasp": {"needs": ["look", "there"]}}}"""


class WithServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "main.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(TREE)
        os.mkdir(os.path.join(cls.folder.name, "capabilities"))
        with open(os.path.join(cls.folder.name, "capabilities", "able.json"), "w", encoding="utf-8") as file:
            file.write(ABLE)
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

    def test_1_copies_and_files(self):
        with coact.connect(self.address, name="Ann") as ann:
            text = ann.copy(ann.document.find("First"))
            pasted = ann.paste(text)
            self.assertEqual([ann.document.nodes[each].kind for each in pasted], ["wait"])
            ann.undo()
            ann.wait_until(lambda: pasted[0] not in ann.document.nodes)
            ann.save_as("copies/second.json")
            with self.assertRaises(coact.CoactError) as refused:
                ann.save_as("copies/second.json")
            self.assertEqual(refused.exception.code, "refused")
            ann.rename_file("copies/second.json", "third.json")
            self.assertIn("third.json", ann.files())
            ann.delete_file("third.json")
            self.assertNotIn("third.json", ann.files())
            ann.new_folder("empty")

    def test_1_goals(self):
        file = "capabilities/able.json"
        with coact.connect(self.address, name="Ann") as ann:
            self.assertEqual(ann.capabilities()["told"]["present"], ["here"])
            found = ann.synthesize(file, "grasp")
            self.assertEqual([step["name"] for step in found["steps"]], ["look", "there", "grasp"])
            self.assertLessEqual(found["link_bytes"], 200)
            new = ann.insert(found["tree"], then="end", capabilities=file, from_=found["request"]["from"])
            self.assertEqual(ann.document.nodes[new].kind, "sequence")
            ann.undo()
            ann.wait_until(lambda: new not in ann.document.nodes)
            self.assertIn("cannot be reached", ann.synthesize(file, "here", from_=["there"])["why"])

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

    def test_6_a_breakpoint_holds_until_continued(self):
        with coact.connect(self.address, name="Ann") as ann:
            ann.new("held.json", discard=True)
            ann.add("log", name="Before", settings={"text": "before"})
            stop_here = ann.add("log", name="Here", settings={"text": "here"})
            ann.control("breakpoint", node={"node": stop_here}, on=True)
            ann.run(wait=False)
            ann.wait_until(ann.held)
            self.assertEqual([(each["by"], each["step"]["node"]) for each in ann.held()], [("breakpoint", stop_here)])
            ann.control("breakpoint", node={"node": stop_here}, on=False)
            ann.wait_until(lambda: not ann.run_view["breakpoints"])
            self.assertTrue(ann.held(), "clearing it starts nothing")
            self.assertIsNone(ann.run_view["ended"])
            ann.continue_(ann.held()[0]["step"])
            self.assertEqual(ann.wait_until_done(timeout=60).result, "success")
            self.assertEqual(ann.held(), [])

    def test_7_what_others_add_is_admitted(self):
        with coact.connect(self.address, name="Ann") as ann, coact.connect(self.address, name="Bob") as bob:
            ann.new("added.json", discard=True)
            both = ann.add("parallel", name="Both")
            ann.add("wait", name="Left", settings={"duration_s": 600}, parent=both)
            ann.run(wait=False)
            ann.wait_until(lambda: len(ann.run_view["running"]) == 2)
            bob.wait_until(lambda: any(node.name == "Left" for node in bob.document.nodes.values()))
            new = bob.add("wait", name="New", settings={"duration_s": 600}, parent=both)
            tracks = lambda: [track for track in ann.run_view["tracks"] if track["added_by"] == "Bob"]
            ann.wait_until(tracks)
            self.assertEqual([track["next"]["node"] for track in tracks()], [new])
            with self.assertRaises(coact.CoactError):
                bob.admit()
            ann.admit(tracks()[0]["next"])
            ann.wait_until(lambda: any(each["step"]["node"] == new for each in ann.run_view["running"]))
            ann.wait_until(lambda: not tracks())
            ann.stop()


class WithACamera(unittest.TestCase):
    def test_one_picture(self):
        if "--world" not in subprocess.run([BINARY, "demo", "--help"], capture_output=True, text=True).stdout:
            self.skipTest("this coact was built without physics")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "main.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(TREE)
            command = [BINARY, "demo", "--port", "0", "--world", "table-balls", path]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            try:
                address = re.search(r"http://(\S+)", server.stdout.readline()).group(1)
                with coact.connect(address, name="Ann", timeout=120) as ann:
                    ann.wait_until(lambda: ann.link and ann.link["quality"] == "good")
                    picture = ann.look()
                    self.assertEqual(len(picture.rgb), 3 * picture.width * picture.height)
                    self.assertGreater(len(set(picture.rgb)), 5, "not one colour")
                    self.assertIn(picture.camera, [each["name"] for each in ann.robot()["cameras"]])
                    cloud = ann.look("cloud")
                    self.assertEqual(len(cloud.points), len(cloud.colours))
                    self.assertTrue(any(x > 1 and abs(z) < 0.1 for x, _, z in cloud.points), "the floor before the robot")
                    with self.assertRaises(coact.CoactError) as refused:
                        ann.look(camera="nowhere")
                    self.assertIn("nowhere", refused.exception.text)
            finally:
                server.terminate()
                server.wait(timeout=30)
                server.stdout.close()


if __name__ == "__main__":
    unittest.main()
