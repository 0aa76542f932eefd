"""Exceptions: whatever goes wrong is a `papamu.Error`."""


class Error(Exception):
    """Base of all exceptions of this package."""


class ArgumentError(Error, ValueError):
    """An invalid value of an argument, such as a negative number of seconds."""


class ArgumentTypeError(Error, TypeError):
    """An argument of the wrong type."""


class GameError(Error, ValueError):
    """A game or a board that does not exist, or a position of the wrong game."""


class IllegalMoveError(Error, ValueError):
    """A text that is not a move, or a move that is not legal."""


class PlayerError(Error, ValueError):
    """A player, a level or a setting that does not exist."""


class SolveError(Error, ValueError):
    """A solver that does not exist, or that cannot solve this position."""


class LimitError(Error):
    """A proof that was not found within its limits."""


class CertificateError(Error, ValueError):
    """A certificate that does not prove its claim."""


class RecordError(Error, ValueError):
    """A file without games that can be read."""


class StoreError(Error, ValueError):
    """A store of experiments that cannot be read, or an experiment that it does not hold."""


class ExperimentError(Error, ValueError):
    """A file that is not an experiment, or that cannot be played here."""


class BusyError(Error, RuntimeError):
    """A player that is thinking already."""


class MissingPackageError(Error, ImportError):
    """A function needs a package that is not installed; the message names it."""


class InternalError(Error, RuntimeError):
    """A bug in papamu. Please report it."""
