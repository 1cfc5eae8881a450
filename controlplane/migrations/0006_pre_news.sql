-- Whether anything of a user changed since a moment: what decides if an hourly job is worth planning. Stops at the first.
create function memory_private.has_news(who uuid, since timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select since is null or
    exists (select from public.memory_tombstones where user_id = has_news.who and deleted_at >= has_news.since) or
    exists (select from public.chat_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_profiles where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_rules where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.user_preferences where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from granola1.granola_transcripts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.chat_sessions where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.meeting_notes where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from msg.inbound_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.activity_events where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.contacts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from social.event_contacts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_items where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklists where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_containers where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.briefings where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.feedback where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.connections where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.heartbeat_poll_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from public.agentic_drafts where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from public.checklist_action_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from msg.outbound_messages where user_id = has_news.who and updated_at >= has_news.since) or
    exists (select from msg.delivery_log where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from msg.message_events where user_id = has_news.who and created_at >= has_news.since) or
    exists (select from rules.digest_subscriptions where user_id = has_news.who and updated_at >= has_news.since)
$$;
revoke all on function memory_private.has_news(uuid, timestamptz) from public;
