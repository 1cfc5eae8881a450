"""What the user's records say: read once per record version, typed, and folded into what is true now.

The way of a record:

1. ``reading`` splits it into utterances: who says what to whom, when, and in which kind of text.
2. ``recorded`` (state that the app recorded) and a reader (``rules``, or a model) make statements of it. What a reader
   returns is checked against the utterance before it counts. The result, a ``Reading``, is stored per record version.
3. ``life`` folds all current readings, the user's corrections and the time into a ``Memory``: open loops, decisions,
   facts, changes, contradictions, people. It is never stored, so it cannot depend on the order of arrival.

Everything but the store and the model reader is pure. docs/memory.md explains the rules to a user.
"""
