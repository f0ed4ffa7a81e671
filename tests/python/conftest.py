"""The tests use the installed package: `pip install -e .` in build/venv (scripts/setup.sh)."""
