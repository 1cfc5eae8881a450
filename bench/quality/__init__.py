"""How good is memory at finding, and how true are its reports: questions with known evidence over the sample user."""
