-- Work that happens later, once. A job that is done is deleted: what it did is in the record and in the system log.
create table jobs (
  tenant_id int not null references tenants,
  job_id ksuid not null,
  kind text collate "C" not null check (kind <> ''),
  -- At most one job of a kind waits under the same key.
  key text collate "C",
  -- Jobs of a kind in the same lane run one after the other, in the order of their ids.
  lane text collate "C",
  -- Ids, never secrets.
  payload jsonb not null,
  -- What it is about, as operators see it.
  subject_type text not null default '',
  subject_id text collate "C" not null default '',
  state text not null default 'waiting' check (state in ('waiting', 'running', 'stuck')),
  -- When somebody has to look at it next: when it may run, or when its lease ends. Never, for one that is stuck.
  due_at timestamptz(3),
  attempts int not null default 0,
  -- No attempt begins after it.
  deadline_at timestamptz(3),
  -- Which claim the job runs under: who comes with another one has lost it.
  lease_id ksuid,
  lease_holder text not null default '',
  last_error text not null default '',
  -- Who asked for it: {"operation", "requestId", "userId"}
  cause jsonb not null,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  primary key (tenant_id, job_id),
  check ((due_at is null) = (state = 'stuck')),
  check ((lease_id is not null) = (state = 'running'))
);

create unique index jobs_by_key on jobs (tenant_id, kind, key) where state = 'waiting' and key is not null;
create index jobs_due on jobs (tenant_id, kind, due_at) where due_at is not null;
create index jobs_running on jobs (tenant_id, kind, job_id) where state = 'running';
create index jobs_stuck on jobs (tenant_id, job_id) where state = 'stuck';
create index jobs_by_kind on jobs (tenant_id, kind, job_id);
create index jobs_by_lane on jobs (tenant_id, kind, lane, job_id) where lane is not null;
