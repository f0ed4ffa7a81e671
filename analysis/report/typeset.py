"""Typesets plain-text formulas as MathML, which browsers render without scripts or fonts.

The texts come from the catalogue of systems ("M = diag(m, J)", "Lambda_2 + Lambda_4 = couple/r is
the springs' choice"): formulas mixed with words, without a grammar. Typesetting never fails: text that
is not recognised stays as it is, and every character is escaped.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

GREEK = dict(zip(
    "alpha beta gamma delta epsilon eps eta theta kappa lambda mu nu xi pi rho sigma tau phi psi "
    "omega zeta Gamma Delta Theta Lambda Pi Sigma Phi Psi Omega".split(),
    "α β γ δ ε ε η θ κ λ μ ν ξ π ρ σ τ φ ψ ω ζ Γ Δ Θ Λ Π Σ Φ Ψ Ω".split()))
FUNCTIONS = frozenset("sin cos tan exp log sqrt diag grad rank ker max min".split())
# English words between formulas; inside a formula they would be set as products.
WORDS = frozenset(
    "a an and angle angles are as at axes axis back by before behind body's both can carry choice "
    "centre down each exactly for from front frame forward front's has have height how in into is "
    "it its left likewise lies mass no not of off off: on one other over part points quaternion "
    "right rolls space stands the their they to turns two unit up upright way where which wheel "
    "wheels with x-axis along across".split())
OPERATORS = {"-": "−", "−": "−", "~": "∼", "*": "∗"}
TOKEN = re.compile("|".join((
    r"\s+",
    r"[A-Za-z]{2,}'s\b",  # "ellipsoid's": no prime
    r"[a-z]{2,}-[a-z]{2,}",  # "co-energy": no difference
    r"(?!omega|planet)[a-z]{3,}_[a-z]{3,}",  # "axial_ratio": one name, unlike "omega_y"
    r"\d+(?:\.\d+)?(?:e[+-]?\d+)?",
    r"[A-Za-z\u0370-\u03ff][A-Za-z0-9\u0370-\u03ff]*",
    ".")), re.DOTALL)
SYMBOLS = "=+-−/^_()[]|<>≤≥~*·×∘²≠∈"


def element(name: str, *content: str, **attributes: str) -> Markup:
    """An element; content that is not Markup is escaped."""
    given = Markup("").join(Markup(' {}="{}"').format(k, v) for k, v in attributes.items())
    return Markup("<{0}{1}>{2}</{0}>").format(
        Markup(name), given, Markup("").join(escape(c) for c in content))


def identifier(text: str) -> Markup:
    """A typeset name: Greek letters, subscripts of "p0", "Js", "Omega1", upright functions."""
    if text in FUNCTIONS:
        return element("mi", text, mathvariant="normal")
    if text in GREEK:
        return element("mi", GREEK[text])
    for name in sorted(GREEK, key=len, reverse=True):
        rest = text[len(name):]
        if text.startswith(name) and len(rest) in (1, 2) and rest.isalnum():
            return element("msub", element("mi", GREEK[name]), element("mi", rest))
    if re.fullmatch(r"[A-Za-z]([a-z]|\d+)", text):
        number = text[1:].isdigit()
        return element("msub", element("mi", text[0]), element("mn" if number else "mi", text[1:]))
    return element("mi", text)


class Formula:
    """Tokens being converted to MathML: finished pieces, the last of which takes scripts."""

    def __init__(self) -> None:
        self.pieces: list[Markup] = []
        self.kinds: list[str] = []

    def add(self, piece: Markup, kind: str) -> None:
        self.pieces.append(piece)
        self.kinds.append(kind)

    def space(self) -> None:
        """Adds a space between factors; operators have their own spacing."""
        if self.kinds and self.kinds[-1] in ("operand", "close"):
            self.add(element("mspace", width="0.2em"), "space")

    def drop_space(self) -> None:
        while self.kinds and self.kinds[-1] == "space":
            self.pieces.pop()
            self.kinds.pop()

    def operator(self, text: str, **attributes: str) -> None:
        self.drop_space()
        self.add(element("mo", text, **attributes), "operator")

    def take_base(self) -> Markup:
        """The base of a script: the last operand, or the last pair of parentheses."""
        self.drop_space()
        if not self.pieces:
            return element("mrow")
        depth, start = 0, len(self.pieces) - 1
        if self.kinds[-1] == "close":
            for k in range(len(self.pieces) - 1, -1, -1):
                depth += {"close": 1, "open": -1}.get(self.kinds[k], 0)
                if depth == 0:
                    start = k
                    break
        base = self.pieces[start:]
        del self.pieces[start:], self.kinds[start:]
        return base[0] if len(base) == 1 else element("mrow", *base)

    def script(self, name: str, script: Markup) -> None:
        self.add(element(name, self.take_base(), script), "operand")

def atom(tokens: list[str], at: int) -> tuple[Markup, int]:
    """The operand of a script that starts at token `at`, and the index of its end."""
    if at >= len(tokens):
        return element("mrow"), at
    if tokens[at] in "-−" and at + 1 < len(tokens):
        inner, end = atom(tokens, at + 1)
        return element("mrow", element("mo", "−"), inner), end
    if tokens[at] == "(":
        depth = 0
        for end in range(at, len(tokens)):
            depth += {"(": 1, ")": -1}.get(tokens[end], 0)
            if depth == 0:
                return element("mrow", *pieces_of(tokens[at + 1:end])), end + 1
    text = tokens[at]
    return (element("mn", text) if text[0].isdigit() else identifier(text)), at + 1


def pieces_of(tokens: list[str]) -> list[Markup]:
    formula = Formula()
    set_tokens(formula, tokens)
    return formula.pieces


def is_cross(tokens: list[str], at: int) -> bool:
    """Whether the name "x" is the cross product: between spaces, and a vector by name follows."""
    rest = [t for t in tokens[at + 1:at + 3] if not t.isspace()]
    return (tokens[at] == "x" and 0 < at < len(tokens) - 2 and tokens[at - 1].isspace()
            and tokens[at + 1].isspace() and rest[:1] in (["Omega"], ["omega"], ["gamma"]))


def set_tokens(formula: Formula, tokens: list[str]) -> None:
    at = 0
    while at < len(tokens):
        text = tokens[at]
        at += 1
        if text.isspace():
            formula.space()
        elif text in "^_" and at < len(tokens):
            script, at = atom(tokens, at)
            formula.script("msup" if text == "^" else "msub", script)
        elif text == "'":
            primes = 1
            while at < len(tokens) and tokens[at] == "'":
                primes, at = primes + 1, at + 1
            formula.add(element("mrow", formula.take_base(), element(
                "mo", "′" * primes, lspace="0", rspace="0")), "operand")
        elif text == "²":
            formula.script("msup", element("mn", "2"))
        elif text == "*" and tokens[at - 2:at - 1] == ["K"]:
            formula.script("msup", element("mo", "∗"))  # K*, the kinetic co-energy
        elif text == "sqrt" and at < len(tokens) and tokens[at] == "(":
            inner, at = atom(tokens, at)
            formula.add(element("msqrt", inner), "operand")
        elif is_cross(tokens, at - 1) or (text == "o" and tokens[at:at + 1] == [" "]):
            formula.operator("×" if text == "x" else "∘")
        elif text[0].isdigit():
            formula.add(element("mn", text), "operand")
        elif text[0].isalpha():
            formula.add(identifier(text), "operand")
        elif text in "([":
            formula.add(element("mo", text, stretchy="false"), "open")
        elif text in ")]":
            formula.add(element("mo", text, stretchy="false"), "close")
        elif text in ",;":
            formula.operator(text, separator="true")
        elif text == "|":
            formula.add(element("mo", "|", stretchy="false"), "bar")
        elif text in "-−" and formula.kinds[-1:] in ([], ["open"], ["operator"]):
            formula.add(element("mo", "−", form="prefix", lspace="0", rspace="0"), "operator")
        else:
            formula.operator(OPERATORS.get(text, text))


def math(text: str) -> Markup:
    """The whole text as one formula."""
    return element("math", *pieces_of(TOKEN.findall(text)))


def mathematical(tokens: list[str]) -> list[bool]:
    """Marks the tokens that belong to a formula.

    Symbols, numbers, single letters and known names do; a longer word does where a symbol touches
    it (spaces aside, commas not counted); spaces, commas and primes go with both their neighbours.
    """
    def strong(text: str) -> bool:
        return (text in SYMBOLS or text[0].isdigit() or text in GREEK or text in FUNCTIONS
                or (text.isalpha() and len(text) == 1 and text not in WORDS)
                or (text[0].isalpha() and any(c.isdigit() for c in text))
                or bool(re.fullmatch(r"(M|F|G|E|J|I|m|r|k|b|a)[a-z]", text) and text not in WORDS))

    sure = [strong(t) for t in tokens]
    seen = [i for i, t in enumerate(tokens) if not t.isspace()]
    result = list(sure)
    for before, here, after in zip([None, *seen], seen, [*seen[1:], None]):
        text = tokens[here]
        if sure[here] or not text[0].isalpha() or (text in WORDS and len(text) > 1):
            continue
        if len(text) == 1:  # "a": an article, or a length between symbols
            result[here] = any(i is not None and sure[i] for i in (before, after))
            continue
        near = [tokens[i] for i in (before, after) if i is not None]
        touching = [tokens[i] for i in (here - 1, here + 1) if 0 <= i < len(tokens)]
        result[here] = any(t in "=+-−/^*_<>" for t in near) or any(t in "_'(^" for t in touching)
    for k, here in enumerate(seen):
        if tokens[here] in ",'":
            before, after = (k > 0 and result[seen[k - 1]]), (
                k + 1 < len(seen) and result[seen[k + 1]])
            quote = tokens[here] == "'"  # a prime belongs to what it touches
            result[here] = (before and here == seen[k - 1] + 1) if quote else (before and after)
    for i, text in enumerate(tokens):
        if text.isspace():
            result[i] = 0 < i < len(tokens) - 1 and result[i - 1] and result[i + 1] and (
                len(text) < 2)
    return result


def line(text: str) -> Markup:
    """One line of formulas and words; the caller indents it."""
    for plain, symbol in (("!=", "≠"), ("<=", "≤"), (">=", "≥"), ("G+ ", "G_+ ")):
        text = text.replace(plain, symbol)
    tokens = TOKEN.findall(text.strip())
    flags = mathematical(tokens)
    out: list[Markup] = []
    at = 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and flags[end] == flags[at]:
            end += 1
        run = tokens[at:end]
        if flags[at]:
            out.append(element("math", *pieces_of(run)))
        else:
            words = "".join("\u2003" if t.isspace() and len(t) > 1 else t for t in run)
            out.append(escape(words))
        at = end
    return Markup("").join(out)


def lines(text: str) -> list[tuple[int, Markup]]:
    """The lines of a text with their indents: 0, or 1 if a formula continues."""
    return [(int(raw.startswith(" ")), line(raw)) for raw in text.splitlines() if raw.strip()]
