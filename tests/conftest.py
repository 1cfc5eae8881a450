"""Fixtures that every test may use."""

pytest_plugins = ["tests.fixtures_postgres", "tests.fixtures_controlplane"]
