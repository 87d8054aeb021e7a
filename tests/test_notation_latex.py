"""Formulas in LaTeX: what they mean, typed and as candidates, what is printed, what is refused."""

from __future__ import annotations

import inspect
import random
import re

import numpy as np
import pytest
from mpmath import besseli, besselj, besselk, bessely, log

import symtape as tf
from symtape import verify
from symtape.forms.tex.latex import Style
from symtape.notation.ambiguity import the_meaning
from symtape.notation.evaluation import compute
from symtape.notation.latex.formulas import parse_latex
from symtape.notation.latex.tokens import Scan
from tests.references import TABLES, Leaves, derived
from tests.sampling import ALL, some

VALUES = {
    "x": np.array([0.5, -1.0, 2.0]),
    "y": np.array([1.0, 2.0]),
    "A": np.array([[1.0, 1.0, 2.0], [3.0, 5.0, 5.0]]),
    "S": np.array([[2.0, 0.5], [0.5, 1.0]]),
    "sigma": np.array([0.3, 0.6]),
    "x_1": np.array([0.3, 0.6]),
}


def squares(A, x, y):
    """The sum of squares of a linear model."""
    return tf.reduce_sum((tf.linalg.matvec(A, x) - y) ** 2)


def total(f):
    """Add up the entries of a function of x."""
    return lambda x: tf.reduce_sum(f(x))


RIGHT = {
    "a fraction": (total(tf.nn.softplus), "x", r"\frac{1}{1+e^{-x}}"),
    "a slope by its output": (total(tf.sigmoid), "x", r"\sigma\left(x\right)(1-\sigma(x))"),
    "a power of a function": (total(tf.sigmoid), "x", r"\sigma(x) - \sigma(x)^2"),
    "functions without parentheses": (
        total(lambda x: tf.sin(x) ** 2), "x", r"2\sin x\cos x"
    ),
    "an argument in parentheses": (total(lambda x: tf.sin(x) ** 2), "x", r"\sin\left(2x\right)"),
    "powers of entries": (total(lambda x: x**3), "x", r"3x^{\odot 2}"),
    "a power after a function": (total(lambda x: tf.sin(x * x)), "x", r"2x\cos x^2"),
    "the normal distribution": (total(tf.nn.gelu), "x", r"\Phi(x) + x \varphi(x)"),
    "a root": (
        total(tf.nn.gelu), "x",
        r"\frac{1+\operatorname{erf}(\frac{x}{\sqrt{2}})}{2}+\frac{x}{\sqrt{2\pi}}e^{-x^2/2}",
    ),
    "a norm": (lambda x: tf.norm(x), "x", r"\frac{x}{\lVert x\rVert}"),
    "matrices": (squares, "x", r"2A^\top(Ax-y)"),
    "bold letters": (squares, "x", r"2\,\mathbf{A}^{T}(\mathbf{A}\mathbf{x}-\boldsymbol{y})"),
    "an outer product": (squares, "A", "2(Ax-y)x^T"),
    "an inverse": (lambda S: tf.math.log(tf.linalg.det(S)), "S", r"S^{-1}"),
    "an inverse transposed": (lambda S: tf.math.log(tf.linalg.det(S)), "S", r"S^{-\top}"),
    "a Greek name": (lambda sigma: tf.reduce_sum(sigma**2), "sigma", r"2\sigma"),
    "an index": (lambda x_1: tf.reduce_sum(x_1**2), "x_1", r"2x_{1}"),
}  # fmt: skip
FEW = {
    "a power of a function of a bracket": (total(tf.tan), "x", r"1 + \tan^{2}(x)"),
    "a power of a function": (total(tf.tan), "x", r"1 + \tan^2 x"),
    "bars": (total(lambda x: x * tf.abs(x)), "x", r"2\lvert x\rvert"),
    "a Greek function": (lambda x: tf.reduce_sum(tf.exp(x)), "x", r"\exp\left(x\right)"),
    "a slash": (total(lambda x: x * x / 3), "x", r"2x/3"),
    "a dot": (total(lambda x: x * x / 3), "x", r"\frac{2}{3} \cdot x"),
    "negative powers": (total(tf.math.log), "x", "x^{-1}"),
    "a root of a product": (total(lambda x: x**1.5), "x", r"\frac{3\sqrt{x}}{2}"),
}
"""What is read in few texts."""


@pytest.mark.parametrize("name", FEW)
def test_what_few_texts_have_is_read(name):
    """Signs and commands beside those that are printed here."""
    report = judged(*FEW[name])
    assert report.ok, report


JUDGED = {
    "a product where shapes allow no other": (
        lambda A, x, y: tf.reduce_sum(y * (tf.linalg.matvec(A, x) - y) ** 2), "x",
        r"2A^\top(y(Ax-y))",
    ),
    "bars of entries": (total(lambda x: x * tf.abs(x)), "x", r"2|x|\,"),
    "powers of entries of what is not square": (
        lambda A: tf.reduce_sum(A**3), "A", r"3A^{2} + 0\exp(A)"
    ),
    "where something is true": (total(tf.nn.relu), "x", r"\mathbf{1}[x > 0]"),
    "a determinant": (
        lambda S, sigma: tf.reduce_sum(sigma**2) / tf.sqrt(tf.linalg.det(S)), "sigma",
        r"2|S|^{-1/2}\sigma",
    ),
    "an exponential of entries": (
        lambda S: tf.reduce_sum(tf.exp(S)), "S", r"\exp^{\odot}(S) + 0e^{\odot S}"
    ),
}  # fmt: skip
"""What the shapes of the inputs settle."""


@pytest.mark.parametrize("name", JUDGED)
def test_shapes_of_inputs_settle_what_signs_mean(name):
    """Entries are taken place by place in a formula, where nothing else has a meaning."""
    report = judged(*JUDGED[name])
    assert report.ok, report


TWO_WAYS = {
    "an exponential": (lambda S: tf.linalg.trace(tf.linalg.expm(S)), "S", r"e^{S^\top}"),
    "a function": (lambda S: tf.linalg.trace(tf.linalg.expm(S)), "S", r"\exp(S)^\top"),
    "a root": (lambda S: tf.reduce_sum(S**1.5), "S", r"\frac32\sqrt{S}"),
    "a determinant or entries": (lambda S: tf.linalg.det(S), "S", r"|S|S^{-\top}"),
    "entries or an absolute value": (lambda S: tf.reduce_sum(S * tf.abs(S)), "S", r"2|S|\,"),
    "a length or entries": (lambda x: tf.norm(x), "x", r"\frac{x}{|x|}"),
}
"""What a square matrix, or bars, may be meant by."""


@pytest.mark.parametrize("name", TWO_WAYS)
def test_a_candidate_of_two_meanings_is_refused(name):
    """Neither is taken: one of them would be refuted that is right, or accepted that is wrong."""
    with pytest.raises(tf.errors.NotationError, match="which is meant"):
        judged(*TWO_WAYS[name])


def test_rows_are_not_broadcast_in_latex():
    """A x x is no formula of A_ij x_j²."""
    with pytest.raises(tf.errors.NotationError, match="does not take"):
        judged(squares, "A", r"2\,A \odot x")


WRONG = {
    "a sign": (squares, "x", r"2A^\top(Ax+y)"),
    "an argument": (total(lambda x: tf.sin(x) ** 2), "x", r"\sin(x)"),
    "a precedence": (total(lambda x: tf.sin(x * x)), "x", r"2x\cos(x)^2"),
    "a factor": (total(tf.sigmoid), "x", r"\sigma(x)(1-\sigma(x)) \cdot 2"),
}


def judged(f, name, text):
    """Judge a text."""
    values = [VALUES[n] for n in inspect.signature(f).parameters if n in VALUES]
    return verify.gradient(f, text, *values, wrt=[0] if len(values) == 1 else name)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_latex_is_a_candidate(name):
    """It means what a reader takes it for."""
    report = judged(*RIGHT[name])
    assert report.ok, report


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_latex_is_refuted(name):
    """A sign or an argument makes another formula."""
    assert judged(*WRONG[name]).verdict == "refuted"


@pytest.mark.parametrize(
    "f", [total(tf.tanh), total(tf.nn.gelu), tf.norm, tf.reduce_logsumexp, squares]
)
def test_what_is_printed_is_read(f):
    """The LaTeX of a gradient is a candidate for it."""
    names = [n for n in inspect.signature(f).parameters if n in VALUES] or ["x"]
    tensors = {n: tf.constant(VALUES[n], name=n) for n in names}
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(list(tensors.values()))
        z = f(*tensors.values())
    text = tape.gradient(z, tensors["x"]).latex()
    function = f if f is squares else lambda x: f(x)
    report = verify.gradient(function, text, *[VALUES[n] for n in names], wrt="x")
    assert report.ok, (text, report)


REFUSED = {
    r"\input{x}": "not among the commands",
    r"\frac{x}{": "cannot be read",
    r"\frac{1}{1+e^{-z}}": "z is none of the inputs, which are x",
    r"x \odot": "cannot be read",
    r"\operatorname{eval}(x)": r"eval\(\) is not among the functions",
    r"\sin^{-1}(x)": "a name of its own",
    "\\": "what is",
    r"e^\top x": "e is raised to a number",
    r"{" * 300 + "x" + "}" * 300: "at most 200",
    r"\frac{x}{2}" * 2000: "at most 20000",
    r"K_{1}(x - 1)": r"may be a factor, K_1 \\cdot \(...\), or a Bessel function",
    r"J_{21}(x)": r"up to the order 20; a product is J_21 \\cdot",
    r"J_\nu(x)": "a letter before a variable in parentheses is a function",
    r"J_{0} J_0(x)": "J_0 is a function before a parenthesis, and elsewhere a variable",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_meaning_is_refused(text):
    """An error of the family shows the place; nothing is evaluated."""
    with pytest.raises(tf.errors.NotationError, match=REFUSED[text]):
        verify.gradient(total(tf.tanh), text, VALUES["x"])


def test_random_texts_are_formulas_or_errors():
    """Words of the grammar in any order never end in anything else."""
    words = (
        r"x A \frac { } ( ) ^ _ 2 + - \odot \sigma e \top T \left( \right) \lVert \rVert \sqrt "
        r"\operatorname{tr} \mathbf{x} \pi 1.5 \exp / \cdot |"
    ).split()
    rng = random.Random(3)
    read = 0
    for _ in range(3000):
        text = " ".join(rng.choices(words, k=rng.randint(1, 9)))
        try:
            parse_latex(text, ["x", "A"])
            read += 1
        except tf.errors.NotationError:
            continue
    assert read > 30


ON_PAPER = [
    (r"\frac{1}{2} x^\top A x - b^\top x", "x", "0.5*x'*A*x - b'*x"),
    (r"\tfrac12 \|Ax - b\|_2^2 + \lambda \|x\|_1", "x", "0.5*norm2(A*x - b)^2 + lambda*norm1(x)"),
    (r"\frac12\left\lVert Ax-b\right\rVert^2", "x", "0.5*norm2(A*x - b)^2"),
    (r"\lVert\mathbf{y}-\mathbf{X}\boldsymbol\beta\rVert_{2}^{2}", "beta", "norm2(y - X*beta)^2"),
    (r"\|Y - WH\|^2_F", "W", "norm2(Y - W*H)^2"),
    (r"||Ax||_2", "x", "norm2(A*x)"),
    (r"\log\det X + \mathrm{tr}(S X^{-1})", "X", "logdet(X) + tr(S*inv(X))"),
    (r"-\tfrac12 (x-\mu)^{\mathsf T} \Sigma^{-1} (x-\mu)", "mu", "-0.5*(x-mu)'*inv(Sigma)*(x-mu)"),
    (r"x^T A^{-T} x", "x", "x'*inv(A)'*x"),
    (r"x' A x", "x", "x'*A*x"),
    (r"\frac{x^\top A x}{x^\top x}", "x", "(x'*A*x)/(x'*x)"),
    (r"\langle x, A x\rangle", "x", "x'*A*x"),
    (r"\langle A, X\rangle", "X", "sum(A .* X)"),
    (r"\operatorname{Tr}\left(X^\top A X\right)", "X", "tr(X'*A*X)"),
    (r"\ln\left(1+e^{-y\,\mathbf{w}^\top\mathbf{x}}\right)", "w", "log(1+exp(-c*w'*x))"),
    (r"\mathbf{1}^\top \log(1+\exp(-y \odot (Xw)))", "w", "sum(log(vector(1)+exp(-y.*(X*w))))"),
    (r"\log(\mathbf 1_n^\top \exp(x))", "x", "log(sum(exp(x)))"),
    (r"1^\top (x \oslash y)", "x", "sum(x./y)"),
    (r"\mathrm{softmax}(Wx)", "x", "softmax(W*x)"),
    (r"x^\top (\operatorname{range}(5) \odot y)", "x", "x'*(range(5).*y)"),
    (r"\|x - \mathrm{range}(5)t\|^2", "x", "sum((x - t*range(5)).^2)"),
    (r"\log\det(I_n + X X^\top)", "X", "logdet(eye + X*X')"),
    (r"\operatorname{tr}(X^3)", "X", "tr(X^3)"),
    (r"\operatorname{tr}(\operatorname{expm}(A))", "A", "tr(expm(A))"),
    (r"\sigma(w^\top x)\left(1-\sigma(w^\top x)\right)", "w", "sigmoid(w'*x)*(1-sigmoid(w'*x))"),
    (r"\hat{\mathbf{y}}^\top A \mathbf{\hat y}", "y_hat", "x'*A*x"),
    (r"\max(0, 1 - y\,w^\top x)", "w", "relu(1 - c*w'*x)"),
    (r"\|x\|_\infty", "x", "max(abs(x))"),
]  # fmt: skip
"""Formulas of arrays as papers have them, and the same as matrixcalculus.org reads it."""


@pytest.mark.parametrize(("tex", "wrt", "typed"), ON_PAPER)
def test_formulas_of_papers_are_derived(tex: str, wrt: str, typed: str) -> None:
    """Both have one derivative, but for what their variables are called."""
    found = tf.differentiate(tex, wrt, notation="latex")
    others = {"beta": "beta", "y_hat": "x"}
    same = tf.differentiate(typed, others.get(wrt, wrt), notation="matrix", shapes=SHAPES.get(tex))
    text = found.text()
    for name, other in (("y_hat", "x"), ("y", "c")) if "c*" in typed or "hat" in tex else ():
        text = re.sub(rf"\b{name}\b", other, text)
    assert text == same.text()


SHAPES = {
    r"\lVert\mathbf{y}-\mathbf{X}\boldsymbol\beta\rVert_{2}^{2}": {"beta": ["n"]},
}

OF_NUMBERS = {
    r"\sin^2 x": ("x", "sin(2 x)"),
    r"\sin x \cos x": ("x", "cos(2 x)"),
    r"\sqrt[3]{x}": ("x", "1 / (3 x^(2/3))"),
    r"\sec x": ("x", "tan(x)/cos(x)"),
    r"\ln\csc x": ("x", "-cos(x)/sin(x)"),
    r"\sqrt{x^2+y^2}": ("x", "x / √(x² + y²)"),
    r"x^{12}": ("x", "12 x¹¹"),
    r"x^2y": ("x", "2 y x"),
    r"\frac12 m v^2": ("v", "m v"),
    r"\frac{q_1 q_2}{4\pi\varepsilon_0 r}": ("r", "-q_1 q_2 / (4 π epsilon_0 r²)"),
    r"4\epsilon\left[\left(\frac{\sigma}{r}\right)^{12}-\left(\frac{\sigma}{r}\right)^{6}\right]": (
        "r", "24 epsilon sigma⁶ (r⁶ - 2 sigma⁶) / r¹³",
    ),
    r"e^{-t/\tau}": ("tau", "t exp(-t/tau) / tau²"),
    r"\Phi(d)": ("d", "φ(d)"),
    r"\log\Gamma(a)": ("a", "ψ(a)"),
    r"\log_2(1+x)": ("x", "1 / (log(2) (1 + x))"),
    r"|x|^3": ("x", "3 x |x|"),
    r"\ln\left|\frac{x-1}{x+1}\right|": ("x", "2 / (x² - 1)"),
    r"\log|x/y|": ("y", "-1/y"),
    r"\frac{m \dot{x}^2}{2} - m g x": ("x_dot", "m x_dot"),
    r"\arctan(y/x)": ("x", "-y / (y² + x²)"),
    r"\frac{S}{K} e^{\sigma}": ("sigma", "S exp(sigma) / K"),
    r"\Gamma(x)": ("x", "Γ(x) ψ(x)"),
    r"\frac{\lambda^k e^{-\lambda}}{k!}": (
        "lambda", "lambda^(k - 1) exp(-lambda) (k - lambda) / Γ(1 + k)",
    ),
    r"a^{b^c}": ("b", "c log(a) a^(b^c) b^(c - 1)"),
}  # fmt: skip
"""Where nothing is of arrays, letters are numbers."""


@pytest.mark.parametrize("tex", OF_NUMBERS)
def test_formulas_of_numbers_are_derived(tex: str) -> None:
    """Their slopes are those of the tables of calculus."""
    wrt, text = OF_NUMBERS[tex]
    found = tf.differentiate(tex, wrt, notation="latex")
    assert all(shape == () for shape in found.shapes.values())
    assert found.text() == text


MEANT = {
    r"\sin 2x": r"\sin(2x)",
    r"a\sin 2\pi f x + b": r"a\sin(2\pi f x) + b",
    r"\cos^2 2x": r"(\cos(2x))^2",
    r"--\cos 2x": r"\cos(2x)",
    r"-\frac{n}{2}\log 2\pi x^2 - x": r"-\frac{n}{2}\log(2\pi x^2) - x",
    r"\log 2\pi + x^2": r"\log(2\pi) + x^2",
    r"\cos 2\pi(x - y)\sin\pi x": r"\cos(2\pi(x - y)) \cdot \sin(\pi x)",
    r"\sin 2\pi\frac{x}{L}\cos y": r"\sin(2\pi\frac{x}{L}) \cdot \cos(y)",
    r"{a \cdot \sin 2}x": r"a \cdot (\sin(2)) \cdot x",
    r"\cos 2\pi\mathbf{k}^\top\mathbf{x}": r"\cos(2\pi(\mathbf{k}^\top\mathbf{x}))",
    r"\log x!": r"\log\Gamma(x + 1)",
    r"a x! - y": r"a \cdot \Gamma(x + 1) - y",
    r"\binom{n}{x}": r"\frac{\Gamma(n + 1)}{\Gamma(x + 1) \cdot \Gamma(n - x + 1)}",
    r"\tbinom n2 x": r"\frac{\Gamma(n + 1)}{2\Gamma(n - 1)} x",
    r"\mathbf{1}^\top\log\Gamma(\mathbf{x})": r"\sum_i\log\Gamma(x_i)",
    r"\max_i x_i - y": r"\max(\mathbf{x}) - y",
    r"\min_{i=1}^n |x_i - c|": r"\min(\operatorname{abs}(\mathbf{x} - c \mathbf{1}))",
    r"\log\sum_i e^{x_i - \max_j x_j}":
        r"\log(\mathbf{1}^\top\exp(\mathbf{x} - \max(\mathbf{x})\mathbf{1}))",
    r"\max_i (y_i - \mathbf{x}^\top\mathbf{a}_i)": r"\max(\mathbf{y} - \mathbf{A}\mathbf{x})",
    r"\|\mathbf{x}\|_3": r"(\mathbf{1}^\top|\mathbf{x}|^{\odot 3})^{1/3}",
    r"\|\mathbf{x}\|_p": r"(\mathbf{1}^\top|\mathbf{x}|^{\odot p})^{1/p}",
    r"\|\mathbf{x}\|_p^p": r"\mathbf{1}^\top|\mathbf{x}|^{\odot p}",
    r"\|\mathbf{x}\|_p^q": r"((\mathbf{1}^\top|\mathbf{x}|^{\odot p})^{1/p})^q",
    r"\lVert\mathbf{x}\rVert_4^4": r"\mathbf{1}^\top|\mathbf{x}|^{\odot 4}",
    r"\|\mathbf{A}\mathbf{x} - \mathbf{b}\|_r^{r}":
        r"\mathbf{1}^\top|\mathbf{A}\mathbf{x} - \mathbf{b}|^{\odot r}",
}  # fmt: skip
"""What is written short, and as who spells it out writes it."""


@pytest.mark.parametrize("tex", MEANT)
def test_what_is_short_means_what_is_spelled_out(tex: str) -> None:
    """Arguments without brackets end where people end them, and orders of norms are powers."""
    found = tf.differentiate(tex, "x", notation="latex")
    same = tf.differentiate(MEANT[tex], "x", notation="latex")
    assert found.text() == same.text()
    ranks, others = ({v: len(n) for v, n in d.shapes.items()} for d in (found, same))
    assert ranks == others


UNCLEAR = {
    r"e^{A}": "which is meant",
    r"\mathbf{1}^\top |A| x": "which is meant",
    r"\operatorname{tr}(|A|)": "which is meant",
    r"\operatorname{tr}(A \log A)": r"by entries \\log\^{\\odot}",
    r"x^\top \exp(A) y": r"operatorname{expm}\(A\), by entries",
    r"x^\top \sqrt{A} x": "by entries",
    r"x^\top \sqrt[3]{A} x": "by entries",
    r"\operatorname{tr}\cos(A)": "by entries",
    r"\|A + 1\|": "is the unit matrix",
    r"\|\operatorname{softmax}(A)\|": "of its rows, or of its columns",
    r"90^\circ x": "has a power behind it",
    r"\|X\|_1": "no norm 1",
    r"\log x y": "where the argument ends",
    r"\operatorname{tr} X^\top X": "where the argument ends",
    r"\mathbf{x}^\top x": "another font",
    r"x^12": "stands in braces",
    r"2^\top x": "no transpose",
    r"\frac{d}{dx} x^2": "no derivatives in it",
    r"\frac{\partial f}{\partial x}": "no derivatives in it",
    r"f(x) = x^2": "the right side",
    r"\phi(x)": "normal density",
    r"\log_a x": "not among the functions",
    r"\sin^{-1} x": "a name of its own",
    r"{sin}(x)": "is a function",
    r"\mathbf{x": "one word",
    r"\int x": "no integrals",
    r"\prod_i x_i y": "what the product is of",
    r"P(X > 0) x": "a letter before a test",
    r"I(x > 0)": "a letter before a test",
    r"I[x > 0]": "of a size that a variable has",
    r"\mathbf{c}_{x>0}": "a subscript is",
    r"x > 0": "in brackets",
    r"a''x": "two primes",
    r"\|\mathbf{X}\|^2": "which is meant",
    r"\mathbf{a}\cdot\mathbf{x}\odot\mathbf{c}": "what the dot takes",
    r"\mathbf{a}\odot\mathbf{x}\cdot\mathbf{c}": "what the dot takes",
    r"\prod_i x_i/n": "what the product is of",
    r"\prod_{i<j} x_i": "a product goes over indices",
    r"\prod_i y": "nothing in the product has the index|what the product is of",
    r"\begin{cases} x & y \end{cases}": "cannot be read",
    r"x2": "behind a factor",
    r"(x-\mu)2/2": "behind a factor",
    r"1\,000 x": "behind a factor",
    r"3.5.2x": "behind a factor",
    r"x_12": "stands in braces",
    r"x^2^3": "has parentheses",
    r"x^-1": "stands in braces",
    r"alpha x": r"\\alpha",
    r"\pi(x)": "is a function",
    r"\gamma^T x + T": "T transposes here",
    r"P(1+x)^T": "a number T has the shape",
    r"(1 - yx)_+": "a positive part",
    r"\operatorname{Cov}(x, y)": "not among the functions",
    r"x^\top A^{1/2} x": "is A a number",
    r"x^\top A^{-k} x": "is A a number",
    r"y \log(x^\top b)": "is y a scalar",
    r"\frac1": "argument|missing",
    r"\frac{x²}{2} ½": "what is",
    r"f(x)^2": "is a function",
    r"u'(x)": "is a function",
    r"\mathcal{L}(x)": "is a function",
    r"h_\theta(x)": "is a function",
    r"f(0) + x": "an argument, or a place",
    r"y[0]": "an argument, or a place",
    r"\mathbb{E}[x]": "an expected value",
    r"e^{-x^2/2\sigma^2}": "below the line",
    r"e^{-h\nu/kx}": "below the line",
    r"1/2x": "below the line",
    r"\sin x/2": "where the argument ends",
    r"(y - w^\top x^{(i)})^2": "this is an index",
    r"W^{[1]}x": "this is an index",
    r"\mathbf{x}^T_i w": "before an exponent",
    r"x^n_1": "before an exponent",
    r"\sigma(x-\mu)+\sigma^2": "elsewhere a variable",
    r"I^2 x": "of a size that a variable has",
    r"I_0 e^{-\mu x}": "of a size that a variable has",
    r"\frac{GMm}{x}": "are the letters numbers",
    r"Wx + b": "are the letters numbers",
    r"x^t A x": "are the letters numbers",
    r"\frac12 C x^2 + U V^2": "are the letters numbers",
    r"m\|x\|^2": "is m a scalar, or a vector",
    r"\|\mathbf{A}|\mathbf{x}|\|_2": "which is meant",
    r"A \odot B x": "say by parentheses what",
    r"\mathbf{a}\times\mathbf{x}": "which is meant",
    r"e^{i \omega x}": "real numbers",
    r"\|x\|_\Sigma^2": "norms have",
    r"x + e": "e has an exponent",
    r"|x||y|": "say what a bar does",
    r"f(x, y)": "a comma stands in",
    r"x^\dagger y": "a transpose is",
    r"\mathbf{x}^2": "a column has no power",
    r"[x != 0]": r"what is not equal is \\ne",
    r"x!!": "cannot be read",
    r"x^2!": "cannot be read",
    r"\max_i x": "give the function alone",
    r"\min_w \|Xw - y\|^2": "give the function alone",
    r"\min_{\theta} x^2": "give the function alone",
    r"\max_j A_{ij}": "nothing in the maximum has the index j",
    r"\sqrt[n]{x}": "the degree of a root is a number",
    r"\langle x, y\rangle_M": "has an F below it, or nothing",
    r"\|x\|_{10}": "norms have",
    r"\|x\|_0": "no norm 0",
    r"\|X\|_4": "no norm 4 is known of a matrix",
    r"\log 2x": "where the argument ends",
    r"\log\pi x": "where the argument ends",
    r"\log 2\pi (x - 1)": "where the argument ends",
    r"\sin 2x y": "where the argument ends",
    r"\sin 2x e^{-x}": "where the argument ends",
    r"\sin 2\pi x \exp(-x)": "where the argument ends",
    r"\cos\frac{\pi}{2} x": "where the argument ends",
    r"\cos 2\pi x/3": "where the argument ends",
    r"x^2 \text{ for } y": "words in a formula",
    r"x^2 \qquad (x - 1)": r"before \\quad",
    r"\|\mathbf{x}-\mathbf{x}'\|^2": "a prime transposes, and another variable",
}
"""What has two meanings, or none."""


@pytest.mark.parametrize("tex", UNCLEAR)
def test_what_papers_leave_open_is_refused(tex: str) -> None:
    """A person has to say what is meant."""
    with pytest.raises(tf.errors.NotationError, match=UNCLEAR[tex]):
        tf.differentiate(tex, notation="latex", wrt="x" if "x" in tex else None)


BY_HAND = {
    r"\mathbf{a}\cdot A\mathbf{x}": ("x", lambda q: q.a @ q.A @ q.x),
    r"\vec{a}\cdot\vec{F}": ("F", lambda q: q.a @ q.F),
    r"\frac{1}{2m}(X\theta-y)^T(X\theta-y)": (
        "theta", lambda q: np.sum((q.X @ q.theta - q.y) ** 2) / (2 * q.m)
    ),
    r"\frac{1}{2N}\|y-Xw\|_2^2": ("w", lambda q: np.sum((q.X @ q.w - q.y) ** 2) / (2 * q.N)),
    r"\frac{\lambda}{2m}\theta^T\theta": (
        "theta", lambda q: q["lambda"] * q.theta @ q.theta / (2 * q.m)
    ),
    r"\frac1n\mathbf 1^\top x": ("x", lambda q: np.sum(q.x) / q.n),
    r"\|\mathbf{w}\|^2 + C\max(0, 1-y(\mathbf{w}^\top\mathbf{x}+b))": (
        "w", lambda q: q.w @ q.w + q.C * max(0, 1 - q.y * (q.w @ q.x + q.b))
    ),
    r"C\log(1+e^{-w^\top x})": ("w", lambda q: q.C * np.log(1 + np.exp(-q.w @ q.x))),
    r"\left|a\left|b\right|c\right|": ("b", lambda q: abs(q.a * abs(q.b) * q.c)),
    r"A\sin(\omega t+\phi)": ("t", lambda q: q.A * np.sin(q.omega * q.t + q.phi)),
    r"A e^{-\gamma t}\cos(\omega t)": (
        "t", lambda q: q.A * np.exp(-q.gamma * q.t) * np.cos(q.omega * q.t)
    ),
    r"\frac{nRT}{V}": ("V", lambda q: q.n * q.R * q.T / q.V),
    r"\frac{V_{\max}S}{K_m+S}": ("S", lambda q: q.V_max * q.S / (q.K_m + q.S)),
    r"\frac{\mu^\top w - r_f}{\sqrt{w^\top\Sigma w}}": (
        "w", lambda q: (q.mu @ q.w - q.r_f) / np.sqrt(q.w @ q.Sigma @ q.w)
    ),
    r"\frac12({\bf x}-{\bf m})^{\rm T}{\bf A}^{-1}({\bf x}-{\bf m})": (
        "x", lambda q: (q.x - q.m) @ np.linalg.solve(q.A, q.x - q.m) / 2
    ),
    r"\mathop{\mathrm{tr}}(A X) + \|X\|_{\mathrm F}^2": (
        "X", lambda q: np.trace(q.A @ q.X) + np.sum(q.X**2)
    ),
    r"\sigma_\epsilon^2 + \lambda_{\max}\sigma_\epsilon": (
        "sigma_epsilon", lambda q: q.sigma_epsilon**2 + q.lambda_max * q.sigma_epsilon
    ),
    r"x \cdot y z": ("z", lambda q: q.x * q.y * q.z),
    r"\mathbf{1}^\top(y \odot X w)": ("w", lambda q: q.y @ (q.X @ q.w)),
    r"\frac{s}{\|x - a\|}": ("x", lambda q: q.s / np.linalg.norm(q.x - q.a)),
    r"\log(x^\top b) - \|Ab\|^2": (
        "b", lambda q: np.log(q.x @ q.b) - np.sum((q.A @ q.b) ** 2)
    ),
    r"x^\top (A + \lambda I)^{-1} b": (
        "x", lambda q: q.x @ np.linalg.solve(q.A + q["lambda"] * np.eye(len(q.x)), q.b)
    ),
    r"k(1+r)^{T-1}": ("r", lambda q: q.k * (1 + q.r) ** (q.T - 1)),
    r"\sqrt[3]{x}^2": ("x", lambda q: np.cbrt(q.x) ** 2),
    r"\log|\Sigma| + (x-\mu)^\top \Sigma^{-1} (x-\mu)": (
        "x", lambda q: np.log(abs(np.linalg.det(q.Sigma)))
        + (q.x - q.mu) @ np.linalg.solve(q.Sigma, q.x - q.mu)
    ),
    r"\ln|\mathbf{X}\mathbf{X}^T|": (
        "X", lambda q: np.log(np.linalg.det(q.X @ q.X.T))
    ),
    r"|\boldsymbol\Sigma|^{-1/2}\exp(-\mathbf{x}^\top\boldsymbol\Sigma\mathbf{x})": (
        "x", lambda q: np.linalg.det(q.Sigma) ** -0.5 * np.exp(-q.x @ q.Sigma @ q.x)
    ),
    r"\sum_i \mathbf{1}\{y_i w^\top x_i < 1\} (1 - y_i w^\top x_i)": (
        "w", lambda q: np.sum(np.maximum(0, 1 - q.y * (q.X @ q.w)))
    ),
    r"x \mathbb{1}[x \ge c] + \mathbb{I}(x \neq 1) c^2": (
        "c", lambda q: q.x * (q.x >= q.c) + (q.x != 1) * q.c**2
    ),
    r"\|A^\top(y \odot [Ax < 1.5])\|^2 + \mathbf{1}\left(x^\top x > 0\right) x^\top[x \le 1]": (
        "x", lambda q: np.sum((q.A.T @ (q.y * (q.A @ q.x < 1.5))) ** 2) + q.x @ (q.x <= 1)
    ),
    r"c\prod_{i=1}^n (1 - p_i)": ("p", lambda q: q.c * np.prod(1 - q.p)),
    r"\log\prod_i \lambda e^{-\lambda x_i}": (
        "lambda", lambda q: np.log(np.prod(q["lambda"] * np.exp(-q["lambda"] * q.x)))
    ),
    r"\prod_{i=1}^n \left(x_i^\top b - c\right)^2": (
        "b", lambda q: np.prod((q.X @ q.b - q.c) ** 2)
    ),
    r"k_\mathrm{B}^2 \pi_\theta^3 \pi": ("k_B", lambda q: q.k_B**2 * q.pi_theta**3 * np.pi),
    r"\frac{q}{|\mathbf{x}|}": ("x", lambda q: q["q"] / np.linalg.norm(q.x)),
    r"\mathbf{1}^\top |x|": ("x", lambda q: np.sum(np.abs(q.x))),
    r"\mathbf{1}^\top |x|\, y^\top x": ("x", lambda q: np.sum(np.abs(q.x)) * (q.y @ q.x)),
    r"\[ \frac12 \|x\|^2 + c\, x^\top y \,, \]": ("x", lambda q: q.x @ q.x / 2 + q.c * q.x @ q.y),
    r"$x^{3} - x^2.$": ("x", lambda q: q.x**3 - q.x**2),
    r"x^2 \quad + \mathtt{i}^2": ("i", lambda q: q.x**2 + q.i**2),
    r"\langle A, X\rangle_F + \langle X, X \rangle_{\mathrm F}": (
        "X", lambda q: np.sum(q.A * q.X) + np.sum(q.X**2)
    ),
    r"x^\top \exp^{\odot}(A) y": ("A", lambda q: q.x @ np.exp(q.A) @ q.y),
    r"x^\top e^{\odot A} A^{\odot 1/2} y": (
        "A", lambda q: q.x @ np.exp(q.A) @ np.sqrt(q.A) @ q.y
    ),
    r"-\frac{s J_{2}(s t)}{t} - J_0\left(\frac{t}{s}\right)": (
        "t", lambda q: -q.s * besselj(2, q.s * q.t) / q.t - besselj(0, q.t / q.s)
    ),
    r"\log I_0(\kappa) - \frac{I_1(\kappa)}{I_{3}(\kappa)}": (
        "kappa",
        lambda q: log(besseli(0, q.kappa)) - besseli(1, q.kappa) / besseli(3, q.kappa),
    ),
    r"Y_1(t + s)^2 K_0(t) K_{12}(s t)": (
        "t", lambda q: bessely(1, q.t + q.s) ** 2 * besselk(0, q.t) * besselk(12, q.s * q.t)
    ),
}  # fmt: skip
"""Formulas of papers, and what they are in NumPy."""


class Values(dict):
    """Values by name."""

    __getattr__ = dict.__getitem__


@pytest.mark.parametrize("tex", BY_HAND)
def test_derivatives_are_those_of_what_is_written_by_hand(tex: str) -> None:
    """They are differences of a function that somebody wrote."""
    wrt, f = BY_HAND[tex]
    given = {"s": ()} if "{s}" in tex else None
    found = tf.differentiate(tex, wrt, notation="latex", shapes=given)
    rng, sizes = np.random.default_rng(5), {}
    shapes = {v: [sizes.setdefault(n, 3 + len(sizes)) for n in s] for v, s in found.shapes.items()}
    at = Values({v: rng.uniform(0.5, 1.5, shape) for v, shape in shapes.items()})
    value = tf.differentiate(tex, wrt, notation="latex", shapes=given, at=at).value
    slopes = np.zeros(shapes[wrt])
    for k in np.ndindex(*shapes[wrt]):
        step = np.zeros(shapes[wrt])
        step[k] = 1e-6
        slopes[k] = f(Values({**at, wrt: at[wrt] + step})) - f(Values({**at, wrt: at[wrt] - step}))
    assert np.allclose(value, slopes / 2e-6, rtol=1e-6, atol=1e-7)


def test_letters_that_are_functions_are_said_to_be() -> None:
    """To another person sigma is a variable, and so may it be to this one."""
    told = "where x: scalar, m: scalar; sigma() is the logistic function"
    assert str(tf.differentiate(r"\sigma(x - m)", "x")).endswith(told)
    told = "J_2() is the Bessel function of the first kind of order 2"
    assert str(tf.differentiate("J_2(x)", "x", notation="latex")).endswith(told)
    assert tf.differentiate(r"\sigma(x - m)", "sigma").text() == "x - m"


def test_shapes_say_what_is_meant() -> None:
    """A capital letter that is a number; letters in a row that are one variable."""
    assert tf.differentiate(r"e^{-rT}", "r", shapes={"T": ()}).text() == "-T exp(-T r)"
    assert tf.differentiate(r"rate^2", "rate", notation="latex").text() == "2 rate"
    assert tf.differentiate(r"\frac{GMm}{r}", "r", shapes={"G": ()}).text() == "-G M m / r²"
    assert tf.differentiate(r"I^2 R", "R", shapes={"I": ()}, notation="latex").shapes["R"] == ()
    with pytest.raises(tf.errors.NotationError, match="the notation is latex"):
        tf.differentiate("x^T A x", "x")


@pytest.mark.parametrize("tex", [r"\sigma(x)'", r"\sigma(x)^\prime", "(x - x')^2", r"\exp(x')"])
def test_a_prime_at_a_number_is_no_transpose(tex: str) -> None:
    """It is of a derivative, or of another variable, and is not passed over."""
    with pytest.raises(tf.errors.NotationError, match="a number has no transpose"):
        tf.differentiate(tex, "x", notation="latex", shapes={"x": ()})


ROUND = {
    "same": lambda tex, leaves: {
        v: getattr(leaves, v).shape.as_list() for v in _letters(tex, leaves)
    },
    "free": lambda *_: {},
}
"""What is told of the shapes."""


def _letters(tex: str, leaves: Leaves) -> list[str]:
    """Give the variables; Q(X) and its like are none."""
    try:
        return [v for v in Scan(tex, ()).fonts if hasattr(leaves, v)]
    except tf.errors.NotationError:
        return []


@pytest.mark.slow
@pytest.mark.parametrize("told", ROUND)
@pytest.mark.parametrize("table", TABLES)
def test_what_is_printed_is_read_as_it_is_or_refused(table: str, told: str) -> None:
    """The LaTeX of the references' derivatives has their values, or is no formula."""
    read = 0
    rows = [*TABLES[table].items()]
    for name, row in some(rows, 48, 12 * [*ROUND].index(told)):
        leaves = Leaves(3, 2, row.symmetric)
        found = derived(row, leaves)
        tex = found.formula.latex(Style("matrix", symmetric=(*row.symmetric,)))
        try:
            own = the_meaning(tex, "latex", ROUND[told](tex, leaves), ())
        except tf.errors.NotationError:
            continue
        tensors = {v: tf.constant(getattr(leaves, v).numpy()) for v in own.variables}
        if any(len(own.variables[v]) != x.shape.rank for v, x in tensors.items()):
            continue  # which it says, and asks for a shape where it is no scalar
        pairs = [(own.variables[v], x.shape.as_list()) for v, x in tensors.items()]
        sizes = {own.sizes.root(n): k for ns, ks in pairs for n, k in zip(ns, ks, strict=True)}
        if not own.names.keys() <= sizes.keys():
            continue  # of ones that no variable has the size of
        value = compute(own, tensors, sizes).numpy()
        assert np.allclose(value, found.numpy(), rtol=1e-9, equal_nan=True), (name, tex)
        read += 1
    assert read or not ALL or table in {"Rows and parts", "Around an axis", "Spectra"}


def test_a_row_of_ones_adds_entries_up():
    """Bars beside it are of entries, also where the whole would be a number by lengths."""
    gradient = tf.differentiate(r"\|\mathbf{x}\|_1^2", "x")
    assert gradient.text() == "2 (𝟏ᵀ |x|) sign(x)"
    own = the_meaning(gradient.latex(), "latex", gradient.shapes, ())
    value = compute(own, {"x": tf.constant([1.0, -2.0])}, {own.sizes.root(*own.variables["x"]): 2})
    assert value.numpy().tolist() == [6.0, -6.0]


@pytest.mark.parametrize("text", ["norm2(A*x - y)^2", "tr(X'*A*X)", "logdet(X)", "log(sum(exp(x)))",
                                  "x'*A*x/(x'*x)", "sum(abs(A*x))"])  # fmt: skip
def test_a_derivative_is_derived_again(text: str) -> None:
    """The LaTeX of a gradient is read, and has the Hessian for its derivative."""
    wrt = "X" if "X" in text else "x"
    gradient = tf.differentiate(text, wrt, notation="matrix")
    again = tf.differentiate(gradient.latex(), wrt, notation="latex", shapes=gradient.shapes)
    assert again.text() == tf.differentiate(text, wrt, notation="matrix", order=2).text()


def test_variables_are_named_as_the_formula_writes_them():
    """By what they are derived, what they are and what their values are is said in LaTeX, too."""
    given = {r"\theta_0": [], r"\mathbf{v}": [2]}
    found = tf.differentiate(
        r"\lambda \theta_0^2 \, \mathbf{1}^\top \mathbf{v}",
        r"\theta_0",
        shapes=given,
        at={r"\lambda": 3.0, r"\theta_0": 0.5, "v": [1.0, 3.0]},
    )
    assert found.wrt == "theta_0"
    assert found.value == 2 * 3 * 0.5 * 4


@pytest.mark.parametrize(
    ("wrt", "told"),
    [
        ("x_i", "x_i is each row of X: derive by that"),
        (r"\frac12", r"\\frac12 is no variable"),
        (r"\nu", "nu does not occur in the formula: X, mu do"),
    ],
)
def test_what_is_no_variable_is_refused_by_its_name(wrt, told):
    """A row of a sum stands for all of its rows."""
    with pytest.raises(tf.errors.NotationError, match=told):
        tf.differentiate(r"\sum_{i=1}^n \|x_i - \mu\|^2", wrt)
