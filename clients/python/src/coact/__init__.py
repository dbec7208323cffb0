"""Author and run behaviors of Coact.

    import coact

    with coact.connect() as robot:
        robot.new("hello.json")
        robot.add("log", settings={"text": "hello"})
        print(robot.run().result)
"""

from .client import Coact, Run, connect
from .document import Document, Node
from .errors import CoactError, Timeout
from .looking import Cloud, Picture
from .robot_state import RobotState

__all__ = ["Cloud", "Coact", "CoactError", "Document", "Node", "Picture", "RobotState", "Run", "Timeout", "connect"]
