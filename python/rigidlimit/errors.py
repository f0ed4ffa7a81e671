"""The exception for invalid input."""

from __future__ import annotations


class InputError(ValueError):
    """An invalid value, formula, name or file.

    Parameters
    ----------
    message : str
        The reason, in one sentence.
    where : str, optional
        The place: a key, a function, or file:line:column. `str(error)` begins with it.

    Attributes
    ----------
    message, where : str
        As given.
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(message, where)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class UnknownNameError(InputError, AttributeError):
    """An unknown coordinate, velocity or parameter. It is an AttributeError, so that `hasattr` works."""
