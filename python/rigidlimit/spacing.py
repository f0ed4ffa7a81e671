"""Values of the small parameter."""

from .errors import InputError


def geometric(first: float, last: float, count: int) -> list[float]:
    """`count` values from `first` to `last` with a constant ratio, both included: the bits of a file with
    epsilon = {from, to, count}.

        >>> geometric(1e-1, 1e-3, 3)
        [0.1, 0.010000000000000002, 0.001]
    """
    if not (first > 0.0 and last > 0.0) or count < 2 or first == last:
        raise InputError(f"geometric({first!r}, {last!r}, {count!r}): needs two different positive ends and a count of "
                         "at least 2")
    ratio = last / first
    return [*(first * ratio ** (k / (count - 1)) for k in range(count - 1)), float(last)]
