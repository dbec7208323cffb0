class CoactError(Exception):
    """The server did not do something; nothing of it was done."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code
        self.text = text


class Timeout(CoactError):
    """Something did not happen in time."""

    def __init__(self, text):
        super().__init__("timeout", text)
