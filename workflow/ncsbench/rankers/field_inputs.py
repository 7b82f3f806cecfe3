"""What rankers that read fields of methods are made from."""

from __future__ import annotations

from collections.abc import Iterator

from ncsbench.corpus.documents import MethodTexts
from ncsbench.deepcs.field_encoder import FieldEncoder
from ncsbench.deepcs.method_fields import MethodFields, read_fields
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.protocol import FitInputs


def take_inputs(inputs: FitInputs, kind: str) -> tuple[FieldEncoder, MethodTexts]:
    """The network and the methods; ``ConfigurationError`` where one is missing or another."""
    encoder, methods = inputs.get("field_encoder"), inputs.get("methods")
    if encoder is None or encoder.options.network != kind:
        raise ConfigurationError(
            f"{kind}: needs a trained network; give the model file a block 'field_encoder' with "
            f"'network: {kind}'"
        )
    if methods is None:
        raise ConfigurationError(
            f"{kind}: needs the text of the methods; add a line 'source_text: true'"
        )
    return encoder, methods


def iterate_fields(methods: MethodTexts) -> Iterator[MethodFields]:
    """The fields of all methods in the order of ids; the class around each is known."""
    for table in methods.iterate_methods(["code", "class_name"]):
        codes, classes = (table[name].to_pylist() for name in ("code", "class_name"))
        for code, own_class in zip(codes, classes, strict=True):
            yield read_fields(code, own_class or "")
