"""The operator console: the command line's verbs as pages, for one operator on their own machine (docs/console.md)."""
