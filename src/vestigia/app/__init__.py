"""Wiring: settings, plug-ins, the workspace; one function a task."""
