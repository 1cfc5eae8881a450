-- The database of release 470a19c, with a job in each state that a deployment can meet. Synthetic data only.
--
-- How it was made: that release's embedded stack (control plane, publisher, consumer, Cloud Run double) ran from a
-- checkout of 470a19c over a new database, which its own migrations 0001 to 0015 had set up. Four users were enabled
-- through its API and jobs inserted as the app does:
--   a  a forced backfill and an hourly digest, both completed (flag `synthesis` off, which keeps the agent's database of
--      half a megabyte out of the bucket); a further digest ran in `index` when the consumer got SIGKILL
--   b  a backfill that failed, evidence_insufficient, with its dead letter
--   c  a digest inserted when the publisher was dead: queued, its outbox row unsent
--   d  a forced backfill whose execution was launched and got SIGKILL before it began: the row is queued, the ledger too
-- Then: pg_dump --data-only --column-inserts --rows-per-insert=200 --no-comments (18.4), less comments, SET lines and
-- empty tables. `memory_migrations.applied` holds the digests of the files that had run, so a changed one is refused.
-- `bucket.jsonl.zst` beside this file is the bucket at the same moment, one object a line; `ed25519-*.pub` is the public
-- key that its commits were signed with.
--
-- To load it: tests/stored_database.py. Triggers have to be off, as the rows that they made are here already.

INSERT INTO auth.users (id, email, encrypted_password, confirmation_token, recovery_token, raw_app_meta_data, raw_user_meta_data, created_at, updated_at) VALUES
	('aaaaaaaa-0000-4000-8000-000000000470', 'a@greenhouse.example', NULL, NULL, NULL, '{}', '{}', '2026-11-28 18:12:22.812575+00', '2026-11-28 18:12:22.812575+00'),
	('bbbbbbbb-0000-4000-8000-000000000470', 'b@greenhouse.example', NULL, NULL, NULL, '{}', '{}', '2026-11-28 18:12:22.999673+00', '2026-11-28 18:12:22.999673+00'),
	('cccccccc-0000-4000-8000-000000000470', 'c@greenhouse.example', NULL, NULL, NULL, '{}', '{}', '2026-11-28 18:12:23.081594+00', '2026-11-28 18:12:23.081594+00'),
	('dddddddd-0000-4000-8000-000000000470', 'd@greenhouse.example', NULL, NULL, NULL, '{}', '{}', '2026-11-28 18:12:23.246602+00', '2026-11-28 18:12:23.246602+00');

INSERT INTO memory_migrations.applied (name, sha256, applied_at) VALUES
	('0001_pre_control_plane.sql', 'bf49a1b0b7a21c9be12ff927cd2e4b83b9e47b2699d29e1ff04794828d21d529', '2026-11-28 18:12:17.618454+00'),
	('0002_pre_outbox.sql', 'ac81fddb5f342f1bd39c1b1baa6d188ed33ca48fb4f6edd533dceb6def7a52b3', '2026-11-28 18:12:17.972519+00'),
	('0003_pre_tombstones.sql', 'df0747766e26d6afc57716518aa9e8347447f4ccef5ac1f03b5fd68b5bf6ff9e', '2026-11-28 18:12:18.115896+00'),
	('0004_pre_export.sql', '05efff3a6c75d29e673c4b2f0c36899d03c72ca1e220e57c43057f50325cc016', '2026-11-28 18:12:18.200679+00'),
	('0005_post_export_indexes.sql', '82230d91d26993b6254d3a4a22cbbd584e52310c8db66d23a51b1a1a6c87fc89', '2026-11-28 18:12:19.186906+00'),
	('0006_pre_news.sql', '0640e76bd5b2a1f424e04d8b356e2198ac3aae78d4d0d98badac2fcf384c10d3', '2026-11-28 18:12:19.191871+00'),
	('0007_pre_traceparent.sql', 'dc26aa8b65011fefc3c35f329e79aade515b4146bdf92a3b96ef7c0af2710e4d', '2026-11-28 18:12:19.210431+00'),
	('0008_pre_flags.sql', '3b5f2ae71ef6a0df0855bca51087edb49b474c78e8f1cd9d6a8427d3a7773d47', '2026-11-28 18:12:19.215369+00'),
	('0009_pre_forced.sql', 'baf229d229c43f20e80eae40200310dbf6cff4886e3c4af925e8e258b39b05d9', '2026-11-28 18:12:19.288005+00'),
	('0010_pre_upkeep.sql', '96ff179938ac876f76c457154156d1f417f1687e8c0a677c6894a28cb601ab48', '2026-11-28 18:12:19.306492+00'),
	('0011_post_upkeep_indexes.sql', 'b06639bc464bfa9bed4c19e16fd3a3a2cc648e37e7d76636884c24a92683ab13', '2026-11-28 18:12:19.351003+00'),
	('0012_pre_signup.sql', '58ad214861671060cb441b959af4b84356eaebc0b14c8a2b3f1c7d6757fa24ba', '2026-11-28 18:12:19.354772+00'),
	('0013_pre_rendering.sql', 'f9f5a4cb2495e504f4681f320ef7bad7d875691418ce001d57aaf2cc6e3827d1', '2026-11-28 18:12:19.379849+00'),
	('0014_post_unhappy_jobs.sql', '55c7e2f06e2afa3cd2b63264accae25860255f9af703bb3f275d25fcd389ff1c', '2026-11-28 18:12:19.414799+00'),
	('0015_post_console.sql', '794b348acdc4061bdca36061cdba63b5659e23ebe33dd8a007fab1909ab35ec8', '2026-11-28 18:12:19.462811+00');

INSERT INTO memory_private.seal (only_row, key) VALUES
	(true, '\x6347ec8f73294767c944f4208cb98c7eb5f66292fb84af7c05be9eda507be94b');

INSERT INTO public.checklist_items (id, user_id, checklist_id, container_id, title, description, reasoning, source, source_ref, people, project, priority, due_at, checked, checked_at, dismissed, dismissed_at, dismissed_reason, embedding_cache, created_at, updated_at) VALUES
	('2e3d4a03-7a22-4ec2-bdda-87b9704a909f', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 0', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-28 18:12:22.844011+00', '2026-11-28 18:12:22.844011+00'),
	('f9fbd996-7cef-42db-b447-f9a166135616', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 1', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-27 18:12:22.862964+00', '2026-11-27 18:12:22.862964+00'),
	('4038727f-7c19-40de-8e43-64b7cbe7ec71', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 2', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-26 18:12:22.881632+00', '2026-11-26 18:12:22.881632+00'),
	('41149481-5ca1-4c6e-a924-4652acb9c563', 'cccccccc-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 0', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-28 18:12:23.119909+00', '2026-11-28 18:12:23.119909+00'),
	('76b8bc17-3b15-45cb-b61c-c2a5bfd8f9d6', 'cccccccc-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 1', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-27 18:12:23.143368+00', '2026-11-27 18:12:23.143368+00'),
	('292e789d-2fb2-4718-a91f-00496e12cd82', 'cccccccc-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 2', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-26 18:12:23.165796+00', '2026-11-26 18:12:23.165796+00'),
	('f724dfb4-8ee0-46cc-8397-c4b1573138cb', 'cccccccc-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 3', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-25 18:12:23.189342+00', '2026-11-25 18:12:23.189342+00'),
	('e7e9530a-e19c-44ef-9103-ff3e71a3b837', 'dddddddd-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 0', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-28 18:12:23.277457+00', '2026-11-28 18:12:23.277457+00'),
	('18545aef-fe93-4d15-b123-e1fd8ef04339', 'dddddddd-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 1', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-27 18:12:23.289234+00', '2026-11-27 18:12:23.289234+00'),
	('38c7b151-7f40-441e-8890-dcaefd0b1ddb', 'dddddddd-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 2', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-26 18:12:23.306457+00', '2026-11-26 18:12:23.306457+00'),
	('357355ca-d919-42c8-9ad0-b60c34805acf', 'dddddddd-0000-4000-8000-000000000470', NULL, NULL, 'Water the lemon tree, round 3', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-25 18:12:23.326468+00', '2026-11-25 18:12:23.326468+00'),
	('9af67849-1a8b-4d18-a2c7-d2c8f7178294', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, NULL, 'Order seed potatoes', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-28 18:12:32.818468+00', '2026-11-28 18:12:32.818468+00'),
	('a32d3924-7423-4bb1-bbce-2a3f7aa2233a', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, NULL, 'Repair the greenhouse door', NULL, NULL, NULL, NULL, '[]', NULL, NULL, NULL, false, NULL, false, NULL, NULL, NULL, '2026-11-28 18:12:33.733873+00', '2026-11-28 18:12:33.733873+00');

INSERT INTO public.meeting_notes (id, user_id, calendar_event_id, title, meeting_started_at, attendees, note_text, note_json, source_ref, created_at, updated_at) VALUES
	('025a3b09-34c5-4099-b74e-0c35f1422ee1', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, 'Greenhouse budget', NULL, '[]', 'We agreed on 1,200 euros for the greenhouse until 12 March.', NULL, NULL, '2026-11-25 18:12:22.924004+00', '2026-11-25 18:12:22.924004+00'),
	('a79cfabd-3f0a-45d0-9fab-2a67ed28d4df', 'cccccccc-0000-4000-8000-000000000470', NULL, 'Greenhouse budget', NULL, '[]', 'We agreed on 1,200 euros for the greenhouse until 12 March.', NULL, NULL, '2026-11-25 18:12:23.212008+00', '2026-11-25 18:12:23.212008+00'),
	('42d28c64-4b3a-4b53-bfd1-12f78ac2cffd', 'dddddddd-0000-4000-8000-000000000470', NULL, 'Greenhouse budget', NULL, '[]', 'We agreed on 1,200 euros for the greenhouse until 12 March.', NULL, NULL, '2026-11-25 18:12:23.346925+00', '2026-11-25 18:12:23.346925+00');

INSERT INTO public.memory_workspaces (id, user_id, workspace_uri, runtime_profile, template_version, status, last_backfill_at, last_digest_at, last_insight_at, created_at, updated_at, verify_period) VALUES
	('593aef96-abac-4385-9cf2-e94966b2e8c0', 'bbbbbbbb-0000-4000-8000-000000000470', 'gs://cloop-memory-workspaces/users/bbbbbbbb-0000-4000-8000-000000000470/', 'internal-full', 'v1', 'enabled', NULL, NULL, NULL, '2026-11-28 18:12:23.044535+00', '2026-11-28 18:12:23.044535+00', NULL),
	('22573a42-0da7-4c14-a748-0650399d21c8', 'cccccccc-0000-4000-8000-000000000470', 'gs://cloop-memory-workspaces/users/cccccccc-0000-4000-8000-000000000470/', 'internal-full', 'v1', 'enabled', NULL, NULL, NULL, '2026-11-28 18:12:23.226549+00', '2026-11-28 18:12:23.226549+00', NULL),
	('724b74d7-09b9-4fd4-9dc2-e46c5dce4b62', 'dddddddd-0000-4000-8000-000000000470', 'gs://cloop-memory-workspaces/users/dddddddd-0000-4000-8000-000000000470/', 'internal-full', 'v1', 'enabled', NULL, NULL, NULL, '2026-11-28 18:12:23.36435+00', '2026-11-28 18:12:23.36435+00', NULL),
	('7540b572-bba1-4332-b85c-0b45cf00b5bd', 'aaaaaaaa-0000-4000-8000-000000000470', 'gs://cloop-memory-workspaces/users/aaaaaaaa-0000-4000-8000-000000000470/', 'internal-full', 'v1', 'enabled', '2026-11-28 18:12:27.383081+00', '2026-11-28 18:12:32.973718+00', NULL, '2026-11-28 18:12:22.96574+00', '2026-11-28 18:12:33.602684+00', NULL);

INSERT INTO public.memory_jobs (id, user_id, workspace_id, job_type, runtime_profile, template_version, period, status, substate, attempt, owner, triggered_by, requested_at, published_at, started_at, heartbeat_at, retry_at, finished_at, stage, progress, cancel_requested_at, cancel_reason, replay_id, from_stage, replay_reason, rerun_of, traceparent, outcome, commit_seq, commit_digest, report_uri, source_counts, output_counts, usage, error_summary, created_at, updated_at, forced, force_render) VALUES
	('959d8172-6cb0-4e18-9919-63a997137063', 'aaaaaaaa-0000-4000-8000-000000000470', '7540b572-bba1-4332-b85c-0b45cf00b5bd', 'backfill_digest', 'internal-full', 'v1', NULL, 'completed', NULL, 1, '5619bd9272c138da13390e334c7c0db3', 'app', '2026-11-28 18:12:23.414432+00', '2026-11-28 18:12:23.480137+00', '2026-11-28 18:12:27.383081+00', '2026-11-28 18:12:28.312384+00', NULL, '2026-11-28 18:12:28.312385+00', 'persist', '{"counts": {"deleted": 0, "records": 6, "pages_total": 10, "pages_changed": 10, "pages_indexed": 10, "pages_removed": 0, "pages_skipped": 0, "citations_total": 7, "citations_resolved": 7}}', NULL, NULL, NULL, NULL, NULL, NULL, '00-79a9392ff6794c4d9ec9fc61189740c3-012d4e9ff3d44a9b-01', 'completed', 1, '669fcdb2319db807cde14c0571e8d6e30a8071ec72dc436725e93b0a360fee15', 'gs://cloop-memory-workspaces/users/aaaaaaaa-0000-4000-8000-000000000470/published/000000000001/brain/reports/backfill/2026-11-28__959d8172-6cb0-4e18-9919-63a997137063.md', '{"contacts": 0, "feedback": 0, "briefings": 0, "checklists": 0, "user_rules": 0, "connections": 0, "delivery_log": 0, "chat_sessions": 0, "meeting_notes": 1, "user_profiles": 1, "agentic_drafts": 0, "event_contacts": 0, "message_events": 0, "activity_events": 0, "checklist_items": 4, "inbound_messages": 0, "user_preferences": 0, "outbound_messages": 0, "heartbeat_poll_log": 0, "granola_transcripts": 0, "checklist_action_log": 0, "checklist_containers": 0, "digest_subscriptions": 0}', '{"deleted": 0, "records": 6, "pages_total": 10, "pages_changed": 10, "pages_indexed": 10, "pages_removed": 0, "pages_skipped": 0, "citations_total": 7, "citations_resolved": 7}', '{"cost_usd": 0.0, "requests": 0, "input_tokens": 0, "output_tokens": 0}', NULL, '2026-11-28 18:12:23.414432+00', '2026-11-28 18:12:28.312462+00', true, false),
	('74586e3f-5acd-44e3-86da-64c071de2489', 'bbbbbbbb-0000-4000-8000-000000000470', '593aef96-abac-4385-9cf2-e94966b2e8c0', 'backfill_digest', 'internal-full', 'v1', NULL, 'failed', NULL, 1, '3b0adf0f0551fea3b88f681b614b8a41', 'app', '2026-11-28 18:12:28.336524+00', '2026-11-28 18:12:28.382429+00', '2026-11-28 18:12:32.043011+00', '2026-11-28 18:12:32.755926+00', NULL, '2026-11-28 18:12:32.755926+00', 'export', '{"counts": {}}', NULL, NULL, NULL, NULL, NULL, NULL, '00-8e31c0616d954112a2e193811ba5b256-eee8600c0cf9430d-01', 'failed', NULL, NULL, NULL, '{}', '{}', '{"cost_usd": 0.0, "requests": 0, "input_tokens": 0, "output_tokens": 0}', '{"code": "evidence_insufficient", "hint": "The message names the thin sources (has/wanted): fill them and replay, or submit a backfill with --force.", "stage": "export"}', '2026-11-28 18:12:28.336524+00', '2026-11-28 18:12:32.756022+00', false, false),
	('c168f3db-9f8b-4bfb-8b54-b7bfea854fb8', 'aaaaaaaa-0000-4000-8000-000000000470', '7540b572-bba1-4332-b85c-0b45cf00b5bd', 'hourly_digest', 'internal-full', 'v1', '2026-11-28T10', 'completed', NULL, 1, 'c933f2d9d984eba97272a6e7a2541a78', 'app', '2026-11-28 18:12:32.842457+00', '2026-11-28 18:12:32.890669+00', '2026-11-28 18:12:32.973718+00', '2026-11-28 18:12:33.601053+00', NULL, '2026-11-28 18:12:33.601053+00', 'persist', '{"counts": {"deleted": 1, "records": 1, "pages_total": 8, "pages_changed": 2, "pages_indexed": 5, "pages_removed": 2, "pages_skipped": 0, "citations_total": 5, "citations_resolved": 5}}', NULL, NULL, NULL, NULL, NULL, NULL, '00-15c9162d31a14e558b0da32690e1ee3e-a194bd5b44ae4c26-01', 'completed', 2, 'b1d6fbc1acf64560f752f697f5bac7dcb6435bd2ef27bd01686f0db7b7cd5e20', 'gs://cloop-memory-workspaces/users/aaaaaaaa-0000-4000-8000-000000000470/published/000000000002/brain/reports/digest/2026-11-28T10__c168f3db-9f8b-4bfb-8b54-b7bfea854fb8.md', '{"contacts": 0, "feedback": 0, "briefings": 0, "checklists": 0, "user_rules": 0, "connections": 0, "delivery_log": 0, "chat_sessions": 0, "meeting_notes": 0, "user_profiles": 0, "agentic_drafts": 0, "event_contacts": 0, "message_events": 0, "activity_events": 0, "checklist_items": 1, "inbound_messages": 0, "user_preferences": 0, "outbound_messages": 0, "heartbeat_poll_log": 0, "granola_transcripts": 0, "checklist_action_log": 0, "checklist_containers": 0, "digest_subscriptions": 0}', '{"deleted": 1, "records": 1, "pages_total": 8, "pages_changed": 2, "pages_indexed": 5, "pages_removed": 2, "pages_skipped": 0, "citations_total": 5, "citations_resolved": 5}', '{"cost_usd": 0.0, "requests": 0, "input_tokens": 0, "output_tokens": 0}', NULL, '2026-11-28 18:12:32.842457+00', '2026-11-28 18:12:33.601128+00', false, false),
	('5fcd7fe2-ce3e-4da7-9899-9bfc69f2b095', 'dddddddd-0000-4000-8000-000000000470', '724b74d7-09b9-4fd4-9dc2-e46c5dce4b62', 'backfill_digest', 'internal-full', 'v1', NULL, 'queued', NULL, 0, NULL, 'app', '2026-11-28 18:12:33.622842+00', '2026-11-28 18:12:33.661458+00', NULL, NULL, NULL, NULL, NULL, '{}', NULL, NULL, NULL, NULL, NULL, NULL, '00-450abec3961045ac9401e6f2db406b05-7b32af135bc04ef9-01', NULL, NULL, NULL, NULL, '{}', '{}', '{}', NULL, '2026-11-28 18:12:33.622842+00', '2026-11-28 18:12:33.661528+00', true, false),
	('8684a902-9e48-4ce3-9aa3-a74631c94fea', 'aaaaaaaa-0000-4000-8000-000000000470', '7540b572-bba1-4332-b85c-0b45cf00b5bd', 'hourly_digest', 'internal-full', 'v1', '2026-11-28T11', 'running', NULL, 1, '4b7063dc384eca732b5bf635868b75a6', 'app', '2026-11-28 18:12:33.758464+00', '2026-11-28 18:12:33.794875+00', '2026-11-28 18:12:33.819812+00', '2026-11-28 18:12:34.150001+00', NULL, NULL, 'index', '{"counts": {"deleted": 0, "records": 1, "pages_total": 8, "pages_changed": 2, "pages_removed": 0}}', NULL, NULL, NULL, NULL, NULL, NULL, '00-46ef6035fd694701bdb5bd02cc813398-2277ad6b764d4551-01', NULL, NULL, NULL, NULL, '{}', '{}', '{}', NULL, '2026-11-28 18:12:33.758464+00', '2026-11-28 18:12:34.150101+00', false, false),
	('2ef5a5c3-1d51-4099-8419-c7c153dac630', 'cccccccc-0000-4000-8000-000000000470', '22573a42-0da7-4c14-a748-0650399d21c8', 'hourly_digest', 'internal-full', 'v1', '2026-11-28T11', 'queued', NULL, 0, NULL, 'app', '2026-11-28 18:12:34.365883+00', NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, NULL, NULL, NULL, NULL, NULL, '00-43c4459707ad4c1ebfeef292b61ffb77-2b660f5bd72f4767-01', NULL, NULL, NULL, NULL, '{}', '{}', '{}', NULL, '2026-11-28 18:12:34.365883+00', '2026-11-28 18:12:34.365883+00', false, false);

INSERT INTO public.memory_artifacts (id, user_id, job_id, artifact_type, workspace_path, summary, metadata, created_at) VALUES
	('ff6f5303-17bd-4336-b755-e13fc44c24f9', 'aaaaaaaa-0000-4000-8000-000000000470', '959d8172-6cb0-4e18-9919-63a997137063', 'raw_export_manifest', 'runtime/exports/backfill/959d8172-6cb0-4e18-9919-63a997137063/manifest.json', '6 records and 0 deletions in 3 files', '{}', '2026-11-28 18:12:28.310442+00'),
	('0a4238be-6f34-41fd-b606-3e0b6aece5ea', 'aaaaaaaa-0000-4000-8000-000000000470', '959d8172-6cb0-4e18-9919-63a997137063', 'backfill_report', 'brain/reports/backfill/2026-11-28__959d8172-6cb0-4e18-9919-63a997137063.md', '6 new, 0 changed, 0 removed pages; 4 open loops; 0 contradictions; 7 citations, all resolved; synthesis is switched off.', '{"json": "runtime/reports/backfill/959d8172-6cb0-4e18-9919-63a997137063.json", "claims": 0, "citations_total": 7, "citations_resolved": 7}', '2026-11-28 18:12:28.310442+00'),
	('69f01dee-8193-4960-9819-1839bcd9ba87', 'aaaaaaaa-0000-4000-8000-000000000470', 'c168f3db-9f8b-4bfb-8b54-b7bfea854fb8', 'raw_export_manifest', 'runtime/exports/hourly/c168f3db-9f8b-4bfb-8b54-b7bfea854fb8/manifest.json', '1 records and 1 deletions in 1 files', '{}', '2026-11-28 18:12:33.599395+00'),
	('205d47b6-913e-465a-9a9f-20560c60d363', 'aaaaaaaa-0000-4000-8000-000000000470', 'c168f3db-9f8b-4bfb-8b54-b7bfea854fb8', 'digest_report', 'brain/reports/digest/2026-11-28T10__c168f3db-9f8b-4bfb-8b54-b7bfea854fb8.md', '0 new, 1 changed, 1 removed pages; 4 open loops; 0 contradictions; 5 citations, all resolved; synthesis is switched off.', '{"json": "runtime/reports/digest/c168f3db-9f8b-4bfb-8b54-b7bfea854fb8.json", "claims": 0, "citations_total": 5, "citations_resolved": 5}', '2026-11-28 18:12:33.599395+00');

INSERT INTO public.memory_audit (id, at, actor, action, user_id, job_id, details) OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-28 18:12:22.96574+00', 'operator@clo0p.test', 'user.enable', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, '{"profile": "internal-full"}'),
	(2, '2026-11-28 18:12:23.044535+00', 'operator@clo0p.test', 'user.enable', 'bbbbbbbb-0000-4000-8000-000000000470', NULL, '{"profile": "internal-full"}'),
	(3, '2026-11-28 18:12:23.226549+00', 'operator@clo0p.test', 'user.enable', 'cccccccc-0000-4000-8000-000000000470', NULL, '{"profile": "internal-full"}'),
	(4, '2026-11-28 18:12:23.36435+00', 'operator@clo0p.test', 'user.enable', 'dddddddd-0000-4000-8000-000000000470', NULL, '{"profile": "internal-full"}'),
	(5, '2026-11-28 18:12:23.38247+00', 'operator@clo0p.test', 'flag.set', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, '{"name": "synthesis", "scope": "user", "value": false, "reason": "the agent rests for a week", "target": "aaaaaaaa-0000-4000-8000-000000000470"}');

INSERT INTO public.memory_flags (name, scope, target, value, reason, set_by, set_at) VALUES
	('synthesis', 'user', 'aaaaaaaa-0000-4000-8000-000000000470', false, 'the agent rests for a week', 'operator@clo0p.test', '2026-11-28 18:12:23.384444+00');

INSERT INTO public.memory_job_tokens (jti_digest, job_id, attempt, may_export, expires_at) VALUES
	('\xf9975c3bc5ce06f4d7e8347b8a3f22f62b412df1f21f7cd92d7d62f9610c660d', '959d8172-6cb0-4e18-9919-63a997137063', 1, true, '2026-11-28 18:27:57.379641+00'),
	('\x2c043461b302a254c200d069201ce58d1409643975033bce00db040de12af9ac', '74586e3f-5acd-44e3-86da-64c071de2489', 1, true, '2026-11-28 18:28:02.037438+00'),
	('\x5a49f15b63c05aed3e75176d54e9ec492cbf26d5b6cf80205661bfd10ea1a67c', 'c168f3db-9f8b-4bfb-8b54-b7bfea854fb8', 1, true, '2026-11-28 18:28:02.967267+00'),
	('\x08a68d0d7f524c3dc10fd39495c0c5d0d560967046d231fd95fff5cd3517f88b', '8684a902-9e48-4ce3-9aa3-a74631c94fea', 1, true, '2026-11-28 18:28:03.814686+00');

INSERT INTO public.memory_outbox (id, job_id, user_id, payload, created_at, published_at, message_id, attempts) OVERRIDING SYSTEM VALUE VALUES
	(1, '959d8172-6cb0-4e18-9919-63a997137063', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, '2026-11-28 18:12:23.414432+00', '2026-11-28 18:12:23.471844+00', '1795889535471378', 1),
	(2, '74586e3f-5acd-44e3-86da-64c071de2489', 'bbbbbbbb-0000-4000-8000-000000000470', NULL, '2026-11-28 18:12:28.336524+00', '2026-11-28 18:12:28.380367+00', '1795889535471379', 1),
	(3, 'c168f3db-9f8b-4bfb-8b54-b7bfea854fb8', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, '2026-11-28 18:12:32.842457+00', '2026-11-28 18:12:32.890118+00', '1795889535471381', 1),
	(4, '5fcd7fe2-ce3e-4da7-9899-9bfc69f2b095', 'dddddddd-0000-4000-8000-000000000470', NULL, '2026-11-28 18:12:33.622842+00', '2026-11-28 18:12:33.661038+00', '1795889535471382', 1),
	(5, '8684a902-9e48-4ce3-9aa3-a74631c94fea', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, '2026-11-28 18:12:33.758464+00', '2026-11-28 18:12:33.790061+00', '1795889535471383', 1),
	(6, '2ef5a5c3-1d51-4099-8419-c7c153dac630', 'cccccccc-0000-4000-8000-000000000470', NULL, '2026-11-28 18:12:34.365883+00', NULL, NULL, 0);

INSERT INTO public.memory_tombstones (source_key, record_id, user_id, parent_id, deleted_at) VALUES
	('checklist_items', '2a316292-d652-4a1b-94c7-8fc8e0d3ad75', 'aaaaaaaa-0000-4000-8000-000000000470', NULL, '2026-11-28 18:12:32.798926+00');

INSERT INTO public.user_profiles (user_id, display_name, email, timezone, user_md, onboarding_responses, preferences, phone_verification_code, stripe_customer_id, created_at, updated_at) VALUES
	('aaaaaaaa-0000-4000-8000-000000000470', 'Sam', NULL, 'Europe/Berlin', NULL, '{}', '{}', NULL, NULL, '2026-11-28 18:12:22.830453+00', '2026-11-28 18:12:22.830453+00'),
	('cccccccc-0000-4000-8000-000000000470', 'Sam', NULL, 'Europe/Berlin', NULL, '{}', '{}', NULL, NULL, '2026-11-28 18:12:23.103907+00', '2026-11-28 18:12:23.103907+00'),
	('dddddddd-0000-4000-8000-000000000470', 'Sam', NULL, 'Europe/Berlin', NULL, '{}', '{}', NULL, NULL, '2026-11-28 18:12:23.263796+00', '2026-11-28 18:12:23.263796+00');

SELECT pg_catalog.setval('public.memory_audit_id_seq', 5, true);

SELECT pg_catalog.setval('public.memory_outbox_id_seq', 6, true);
