"""clo0p-app's database: its own tables, and Supabase's additions to a stock PostgreSQL."""
