-- Every statement of the control plane, by name. Parameters are bound by the driver, never pasted.
-- Conditions that an index serves compare with statement_timestamp(): PostgreSQL looks up no clock_timestamp() in one.

-- name: database_time
select clock_timestamp() as now;

-- name: lock_job
select j.*, w.workspace_uri, w.status as workspace_status, clock_timestamp() as now,
  coalesce(memory_private.timezone_of(j.user_id), 'UTC') as timezone, exists (select from public.memory_deletions d
    where d.user_id = j.user_id and d.purge_after is not null and d.cancelled_at is null and d.forgotten_at is null)
    as account_deleted
from public.memory_jobs j
join public.memory_workspaces w on w.id = j.workspace_id
where j.id = %(job_id)s
for update of j;

-- name: read_job
select j.*, clock_timestamp() as now, exists (select from public.memory_deletions d
    where d.user_id = j.user_id and d.purge_after is not null and d.cancelled_at is null and d.forgotten_at is null)
    as account_deleted
from public.memory_jobs j where j.id = %(job_id)s;

-- name: start_attempt
update public.memory_jobs set
  status = 'running', substate = null, attempt = %(attempt)s, owner = %(owner)s, retry_at = null,
  started_at = coalesce(started_at, clock_timestamp()), heartbeat_at = clock_timestamp()
where id = %(job_id)s;

-- name: newer_digest
-- The latest committed digest of a later hour, requested later: whoever submits a digest of an earlier hour wants it.
select max(n.period) as period from public.memory_jobs j join public.memory_jobs n on n.user_id = j.user_id
where j.id = %(job_id)s and j.job_type = 'hourly_digest' and n.job_type = 'hourly_digest'
  and n.requested_at > j.requested_at and n.period > j.period and n.status = 'completed' and n.commit_seq is not null;

-- name: beat
update public.memory_jobs set heartbeat_at = clock_timestamp() where id = %(job_id)s;

-- name: pause_of
-- The pause that is in force for a user, that of everybody first; else the one that ended last.
select target, paused_at, paused_by, reason, resumed_at, resumed_by from public.memory_queue_pauses
where target in ('*', %(user_id)s::text) order by resumed_at desc nulls first, target limit 1;

-- name: withhold_job
-- Due as soon as the pause ends: the publisher reads the time. A little later than now, since the refused attempt has yet
-- to write its ledger.
update public.memory_jobs set status = 'queued', substate = 'retrying', stage = null,
  retry_at = clock_timestamp() + make_interval(secs => %(settle_s)s)
where id = %(job_id)s;

-- name: pauses
select target, paused_at, paused_by, reason, resumed_at, resumed_by from public.memory_queue_pauses
where resumed_at is null order by target limit %(limit)s;

-- name: count_withheld
select count(*) as pauses, count(*) filter (where target = '*') > 0 as all_paused,
  (select count(*) from public.memory_jobs j where j.status = 'queued' and exists (select from public.memory_queue_pauses p
    where p.resumed_at is null and p.target in ('*', j.user_id::text))) as withheld
from public.memory_queue_pauses where resumed_at is null;

-- name: pause_queue
-- Returns no row where it is paused already: the first reason stays.
insert into public.memory_queue_pauses as p (target, paused_by, reason) values (%(target)s, %(by)s, %(reason)s)
on conflict (target) do update set paused_at = clock_timestamp(), paused_by = excluded.paused_by,
  reason = excluded.reason, resumed_at = null, resumed_by = null where p.resumed_at is not null
returning target, paused_at, paused_by, reason, resumed_at, resumed_by;

-- name: read_pause
select target, paused_at, paused_by, reason, resumed_at, resumed_by from public.memory_queue_pauses
where target = %(target)s;

-- name: resume_queue
update public.memory_queue_pauses set resumed_at = clock_timestamp(), resumed_by = %(by)s
where target = %(target)s and resumed_at is null
returning target, paused_at, paused_by, reason, resumed_at, resumed_by;

-- name: nudge_publisher
select pg_notify('memory_outbox', '');

-- name: remember_token
insert into public.memory_job_tokens (jti_digest, job_id, attempt, may_export, expires_at)
values (%(jti_digest)s, %(job_id)s, %(attempt)s, %(may_export)s, %(expires_at)s);

-- name: forget_tokens
delete from public.memory_job_tokens
where job_id = %(job_id)s and (attempt < %(attempt)s or expires_at < clock_timestamp());

-- name: report_progress
update public.memory_jobs set
  status = %(status)s, substate = %(substate)s, stage = coalesce(%(stage)s, stage), retry_at = %(retry_at)s,
  progress = %(progress)s, heartbeat_at = clock_timestamp()
where id = %(job_id)s;

-- name: finish_job
update public.memory_jobs set
  status = %(status)s, substate = %(substate)s, outcome = %(outcome)s, commit_seq = %(commit_seq)s,
  commit_digest = %(commit_digest)s, report_uri = %(report_uri)s, source_counts = %(source_counts)s,
  output_counts = %(output_counts)s, usage = %(usage)s, error_summary = %(error_summary)s, retry_at = null,
  started_at = coalesce(started_at, clock_timestamp()), finished_at = clock_timestamp(),
  heartbeat_at = clock_timestamp()
where id = %(job_id)s;

-- name: drop_artifacts
delete from public.memory_artifacts where job_id = %(job_id)s;

-- name: add_artifact
insert into public.memory_artifacts (user_id, job_id, artifact_type, workspace_path, summary, metadata)
values (%(user_id)s, %(job_id)s, %(artifact_type)s, %(workspace_path)s, %(summary)s, %(metadata)s)
on conflict (job_id, artifact_type, workspace_path) do nothing;

-- name: advance_workspace
-- Moves forward only: a job that ends late must not make old changes news again. A job that ends late may leave an old
-- wake_at; the digest that it starts has nothing to tell, and reports the right one.
update public.memory_workspaces w set
  wake_at = case when j.job_type in ('backfill_digest', 'hourly_digest') then %(wake_at)s else w.wake_at end,
  last_backfill_at = case when j.job_type = 'backfill_digest'
    then greatest(w.last_backfill_at, j.started_at) else w.last_backfill_at end,
  last_digest_at = case when j.job_type = 'hourly_digest'
    then greatest(w.last_digest_at, j.started_at) else w.last_digest_at end,
  last_insight_at = case when j.job_type = 'insight'
    then greatest(w.last_insight_at, j.started_at) else w.last_insight_at end,
  last_dream_at = case when j.job_type = 'dream'
    then greatest(w.last_dream_at, j.started_at) else w.last_dream_at end
from public.memory_jobs j
where j.id = %(job_id)s and w.id = j.workspace_id;

-- name: wake_job
insert into public.memory_outbox (job_id, user_id) select id, user_id from public.memory_jobs where id = %(job_id)s;

-- name: marked_users
-- A page of users with marks, read from the index alone.
select distinct user_id from public.memory_news where user_id > %(after)s::uuid order by user_id limit %(limit)s;

-- name: waking_users
-- A page of users for whom something is due before the hour ends.
select user_id, wake_at from public.memory_workspaces
where status = 'enabled' and wake_at is not null and wake_at < %(until)s
  and (wake_at, user_id) > (%(after_at)s::timestamptz, %(after)s::uuid)
order by wake_at, user_id limit %(limit)s;

-- name: users_between
-- A page of the users at whom this hour looks without any mark.
select user_id from public.memory_workspaces
where status = 'enabled' and user_id > %(after)s::uuid and user_id <= %(to)s::uuid
order by user_id limit %(limit)s;

-- name: due_workspaces
-- Of these users, those who are enabled and have a backfill; whether they have news is asked for each.
select w.user_id, w.id as workspace_id, w.wake_at,
  memory_private.has_news(
    w.user_id, greatest(w.last_backfill_at, w.last_digest_at) - make_interval(secs => %(overlap_s)s)) as has_news,
  coalesce((select value from memory_private.flag('hourly', w.user_id, w.runtime_profile)), true) as wants_hourly
from public.memory_workspaces w
where w.user_id = any(%(user_ids)s::uuid[]) and w.status = 'enabled' and w.last_backfill_at is not null;

-- name: unseen_workspaces
-- A page of users with a digest or backfill that no insight has seen.
select w.user_id, w.id as workspace_id
from public.memory_workspaces w
where w.status = 'enabled' and w.last_backfill_at is not null
  and coalesce(w.last_insight_at < greatest(w.last_backfill_at, w.last_digest_at), true)
  and w.user_id > %(after)s::uuid
order by w.user_id limit %(limit)s;

-- name: dream_due
-- The workspace of a job, if it changed since its last dream and is to have another.
select w.user_id, w.id as workspace_id, coalesce(memory_private.timezone_of(w.user_id), 'UTC') as timezone, now() as now
from public.memory_jobs j join public.memory_workspaces w on w.id = j.workspace_id
where j.id = %(job_id)s and w.status = 'enabled'
  and coalesce(w.last_dream_at < greatest(w.last_backfill_at, w.last_digest_at), w.last_backfill_at is not null)
  and coalesce((select value from memory_private.flag('dream', w.user_id, w.runtime_profile)), true);

-- name: mark_users
-- Of users who are enabled again: nobody noted what changed meanwhile.
insert into public.memory_news (user_id) select unnest(%(user_ids)s::uuid[]);

-- name: renew_marks
-- Drops these users' old marks. Who has news still keeps one, since the job that this tick plans may fail.
with old as (
  delete from public.memory_news where user_id = any(%(user_ids)s::uuid[])
    and at < statement_timestamp() - make_interval(secs => %(keep_s)s) returning user_id)
insert into public.memory_news (user_id) select distinct user_id from old where user_id = any(%(with_news)s::uuid[]);

-- name: drop_old_marks
-- Of users who have no backfill yet or are disabled: a tick looks at them anyway, once they have one or are enabled.
delete from public.memory_news where ctid in (
  select ctid from public.memory_news where at < statement_timestamp() - make_interval(secs => %(keep_s)s)
  order by at limit %(limit)s);

-- name: planning_time
-- The transaction's time, with which plan_job compares.
select now() as now;

-- name: plan_job
insert into public.memory_jobs (id, user_id, workspace_id, job_type, period, triggered_by, retry_at)
values (%(id)s, %(user_id)s, %(workspace_id)s, %(job_type)s, %(period)s, 'schedule',
  case when %(start_at)s > now() then %(start_at)s end)
on conflict do nothing;

-- name: plan_wake
-- Where a digest says that something falls due in this very hour, or fell due while it ran: no later tick plans for it
-- before the next one. What fell due earlier is left to the next tick. A digest of an old period, which a replay or an
-- outage brings late, would otherwise be followed by one of each day since then.
insert into public.memory_jobs (id, user_id, workspace_id, job_type, period, triggered_by, retry_at)
select %(id)s, w.user_id, w.id, 'hourly_digest', %(period)s, 'wake',
  case when %(wake_at)s > clock_timestamp() then %(wake_at)s end
from public.memory_jobs j join public.memory_workspaces w on w.id = j.workspace_id
where j.id = %(job_id)s and j.job_type in ('backfill_digest', 'hourly_digest') and w.status = 'enabled'
  and %(wake_at)s >= date_trunc('hour', clock_timestamp(), 'UTC') - interval '1 hour'
  and %(wake_at)s < date_trunc('hour', clock_timestamp(), 'UTC') + interval '1 hour'
  and coalesce((select value from memory_private.flag('hourly', w.user_id, w.runtime_profile)), true)
on conflict do nothing;

-- name: republish_stale
-- The publisher's rule (enqueue_stale in publisher/queries.sql), for a publisher that does not sweep.
insert into public.memory_outbox (job_id, user_id)
select j.id, j.user_id from public.memory_jobs j
cross join lateral (select greatest(j.heartbeat_at, j.retry_at, j.created_at) as heard_at) as life
cross join lateral (
  select count(*) as number, max(o.published_at) as last_at, count(*) filter (where o.published_at is null) as waiting
  from public.memory_outbox o
  where o.job_id = j.id and (o.published_at is null or o.published_at >= life.heard_at)) as copies
where j.status in ('queued', 'running')
  and greatest(j.retry_at, coalesce(j.heartbeat_at, j.published_at, j.created_at))
    < statement_timestamp() - make_interval(secs => %(stale_s)s)
  and copies.waiting = 0
  and coalesce(copies.last_at, life.heard_at) < statement_timestamp() - make_interval(secs => least(33 * %(stale_s)s, case
    when copies.number = 0 then %(stale_s)s
    when j.status = 'running' then %(stale_s)s * 2 ^ least(copies.number, 9)
    else 20 * %(stale_s)s * 2 ^ least(copies.number - 1, 9) end))
  and not exists (select from public.memory_queue_pauses p
    where p.resumed_at is null and p.target in ('*', j.user_id::text))
order by j.requested_at, j.id limit %(limit)s;

-- name: choose_for_verification
-- Once a day, those that waited longest; a tick that comes late takes nobody back.
update public.memory_workspaces set verify_period = %(period)s where id in (
  select id from public.memory_workspaces
  where status = 'enabled' and last_backfill_at is not null
    and (verify_period is null or verify_period < %(period)s)
    and not exists (select from public.memory_workspaces where verify_period = %(period)s)
  order by verify_period nulls first, user_id limit %(limit)s);

-- name: chosen_for_verification
select user_id from public.memory_workspaces where verify_period = %(period)s and status = 'enabled' order by user_id;

-- name: delete_published
-- Wake-ups of long ago. Their jobs are over, or the sweep wrote newer ones.
delete from public.memory_outbox where id in (
  select id from public.memory_outbox where published_at < statement_timestamp() - make_interval(secs => %(keep_s)s)
  order by published_at limit %(limit)s);

-- name: catch_up
-- What the triggers on the app's tables could not do at once.
select memory_private.catch_up(%(limit)s) as done;

-- name: user_by_email
select id from memory_private.accounts_by_email(%(email)s) as id;

-- name: user_by_id
select id from memory_private.accounts where id = %(user_id)s;

-- name: enable_workspace
-- Who was enabled before keeps the profile, unless another one is named.
insert into public.memory_workspaces (user_id, workspace_uri, runtime_profile)
values (%(user_id)s, %(workspace_uri)s, coalesce(%(runtime_profile)s, %(default_profile)s))
on conflict (user_id) do update set status = 'enabled',
  runtime_profile = coalesce(%(runtime_profile)s, memory_workspaces.runtime_profile)
returning *;

-- name: disable_workspaces
update public.memory_workspaces set status = 'disabled' where user_id = any(%(user_ids)s::uuid[]) returning *;

-- name: cancel_open_jobs
update public.memory_jobs set cancel_requested_at = clock_timestamp(), cancel_reason = %(reason)s
where user_id = any(%(user_ids)s::uuid[]) and status in ('queued', 'running') and cancel_requested_at is null
returning id, user_id;

-- name: workspace_of
select * from public.memory_workspaces where user_id = %(user_id)s;

-- name: submit_job
insert into public.memory_jobs (user_id, job_type, period, triggered_by, rerun_of, forced, force_render)
values (%(user_id)s, %(job_type)s, %(period)s, %(triggered_by)s, %(rerun_of)s, %(force)s, %(force_render)s) returning *;

-- name: list_jobs
select * from public.memory_jobs
where (%(status)s::text is null or status = %(status)s)
  and (%(user_id)s::uuid is null or user_id = %(user_id)s)
  and (%(job_type)s::text is null or job_type = %(job_type)s)
  and (%(after_at)s::timestamptz is null or (requested_at, id) < (%(after_at)s, %(after_id)s::uuid))
order by requested_at desc, id desc limit %(limit)s;

-- name: job_artifacts
select * from public.memory_artifacts where job_id = any(%(job_ids)s) order by created_at, id;

-- name: request_cancel
update public.memory_jobs set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
  cancel_reason = coalesce(cancel_reason, %(reason)s)
where id = %(job_id)s returning *;

-- name: reopen_job
update public.memory_jobs set
  status = 'queued', substate = null, outcome = null, commit_seq = null, commit_digest = null, error_summary = null,
  finished_at = null, retry_at = null, stage = null, cancel_requested_at = null, cancel_reason = null,
  replay_id = %(replay_id)s, from_stage = %(from_stage)s, replay_reason = %(reason)s
where id = %(job_id)s returning *;

-- name: audit
insert into public.memory_audit (actor, action, user_id, job_id, details)
values (%(actor)s, %(action)s, %(user_id)s, %(job_id)s, %(details)s);

-- name: was_replayed
select exists (select from public.memory_audit where job_id = %(job_id)s and action = 'job.replay'
  and details ->> 'replay_id' = %(replay_id)s) as known;

-- name: was_discarded
select exists (select from public.memory_audit where action = 'dead_letter.discard' and actor = %(actor)s
  and details ->> 'key' = %(key)s) as known;

-- name: list_users
select u.id as user_id, coalesce(w.status, 'none') as status, w.runtime_profile, w.last_backfill_at, w.last_digest_at,
  w.last_insight_at, (select count(*) from public.memory_jobs j
    where j.user_id = u.id and j.status in ('queued', 'running')) as open_jobs
from memory_private.accounts u left join public.memory_workspaces w on w.user_id = u.id
where (%(after)s::uuid is null or u.id > %(after)s::uuid)
  and (%(status)s::text is null or coalesce(w.status, 'none') = %(status)s)
order by u.id limit %(limit)s;

-- name: user_details
-- One user as list_users tells of them, also where only the account or only the workspace is there.
select coalesce(w.status, 'none') as status, w.runtime_profile, w.workspace_uri, w.last_backfill_at, w.last_digest_at,
  w.last_insight_at, (select count(*) from public.memory_jobs j
    where j.user_id = %(user_id)s and j.status in ('queued', 'running')) as open_jobs
from (select %(user_id)s::uuid as id) as who left join public.memory_workspaces w on w.user_id = who.id
where w.id is not null or exists (select from memory_private.accounts u where u.id = who.id);

-- name: lock_waves
-- One wave at a time: two of them would each see the other's room below the cap.
select pg_advisory_xact_lock(hashtext('cloop-memory user waves'));

-- name: count_users
select count(*) filter (where w.status = 'enabled') as enabled, count(*) filter (where w.id is null) as waiting,
  (select count(*) from public.memory_jobs
    where job_type = 'backfill_digest' and status in ('queued', 'running')) as open_backfills
from memory_private.accounts u left join public.memory_workspaces w on w.user_id = u.id;

-- name: next_wave
-- Disabled users have a workspace and are left alone: somebody decided that.
select u.id as user_id from memory_private.accounts u
where not exists (select from public.memory_workspaces w where w.user_id = u.id)
order by u.created_at, u.id limit %(limit)s;

-- name: queue_health
-- Most open jobs are planned for a later hour: they are counted, and the rest is looked at.
with planned as (
  select count(*) as number from public.memory_jobs
  where status = 'queued' and substate is null and retry_at > statement_timestamp()
), open as (
  select j.*, coalesce(j.retry_at, j.requested_at) as due_at,
    greatest(j.heartbeat_at, j.published_at, j.created_at) as heard_at,
    exists (select from public.memory_queue_pauses p
      where p.resumed_at is null and p.target in ('*', j.user_id::text)) as is_paused
  from public.memory_jobs j where j.status in ('queued', 'running')
    and (j.status = 'running' or j.substate is not null or j.retry_at is null or j.retry_at <= statement_timestamp())
), waiting as (
  select o.created_at from public.memory_outbox o join public.memory_jobs j on j.id = o.job_id
  where o.published_at is null and j.status in ('queued', 'running')
    and not exists (select from public.memory_queue_pauses p
      where p.resumed_at is null and p.target in ('*', j.user_id::text))
), ended as (
  select status from public.memory_jobs where finished_at > statement_timestamp() - interval '7 days'
)
select count(*) filter (where status = 'queued') as queued, (select number from planned) as planned,
  count(*) filter (where status = 'running') as running,
  count(*) filter (where substate = 'retrying') as retrying, count(*) filter (where substate = 'parked') as parked,
  extract(epoch from statement_timestamp() - min(due_at)
    filter (where status = 'queued' and due_at <= statement_timestamp() and not is_paused))::float8 as oldest_due_s,
  count(*) filter (where is_paused and status = 'queued') as withheld,
  count(*) filter (where not is_paused and heard_at < statement_timestamp() - make_interval(secs => 2 * %(stale_s)s)
    and (published_at is null or published_at < heartbeat_at
      or heard_at < statement_timestamp() - make_interval(secs => 35 * %(stale_s)s))
    and (retry_at is null or retry_at < statement_timestamp() - make_interval(secs => %(stale_s)s))) as silent,
  coalesce((select jsonb_object_agg(w.service, w.jobs) from (
    select progress ->> 'waiting_for' as service, count(*) as jobs from open
    where substate = 'retrying' and progress ? 'waiting_for' group by 1) as w), '{}') as waiting,
  (select count(*) from waiting) as unpublished,
  (select extract(epoch from statement_timestamp() - min(created_at))::float8 from waiting) as oldest_unpublished_s,
  (select count(*) from ended where status = 'failed') as failed_7d, (select count(*) from ended) as over_7d
from open;

-- name: zones_of_latest_jobs
select z.timezone, count(*) as users from (
  select distinct user_id from (
    select user_id from public.memory_jobs order by requested_at desc, id desc limit %(jobs)s) as latest) as u
cross join lateral (select memory_private.timezone_of(u.user_id) as timezone) as z
where z.timezone is not null group by z.timezone;

-- name: flags_of
-- What is set for a user; a flag that nobody set is on.
select n.name, f.value, f.scope, f.reason
from unnest(%(names)s::text[]) as n (name)
cross join lateral memory_private.flag(n.name, %(user_id)s, %(profile)s) as f;

-- name: list_flags
select * from public.memory_flags
where (%(flag)s::text is null or name = %(flag)s) and (%(target)s::text is null or target = %(target)s)
order by name, array_position(array['user', 'cohort', 'profile', 'all'], scope), target limit %(limit)s;

-- name: set_flag
insert into public.memory_flags (name, scope, target, value, reason, set_by)
values (%(flag)s, %(scope)s, %(target)s, %(value)s, %(reason)s, %(set_by)s)
on conflict (name, scope, target) do update set value = excluded.value, reason = excluded.reason,
  set_by = excluded.set_by, set_at = clock_timestamp()
returning *;

-- name: unset_flag
delete from public.memory_flags where name = %(flag)s and scope = %(scope)s and target = %(target)s returning *;

-- name: join_cohort
insert into public.memory_cohorts (cohort, user_id) values (%(cohort)s, %(user_id)s) on conflict do nothing;

-- name: leave_cohort
delete from public.memory_cohorts where cohort = %(cohort)s and user_id = %(user_id)s;

-- name: lock_user
-- One mark of a user at a time: two of them would each count without the other.
select id, user_id, runtime_profile from public.memory_workspaces where user_id = %(user_id)s for update;

-- name: claims_of_job
-- How many claims a job's report numbers; what an older report does not say counts as none.
select coalesce(max((metadata ->> 'claims')::integer), 0) as claims from public.memory_artifacts
where job_id = %(job_id)s and jsonb_typeof(metadata -> 'claims') = 'number';

-- name: mark_claim
insert into public.memory_claim_marks (job_id, claim, user_id, verdict, reason, marked_by)
values (%(job_id)s, %(claim)s, %(user_id)s, %(verdict)s, %(reason)s, %(marked_by)s)
on conflict (job_id, claim) do update set verdict = excluded.verdict, reason = excluded.reason,
  marked_by = excluded.marked_by, marked_at = clock_timestamp();

-- name: count_marks
-- Since somebody last decided about this user's synthesis: what was answered then is not held against it again.
select count(*) as marks, count(*) filter (where verdict = 'wrong') as wrong from public.memory_claim_marks
where user_id = %(user_id)s and marked_at > coalesce((select max(at) from public.memory_audit
  where user_id = %(user_id)s and action in ('flag.set', 'flag.unset') and details ->> 'name' = 'synthesis'
    and actor <> %(rule)s), '-infinity');

-- name: usefulness
-- Of all users together, and the users with enough marks of whom too few are useful.
with marked as (
  select user_id, count(*) as marks, count(*) filter (where verdict = 'useful') as useful
  from public.memory_claim_marks where marked_at > clock_timestamp() - interval '14 days' group by user_id
)
select coalesce(sum(marks), 0)::integer as marks, coalesce(sum(useful), 0)::integer as useful,
  coalesce(array_agg(user_id::text order by useful::float8 / marks, user_id)
    filter (where marks >= %(least)s and useful < %(share)s * marks), '{}') as users
from marked;

-- name: list_marks
select * from public.memory_claim_marks where job_id = %(job_id)s order by claim;

-- name: take_deletion_events
-- The latest word on each account; those that another tick takes are left to it.
with taken as (
  delete from public.memory_deletion_events where id in (
    select id from public.memory_deletion_events order by id limit %(limit)s for update skip locked)
  returning id, user_id, event, at)
select distinct on (user_id) user_id, event, at from taken order by user_id, id desc;

-- name: deletion_event_of
-- The latest word on an account that no tick has taken yet.
select event from public.memory_deletion_events where user_id = %(user_id)s order by id desc limit 1;

-- name: note_deletion
-- Of a user with a workspace, unless one is under way. What was seen missing becomes what was told.
insert into public.memory_deletions (user_id, source, seen_at, purge_after, was_enabled)
select w.user_id, %(source)s, %(seen_at)s, %(seen_at)s + make_interval(secs => %(grace_s)s), w.status = 'enabled'
from public.memory_workspaces w
where w.user_id = %(user_id)s and not exists (
  select from public.memory_deletions d
  where d.user_id = w.user_id and d.receipt is not null and d.forgotten_at is null)
on conflict (user_id) where cancelled_at is null and receipt is null do update set
  source = case when memory_deletions.purge_after is null then excluded.source else memory_deletions.source end,
  purge_after = coalesce(memory_deletions.purge_after, excluded.purge_after)
returning *;

-- name: note_orphans
with missing as materialized (select user_id from memory_private.orphans() as user_id limit %(limit)s)
insert into public.memory_deletions (user_id, source, was_enabled)
select w.user_id, 'reconciliation', w.status = 'enabled' from public.memory_workspaces w join missing using (user_id)
on conflict (user_id) where cancelled_at is null and receipt is null do nothing;

-- name: plan_orphans
-- Those seen before that are orphans still, a piece at a time: what is planned is no candidate of the next piece.
-- Materialized: without statistics, the planner would look for all orphans again for each candidate.
with missing as materialized (select user_id from memory_private.orphans() as user_id)
update public.memory_deletions set purge_after = clock_timestamp() + make_interval(secs => %(grace_s)s)
where id in (
  select d.id from public.memory_deletions d join missing using (user_id)
  where d.source = 'reconciliation' and d.purge_after is null and d.cancelled_at is null and d.receipt is null
    and d.seen_at <= clock_timestamp() - make_interval(secs => %(again_s)s)
  order by d.id limit %(limit)s)
returning user_id;

-- name: stop_exports
update public.memory_job_tokens t set may_export = false
from public.memory_jobs j where j.id = t.job_id and j.user_id = any(%(user_ids)s::uuid[]) and t.may_export;

-- name: drop_tombstones
select memory_private.drop_tombstones(%(user_id)s);

-- name: cancel_deletions
update public.memory_deletions set
  cancelled_at = clock_timestamp(), cancelled_by = %(cancelled_by)s, cancel_reason = %(reason)s
where user_id = any(%(user_ids)s::uuid[]) and cancelled_at is null and receipt is null and erasing_at is null
returning user_id, was_enabled;

-- name: enable_after_cancel
update public.memory_workspaces set status = 'enabled' where user_id = any(%(user_ids)s::uuid[]);

-- name: reappeared
-- Accounts that exist although their deletion waits. However many wait, the database compares them.
select user_id from memory_private.live_accounts(array(
  select d.user_id from public.memory_deletions d
  where d.cancelled_at is null and d.receipt is null and d.erasing_at is null and d.source <> 'operator')) as user_id
order by user_id limit %(limit)s;

-- name: accounts_hidden
select memory_private.accounts_hidden() as reason;

-- name: live_accounts
select user_id from memory_private.live_accounts(%(user_ids)s::uuid[]) as user_id;

-- name: lock_reconciliation
select pg_advisory_xact_lock(hashtext('cloop-memory reconciliation'));

-- name: count_workspaces
select count(*) as workspaces from public.memory_workspaces;

-- name: count_orphans
select count(*) as orphans from memory_private.orphans();

-- name: note_reconciliation
insert into public.memory_reconciliation (verdict, detail, workspaces, orphans)
values (%(verdict)s, %(detail)s, %(workspaces)s, %(orphans)s)
on conflict (only_row) do update set at = clock_timestamp(), verdict = excluded.verdict, detail = excluded.detail,
  workspaces = excluded.workspaces, orphans = excluded.orphans;

-- name: due_erasures
select user_id from public.memory_deletions
where cancelled_at is null and forgotten_at is null and purge_after <= clock_timestamp() and (
  erased_at is null
  or receipt is null and erased_at <= clock_timestamp() - make_interval(secs => %(sweep_s)s)
  or swept_at <= clock_timestamp() - make_interval(secs => %(keep_s)s))
order by purge_after, id limit %(limit)s;

-- name: lock_deletion
-- The one that is open, or whose rows are still there; with the step that is due.
select d.*, case
  when d.purge_after is null or d.purge_after > clock_timestamp() then null
  when d.erased_at is null then 'erase'
  when d.receipt is null and d.erased_at <= clock_timestamp() - make_interval(secs => %(sweep_s)s) then 'sweep'
  when d.swept_at <= clock_timestamp() - make_interval(secs => %(keep_s)s) then 'forget' end as step
from public.memory_deletions d
where d.user_id = %(user_id)s and d.cancelled_at is null and d.forgotten_at is null
order by d.id desc limit 1 for update;

-- name: begin_erasing
update public.memory_deletions set erasing_at = coalesce(erasing_at, clock_timestamp()) where id = %(id)s;

-- name: jobs_to_erase
select id, commit_seq from public.memory_jobs where user_id = %(user_id)s order by requested_at, id;

-- name: erase_rows
with pauses as (delete from public.memory_queue_pauses where target = %(user_id)s::text returning target),
marks as (delete from public.memory_news where user_id = %(user_id)s returning user_id)
select memory_private.erase_rows(%(user_id)s) || memory_private.erase_assistants(%(user_id)s)
  || jsonb_build_object('memory_queue_pauses', (select count(*) from pauses),
    'memory_news', (select count(*) from marks)) as rows;

-- name: erase_reasons
-- What an operator typed when an earlier deletion was kept; who did so and when stays.
update public.memory_deletions set cancel_reason = null where user_id = %(user_id)s and cancel_reason is not null;

-- name: end_jobs
-- Nobody runs them any more; a row that is over answers whoever still comes with one.
update public.memory_jobs set status = 'cancelled', substate = null, outcome = 'cancelled', retry_at = null,
  cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()), finished_at = clock_timestamp()
where user_id = %(user_id)s and status = any(%(statuses)s);

-- name: note_erased
update public.memory_deletions set erased_at = clock_timestamp(), erased = %(erased)s where id = %(id)s returning *;

-- name: give_receipt
update public.memory_deletions set swept_at = %(swept_at)s, receipt = %(receipt)s where id = %(id)s;

-- name: forget_rows
select memory_private.forget_rows(%(user_id)s);

-- name: note_forgotten
update public.memory_deletions set forgotten_at = clock_timestamp(), erased = null where id = %(id)s;

-- name: list_deletions
select d.*, clock_timestamp() as now from public.memory_deletions d
where (%(before)s::bigint is null or d.id < %(before)s) order by d.id desc limit %(limit)s;

-- name: deletion_of
select d.*, clock_timestamp() as now from public.memory_deletions d
where d.user_id = %(user_id)s order by d.id desc limit 1;

-- name: receipt_of
select receipt from public.memory_deletions
where user_id = %(user_id)s and receipt is not null order by id desc limit 1;

-- name: erasure_health
select (select count(*) from public.memory_deletions
    where cancelled_at is null and receipt is null
      and purge_after < clock_timestamp() - make_interval(secs => %(overdue_s)s)) as overdue_erasures,
  r.at as reconciled_at, r.verdict as reconciliation, coalesce(r.detail, '') as reconciliation_detail
from (select 1) as always left join public.memory_reconciliation r on true;

-- name: claim_suppression_key
-- The first key stands. An erasure's time never goes back.
insert into public.memory_erasures (user_id, key, erased_at)
values (%(user_id)s, decode(%(key)s, 'hex'), %(erased_at)s)
on conflict (user_id) do update set
  erased_at = greatest(memory_erasures.erased_at, excluded.erased_at);

-- name: add_suppressions
insert into public.memory_suppressions (user_id, key, hash)
select %(user_id)s, decode(%(key)s, 'hex'), decode(h, 'hex') from unnest(%(hashes)s::text[]) h
on conflict do nothing;

-- name: erasure_of
select encode(key, 'hex') as key, erased_at, begun_anew_at, erased_at > coalesce(begun_anew_at, '-infinity') as erased
from public.memory_erasures where user_id = %(user_id)s;

-- name: suppressions_page
select encode(key, 'hex') as key, encode(hash, 'hex') as hash from public.memory_suppressions
where user_id = %(user_id)s
  and (%(after_key)s::text is null
    or (key, hash) > (decode(%(after_key)s, 'hex'), decode(%(after_hash)s, 'hex')))
order by key, hash limit %(limit)s;

-- name: mark_erased
insert into public.memory_erasures (user_id, key, erased_at)
values (%(user_id)s, decode(%(key)s, 'hex'), clock_timestamp())
on conflict (user_id) do update set erased_at = greatest(memory_erasures.erased_at, excluded.erased_at)
returning user_id, erased_at;

-- name: begin_anew
update public.memory_erasures set begun_anew_at = clock_timestamp() where user_id = %(user_id)s;

-- name: reading_status
-- Whether the account exists, and the status of its workspace.
select exists (select from memory_private.accounts where id = %(user_id)s) as account,
  (select status from public.memory_workspaces where user_id = %(user_id)s) as status;

-- name: note_reading
-- The owner's own reading: one line an hour, however often they look.
insert into public.memory_audit (actor, action, user_id)
select 'owner', 'memory.read', %(user_id)s::uuid
where not exists (select from public.memory_audit where user_id = %(user_id)s::uuid and action = 'memory.read'
  and at > clock_timestamp() - interval '1 hour');

-- name: note_assistant_reading
-- One line an hour for each token.
with noted as (
  update public.memory_assistant_tokens set used_at = clock_timestamp()
  where id = %(token_id)s and (used_at is null or used_at < clock_timestamp() - interval '1 hour') returning *)
insert into public.memory_audit (actor, action, user_id, details)
select 'assistant', 'memory.read', user_id, jsonb_build_object('token', id::text, 'reason', name) from noted;

-- name: assistant_of_token
select * from public.memory_assistant_tokens
where hash = %(hash)s and revoked_at is null and expires_at > clock_timestamp();

-- name: count_assistant_tokens
select count(*) as tokens from public.memory_assistant_tokens
where user_id = %(user_id)s and revoked_at is null and expires_at > clock_timestamp();

-- name: create_assistant_token
insert into public.memory_assistant_tokens (user_id, name, scopes, hash, expires_at)
values (%(user_id)s, %(label)s, %(scopes)s, %(hash)s, clock_timestamp() + make_interval(days => %(days)s::integer))
returning *;

-- name: list_assistant_tokens
select * from public.memory_assistant_tokens
where user_id = %(user_id)s and least(revoked_at, expires_at) > clock_timestamp() - interval '90 days'
order by created_at desc, id limit 200;

-- name: read_assistant_token
select * from public.memory_assistant_tokens where user_id = %(user_id)s and id = %(id)s;

-- name: revoke_assistant_token
update public.memory_assistant_tokens set revoked_at = clock_timestamp()
where user_id = %(user_id)s and id = %(id)s and revoked_at is null returning *;

-- name: drop_assistant_tokens
-- Their proposals go with them.
delete from public.memory_assistant_tokens where user_id = %(user_id)s;

-- name: make_proposal
insert into public.memory_proposals as p (user_id, token_id, verdict, statement, until)
values (%(user_id)s, %(token_id)s, %(verdict)s, %(statement)s, %(until)s)
on conflict (user_id, verdict, statement) do update set until = excluded.until
returning *;

-- name: list_proposals
select p.*, t.name from public.memory_proposals p join public.memory_assistant_tokens t on t.id = p.token_id
where p.user_id = %(user_id)s and p.proposed_at > clock_timestamp() - interval '30 days'
order by p.proposed_at desc, p.id;

-- name: take_proposal
delete from public.memory_proposals
where user_id = %(user_id)s and id = %(id)s and proposed_at > clock_timestamp() - interval '30 days' returning *;

-- name: drop_old_proposals
delete from public.memory_proposals
where user_id = %(user_id)s and proposed_at <= clock_timestamp() - interval '30 days';

-- name: drop_proposals_of_token
delete from public.memory_proposals where user_id = %(user_id)s and token_id = %(token_id)s;

-- name: access_log
select id, at, actor, action, details ->> 'reason' as reason from public.memory_audit
where user_id = %(user_id)s::uuid and (%(after)s::bigint is null or id < %(after)s::bigint)
order by id desc limit %(limit)s;

-- name: make_correction
-- A run looks anew for what it speaks of: nothing of an earlier, undone one is taken over.
insert into public.memory_corrections (user_id, verdict, statement, job_id, claim, person, other, until, made_by)
values (%(user_id)s, %(verdict)s, %(statement)s, %(job_id)s, %(claim)s, %(person)s, %(other)s, %(until)s, %(by)s)
returning *;

-- name: same_correction
select * from public.memory_corrections
where user_id = %(user_id)s and verdict = %(verdict)s and undone_at is null
  and statement is not distinct from %(statement)s::text and job_id is not distinct from %(job_id)s::uuid
  and claim is not distinct from %(claim)s::integer and person is not distinct from %(person)s::bytea
  and other is not distinct from %(other)s::bytea;

-- name: undo_persons
update public.memory_corrections set undone_at = clock_timestamp(), undone_by = %(by)s
where user_id = %(user_id)s and verdict = %(verdict)s and undone_at is null
  and person = %(person)s and other = %(other)s;

-- name: undo_correction
update public.memory_corrections set undone_at = clock_timestamp(), undone_by = %(by)s
where user_id = %(user_id)s and id = %(id)s and undone_at is null returning *;

-- name: read_correction
select * from public.memory_corrections where user_id = %(user_id)s and id = %(id)s;

-- name: list_corrections
select * from public.memory_corrections where user_id = %(user_id)s order by made_at desc, id limit %(limit)s;

-- name: count_corrections
select count(*) as corrections from public.memory_corrections where user_id = %(user_id)s and undone_at is null;

-- name: standing_corrections
select * from public.memory_corrections
where user_id = %(user_id)s and undone_at is null order by made_at, id limit %(limit)s;

-- name: correction_places
select p.correction_id, encode(p.record, 'hex') as record,
  array(select encode(m, 'hex') from unnest(p.marks) m) as marks
from public.memory_correction_places p join public.memory_corrections c on c.id = p.correction_id
where p.user_id = %(user_id)s and c.undone_at is null order by p.correction_id, p.record;

-- name: place_correction
update public.memory_corrections set placed_at = clock_timestamp(), about = %(about)s
where user_id = %(user_id)s and id = %(id)s and placed_at is null returning id;

-- name: add_correction_place
insert into public.memory_correction_places (correction_id, user_id, record, marks)
values (%(id)s, %(user_id)s, %(record)s, %(marks)s) on conflict do nothing;

-- name: drop_correction_places
-- What rests on purged records. A correction goes with the last record that it rested on.
with gone as (
  delete from public.memory_correction_places p using public.memory_erasures e
  where p.user_id = %(user_id)s and e.user_id = p.user_id and e.key = decode(%(key)s, 'hex')
    and p.record in (select decode(h, 'hex') from unnest(%(hashes)s::text[]) h)
  returning p.correction_id, p.record)
delete from public.memory_corrections c
where c.id in (select correction_id from gone) and not exists (
  select from public.memory_correction_places p
  where p.correction_id = c.id and (p.correction_id, p.record) not in (select correction_id, record from gone));

-- name: drop_corrections
delete from public.memory_corrections where user_id = %(user_id)s;

-- name: hidden_records
-- Purged lately, or ordered to be forgotten and not purged yet, however long that takes.
select encode(hash, 'hex') as hash from public.memory_suppressions
where user_id = %(user_id)s and key = decode(%(key)s, 'hex') and created_at > clock_timestamp() - interval '30 days'
union
select encode(r.record, 'hex') from public.memory_order_records r join public.memory_orders o on o.id = r.order_id
where r.user_id = %(user_id)s and o.ordered_at is not null and o.done_at is null
order by hash;

-- name: rules_of
select r.source_key, r.record_id, r.changed_at, s.off_at is not null and s.off_at >= r.changed_at as off
from memory_private.rules_of(%(user_id)s) r left join public.memory_rule_switches s
  on s.user_id = %(user_id)s and s.source_key = r.source_key and s.record_id = r.record_id
order by r.source_key, r.record_id;

-- name: has_rule
select exists (select from memory_private.rules_of(%(user_id)s) r
  where r.source_key = %(source_key)s and r.record_id = %(record_id)s) as known;

-- name: switch_rule_off
insert into public.memory_rule_switches (user_id, source_key, record_id)
values (%(user_id)s, %(source_key)s, %(record_id)s)
on conflict (user_id, source_key, record_id) do update set off_at = clock_timestamp();

-- name: switch_rule_on
delete from public.memory_rule_switches
where user_id = %(user_id)s and source_key = %(source_key)s and record_id = %(record_id)s;

-- name: exclusions_of
select id, kind, source_key, array(select encode(p, 'hex') from unnest(parts) p) as parts, made_at
from public.memory_exclusions where user_id = %(user_id)s and ended_at is null order by made_at desc, id limit 200;

-- name: make_exclusion
-- The same twice is one.
insert into public.memory_exclusions (user_id, kind, source_key, parts)
select %(user_id)s, %(kind)s, %(source_key)s, %(parts)s::bytea[]
where not exists (select from public.memory_exclusions where user_id = %(user_id)s and ended_at is null
  and kind = %(kind)s and source_key is not distinct from %(source_key)s::text and parts = %(parts)s::bytea[]);

-- name: end_exclusion
update public.memory_exclusions set ended_at = coalesce(ended_at, clock_timestamp())
where user_id = %(user_id)s and id = %(id)s returning id;

-- name: forget_shown
-- Lists that nobody confirmed in time; their records go with them.
delete from public.memory_orders
where user_id = %(user_id)s and ordered_at is null and token_until < clock_timestamp();

-- name: show_forget
insert into public.memory_orders (user_id, kind, token, token_until, selection, head_seq)
values (%(user_id)s, 'forget', %(token)s, clock_timestamp() + make_interval(secs => %(life_s)s), %(selection)s,
  %(head_seq)s)
returning id, token_until;

-- name: add_order_records
insert into public.memory_order_records (order_id, user_id, record)
select %(order_id)s, %(user_id)s, decode(h, 'hex') from unnest(%(hashes)s::text[]) h on conflict do nothing;

-- name: lock_shown
select *, token_until < clock_timestamp() as expired from public.memory_orders
where user_id = %(user_id)s and token = %(token)s for update;

-- name: order_records
select encode(record, 'hex') as hash from public.memory_order_records where order_id = %(order_id)s order by record;

-- name: keep_chosen
delete from public.memory_order_records
where order_id = %(order_id)s and record not in (select decode(h, 'hex') from unnest(%(hashes)s::text[]) h);

-- name: order_forget
update public.memory_orders set ordered_at = clock_timestamp(), records = %(records)s where id = %(id)s returning *;

-- name: open_export
select * from public.memory_orders
where user_id = %(user_id)s and kind = 'export' and done_at is null order by ordered_at limit 1;

-- name: order_export
insert into public.memory_orders (user_id, kind, ordered_at) values (%(user_id)s, 'export', clock_timestamp())
returning *;

-- name: orders_of
select * from public.memory_orders where user_id = %(user_id)s and ordered_at is not null
  and (%(id)s::uuid is null or id = %(id)s::uuid)
order by ordered_at desc, id limit 50;

-- name: due_orders
-- After a try that failed or died, the next waits twice as long, at most an hour.
select user_id from public.memory_orders
where ordered_at is not null and closed_at is null
  and (done_at is null
    or kind = 'forget' and done_at <= clock_timestamp() - make_interval(secs => %(sweep_s)s)
    or kind = 'export' and done_at <= clock_timestamp() - make_interval(secs => %(export_s)s))
  and (tried_at is null
    or tried_at <= clock_timestamp() - least(interval '1 hour', interval '30 seconds' * (2 ^ least(tries, 7))))
group by user_id order by min(ordered_at) limit %(limit)s;

-- name: next_order
select *, case
  when kind = 'forget' and done_at is null then 'purge'
  when kind = 'forget' then 'sweep'
  when done_at is null then 'export' else 'expire' end as step
from public.memory_orders
where user_id = %(user_id)s and ordered_at is not null and closed_at is null
  and (done_at is null
    or kind = 'forget' and done_at <= clock_timestamp() - make_interval(secs => %(sweep_s)s)
    or kind = 'export' and done_at <= clock_timestamp() - make_interval(secs => %(export_s)s))
  and (tried_at is null
    or tried_at <= clock_timestamp() - least(interval '1 hour', interval '30 seconds' * (2 ^ least(tries, 7))))
-- Nothing that waits to be forgotten goes into an export.
order by (kind = 'forget' and done_at is null) desc, ordered_at, id limit 1 for update;

-- name: begin_order
update public.memory_orders set begun_at = coalesce(begun_at, clock_timestamp()), tried_at = clock_timestamp(),
  tries = tries + 1
where id = %(id)s returning *;

-- name: lock_order
select * from public.memory_orders where user_id = %(user_id)s and id = %(id)s and ordered_at is not null for update;

-- name: finish_order
update public.memory_orders set done_at = clock_timestamp(), result = %(result)s, failure = null, tries = 0,
  tried_at = null
where id = %(id)s returning *;

-- name: close_order
update public.memory_orders set closed_at = clock_timestamp(), result = %(result)s, failure = null where id = %(id)s
returning *;

-- name: fail_order
update public.memory_orders set failure = %(failure)s where id = %(id)s returning *;

-- name: drop_order_records
delete from public.memory_order_records where order_id = %(order_id)s;
