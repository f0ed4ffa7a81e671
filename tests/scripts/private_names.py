"""Names that a source file of src/rigidlimit keeps to itself: those of its anonymous namespaces.

A unit (CMAKE_UNITY_BUILD) compiles several files of a module as one. Two of them may then not give one private name
to two things: the compiler refuses it, or, worse, an overload of another file is the better match. `private_names`
reads a file, `names_twice` compares the files of a module, `names_hidden` compares a file with the headers.
"""

import re
from collections import defaultdict
from pathlib import Path

TOKEN = re.compile(
    r'(?:u8|[uUL])?R"(?P<end>[^()\s\\]{0,16})\(.*?\)(?P=end)"|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)+'|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*",
    re.DOTALL | re.MULTILINE,
)
WORD = re.compile(r"[A-Za-z_]\w*|\d(?:[\w.']|[eEpP][+-])*|::|->|&&|\[\[|\]\]|\S")


def tokens_of(text):
    """The tokens of C++ without comments, preprocessor lines and the contents of literals (each becomes `0`)."""
    plain = TOKEN.sub(lambda found: " 0 " if found[0].lstrip()[0] not in "/#" else " ", text)
    return WORD.findall(plain)


def closing(tokens, at):
    """The index behind the bracket that closes tokens[at]."""
    depth = 0
    for index in range(at, len(tokens)):
        depth += {"(": 1, "{": 1, "[": 1, "[[": 2, ")": -1, "}": -1, "]": -1, "]]": -2}.get(tokens[index], 0)
        if depth == 0:
            return index + 1
    raise ValueError(f"no bracket closes {tokens[at : at + 8]}")


def after_angles(tokens, at):
    """The index behind the template parameters that begin at tokens[at] == "<"."""
    depth = 0
    while True:
        token = tokens[at]
        if token in "([{":
            at = closing(tokens, at)
            continue
        depth += {"<": 1, ">": -1}.get(token, 0)
        at += 1
        if depth == 0:
            return at


def declaration(tokens):
    """(kind, name, text of an alias) of a declaration at the level of a namespace; None for one that names nothing new."""
    at = 0
    while at < len(tokens) and tokens[at] in ("template", "[["):
        if tokens[at] == "[[":
            at = closing(tokens, at)
            continue
        at = after_angles(tokens, at + 1)
        if at < len(tokens) and tokens[at] == "requires":  # a constraint ends where a type begins: by its parentheses
            at += 1
            at = closing(tokens, at) if tokens[at] == "(" else at
    rest = tokens[at:]
    if not rest or rest[0] in ("static_assert", "extern", "friend", "namespace"):
        return None
    if rest[0] == "using":
        return ("type", rest[1], " ".join(rest)) if len(rest) > 2 and rest[2] == "=" else None
    if rest[0] == "concept":
        return "type", rest[1], ""
    if rest[0] in ("struct", "class", "enum", "union"):
        names = [word for word in rest[1:] if word not in ("class", "struct")]
        # `struct Name {`, `struct Name : Base {`; `struct Name object` would declare an object.
        return ("type", names[0], "") if names and re.match(r"[A-Za-z_]", names[0]) and (
            len(names) < 2 or names[1] in ("{", ":", "final", "<")) else None
    depth = 0
    for index, token in enumerate(rest):
        if token == "operator" and depth == 0:
            return None
        if token == "<" and index and re.match(r"[A-Za-z_]", rest[index - 1]):
            depth += 1
        elif token == ">" and depth:
            depth -= 1
        elif depth == 0 and token in ("(", "=", "{", "[", ";") and index:
            name = rest[index - 1]
            if not re.match(r"[A-Za-z_]", name) or name in ("decltype", "noexcept", "alignas", "requires"):
                continue
            if index > 1 and rest[index - 2] == "::":
                return None  # the definition of a member
            return ("function" if token == "(" else "variable"), name, ""
    return None


def names_in(tokens, private, found):
    """Adds to `found` the declarations of anonymous namespaces (or, private = False, of the others)."""
    walk(tokens, 0, len(tokens), False, private, found)


def walk(tokens, at, end, inside, private, found):
    begin = at
    while at < end:
        token = tokens[at]
        if token == "namespace" and at == begin or (token == "namespace" and tokens[at - 1] == "inline"):
            brace = at
            while tokens[brace] not in ("{", ";", "="):
                brace += 1
            if tokens[brace] == "{":
                after = closing(tokens, brace)
                walk(tokens, brace + 1, after - 1, inside or brace == at + 1, private, found)
                at = begin = after
                continue
            at = tokens.index(";", brace) + 1
            begin = at
            continue
        if token in ("(", "[", "[["):
            at = closing(tokens, at)
            continue
        if token == "{" or token == ";":
            if token == "{":
                after = closing(tokens, at)
                # A type, an object: the declaration goes on to its semicolon.
                if after < end and tokens[after] in (";", ",", "{", "catch"):
                    at = after
                    continue
            else:
                after = at + 1
            if inside == private:
                named = declaration(tokens[begin:after])
                if named:
                    found.add(named)
            at = begin = after
            continue
        at += 1


def private_names(text):
    """The (kind, name, alias) of what the anonymous namespaces of a source file declare."""
    found = set()
    names_in(tokens_of(text), True, found)
    return found


def public_names(text):
    """The (kind, name, alias) of what a file declares in its named namespaces."""
    found = set()
    names_in(tokens_of(text), False, found)
    return found


def defined_functions(text):
    """The names of functions with a body outside classes, of a file: "name", of members "Class::name"."""
    tokens, found = tokens_of(text), set()
    at = depth = 0
    begin = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "namespace" and at == begin:
            while tokens[at] not in ("{", ";", "="):
                at += 1
            if tokens[at] == "=":
                at = tokens.index(";", at)
            at = begin = at + 1
            continue
        if token in ("(", "["):
            opened, at = at, closing(tokens, at)
            if token == "(" and opened > begin and re.match(r"[A-Za-z_]", tokens[opened - 1]):
                body = at  # after it: const, noexcept, -> type, : members
                while body < len(tokens) and tokens[body] not in ("{", ";", "=", "(", ")", "["):
                    if tokens[body] == ":":  # the members of a constructor
                        break
                    body += 1
                if body < len(tokens) and tokens[body] in ("{", ":") and not depth:
                    name = tokens[opened - 1]
                    if tokens[opened - 2] == "::":
                        name = f"{tokens[opened - 3]}::{name}"
                    found.add(name)
            continue
        if token in ("{", ";", "}"):
            at = closing(tokens, at) if token == "{" else at + 1
            begin = at
            continue
        at += 1
    return found


def names_twice(files):
    """{name: [file, ...]} of private names that several files of one module declare; files: {path: text}."""
    places, meanings = defaultdict(list), defaultdict(set)
    for path, text in sorted(files.items()):
        for _, name, alias in sorted(private_names(text)):
            if path not in places[name]:
                places[name].append(path)
            meanings[name].add(alias)
    return {name: paths for name, paths in places.items()
            if len(paths) > 1 and (len(meanings[name]) > 1 or "" in meanings[name])}


def names_hidden(files, headers):
    """[(file, name)] of private names that a header gives to a type or an object; functions overload."""
    public = {}
    for path, text in headers.items():
        for kind, name, _ in public_names(text):
            public.setdefault(name, set()).add(kind)
    hidden = []
    for path, text in sorted(files.items()):
        for kind, name, _ in sorted(private_names(text)):
            kinds = public.get(name, set())
            if kinds - {"function"} or (kinds and kind != "function"):
                hidden.append((path, name))
    return hidden


def sources(root, module):
    return {str(path.relative_to(root)): path.read_text() for path in sorted(Path(root, module).rglob("*.cpp"))}


def headers(root):
    return {str(path.relative_to(root)): path.read_text() for path in sorted(Path(root).rglob("*.hpp"))}
