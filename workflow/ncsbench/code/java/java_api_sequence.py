"""The API sequence of Java code: the classes that it calls and creates, in order (DEV-185).

DeepCS (Gu et al., ICSE 2018) takes the sequence from DeepAPI; the program that made the published
data is not public. Code and its entries, with class and member as tokens of their own:

========================  =======================================================================
``new C()``               ``C new``
``o.m()``                 ``C m``, where o is a parameter, local or field that is declared as C
``x.m()``, ``C.m()``      ``x m``, ``C m``: a name that the code does not declare stands for itself
``m()``, ``this.m()``     ``Own m``, where the name of the class around the code is known
``(C) o``                 ``C cast``; nothing for a primitive type
``o instanceof C``        ``C instance``
========================  =======================================================================

- Arguments come before the call that they are given to; everything else is in the order of the
  text, so a condition before its branches.
- Of a qualified class the last name counts; type arguments stay, unless one is a wildcard.
- A call on anything else (the result of a call, a literal, ``super``, a field of another object) is
  left out, since the code does not name its class.
- Classes whose names end in ``Exception`` are left out.
- An entry that equals the one right before it is left out.
"""

from __future__ import annotations

from tree_sitter import Node

from ncsbench.code.java.java import ANNOTATIONS, text_of, walk_both_ways

LONGEST_SEQUENCE = 1000
"""Tokens after which reading stops; no network reads so many."""
_LONGEST_TYPE = 30
_PRIMITIVES = frozenset("boolean byte char double float int long short".split())
_TYPED = {
    "formal_parameter",
    "resource",
    "enhanced_for_statement",
    "instanceof_expression",
    "type_pattern",
}
_DECLARING = {"local_variable_declaration", "field_declaration"}
Type = tuple[str, ...]
"""Tokens of a type as it is declared."""


def read_api_sequence(root: Node, own_class: str = "") -> list[str]:
    """The API sequence of a piece of Java, of ``LONGEST_SEQUENCE`` tokens or little more.

    Args:
        root: of its tree; broken syntax gives what can be read.
        own_class: the class around it; where it is not known, calls without a receiver are left
            out.
    """
    return _Reader(own_class).read(root)


class _Reader:
    def __init__(self, own_class: str) -> None:
        self._own: Type = (own_class,) if own_class else ()
        self._declared: dict[str, Type] = {}
        self._types: dict[int, Type] = {}  # Of expressions, by the id of their node.
        self._sequence: list[str] = []
        self._last: Type = ()

    def read(self, root: Node) -> list[str]:
        for node, is_over in walk_both_ways(root):
            kind = node.type
            if not is_over:
                self._declare(node, kind)
                continue
            if kind == "method_invocation":
                self._call(node)
            elif kind == "object_creation_expression":
                self._name_type(node, "type", "new")
            elif kind == "cast_expression":
                self._name_type(node, "type", "cast")
            elif kind == "instanceof_expression":
                self._name_type(node, "right", "instance")
            elif kind == "parenthesized_expression" and node.named_child_count:
                self._types[node.id] = self._find_type(node.named_children[0])
            elif kind == "array_access":
                array = node.child_by_field_name("array")
                found = () if array is None else self._find_type(array)
                self._types[node.id] = found[:-1] if found[-1:] == ("[]",) else found
            elif kind == "variable_declarator":
                self._infer(node)
            if len(self._sequence) >= LONGEST_SEQUENCE:
                break
        return self._sequence

    def _declare(self, node: Node, kind: str) -> None:
        """Note the type of the variable that a node declares, before a use of it is read."""
        if kind in _TYPED:
            self._note(node.child_by_field_name("type") or node.child_by_field_name("right"), node)
        elif kind == "catch_formal_parameter":
            kinds = [child for child in node.named_children if child.type == "catch_type"]
            self._note(kinds[0].named_child(0) if kinds else None, node)
        elif kind in _DECLARING:
            for declarator in node.children_by_field_name("declarator"):
                self._note(node.child_by_field_name("type"), declarator)

    def _note(self, declared: Node | None, named: Node) -> None:
        name = named.child_by_field_name("name")
        if declared is not None and name is not None:
            self._declared[text_of(name)] = _read_type(declared)

    def _infer(self, declarator: Node) -> None:
        """The type of ``var`` is that of its value."""
        name, value = (declarator.child_by_field_name(part) for part in ("name", "value"))
        if name is not None and value is not None and self._declared.get(text_of(name)) == ("var",):
            self._declared[text_of(name)] = self._find_type(value)

    def _name_type(self, node: Node, field: str, member: str) -> None:
        named = node.child_by_field_name(field)
        if named is None:
            return
        self._types[node.id] = found = _read_type(named)
        if found and found[0] not in _PRIMITIVES:
            self._add(found, member)

    def _call(self, node: Node) -> None:
        name, receiver = (node.child_by_field_name(part) for part in ("name", "object"))
        found = self._own if receiver is None else self._find_type(receiver)
        if found and name is not None:
            self._add(found, text_of(name))

    def _add(self, found: Type, member: str) -> None:
        if found[0].endswith("Exception") or (*found, member) == self._last:
            return
        self._last = (*found, member)
        self._sequence += self._last

    def _find_type(self, node: Node) -> Type:
        """The type of an expression that was read; empty where the code does not say it."""
        kind = node.type
        if kind == "identifier":
            name = text_of(node)
            return self._declared.get(name, (name,))
        if kind == "this":
            return self._own
        if kind == "field_access":
            owner, field = (node.child_by_field_name(part) for part in ("object", "field"))
            if owner is not None and field is not None and field.type == "identifier":
                name = text_of(field)
                if owner.type == "this":
                    return self._declared.get(name, (name,))
                return (name,) if name[:1].isupper() and not name.isupper() else ()
        return self._types.get(node.id, ())


def _read_type(node: Node) -> Type:
    """``java.util.Map.Entry<K, V>`` -> ``Entry < K , V >``, ``int[]`` -> ``int []``."""
    found: list[str] = []
    waiting = [node]
    while waiting and len(found) < _LONGEST_TYPE:
        current = waiting.pop()
        if current.type in ANNOTATIONS:
            continue
        if current.type == "dimensions":
            found += ["[]"] * text_of(current).count("[")
        elif current.type == "scoped_type_identifier":
            waiting.append(current.children[-1])
        elif current.child_count:
            waiting += reversed(current.children)
        else:
            found.append(text_of(current))
    return tuple(found[: found.index("<")] if "?" in found else found)
