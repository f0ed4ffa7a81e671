"""The error of input that cannot be judged."""


class InputError(ValueError):
    """Input that is not a series, a tolerance or a bound; the message is one sentence."""
