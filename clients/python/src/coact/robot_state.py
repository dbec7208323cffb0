import struct

_HEAD = struct.Struct("<Bd7fHH")
ROBOT_STATE = 1


class RobotState:
    """Where the robot is: time_s, base as x, y, z, qx, qy, qz, qw, joints in the order of `robot()["joints"]`."""

    def __init__(self, time_s, base, flags, joints):
        self.time_s = time_s
        self.base = base
        self.flags = flags
        self.joints = joints

    @classmethod
    def unpack(cls, data):
        if len(data) < _HEAD.size or data[0] != ROBOT_STATE:
            return None
        _, time_s, *base, flags, count = _HEAD.unpack_from(data)
        if len(data) < _HEAD.size + 4 * count:
            return None
        return cls(time_s, tuple(base), flags, struct.unpack_from(f"<{count}f", data, _HEAD.size))
