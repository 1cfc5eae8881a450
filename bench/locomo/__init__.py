"""How well memory finds what was said in the public conversations of LoCoMo."""
