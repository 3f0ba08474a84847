"""Records that refuse what they do not know, and how pydantic's findings are said."""

from collections.abc import Mapping
from reprlib import repr as shortened

from pydantic import BaseModel, ConfigDict, ValidationError


class _InWords(type(BaseModel)):
    """Says in words what is wrong where a record is made; where one is read, its reader does."""

    def __call__(cls, *values: object, **fields: object) -> BaseModel:
        if values:
            names = ", ".join(f"{name}=…" for name in cls.model_fields)
            raise ValueError(f"{cls.__name__} takes its fields by name: {cls.__name__}({names})")
        try:
            return super().__call__(**fields)
        except ValidationError as error:
            raise ValueError(f"{cls.__name__}: {'; '.join(invalid_fields(error, fields))}") from error


class Strict(BaseModel, metaclass=_InWords):
    """A record that refuses unknown keys and values of another type.

    >>> class Limits(Strict):
    ...     items: int
    >>> Limits(items="5")
    Traceback (most recent call last):
    ValueError: Limits: items: Input should be a valid integer, found '5'
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def invalid_fields(error: ValidationError, fields: Mapping | None = None) -> list[str]:
    """What pydantic found, each with its field: `judgments.0.grade: Input should be 0, 1 or 2`.

    With the `fields` that were given, what was found there is said too.
    """
    said = []
    for found in error.errors():
        if found["type"] in ("model_type", "model_attributes_type", "dict_type"):
            found["msg"] = "needed a JSON object, {…}"
        what = f"{'.'.join(map(str, found['loc'])) or 'the line'}: {found['msg']}"
        given = fields is not None and found["type"] not in ("missing", "extra_forbidden", "value_error")
        said.append(f"{what}, found {shortened(found['input'])}" if given else what)
    return said
