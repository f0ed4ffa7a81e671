"""Integrators of other projects as methods of rigidlimit."""
