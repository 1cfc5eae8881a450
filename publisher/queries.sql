-- Every statement of the publisher, by name. Needs the role memory_publisher (the outbox and job rows, nothing else).
-- Conditions that an index serves compare with statement_timestamp(): PostgreSQL looks up no clock_timestamp() in one.

-- name: try_lead
select pg_try_advisory_lock(%(lock)s) as leads;

-- name: bound_session
-- The server ends a session that says nothing, and with it the lead. No statement of a relay takes so long.
select set_config('idle_session_timeout', '10s', false), set_config('idle_in_transaction_session_timeout', '10s', false),
  set_config('statement_timeout', '10s', false);

-- name: beat
select 1 as alive;

-- name: listen
listen memory_outbox;

-- name: nudge
select pg_notify('memory_outbox', '');

-- name: waiting
-- In outbox order, each with its job as the row says now; a row locked by nobody, because one relay leads. While a user's
-- queue is paused, the rows of open jobs stay; a job that is to be cancelled goes out, since it only ends.
select o.id as outbox_id, j.id as job_id, j.user_id, j.workspace_id, j.job_type, j.runtime_profile, j.template_version,
  j.period, j.requested_at, j.from_stage, j.replay_id, j.replay_reason, j.traceparent, j.status
from public.memory_outbox o
join public.memory_jobs j on j.id = o.job_id
where o.published_at is null
  and (j.cancel_requested_at is not null or j.status not in ('queued', 'running')
    or not exists (select from public.memory_queue_pauses p
      where p.resumed_at is null and p.target in ('*', j.user_id::text)))
order by o.id
limit %(limit)s;

-- name: mark_published
update public.memory_outbox o set
  published_at = clock_timestamp(), message_id = done.message_id, attempts = o.attempts + 1
from unnest(%(outbox_ids)s::bigint[], %(message_ids)s::text[]) as done (id, message_id)
where o.id = done.id;

-- name: mark_jobs
-- Without those that another session holds: whoever waits for one of them would hold up all users. The outbox has the
-- time as well, and the statements below ask it.
update public.memory_jobs set published_at = clock_timestamp() where id in (
  select id from public.memory_jobs where id = any(%(job_ids)s::uuid[]) for no key update skip locked);

-- name: mark_failed
update public.memory_outbox set attempts = attempts + 1 where id = any(%(outbox_ids)s::bigint[]);

-- name: enqueue_due
-- A retry (or a job planned for later) whose time has come and that was not published since. The insert refers to the
-- job's row, so it would wait for a session that holds it: such a row waits alone, for the next poll.
insert into public.memory_outbox (job_id, user_id)
select j.id, j.user_id from public.memory_jobs j
where j.status in ('queued', 'running') and j.retry_at <= statement_timestamp()
  and (j.published_at is null or j.published_at < j.retry_at)
  and not exists (select from public.memory_outbox o
    where o.job_id = j.id and (o.published_at is null or o.published_at >= j.retry_at))
  and not exists (select from public.memory_queue_pauses p
    where p.resumed_at is null and p.target in ('*', j.user_id::text))
order by j.requested_at, j.id
limit %(limit)s
for key share of j skip locked;

-- name: enqueue_stale
-- Nobody is at work on it, and no message is on its way any more: whoever had it is dead, or the message was lost. The
-- second condition is the index's expression, and a job planned for later does not meet it. A running job is due when its heartbeat has been silent, a queued one
-- twenty times as long after its message; both wait twice as long after each further copy, up to 33 times: by then
-- Pub/Sub has given up a message that is refused. What no message carries is due like a running job.
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
order by j.requested_at, j.id
limit %(limit)s
for key share of j skip locked;

-- name: enqueue_missing
-- The row that a webhook named, if nothing ever carried it: a database without the outbox trigger.
insert into public.memory_outbox (job_id, user_id)
select j.id, j.user_id from public.memory_jobs j
where j.id = %(job_id)s and j.status = 'queued' and j.retry_at is null
  and not exists (select from public.memory_outbox o where o.job_id = j.id)
for key share of j skip locked;

-- name: is_visible
select exists (select from public.memory_jobs where id = %(job_id)s) as visible;
