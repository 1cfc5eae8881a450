BEGIN TRANSACTION;
CREATE TABLE files (id integer primary key, path text not null unique);
INSERT INTO "files" VALUES(1,'runtime/exports/backfill/22222222-2222-4222-8222-000000000001/activity_events.batch-000.jsonl');
INSERT INTO "files" VALUES(2,'runtime/exports/backfill/22222222-2222-4222-8222-000000000001/checklist_items.batch-000.jsonl');
INSERT INTO "files" VALUES(3,'runtime/exports/backfill/22222222-2222-4222-8222-000000000001/contacts.batch-000.jsonl');
INSERT INTO "files" VALUES(4,'runtime/exports/backfill/22222222-2222-4222-8222-000000000001/event_contacts.batch-000.jsonl');
CREATE TABLE groups (stem text primary key, checksum text not null, job_id text not null) without rowid;
INSERT INTO "groups" VALUES('daily/2026-03-01.md','sha256:bd80234023a06c534bfc8c1784c2a4fc739dca5aa3d87fec29e69c156657de6d','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('daily/2026-03-02.md','sha256:c4e1042972828960a795b81437912a9ea4cc7cf86ca76b8c0ee8d8d6506c8320','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('people/ann-lee-kifahmszrs3r.md','sha256:3ab7d165a2c7f8f4f42e2cb0b6dc71d4820b565ea503c77068ee92fa95b95385','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('projects/atlas-r22thxj7mede.md','sha256:dc7861b635ee8b1b3983c33ea5a1c7b541aeba6ef749f7ad7850d5e4cc01d8fa','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('sources/cloop/activity-events/2026-03-01-gmail','sha256:ea40abe8f6055d01eb0bb0694d652cbe19f4391dc03c8b9a3fadcc949e637dcc','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('sources/cloop/checklist-items/2026-03-01','sha256:d9ea0811068d872aba089f29b1f1adca85cef76f33f26b8375a3198b1630c8b9','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('sources/cloop/checklist-items/2026-03-02','sha256:50d7404ff6bb22e1ddd66793ea75c223ebaa5af5815a5665a6457947c9628fbe','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('sources/cloop/contacts/undated-ann-lee-f32p44hgtpyn','sha256:0ff4d1fc5595850606689e56fb18b1727831f8a8a41c1d380ea1ae8a3c38c41c','22222222-2222-4222-8222-000000000001');
INSERT INTO "groups" VALUES('sources/cloop/event-contacts/2026-w09','sha256:fe01a83081046e5e14f9769dba5633a46e4b41f5e71f80a3f7611daf84b6bcbe','22222222-2222-4222-8222-000000000001');
CREATE TABLE mentions (
  source text not null, record_id text not null, kind text not null, key text not null,
  name text not null, role text not null, facts text not null, own integer not null,
  occurred_at text not null default '', primary key (source, record_id, kind, key)) without rowid;
INSERT INTO "mentions" VALUES('checklist_items','a','person','ann lee','Ann Lee','open item','[]',1,'2026-03-01T09:00:00.000000Z');
INSERT INTO "mentions" VALUES('checklist_items','a','project','atlas','Atlas','open item','[]',1,'2026-03-01T09:00:00.000000Z');
INSERT INTO "mentions" VALUES('checklist_items','b','person','ann lee','Ann Lee','open item','[]',1,'2026-03-02T09:00:00.000000Z');
INSERT INTO "mentions" VALUES('contacts','k','person','ann lee','Ann Lee','contact','[["Company", "Acme"]]',1,'');
INSERT INTO "mentions" VALUES('event_contacts','x','person','ann lee','Ann Lee','sender','[]',0,'2026-03-01T09:00:00.000000Z');
CREATE TABLE pages (path text primary key, stem text not null, digest blob not null) without rowid;
INSERT INTO "pages" VALUES('daily/2026-03-01.md','daily/2026-03-01.md',X'F98ADDC990A7CA848960B243DBB6B6965325F3915DD0B22D5F0111A296130964');
INSERT INTO "pages" VALUES('daily/2026-03-02.md','daily/2026-03-02.md',X'5499093DDDB7F5FBA9C541C0D99083E76328B1606A40921789E23006B1AAA7AD');
INSERT INTO "pages" VALUES('people/ann-lee-kifahmszrs3r.md','people/ann-lee-kifahmszrs3r.md',X'EEA37716F7C7416FBA425D1EC0DD35DC66170154E765B29C0A7116A0EBFF51B8');
INSERT INTO "pages" VALUES('projects/atlas-r22thxj7mede.md','projects/atlas-r22thxj7mede.md',X'EE6FA787192CE9AFDA8D516A67FEC4DE166292EDA23E1BDB90223AF04C875392');
INSERT INTO "pages" VALUES('sources/cloop/activity-events/2026-03-01-gmail.md','sources/cloop/activity-events/2026-03-01-gmail',X'03371E85D1BD1559EFFA3E66909E67EC7AE631201540AF19CA548590A81A29BB');
INSERT INTO "pages" VALUES('sources/cloop/checklist-items/2026-03-01.md','sources/cloop/checklist-items/2026-03-01',X'B675404D7ABE95D31DBA75FDAB3B144C93CC6B184E5F430856CBE609F613D437');
INSERT INTO "pages" VALUES('sources/cloop/checklist-items/2026-03-02.md','sources/cloop/checklist-items/2026-03-02',X'73B572796DCC03FB14B57823871E819E1D31488D48841612E8037D53303BE9CF');
INSERT INTO "pages" VALUES('sources/cloop/contacts/undated-ann-lee-f32p44hgtpyn.md','sources/cloop/contacts/undated-ann-lee-f32p44hgtpyn',X'DA501BCA2CD396D893D8F0EB90E7D5B015512DB127B0D8B4E0A3BB3B3BE52756');
INSERT INTO "pages" VALUES('sources/cloop/event-contacts/2026-w09.md','sources/cloop/event-contacts/2026-w09',X'1889AB83A9D68FD37879EA320734F6EB6395361EF1780E65F04AF256BC4F82BC');
CREATE TABLE records (
  source text not null, record_id text not null, checksum text not null, updated_at text not null,
  occurred_at text not null, title text not null, stem text not null, page text not null, anchor text not null,
  profile text not null, file integer not null, offset integer not null, length integer not null, lead text,
  day text not null default '', time text not null default '', primary key (source, record_id)) without rowid;
INSERT INTO "records" VALUES('activity_events','e','sha256:ea40abe8f6055d01eb0bb0694d652cbe19f4391dc03c8b9a3fadcc949e637dcc','2026-03-01T00:00:05.000000Z','2026-03-01T09:00:00.000000Z','Draft','sources/cloop/activity-events/2026-03-01-gmail','sources/cloop/activity-events/2026-03-01-gmail.md','r-kbpkmovfrmbc','300dcbed661c95815fec28584486b511',1,0,359,'','2026-03-01','04:00');
INSERT INTO "records" VALUES('checklist_items','a','sha256:d9ea0811068d872aba089f29b1f1adca85cef76f33f26b8375a3198b1630c8b9','2026-03-01T00:00:01.000000Z','2026-03-01T09:00:00.000000Z','Call Ann','sources/cloop/checklist-items/2026-03-01','sources/cloop/checklist-items/2026-03-01.md','r-3l3x2goflmjx','3bff6cdd124ab1adcdeb81bc7359a611',2,0,384,'','2026-03-01','04:00');
INSERT INTO "records" VALUES('checklist_items','b','sha256:50d7404ff6bb22e1ddd66793ea75c223ebaa5af5815a5665a6457947c9628fbe','2026-03-01T00:00:02.000000Z','2026-03-02T09:00:00.000000Z','Write to Ann','sources/cloop/checklist-items/2026-03-02','sources/cloop/checklist-items/2026-03-02.md','r-kq3ehjd2cuno','3bff6cdd124ab1adcdeb81bc7359a611',2,384,370,'','2026-03-02','04:00');
INSERT INTO "records" VALUES('contacts','k','sha256:0ff4d1fc5595850606689e56fb18b1727831f8a8a41c1d380ea1ae8a3c38c41c','2026-03-01T00:00:03.000000Z','','Ann Lee','sources/cloop/contacts/undated-ann-lee-f32p44hgtpyn','sources/cloop/contacts/undated-ann-lee-f32p44hgtpyn.md','','23b0a947b12e0d86f6b94d01f8acd0d8',3,0,329,NULL,'undated','');
INSERT INTO "records" VALUES('event_contacts','x','sha256:fe01a83081046e5e14f9769dba5633a46e4b41f5e71f80a3f7611daf84b6bcbe','2026-03-01T00:00:04.000000Z','2026-03-01T09:00:00.000000Z','sender','sources/cloop/event-contacts/2026-w09','sources/cloop/event-contacts/2026-w09.md','r-wce4tx3yfsdl','6c671c48a5ad1acdc0872ac4d4fc6278',4,0,372,NULL,'2026-03-01','04:00');
CREATE TABLE refs (
  source text not null, record_id text not null, to_source text not null, to_id text not null,
  primary key (source, record_id, to_source, to_id)) without rowid;
INSERT INTO "refs" VALUES('event_contacts','x','activity_events','e');
INSERT INTO "refs" VALUES('event_contacts','x','contacts','k');
CREATE TABLE stamps (record blob primary key, at text not null) without rowid;
CREATE INDEX records_stem on records (stem);
CREATE INDEX records_day on records (day, occurred_at) where lead is not null;
CREATE INDEX pages_stem on pages (stem);
CREATE INDEX mentions_entity on mentions (kind, key, occurred_at desc);
CREATE INDEX refs_target on refs (to_source, to_id);
COMMIT;
PRAGMA user_version=5;
