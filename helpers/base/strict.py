"""Records that refuse what they do not know, and how pydantic's findings are said."""

from pydantic import BaseModel, ConfigDict, ValidationError


class Strict(BaseModel):
    """A record that refuses unknown keys and values of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def invalid_fields(error: ValidationError) -> list[str]:
    """What pydantic found, each with its field: `judgments.0.grade: Input should be 0, 1 or 2`."""
    return [f"{'.'.join(map(str, found['loc'])) or 'the line'}: {found['msg']}" for found in error.errors()]
