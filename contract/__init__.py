"""What crosses a process boundary: events, records, cursors, manifest entries and the control plane's API. Pure."""
