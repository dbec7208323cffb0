"""One picture or cloud: they come on a socket of their own, in pieces."""

import json
import struct
import time

import websocket

from .errors import CoactError, Timeout

_CLOUD, _PICTURE = 2, 3
_CLOUD_HEAD = struct.Struct("<Bd3fI")
_PICTURE_HEAD = struct.Struct("<BdHHB")


class Picture:
    """What a camera saw at time_s: width x height pixels in `rgb`, three bytes each, from the left above."""

    def __init__(self, time_s, camera, width, height, rgb):
        self.time_s = time_s
        self.camera = camera
        self.width = width
        self.height = height
        self.rgb = rgb

    @classmethod
    def unpack(cls, data):
        if len(data) < _PICTURE_HEAD.size or data[0] != _PICTURE:
            return None
        _, time_s, width, height, named = _PICTURE_HEAD.unpack_from(data)
        begin = _PICTURE_HEAD.size + named
        rgb = data[begin : begin + 3 * width * height]
        if len(rgb) < 3 * width * height:
            return None
        return cls(time_s, data[_PICTURE_HEAD.size : begin].decode("utf-8", "replace"), width, height, bytes(rgb))


class Cloud:
    """Points at time_s as (x, y, z) in m in the world, and their colours as (red, green, blue, alpha)."""

    def __init__(self, time_s, points, colours):
        self.time_s = time_s
        self.points = points
        self.colours = colours

    @classmethod
    def unpack(cls, data):
        if len(data) < _CLOUD_HEAD.size or data[0] != _CLOUD:
            return None
        _, time_s, *origin, count = _CLOUD_HEAD.unpack_from(data)
        if len(data) < _CLOUD_HEAD.size + 10 * count:
            return None
        from_origin_mm = struct.unpack_from(f"<{3 * count}h", data, _CLOUD_HEAD.size)
        axes = [[zero + mm / 1000 for mm in from_origin_mm[axis * count :][:count]] for axis, zero in enumerate(origin)]
        colours = struct.iter_unpack("4B", data[_CLOUD_HEAD.size + 6 * count :][: 4 * count])
        return cls(time_s, list(zip(*axes)), list(colours))


def look(url, hello, ask, for_s, timeout):
    """Asks on the bulk socket and gives the newest that has come `for_s` after the first piece."""
    socket = websocket.create_connection(url, timeout=timeout)
    try:
        return _Looking(socket, time.monotonic() + timeout).look(hello, ask, for_s)
    except websocket.WebSocketTimeoutException:
        raise Timeout(f"the {ask['what']} did not come in time") from None
    except (OSError, websocket.WebSocketException) as error:
        raise CoactError("closed", f"the connection is gone: {error}") from error
    finally:
        socket.close()


class _Looking:
    def __init__(self, socket, until):
        self.socket = socket
        self.until = until

    def look(self, hello, ask, for_s):
        self._ask(1, hello)
        self._ask(2, ask)
        kind = Picture if ask["what"] == "picture" else Cloud
        newest = None
        while True:
            try:
                data = self._next()
            except websocket.WebSocketTimeoutException:
                if newest is None:
                    raise
                return newest
            seen = kind.unpack(data) if isinstance(data, bytes) else None
            if seen is not None:
                if newest is None:
                    self.until = min(self.until, time.monotonic() + for_s)
                newest = seen

    def _ask(self, number, body):
        """Says it and waits for the reply: what comes before that is from an earlier look."""
        self.socket.send(json.dumps({"id": number, **body}))
        while True:
            data = self._next()
            message = json.loads(data) if isinstance(data, str) else {}
            if message.get("reply") == number:
                if "error" in message:
                    raise CoactError(message["error"]["code"], message["error"]["text"])
                return

    def _next(self):
        left = self.until - time.monotonic()
        if left <= 0:
            raise websocket.WebSocketTimeoutException
        self.socket.settimeout(left)
        opcode, data = self.socket.recv_data()
        if opcode == websocket.ABNF.OPCODE_CLOSE:
            raise CoactError("closed", f"the connection is gone: {data[2:].decode('utf-8', 'replace')}")
        if opcode == websocket.ABNF.OPCODE_BINARY:
            self.socket.send(json.dumps({"id": 0, "ask": "ack"}))
            return bytes(data)
        return data.decode("utf-8")
