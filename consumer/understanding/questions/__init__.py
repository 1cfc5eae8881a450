"""
Answers to a user's questions from what memory holds, without a model.

``asked`` reads a question: what it asks for, about whom, about which words. ``answering`` looks for facts, loops,
meetings, decisions and changes that explain every word of it, and says nothing where none does. ``wording`` puts them
in sentences of the question's language. Pure, like all of this package; docs/asking.md has the rule for silence.
"""
