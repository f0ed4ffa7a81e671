"""A smaller copy of an SVG file of matplotlib, for a page: the same picture in less than half of the bytes."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from markupsafe import Markup

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
METADATA = f"{{{SVG}}}metadata"
LEVEL = re.compile(r"rotate\(-?0 [^)]*\)")  # of a text that is not turned
for _prefix, _space in (("", SVG), ("xlink", XLINK)):
    ElementTree.register_namespace(_prefix, _space)


def slim(svg: str) -> str:
    """Writes each style once, as a class; rounds coordinates to 0.01 pt; drops unused names and groups."""
    root = ElementTree.fromstring(svg)
    used = set(re.findall(r"#(\w+)", svg))
    names = {name: f"i{k}" for k, name in enumerate(sorted(used))}
    styles: dict[str, str] = {}
    clean(root, names, styles)
    sheet = ElementTree.Element(f"{{{SVG}}}style")
    sheet.text = "".join(f".{name}{{{style}}}" for style, name in styles.items())
    root.append(sheet)
    return ElementTree.tostring(root, encoding="unicode")


def clean(element: ElementTree.Element, names: dict[str, str], styles: dict[str, str]) -> None:
    children: list[ElementTree.Element] = []
    for child in element:
        child.tail = None
        if child.tag == METADATA:
            continue
        clean(child, names, styles)
        bare = child.tag == f"{{{SVG}}}g" and not child.attrib
        children += list(child) if bare else [child]
    element[:] = children
    if not (element.text or "").strip():
        element.text = None
    for name, value in list(element.attrib.items()):
        if name == "style":
            del element.attrib[name]
            style = re.sub(r"\s*([;:,])\s*", r"\1", re.sub(r"('DejaVu Sans'),[^;]*", r"\1,sans-serif", value))
            element.set("class", styles.setdefault(style, f"c{len(styles)}"))
        elif name == "id" and value not in names:
            del element.attrib[name]
        elif name == "transform" and LEVEL.fullmatch(value):
            del element.attrib[name]
        elif name in ("d", "x", "y", "points"):
            element.set(name, re.sub(r"\s*([A-Za-z])\s*", r"\1", rounded(value)).strip())
        else:
            element.set(name, re.sub(r"#(\w+)", lambda found: f"#{names[found[1]]}", value) if "#" in value else
                        names.get(value, value) if name == "id" else value)


def rounded(text: str) -> str:
    return re.sub(r"-?\d+\.\d+(?:e-?\d+)?", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), text)


def as_source(svg: str) -> Markup:
    """A data URI for an attribute in double quotes; base64 would take a third more bytes."""
    for sign, code in (("%", "%25"), ("#", "%23"), ('"', "%22"), ("\n", "%0A"), ("&", "&amp;")):
        svg = svg.replace(sign, code)
    return Markup(f"data:image/svg+xml;charset=utf-8,{svg}")
