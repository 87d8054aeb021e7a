"""Functions of PyTorch as functions on tensors: values, gradients and second orders are torch's."""

from __future__ import annotations

import functools
import importlib.util
import warnings

import numpy as np
import pytest

import symtape as tf
from symtape.frontends.torch_functions import tracer
from symtape.frontends.torch_functions.compare import difference
from symtape.frontends.torch_functions.memory.links import LINKS
from symtape.frontends.torch_functions.rules.table import RULES
from tests.test_docs import ROOT, failures

if importlib.util.find_spec("torch"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what torch says as it is imported is not about us
        from tests.peers import torch_functions as table

    CASES, OPS = list(table.CASES), list(table.OPS)
    CHOOSING, CHOSEN = list(table.CHOOSING), list(table.CHOSEN)
else:
    CASES, OPS, CHOOSING, CHOSEN = ["torch"], ["torch"], ["torch"], ["torch"]

pytestmark = pytest.mark.usefixtures("torch")
IGNORED = "ignore:.*(TF32 acceleration|is deprecated|torch.jit|__array_wrap__|Sparse|vmap|in beta)"


def seeded(torch, function, args):
    """Call a function with the random numbers that it always gets."""
    torch.manual_seed(7)
    return function(*args)


def leaves_of(imported):
    """Give the examples that have derivatives."""
    return [x for x in imported.examples.values() if x.dtype.is_floating or x.dtype.is_complex]


def total(y):
    """Sum what a function gives, with different weights."""
    return y if not y.ndim else (y * weights(y)).sum()


def weights(y):
    """Give numbers of the shape and dtype of a torch tensor."""
    line = table.torch.arange(y.numel(), dtype=table.torch.float64, device=y.device)
    line = (line * 0.7).cos() + 1.2
    return line.reshape(y.shape).to(y.dtype)


def theirs(torch, function, args, *, second=True):
    """Let torch give the value, the gradients, and those of a weighted sum of the gradients."""
    xs = [x.clone().requires_grad_() if is_smooth(x) else x for x in args]
    sources = [x for x in xs if is_smooth(x)]
    y = seeded(torch, lambda *a: total(function(*a)), xs)
    first = torch.autograd.grad(y, sources, create_graph=True, allow_unused=True)
    last = [None] * len(sources)
    parts = [g for g in first if g is not None and g.requires_grad]
    if second and parts:
        summed = sum((g * weights(g)).real.sum() for g in parts)
        last = torch.autograd.grad(summed, sources, allow_unused=True)
    return y, first, last


def is_smooth(x):
    """Say whether a torch tensor has derivatives."""
    return x.is_floating_point() or x.is_complex()


def ours(torch, function, args, connected):
    """Let symtape give the same."""
    imported = tf.from_torch(lambda *a: total(function(*a)), *args)
    sources = leaves_of(imported)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = seeded(torch, imported, imported._leaves)
        first = tape.gradient(y, sources)
        parts = [
            tf.reduce_sum(tf.math.real(g * tf.constant(weights(t).numpy(force=True))))
            for g, t in zip(first, connected, strict=True)
            if g is not None and t is not None
        ]
        summed = tf.add_n(parts) if parts else None
    last = [None] * len(sources) if summed is None else outer.gradient(summed, sources)
    return y, first, last


def assert_same(a, b, rtol):
    """Compare a tensor with torch's; where one has none the other has none, or zeros."""
    b = None if b is None else b.detach().resolve_conj().numpy(force=True)
    if a is None or b is None:
        rest = b if a is None else a.numpy()
        assert rest is None or not np.any(rest)
        return
    np.testing.assert_allclose(a.numpy(), b, rtol=rtol, atol=rtol / 10)


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", CASES)
def test_functions_have_torchs_value_and_derivatives(torch, name):
    """The value, the gradient and the second order are those of `torch.autograd`, in 64 bits."""
    function, args = table.CASES[name]
    second = name not in table.TORCH_HAS_NO_SECOND
    expected = theirs(torch, function, args, second=second)
    found = ours(torch, function, args, expected[1])
    rtol = 1e-6 if name in table.SINGLE else 1e-9
    assert_same(found[0], expected[0], 1e-10)
    for a, b in zip(found[1], expected[1], strict=True):
        assert_same(a, b, rtol)
    for a, b in zip(found[2], expected[2], strict=True):
        if second:
            assert_same(a, b, 1e-8)


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", OPS)
def test_operations_have_torchs_value_and_derivatives(torch, name):
    """Each operation of the table, by itself."""
    function, args = table.OPS[name]
    expected = theirs(torch, function, args, second=False)
    found = ours(torch, function, args, expected[1])
    assert_same(found[0], expected[0], 1e-10)
    for a, b in zip(found[1], expected[1], strict=True):
        assert_same(a, b, 1e-7)


def elsewhere(torch, function, args, others):
    """Compile the value and the gradients of an example, and count what holds for other arguments.

    The rest is refused, since values decide otherwise.
    """
    f = tf.from_torch(lambda *a: seeded(torch, lambda *a: total(function(*a)), a), *args)
    xs = [x.clone().requires_grad_() if is_smooth(x) else x for x in others]
    y = seeded(torch, lambda *a: total(function(*a)), xs)
    names = [n for n, x in f.examples.items() if x.dtype.is_floating or x.dtype.is_complex]
    sources = [x for x in xs if is_smooth(x)]
    slopes = torch.autograd.grad(y, sources, allow_unused=True)
    asked = [(f.result, y), *[(f.gradient(n), g) for n, g in zip(names, slopes, strict=True)]]
    given = dict(zip(f.examples, [x.detach().numpy(force=True) for x in others], strict=True))
    held = 0
    for made, expected in asked:
        if made is None or expected is None:
            continue
        try:
            compiled = made.lambdify([f.leaf(name) for name in f.examples])
        except ValueError:  # sizes are no leaves, and so no arguments that could be others
            continue
        try:
            value = compiled(*given.values())
        except tf.PathConditionError:
            continue
        np.testing.assert_allclose(value, expected.numpy(force=True), rtol=1e-6, atol=1e-9)
        held += 1
    return held


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", [*CASES, *OPS])
def test_formulas_hold_for_other_arguments_or_are_refused(torch, name):
    """What an operation reads of values is computed anew, or a condition."""
    function, args = (table.CASES | table.OPS)[name]
    elsewhere(torch, function, args, [x.flip(*[[*range(x.ndim)]]) for x in args])


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", [*CHOOSING, *CHOSEN])
def test_what_values_choose_is_computed_anew_or_a_condition(torch, name):
    """The places of maxima, ranks, ignored classes, counts, sizes."""
    held = elsewhere(torch, *(table.CHOOSING | table.CHOSEN)[name])
    assert bool(held) == (name in CHOOSING)


def put(torch, x, v, t, *, accumulate=False):
    """Write into rows of a copy, by brackets."""
    y = x.clone()
    y[t] = y[t] + v if accumulate else v
    return y


PLACED = {
    "index_add": lambda torch, x, v, t: x.index_add(0, t, v, alpha=2),
    "index_copy": lambda torch, x, v, t: x.index_copy(0, t, v),
    "scatter": lambda torch, x, v, t: x.scatter(0, t[:, None].expand(3, 2), v),
    "scatter_add": lambda torch, x, v, t: x.scatter_add(0, t[:, None].expand(3, 2), v),
    "put": lambda torch, x, v, t: x.put(t, v[:, 0]),
    "put_accumulate": lambda torch, x, v, t: x.put(t, v[:, 0], accumulate=True),
    "brackets": put,
    "brackets_added": lambda torch, x, v, t: put(torch, x, v, t, accumulate=True),
    "index_put": lambda torch, x, v, t: x.index_put((t, t % 2), v[:, 0]),
    "messages": lambda torch, x, v, t: torch.zeros_like(x).index_add(
        0, t, (x[t.flip(0)] * v).tanh()
    ),
    "one_of_each_row": lambda torch, x, v, t: v[torch.arange(3), t % 2] * x.log_softmax(0)[t, 1],
}


@pytest.mark.parametrize("name", PLACED)
def test_places_that_are_arguments_are_no_condition(torch, name):
    """What is put, or added, follows other places; those of what is put have to be different."""
    x, v = table.R(5, 2), table.R(3, 2)
    first, other = torch.tensor([4, 0, 2]), torch.tensor([1, 3, 2])
    function = functools.partial(PLACED[name], torch)
    assert elsewhere(torch, function, [x, v, first], [2 * x, v + 1, other]) == 3


SINGLE = [name for name in CASES if name not in {"erf", "hessian"}][::4]


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", SINGLE)
def test_single_precision(torch, name):
    """The same with 32 bits: the value has torch's dtype, and its digits."""
    function, args = table.CASES[name]
    args = [x.float() if is_smooth(x) else x for x in args]
    imported = tf.from_torch(function, *args)
    y = seeded(torch, function, [x.requires_grad_() if is_smooth(x) else x for x in args]).detach()
    assert imported.result.numpy().dtype == y.numpy().dtype
    np.testing.assert_allclose(imported.result.numpy(), y.numpy(), rtol=2e-5)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("lost", [1, 2])
def test_determinants_of_singular_matrices_have_their_slopes(torch, n, lost):
    """PyTorch has the cofactors where it keeps a graph; a formula holds for other matrices, too."""
    rng = np.random.default_rng(n)
    rank = max(n - lost, 0)
    a, other = (rng.normal(size=(n, rank)) @ rng.normal(size=(rank, n)) for _ in range(2))
    f = tf.from_torch(torch.det, torch.tensor(a))
    compiled = f.gradient("x0").lambdify([f.leaf(name) for name in f.examples])
    for x in (a, other):
        given = torch.tensor(x, requires_grad=True)
        slope = torch.autograd.grad(torch.det(given), given, create_graph=True)[0]
        np.testing.assert_allclose(compiled(x), slope.detach().numpy(), atol=1e-9)
        np.testing.assert_allclose(f(x), 0.0, atol=1e-9)


@pytest.mark.parametrize("name", ["j0", "j1", "y0", "y1"])
def test_what_torch_has_with_fewer_digits_is_followed(torch, name):
    """Bessel functions of torch's are off by up to 4e-7 from 5 on."""
    function = getattr(torch.special, f"bessel_{name}")
    x = torch.linspace(0.5, 40, 30, dtype=torch.float64)
    found = tf.from_torch(function, x).result.numpy()
    np.testing.assert_allclose(found, function(x).numpy(), atol=1e-6)


def gradient_of(torch, function):
    """Make a function that asks torch for the gradients of another one."""

    def gradient(*xs):
        sources = [x for x in xs if is_smooth(x)]
        y = torch.autograd.grad(total(function(*xs)), sources, allow_unused=True)
        return [g if g is not None else x.sum() * 0 for g, x in zip(y, sources, strict=True)]

    return gradient


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", CASES)
def test_torchs_own_backward_is_followed(torch, name):
    """A function that asks torch for its gradient is imported with torch's backward operations."""
    function, args = table.CASES[name]

    gradient = gradient_of(torch, function)
    expected = theirs(torch, function, args, second=False)[1]
    if name in table.NO_BACKWARD:
        with pytest.raises(tf.UnsupportedError, match=r"aten\.\w*_backward"):
            seeded(torch, tf.from_torch(gradient, *args), args)
        return
    for a, b in zip(seeded(torch, tf.from_torch(gradient, *args), args), expected, strict=True):
        if b is not None:
            assert_same(a, b, 1e-9)


# --- the table is closed --------------------------------------------------------------------------


@pytest.mark.filterwarnings(IGNORED)
def test_every_rule_has_a_case(torch, monkeypatch):
    """Each entry of the tables of operations and of views is reached by a case above."""
    seen = set()
    find_rule, find_links = tracer.rule_of, tracer.links_of

    def rule_of(name):
        found = find_rule(name)
        seen.update([found[0]] if found else [])
        return found

    def links_of(name):
        found = find_links(name)
        seen.update([name, name.partition(".")[0]] if found else [])
        return found

    monkeypatch.setattr(tracer, "rule_of", rule_of)
    monkeypatch.setattr(tracer, "links_of", links_of)
    unknown = [table.CASES[name][0] for name in table.NO_BACKWARD]
    for function, args in (table.CASES | table.OPS).values():
        seeded(torch, tf.from_torch(function, *args), args)
        if function not in unknown:
            seeded(torch, tf.from_torch(gradient_of(torch, function), *args), args)
    lacking = (RULES.keys() | LINKS.keys()) - seen
    assert sorted(lacking) == []


# --- modules --------------------------------------------------------------------------------------


def modules(torch):
    """List modules with arguments."""
    nn, R, T = torch.nn, table.R, table.T
    return {
        "mlp": (nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)), [R(5, 3)]),
        "batch norm": (nn.BatchNorm1d(3), [R(4, 3)]),
        "batch norm of images": (nn.BatchNorm2d(2).eval(), [R(2, 2, 3, 3)]),
        "lstm": (nn.LSTM(3, 2, bidirectional=True, num_layers=2), [R(3, 1, 3)]),
        "gru": (nn.GRU(3, 2), [R(4, 2, 3)]),
        "rnn": (nn.RNN(3, 2), [R(4, 2, 3)]),
        "lstm cell": (nn.LSTMCell(3, 2), [R(2, 3)]),
        "encoder": (
            nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True),
            [R(1, 3, 4)],
        ),
        "attention": (nn.MultiheadAttention(4, 2), [R(3, 1, 4), R(3, 1, 4), R(3, 1, 4)]),
        "embedding": (nn.Embedding(5, 3, padding_idx=0), [T(0, 1, 4, 4)]),
        "convolutions": (
            nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()),
            [R(1, 1, 6, 6)],
        ),
        "dropout": (nn.Dropout(0.5), [R(6)]),
        "group norm": (nn.GroupNorm(2, 4), [R(2, 4, 3)]),
        "bilinear": (nn.Bilinear(2, 3, 2), [R(4, 2), R(4, 3)]),
        "orthogonal": (nn.utils.parametrizations.orthogonal(nn.Linear(3, 3)), [R(4, 3)]),
    }


def first_tensor(y):
    """Give the first tensor of what a module gives."""
    return first_tensor(y[0]) if isinstance(y, tuple) else y


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", list(modules(table.torch)) if len(CASES) > 1 else [])
def test_modules_have_torchs_gradients(torch, name):
    """Gradients by parameters are torch's, and the module is left as it was."""
    torch.manual_seed(3)
    module, args = modules(torch)[name]
    module = module.double()
    before = {key: value.clone() for key, value in module.state_dict().items()}
    imported = tf.from_torch(module, *args)
    wanted = dict(module.named_parameters())
    assert wanted.keys() <= imported.parameters.keys()
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(first_tensor(seeded(torch, imported, args)) ** 2)
    found = tape.gradient(y, [imported.parameters[key] for key in wanted])
    assert all(torch.equal(value, before[key]) for key, value in module.state_dict().items())
    expected = (first_tensor(seeded(torch, module, args)) ** 2).sum()
    assert_same(y, expected, 1e-10)
    gradients = torch.autograd.grad(expected, list(wanted.values())) if wanted else []
    for a, b in zip(found, gradients, strict=True):
        assert_same(a, b, 1e-9)


def test_a_function_has_the_parameters_of_the_modules_that_it_uses(torch):
    """Modules and tensors in closures are found, named, and can be given other values."""
    linear, w = torch.nn.Linear(2, 1), torch.tensor([2.0, 3.0], requires_grad=True)
    f = tf.from_torch(lambda x: linear(x * w).sum(), torch.ones(1, 2))
    assert list(f.parameters) == ["linear.weight", "linear.bias", "w"]
    assert f.gradient("w").shape == (2,)
    f.parameters["linear.weight"].assign([[1.0, -1.0]])
    f.parameters["linear.bias"].assign([0.5])
    assert f(np.ones((1, 2), np.float32)).numpy() == -0.5
    f.parameters["w"].assign([1.0, 1.0])
    with pytest.raises(tf.UnsupportedError, match="w is a tensor that the function holds"):
        f(np.ones((1, 2), np.float32))


# --- what torch's graph does not connect ----------------------------------------------------------


def under_no_grad(torch, x):
    """Double without a graph."""
    with torch.no_grad():
        return x * 2


def moved_without_a_graph(torch, x):
    """Write into what has a graph, without it: torch's derivative is that of what it was."""
    y = x * 1
    with torch.no_grad():
        y -= 0.5 * y.sin()
    return y * y


def moved_moments(torch, x):
    """Let a batch norm move its moments, which torch does outside of its graph."""
    moments = torch.zeros(1, dtype=x.dtype), torch.ones(1, dtype=x.dtype)
    torch.nn.functional.batch_norm(x[:, None], *moments, training=True)
    return torch.nn.functional.batch_norm(x[:, None], *moments)


def moved_aside(y, aside):
    """Write into what has a graph through what has none: torch's graph stays as it was."""
    aside(y).mul_(2.0)[1:].sin_()
    return y * y


CUTS = {
    "detach": lambda torch, x: x.detach() * x,
    "detach in place": lambda torch, x: x.clone().detach_() * x,
    "data": lambda torch, x: x.data * x,
    "no_grad": lambda torch, x: under_no_grad(torch, x) * x,
    "a new leaf": lambda torch, x: x.detach().requires_grad_() * x,
    "item": lambda torch, x: x[0].item() * x,
    "numpy": lambda torch, x: torch.from_numpy(x.detach().numpy() * 2) * x,
    "written without a graph": moved_without_a_graph,
    "moved moments": moved_moments,
    "written as data": lambda torch, x: moved_aside(x * 3, lambda y: y.data) * x,
    "written as detached": lambda torch, x: moved_aside(x * 3, torch.Tensor.detach),
    "an argument's data": lambda torch, x: moved_aside(x * 1, lambda y: y.data.view(-1)) + x,
    "a gradient without a graph": lambda torch, x: torch.autograd.grad((x**3).sum(), x)[0] * x,
    "a gradient with a graph": lambda torch, x: (
        torch.autograd.grad((x**3).sum(), x, create_graph=True)[0] * x
    ),
}


@pytest.mark.parametrize("name", CUTS)
def test_what_torch_does_not_connect_is_not_connected(torch, name):
    """The gradient is torch's, not that of the formula, where torch's graph ends."""
    x = torch.tensor([0.5, 2.0], dtype=torch.float64)
    f = tf.from_torch(lambda x: CUTS[name](torch, x), x)
    leaf = x.clone().requires_grad_()
    y = CUTS[name](torch, leaf)
    assert_same(f.result, y, 1e-12)
    assert_same(f.gradient("x"), torch.autograd.grad(y.sum(), leaf)[0], 1e-12)


def test_a_result_that_is_marked_has_no_gradient(torch):
    """An `autograd.Function` says of what it gives that it is not differentiable."""

    class Cubed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            slope = 3 * x**2
            ctx.save_for_backward(slope)
            ctx.mark_non_differentiable(slope)
            return x**3, slope

        @staticmethod
        def backward(ctx, u, _):
            return u * ctx.saved_tensors[0]

    x = tf.constant([0.5, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, slope = tf.from_torch(Cubed.apply)(x)
    np.testing.assert_array_equal(tape.gradient(y, x), slope)
    assert tape.gradient(slope, x) is None


@pytest.mark.parametrize("name", ["cholesky", "cholesky_upper", "eigvalsh", "eigvalsh_upper"])
def test_one_triangle_of_a_matrix_is_read(torch, name):
    """The value is that of one triangle, and the gradient goes to both, as torch's does."""
    a = torch.tensor([[4.0, 0.5, 0.2], [0.1, 3.0, 0.3], [0.7, 0.2, 5.0]], dtype=torch.float64)
    kind, _, upper = name.partition("_")
    named = {"upper": bool(upper)} if kind == "cholesky" else {"UPLO": "U" if upper else "L"}
    function = lambda a: getattr(torch.linalg, kind)(a, **named)  # noqa: E731 - for its argument
    f, leaf = tf.from_torch(function, a), a.clone().requires_grad_()
    y = function(leaf)
    assert_same(f.result, y, 1e-12)
    assert_same(f.gradient("a"), torch.autograd.grad(y.sum(), leaf)[0], 1e-12)


WEIGHTED = {
    "classes": lambda F, x, t, w: F.cross_entropy(x, t, weight=w),
    "probabilities": lambda F, x, t, w: F.binary_cross_entropy(x.sigmoid(), x * 0 + 1, weight=w),
    "logits": lambda F, x, t, w: F.binary_cross_entropy_with_logits(x, x * 0 + 1, weight=w),
    "moments": lambda F, x, t, w: F.batch_norm(x, w.sin(), w, w * 2).pow(2),
    "moving moments": lambda F, x, t, w: F.batch_norm(x, w.sin(), w, w * 2, training=True).pow(2),
    "targets": lambda F, x, t, w: F.soft_margin_loss(x, w.expand(2, 3)),
}


@pytest.mark.filterwarnings(IGNORED)
@pytest.mark.parametrize("name", WEIGHTED)
def test_what_torch_does_not_differentiate_by_is_an_argument(torch, name):
    """The gradient by others is torch's, and by it that of differences of torch's values."""
    function = lambda x, t, w: WEIGHTED[name](torch.nn.functional, x, t, w)  # noqa: E731
    args = [table.R(2, 3), table.T(0, 2), table.D(1.0, 2.0, 0.5)]
    f = tf.from_torch(lambda *a: total(function(*a)), *args)
    x = args[0].clone().requires_grad_()
    y = total(function(x, *[a.clone() for a in args[1:]]))
    assert_same(f.result, y, 1e-10)
    assert_same(f.gradient("a_0"), torch.autograd.grad(y, x)[0], 1e-9)
    found, step = f.gradient("a_2").numpy(), 1e-5
    for k in range(3):
        up, down = (
            total(function(args[0], args[1], args[2] + s * step * table.D(*np.eye(3)[k])))
            for s in (1, -1)
        )
        np.testing.assert_allclose(found[k], float(up - down) / (2 * step), rtol=1e-6, atol=1e-9)


def test_a_value_that_torch_differentiates_by_nothing_of_says_so(torch):
    """The error names the function, and what can be done."""
    x, t = table.R(2, 3), table.T(0, 2)
    f = tf.from_torch(
        lambda w: torch.nn.functional.cross_entropy(x, t, weight=w), table.D(1.0, 2.0, 3.0)
    )
    with pytest.raises(tf.UnsupportedError, match="torch's cross_entropy has no derivative by"):
        f.result  # noqa: B018 - it is made when it is asked for


def test_a_branch_leaves_a_guard(torch):
    """A truth value and an integer that Python saw are conditions of the formula."""
    f = tf.from_torch(lambda x: x * 2 if x > 1 else x, torch.tensor(3.0))
    assert str(f.result.conditions) == "(x > 1,)"
    assert f.gradient("x").numpy() == 2
    assert f(0.5).numpy() == np.float32(0.5)


def functions_with_backwards(torch):
    """Make functions whose backward is, or is not, the derivative of their forward."""

    class Rounded(torch.autograd.Function):
        @staticmethod
        def forward(_, x):
            return x.round()

        @staticmethod
        def backward(_, g):
            return g

    class Outside(torch.autograd.Function):
        @staticmethod
        def forward(_, x):
            return torch.from_numpy(x.detach().numpy() ** 2)

        @staticmethod
        def backward(_, g):
            return g

    return {"Rounded": Rounded, "Outside": Outside}


def giving_back(torch, forward, factor, *, with_setup=False):
    """Make a function that gives back its argument, whose backward scales the gradient."""

    class Passed(torch.autograd.Function):
        @staticmethod
        def backward(_, g):
            return factor * g

    if with_setup:
        Passed.forward = staticmethod(forward)
        Passed.setup_context = staticmethod(lambda ctx, inputs, output: None)
    else:
        Passed.forward = staticmethod(lambda _, x: forward(x))
    return Passed.apply


def hooked(torch, change):
    """Make a function with a hook on what it computes."""

    def function(x):
        y = x * 1
        if y.requires_grad:
            y.register_hook(change)
        return y

    return function


def with_hooks(torch, change, which="register_full_backward_hook"):
    """Make a module of modules, one of which has a hook."""
    inner = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Identity())
    own = (lambda m, before, _: change(before)) if which.endswith("d_hook") else None
    getattr(inner[1], which)(own or (lambda m, after: change(after)))
    return torch.nn.Sequential(inner, torch.nn.Identity())


def scaled(gradients):
    """Give gradients that are not those that come."""
    return tuple([2 * g for g in gradients])


UNCHANGED = {
    "a view": lambda torch: giving_back(torch, lambda x: x.view_as(x), 1),
    "itself": lambda torch: giving_back(torch, lambda x: x, 1),
    "itself, without a context": lambda torch: giving_back(torch, lambda x: x, 1, with_setup=True),
    "a hook that looks": lambda torch: hooked(torch, [].append),
    "modules with hooks": lambda torch: with_hooks(torch, [].append),
}
CHANGED = {
    "a view": lambda torch: giving_back(torch, lambda x: x.view_as(x), -1),
    "a part": lambda torch: giving_back(torch, lambda x: x[:, 1:].expand(1, 2), 1),
    "itself": lambda torch: giving_back(torch, lambda x: x, -1),
    "a view, without a context": (
        lambda torch: giving_back(torch, lambda x: x.view_as(x), -1, with_setup=True)
    ),
    "itself, without a context": lambda torch: giving_back(torch, lambda x: x, -1, with_setup=True),
    "a hook that clips": lambda torch: hooked(torch, lambda g: g.clamp(-0.5, 0.5)),
    "modules with hooks": lambda torch: with_hooks(torch, scaled),
    "modules with hooks before": (
        lambda torch: with_hooks(torch, scaled, "register_full_backward_pre_hook")
    ),
}
"""Identities whose backward is one, or is not, in torch's graph."""


@pytest.mark.parametrize("name", UNCHANGED)
def test_what_gives_back_its_argument_has_its_gradient(torch, name):
    """An identity is one, behind what else is computed, too."""
    identity, x = UNCHANGED[name](torch), torch.tensor([[0.6, 2.0]], dtype=torch.float64)
    f = tf.from_torch(lambda x: identity(x.exp()) * x, x)
    np.testing.assert_allclose(f.gradient("x").numpy(), (x.exp() * (1 + x)).numpy())


@pytest.mark.parametrize("name", CHANGED)
def test_what_changes_gradients_is_told(torch, name):
    """A reversal of gradients writes nothing, and is no identity all the same; nor are hooks."""
    function, x = CHANGED[name](torch), torch.tensor([[0.6, 2.0]], dtype=torch.float64)
    f = tf.from_torch(lambda x: function(x.exp())[0] * x, x)
    assert f(x).shape == (1, 2)
    with pytest.raises(tf.UnsupportedError, match=r'is not the derivative.*backward="'):
        f.gradient("x")
    forward = tf.from_torch(lambda x: function(x.exp())[0] * x, x, backward="forward")
    assert forward.gradient("x").shape == (1, 2)


def with_other_data(y):
    """Give a tensor the memory of another one."""
    y.data = y.data * 2
    return y


def detached_with_a_graph(y, x):
    """Write what has a graph into what is detached."""
    y.detach().add_(x)
    return y * 2


NOT_FOLLOWED = {
    "an argument with other data": (lambda x: with_other_data(x) * x, "no .data"),
    "a result with other data": (lambda x: with_other_data(x * 3), "has a derivative in torch"),
    "two graphs": (lambda x: detached_with_a_graph(x * 3, x), "a detached tensor"),
}


@pytest.mark.parametrize("name", NOT_FOLLOWED)
def test_graphs_that_leave_their_memory_are_refused(torch, name):
    """Where torch has a derivative of other values than those that are there."""
    function, message = NOT_FOLLOWED[name]
    f = tf.from_torch(function, torch.tensor([0.6, 2.0], dtype=torch.float64))
    with pytest.raises(tf.UnsupportedError, match=message):
        f.gradient("x")


@pytest.mark.parametrize("name", ["Rounded", "Outside"])
def test_a_backward_that_is_no_derivative_is_told(torch, name):
    """A straight-through estimator has a value; its derivative is refused, or the forward's."""
    function = functions_with_backwards(torch)[name]
    x = torch.tensor([0.6, 2.0], dtype=torch.float64)
    f = tf.from_torch(lambda x: function.apply(x) * 2, x)
    np.testing.assert_allclose(f(x).numpy(), (function.apply(x) * 2).numpy())
    with pytest.raises(tf.UnsupportedError, match=f'{name}.* is not the derivative.*backward="'):
        f.gradient("x")
    assert tf.from_torch(lambda x: function.apply(x) * 2, x, backward="forward").gradient("x") is (
        None
    )


def as_it_is(function):
    """Leave a function without a decorator."""
    return function


def with_context(torch, factor, forwards=as_it_is, backwards=as_it_is):
    """Make the square as a function of autograd; a factor of 2 in its backward is right."""

    class Context(torch.autograd.Function):
        @staticmethod
        @forwards
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @backwards
        def backward(ctx, g):
            return factor * g * ctx.saved_tensors[0]

    return Context


def with_setup(torch, factor):
    """Make it with a `setup_context` that computes something, too."""

    class Setup(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(inputs[0] * 1.0, output)

        @staticmethod
        def backward(ctx, g):
            return factor * g * ctx.saved_tensors[0]

    return Setup


def decorated(torch, factor):
    """Make it within decorators of torch's."""
    own = (torch.amp.custom_fwd, torch.amp.custom_bwd)
    return with_context(torch, factor, *[decorator(device_type="cpu") for decorator in own])


def inherited(torch, factor):
    """Make it with the forward of another class."""

    class Inherited(with_context(torch, 2.0)):
        @staticmethod
        def backward(ctx, g):
            return factor * g * ctx.saved_tensors[0]

    return Inherited


@pytest.mark.parametrize("made", [with_context, with_setup, decorated, inherited])
def test_functions_of_autograd_are_followed_however_they_are_written(torch, made):
    """The right ones have their derivative, in loops too; wrong ones are told by their class."""
    x = torch.tensor([0.6, 2.0], dtype=torch.float64)
    right, wrong = (made(torch, factor) for factor in (2.0, 3.0))

    def repeated(function):
        def run(x):
            apply = function.apply
            for _ in range(3):
                x = apply(x)
            return x.sum()

        return run

    slope = tf.from_torch(repeated(right), x).gradient("x").numpy()
    np.testing.assert_allclose(slope, 8 * x.numpy() ** 7)
    with pytest.raises(tf.UnsupportedError, match=f"backward of {wrong.__name__} is not"):
        tf.from_torch(repeated(wrong), x).gradient("x")


def test_functions_of_autograd_are_compared_under_vmap(torch):
    """Their backward runs under the transform, too."""
    x = torch.tensor([0.6, 2.0], dtype=torch.float64)
    right, wrong = (with_setup(torch, factor) for factor in (2.0, 3.0))
    right.generate_vmap_rule = wrong.generate_vmap_rule = True
    slope = tf.from_torch(lambda x: torch.vmap(right.apply)(x).sum(), x).gradient("x")
    np.testing.assert_allclose(slope.numpy(), 2 * x.numpy())
    with pytest.raises(tf.UnsupportedError, match="backward of VmappedSetup is not"):
        tf.from_torch(lambda x: torch.vmap(wrong.apply)(x).sum(), x).gradient("x")


def weighted_sum(torch):
    """Make a sum of its arguments as a function of autograd."""

    class Weighted(torch.autograd.Function):
        @staticmethod
        def forward(_, *xs):
            return sum((k + 1) * x for k, x in enumerate(xs))

        @staticmethod
        def backward(_, g):
            return g, 2 * g, 3 * g

    return lambda x: Weighted.apply(x, x.sin(), x * x.sin())


def doubled_in_place(torch):
    """Make a function of autograd that writes into its argument."""

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(_, g):
            return 2 * g

    return lambda x: Doubled.apply(x * 1) * x


@pytest.mark.parametrize("made", [weighted_sum, doubled_in_place])
def test_functions_of_autograd_are_compared_by_what_they_do_alone(torch, made):
    """Their arguments may be computed of one another, or be written into."""
    function, x = made(torch), torch.tensor([0.6, 2.0], dtype=torch.float64)
    leaf = x.clone().requires_grad_()
    expected = torch.autograd.grad(function(leaf).sum(), leaf)[0]
    assert_same(tf.from_torch(function, x).gradient("x"), expected, 1e-12)


def test_a_backward_that_does_not_run_is_told(torch):
    """One that asks for a graph of its own finds none beneath torch's operations."""

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                y = x.sin()
            return torch.autograd.grad(y, x, g)[0]

    f = tf.from_torch(lambda x: Inner.apply(x) * 2, torch.ones(2))
    with pytest.raises(tf.UnsupportedError, match=r'backward of Inner cannot be run.*"forward"'):
        f.gradient("x")


NARROW = {
    "layer norm": lambda F, x: F.layer_norm(x, (4,)).sin(),
    "variance": lambda F, x: x.var(1),
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", NARROW)
def test_operations_on_narrow_numbers_compute_with_more_digits(torch, name, dtype):
    """Torch rounds when the result is there, and not before."""
    x = table.R(3, 4).to(getattr(torch, dtype))
    f = tf.from_torch(lambda x: total(NARROW[name](torch.nn.functional, x)), x)
    leaf = x.clone().requires_grad_()
    y = total(NARROW[name](torch.nn.functional, leaf))
    found = f.gradient("x").numpy().astype(np.float64)
    expected = torch.autograd.grad(y, leaf)[0].double().numpy()
    np.testing.assert_allclose(found, expected, atol=0.03 * np.abs(expected).max())


def filled_by_numpy(torch, like):
    """Let NumPy compute where torch sees nothing of it."""

    def run(x):
        out = getattr(torch, like)(x)
        np.exp(x.detach().numpy(), out=out.numpy())
        return out

    return run


@pytest.mark.parametrize("like", ["empty_like", "zeros_like"])
@pytest.mark.parametrize("then", [lambda y: y, lambda y: 2 * y, lambda y: y[0], lambda y: y.sum()])
def test_memory_that_other_code_fills_is_an_error(torch, like, then):
    """A kernel that is given memory is not followed, and gives no constant."""
    run = filled_by_numpy(torch, like)
    x = torch.tensor([0.5, -1.0], dtype=torch.float64)
    f = tf.from_torch(lambda x: then(run(x)), x)
    with pytest.raises(tf.UnsupportedError, match="was filled by no operation of torch's"):
        f(x)


def test_memory_that_had_the_right_numbers_before_is_an_error(torch):
    """What an allocator gives again has what was computed there the last time."""
    run, x = filled_by_numpy(torch, "empty_like"), torch.linspace(-1, 1, 5000, dtype=torch.float64)
    f = tf.from_torch(run, x)
    for _ in range(5):
        run(x)
        with pytest.raises(tf.UnsupportedError, match="was filled by no operation of torch's"):
            f(x)


def test_memory_that_torch_fills_is_a_constant(torch):
    """Lists of numbers, and memory that an operation writes into."""
    x = torch.tensor([0.5, -1.0], dtype=torch.float64)
    made = {
        "list": lambda x: x * torch.tensor([2.0, 3.0]),
        "new": lambda x: x * x.new_tensor([2.0, 3.0]),
        "filled": lambda x: x * torch.empty(2).fill_(2.0),
        "copied": lambda x: torch.empty_like(x).copy_(x) * 2.0,
        "written": lambda x: torch.stack([torch.empty_like(x).mul_(0.0).nan_to_num_(0.0), x]),
    }
    for name, function in made.items():
        np.testing.assert_allclose(tf.from_torch(function, x)(x).numpy(), function(x), err_msg=name)


# --- hostile --------------------------------------------------------------------------------------


def test_an_operation_that_nobody_knows_is_named_with_the_line(torch):
    """The error has the operation, the shapes, the file and the line."""
    f = tf.from_torch(lambda x: torch.frexp(x)[0], torch.eye(2))
    with pytest.raises(tf.UnsupportedError) as caught:
        f(torch.eye(2))
    text = str(caught.value)
    assert "aten.frexp.Tensor(float32[2, 2])" in text
    assert "test_from_torch.py" in text
    assert "torch.frexp(x)" in text


REFUSED = {
    "rank": (lambda torch, x: torch.linalg.lstsq(torch.stack([x, x, x]).T, x[:, None])[0], "pinv"),
    "bound": (lambda torch, x: torch.linalg.lstsq(torch.diag(x), x[:, None], rcond=0.5)[0], "pinv"),
    "complex": (lambda torch, x: torch.logcumsumexp(x + 1j, 0).abs(), r"cumsum\(dim\).log"),
    "branches": (
        lambda torch, x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)),
        "torch's cond takes functions, which are not followed: choose and repeat in Python",
    ),
    "tracing": (
        lambda torch, x: torch.func.linearize(torch.sin, x)[1](x),
        "has no elements to read.*jvp",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_an_operation_does_not_take_has_a_way_out(torch, name):
    """Matrices without full rank, computed labels and what takes functions are refused."""
    function, text = REFUSED[name]
    f = tf.from_torch(lambda x: function(torch, x), torch.tensor([0.9, 1.1, 1.2, 0.8]))
    with pytest.raises(tf.UnsupportedError, match=text):
        f(torch.tensor([0.9, 1.1, 1.2, 0.8]))


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (None, "gave None"),
        (2.0, "gave 2.0 as result"),
        ({"a": "b"}, r"gave 'b' as result\['a'\]"),
    ],
)
def test_results_that_are_no_tensors_are_refused(torch, result, text):
    """A function gives tensors."""
    with pytest.raises(tf.UnsupportedError, match=text):
        tf.from_torch(lambda x: result, torch.ones(2))([1.0, 2.0])


def test_structures_numbers_and_flags_are_arguments(torch):
    """Tensors in structures have names; integers, texts and None are handed over."""

    def f(batch, scale, dim, how=None):
        return {how: (batch["x"] * scale).sum(dim), "y": batch["y"][0]}

    x, y = np.ones((2, 3)), tf.constant([1.0, 2.0])
    imported = tf.from_torch(f, {"x": x, "y": [y]}, 0.5, 1, "sum")
    assert list(imported.examples) == ["batch_x", "batch_y_0", "scale"]
    made = imported({"x": x, "y": [y]}, 0.5, 1, "sum")
    np.testing.assert_array_equal(made["sum"].numpy(), [1.5, 1.5])
    np.testing.assert_array_equal(made["y"].numpy(), [1.0, 2.0])
    with pytest.raises(TypeError, match="takes a function"):
        tf.from_torch(3)
    with pytest.raises(ValueError, match="backward is"):
        tf.from_torch(f, backward="none")


def test_arguments_are_not_changed(torch):
    """A function that writes into its arguments writes into copies."""
    x, a = torch.ones(3), np.ones(3)
    f = tf.from_torch(lambda x, a: x.mul_(2).add_(a.zero_() + 1), x, a)
    np.testing.assert_array_equal(f(x, a).numpy(), [3.0, 3.0, 3.0])
    assert x.tolist() == a.tolist() == [1.0, 1.0, 1.0]
    assert f.gradient("x").numpy().tolist() == [2.0, 2.0, 2.0]


def test_infinities_and_nans_pass(torch):
    """What is no number is none in both."""
    x = torch.tensor([-1.0, 0.0, torch.inf, torch.nan])
    f = tf.from_torch(lambda x: torch.log(x) + torch.exp(x), x)
    np.testing.assert_array_equal(f.result.numpy(), (torch.log(x) + torch.exp(x)).numpy())


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "complex64", "complex128"])
def test_other_dtypes(torch, dtype):
    """Narrow and complex numbers keep their dtype."""
    x = torch.tensor([0.5, 2.0]).to(getattr(torch, dtype))
    f = tf.from_torch(lambda x: (x * x).sum().abs(), x)
    assert f(x).dtype.name == {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    assert f.gradient("x").dtype.name == dtype


def test_a_wrong_rule_is_found(torch, monkeypatch):
    """Each step is compared: a rule that computes something else is an error, with the step."""
    monkeypatch.setitem(RULES, "sin", lambda step, x: x * 1.001)
    with pytest.raises(tf.UnsupportedError, match=r"aten\.sin\.default.*instead of torch's"):
        tf.from_torch(torch.sin, torch.ones(2))(torch.ones(2))


def test_functions_on_functions_take_it(torch):
    """`tf.grad` and `tf.hessian` differentiate an imported function."""
    f = tf.from_torch(lambda x: (x**3).sum(), torch.ones(2))
    np.testing.assert_array_equal(tf.grad(f)(np.array([1.0, 2.0])), [3.0, 12.0])
    np.testing.assert_array_equal(tf.hessian(f)(np.array([1.0, 2.0])), [[6.0, 0.0], [0.0, 12.0]])


def test_functions_on_functions_keep_torchs_last_digits(torch):
    """What cancels in single precision is what torch has, inside of a transformed function too."""
    x = torch.tensor(np.random.default_rng(1).normal(size=(4, 3)), dtype=torch.float32)

    def cancelled(x):
        s = torch.softmax(3 * x, -1)
        return (s.sum(-1) * x.sum(-1) - (s * x.sum(-1, keepdim=True)).sum(-1)).sum()

    theirs = torch.func.grad(cancelled)(x).numpy()
    found = tf.grad(tf.from_torch(cancelled, x))(x.numpy())
    np.testing.assert_allclose(found, theirs, atol=1e-5)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_are_chosen_anew_for_other_values(torch, mode):
    """The largest row of a bag is that of the values that are given, and not of the example."""
    places, begins = torch.tensor([0, 1, 2, 4, 3, 1]), torch.tensor([0, 3, 3])

    def bags(w):
        return torch.nn.functional.embedding_bag(places, w, begins, mode=mode, padding_idx=4)

    rng = np.random.default_rng(5)
    example, other = rng.normal(size=(2, 5, 3))
    f = tf.from_torch(bags, torch.tensor(example))
    w = torch.tensor(other, requires_grad=True)
    (bags(w) ** 2).sum().backward()
    np.testing.assert_allclose(
        tf.grad(lambda w: tf.reduce_sum(f(w) ** 2))(other), w.grad.numpy(), rtol=1e-14
    )


@pytest.mark.filterwarnings(IGNORED)
def test_the_page_shows_what_happens(torch):
    """The blocks of docs/frontends.md about PyTorch run, and give what the page says."""
    page = (ROOT / "docs" / "frontends.md").read_text("utf-8").partition("## JAX\n")[0]
    assert page.count("```py\n") >= 3
    assert list(failures(page.replace("```py\n", "```python\n"))) == []


def test_memory_that_nobody_filled_is_compared():
    """It may hold signalling nans, which no cast to more digits may complain of."""
    filled = np.array([0x7FA00000, 1], np.uint32).view(np.float32)
    assert not difference(filled, filled.copy(), [filled])


CANCELLING = {
    "layer_norm": lambda torch, x: torch.nn.functional.layer_norm(x, (4,)),
    "matmul": lambda torch, x: x @ x.T,
    "cumsum": lambda torch, x: x.reshape(-1).cumsum(0),
    "interpolate": lambda torch, x: torch.nn.functional.interpolate(
        x[None, None], size=(5, 5), mode="bilinear"
    ),
}
"""Functions whose terms cancel: what remains has few digits in single precision."""


@pytest.mark.parametrize("name", CANCELLING)
def test_digits_that_single_precision_cancels_are_no_wrong_value(torch, name):
    """Results near zero differ by roundings of their terms; many draws have some of them."""
    generator = torch.Generator().manual_seed(0)
    for x in torch.randn(300, 6, 4, generator=generator):
        found = tf.from_torch(lambda x: CANCELLING[name](torch, x), x).result
        np.testing.assert_allclose(found.numpy(), CANCELLING[name](torch, x).numpy(), atol=1e-5)


def test_a_determinant_of_a_singular_matrix(torch):
    """The value needs no inverse."""
    a = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
    assert tf.from_torch(torch.linalg.det, a).result.numpy() == 0


ILL_CONDITIONED = {
    "inv": (8, lambda torch, a, b: torch.linalg.inv(a)),
    "solve": (8, lambda torch, a, b: torch.linalg.solve(a, b)),
    "lstsq": (8, lambda torch, a, b: torch.linalg.lstsq(a[:, 1:], b).solution),
    "pinv": (8, lambda torch, a, b: torch.linalg.pinv(a)),
    "eigh": (8, lambda torch, a, b: torch.linalg.eigh(a)[0]),
    "eig": (8, lambda torch, a, b: torch.linalg.eig(a)[0].real),
    "svd": (8, lambda torch, a, b: torch.linalg.svd(a)[1]),
    "qr": (8, lambda torch, a, b: torch.linalg.qr(a)[1]),
    "cholesky": (8, lambda torch, a, b: torch.linalg.cholesky(a)),
    "cholesky_inverse": (8, lambda torch, a, b: torch.cholesky_inverse(torch.linalg.cholesky(a))),
    "cholesky_solve": (8, lambda torch, a, b: torch.cholesky_solve(b, torch.linalg.cholesky(a))),
    "det": (9, lambda torch, a, b: torch.linalg.det(a)),
    "slogdet": (9, lambda torch, a, b: torch.linalg.slogdet(a)[1]),
    "lu_solve": (9, lambda torch, a, b: torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b)),
}
"""Functions of a Hilbert matrix of some size, of which two libraries agree in fewer digits."""


@pytest.mark.parametrize("name", ILL_CONDITIONED)
def test_digits_that_any_library_loses_are_no_wrong_value(torch, name):
    """Factorizations of an ill-conditioned matrix are followed."""
    n, function = ILL_CONDITIONED[name]
    a = 1.0 / (torch.arange(n, dtype=torch.float64)[:, None] + torch.arange(1, n + 1))
    b = torch.tensor(np.random.default_rng(0).normal(size=(n, 2)))
    found = tf.from_torch(lambda a: function(torch, a, b), a).result
    np.testing.assert_allclose(found.numpy(), function(torch, a, b).numpy(), rtol=1e-6)


def test_what_is_written_at_strides_has_no_slope_by_what_was_there(torch):
    """Torch has the ones and zeros exchanged: its own check of gradients refutes it."""
    x, part = torch.ones(3, 3, dtype=torch.float64), torch.zeros(2, 2, dtype=torch.float64)
    write = lambda x, part: torch.as_strided_scatter(x, part, (2, 2), (3, 1), 1)  # noqa: E731
    imported = tf.from_torch(lambda x, part: write(x, part).sum(), x, part)
    np.testing.assert_array_equal(imported.gradient("x"), write(x, part))
    np.testing.assert_array_equal(imported.gradient("part"), np.ones((2, 2)))
