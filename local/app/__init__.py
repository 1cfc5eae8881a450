"""clo0p-app as far as its database goes: its own tables, and what Supabase adds to a stock PostgreSQL."""
