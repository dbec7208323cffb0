"""Nothing in the client decides by reading a sentence."""

import ast
import pathlib
import unittest

SOURCE = pathlib.Path(__file__).parent.parent / "src"
ASKING = {"startswith", "endswith", "find", "index", "match", "search", "fullmatch", "split", "partition"}


def is_sentence(node):
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    return sum(any(map(str.isalpha, word)) for word in node.value.split()) > 1


def sentences(text):
    """Line and text of what is compared with, or looked for."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ASKING:
            asked = node.args
        elif isinstance(node, ast.MatchValue):
            asked = [node.value]
        else:
            continue
        for each in asked:
            items = each.elts if isinstance(each, (ast.Tuple, ast.List, ast.Set)) else [each]
            yield from ((item.lineno, item.value) for item in items if is_sentence(item))


class Sentences(unittest.TestCase):
    def test_none_is_read(self):
        found = [f"{path}:{line}: {text!r}" for path in SOURCE.rglob("*.py") for line, text in sentences(path.read_text())]
        self.assertEqual(found, [])

    def test_each_way_to_read_one_is_found(self):
        for code in ['a.startswith("the run ended")', 'a == "the run ended"', '"the run ended" in a', 'a in ("x", "the run ended")']:
            self.assertEqual([text for _, text in sentences(code)], ["the run ended"], code)
        self.assertEqual(list(sentences('a == "stopped"; say("the run ended")')), [])


if __name__ == "__main__":
    unittest.main()
