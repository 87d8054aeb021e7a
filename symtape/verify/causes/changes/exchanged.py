"""Changes of statements of a function: their order, their names and places, one that lacks."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

from symtape.verify.causes.changes.syntax import New, at

_MOST_NAMES = 7


def _steps(node: Any, _: Any, __: Any) -> New:
    """Do two neighbouring steps of a loop in the other order."""
    if not isinstance(node, (ast.For, ast.While)):
        return
    for i, j in pairwise(range(len(node.body))):
        changed = copy.copy(node)
        changed.body = [*node.body[:i], node.body[j], node.body[i], *node.body[j + 1 :]]
        yield changed, "two steps are in the wrong order (a stale value is used)"


def _loops(node: Any, _: Any, __: Any) -> New:
    """Run a loop the other way."""
    if isinstance(node, ast.For) and isinstance(node.iter, (ast.Name, ast.Subscript)):
        every = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
        changed = copy.copy(node)
        changed.iter = ast.Call(ast.Name("reversed", ast.Load()), [every], [])
        yield at(changed, node), "a loop runs the wrong way (its order)"


def _repeated(node: Any, _: Any, __: Any) -> New:
    """Add at places as often as they are listed, as NumPy does it, or PyTorch."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, op = node.targets[0], "add"
    elif isinstance(node, ast.AugAssign):
        target, op = node.target, {ast.Add: "add", ast.Sub: "subtract"}.get(type(node.op), "")
    else:
        return
    if not op or not isinstance(target, ast.Subscript):
        return
    words = "a sum is missing: places that are listed twice count once"
    given = _read(target.value), target.slice, node.value
    calls = [f"np.{op}.at(a, i, b)"]
    calls += ["a.index_put_((i,), b, accumulate=True)"] if op == "add" else []
    for text in calls:
        call = _Put(dict(zip("aib", given, strict=True))).visit(ast.parse(text, mode="eval").body)
        yield at(ast.Expr(call), node), words


class _Put(ast.NodeTransformer):
    """Puts nodes in the place of names."""

    def __init__(self, nodes: dict[str, Any]) -> None:
        self._nodes = nodes

    def visit_Name(self, node: ast.Name) -> Any:
        """Put the node that has a name."""
        return self._nodes.get(node.id, node)


def _read(node: Any) -> Any:
    """Read what was filled."""
    return ast.parse(ast.unparse(node), mode="eval").body


class _Turn(ast.NodeTransformer):
    """Transposes a name wherever it stands."""

    def __init__(self, name: str) -> None:
        self._name = name

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """Leave out that it is transposed."""
        if node.attr == "T" and isinstance(node.value, ast.Name) and node.value.id == self._name:
            return node.value
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        """Put that it is transposed."""
        if node.id != self._name:
            return node
        return ast.copy_location(ast.Attribute(node, "T", ast.Load()), node)


def _turned(node: Any, parent: Any, _: Any) -> New:
    """Transpose a name wherever a product of matrices has it."""
    if not _is_product(node) or _is_product(parent):
        return
    turned = [n.value for n in ast.walk(node) if isinstance(n, ast.Attribute) and n.attr == "T"]
    for name in dict.fromkeys(n.id for n in turned if isinstance(n, ast.Name)):
        changed = _Turn(name).visit(copy.deepcopy(node))
        yield at(changed, node), f"{name} is transposed, wherever it stands there"


def _is_product(node: Any) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)


class _Exchange(ast.NodeTransformer):
    """Puts each of two names in the place of the other."""

    def __init__(self, a: str, b: str) -> None:
        self._other = {a: b, b: a}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Rename what is read."""
        return ast.copy_location(ast.Name(self._other.get(node.id, node.id), node.ctx), node)


def _names(node: Any, _: Any, __: Any) -> New:
    """Exchange two names in what a statement computes, and in the places that it fills."""
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)) or node.value is None:
        return
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    parts = {"value": node.value}
    if isinstance(targets[0], ast.Subscript):
        parts["slice"] = targets[0].slice
    for field, part in parts.items():
        names = dict.fromkeys(n.id for n in ast.walk(part) if isinstance(n, ast.Name))
        for a, b in combinations(list(names)[:_MOST_NAMES], 2):
            changed = copy.deepcopy(node)
            own = changed if field == "value" else _target(changed)
            setattr(own, field, _Exchange(a, b).visit(getattr(own, field)))
            yield at(changed, node), f"{a} and {b} are exchanged"


def _target(node: Any) -> Any:
    return node.targets[0] if isinstance(node, ast.Assign) else node.target


def _shifted(node: Any, _: Any, __: Any) -> New:
    """Count one more or less wherever a statement takes one place, or another name for it."""
    if not isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)) or node.value is None:
        return
    taken = [ast.unparse(n.slice) for n in ast.walk(node.value) if isinstance(n, ast.Subscript)]
    for text in [t for t, count in Counter(taken).items() if count > 1 and ":" not in t]:
        place: Any = ast.parse(text, mode="eval").body
        if isinstance(place, (ast.Name, ast.BinOp)):
            for new in _near(place):
                changed = copy.deepcopy(node)
                value: Any = changed.value
                changed.value = _Move(text, new).visit(value)
                yield at(changed, node), f"it is off by one (wherever it takes [{text}])"


def _near(place: Any) -> list[Any]:
    """Give the places before and after one."""
    if isinstance(place, ast.BinOp) and ast.unparse(place.right) == "1":
        return [place.left]
    return [ast.BinOp(place, op, ast.Constant(1)) for op in (ast.Add(), ast.Sub())]


class _Move(ast.NodeTransformer):
    """Takes another place wherever one is taken."""

    def __init__(self, text: str, new: Any) -> None:
        self._text, self._new = text, new

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """Exchange the index."""
        self.generic_visit(node)
        if ast.unparse(node.slice) == self._text:
            node.slice = self._new
        return node


def _ends(node: Any, _: Any, __: Any) -> New:
    """Add to what a turn of a loop fills something that it computes."""
    if not isinstance(node, (ast.For, ast.While)):
        return
    simple = [s for s in node.body if isinstance(s, (ast.Assign, ast.AugAssign))]
    targets = {ast.unparse(_target(s)): _target(s) for s in simple}
    made = [t for t in targets if t.isidentifier()][-_MOST_MADE:]
    for text in [t for t, n in targets.items() if type(n) is ast.Subscript][:_MOST_NAMES]:
        for name in made:
            for op, sign in ((ast.Add(), ""), (ast.Sub(), "-")):
                last = ast.AugAssign(targets[text], op, ast.Name(name, ast.Load()))
                changed = copy.copy(node)
                changed.body = [*node.body, at(last, node.body[-1])]
                yield at(changed, node), f"the term {sign}{name} is missing in {text}"


def _fading(node: Any, _: Any, names: Any) -> New:
    """Multiply what a turn of a loop adds to by something of that turn, after all else is done."""
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
        return
    for name in _sums_of(node):
        scaling: list[Any] = [s for s in node.body if _scales(s, name)]
        rest = [s for s in node.body if s not in scaling]
        for factor in _of_turn(node, name, names):
            last = ast.AugAssign(ast.Name(name, ast.Store()), ast.Mult(), factor)
            text, own = ast.unparse(last), ast.unparse(factor)
            words = f"the factor {own} is missing in {name} at the end of each turn"
            if scaling and ast.unparse(scaling[0]) == text:
                words = f"`{text}` comes too early: it is the last step of each turn"
            elif scaling:
                words = f"{ast.unparse(scaling[0].value)} is used instead of {own}"
            changed = copy.copy(node)
            changed.body = [*rest, at(last, node.body[-1])]
            yield at(changed, node), words


def _scales(node: Any, name: str) -> bool:
    """Say whether a statement multiplies what has a name."""
    is_product = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Mult)
    return is_product and isinstance(node.target, ast.Name) and node.target.id == name


def _sums_of(node: Any) -> list[str]:
    """List the names that a loop adds to, or of which it computes a new value with the old one."""
    found: dict[str, None] = {}
    for s in node.body:
        if isinstance(s, (ast.Assign, ast.AugAssign)) and isinstance(_target(s), ast.Name):
            name = _target(s).id
            inner = {n.id for n in ast.walk(s.value) if isinstance(n, ast.Name)}
            if isinstance(s, ast.AugAssign) or name in inner:
                found[name] = None
    return [*found][:_MOST_NAMES]


def _of_turn(node: Any, name: str, names: Any) -> list[Any]:
    """List elements at the place of a turn, and functions of them that the loop computes."""
    made = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}
    place = ast.Name(node.target.id, ast.Load())
    held = [ast.Name(n, ast.Load()) for n in names if n not in made][:_MOST_NAMES]
    own: list[Any] = [ast.Subscript(n, place, ast.Load()) for n in held]
    own += [n for n in ast.walk(node) if isinstance(n, (ast.Call, ast.Subscript))]
    found: dict[str, Any] = {}
    for n in own:
        inner = {x.id for x in ast.walk(n) if isinstance(x, ast.Name)}
        is_read = not isinstance(getattr(n, "ctx", None), ast.Store)
        text = ast.unparse(n) if is_read and place.id in inner and name not in inner else ""
        if text and len(text) <= _LONGEST_FACTOR:
            found.setdefault(text, n)
    return [found[text] for text in sorted(found, key=len)][:_MOST_MADE]


_LONGEST_FACTOR = 24
_MOST_MADE = 12

RULES: tuple[Callable[[Any, Any, Any], New], ...] = (
    _repeated,
    _turned,
    _names,
)
"""What is called how, and what is listed twice."""

OF_LOOPS: tuple[Callable[[Any, Any, Any], New], ...] = (_loops, _steps, _fading)
"""What a loop does first, and last; there are few loops, which have to do with most results."""

OTHERS: tuple[Callable[[Any, Any, Any], New], ...] = (_shifted, _ends)
"""The same slip in all of a statement, and a statement that is not there."""
