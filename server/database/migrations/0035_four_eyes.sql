-- A change that waits for approval is a task too.
alter table tasks drop constraint tasks_kind_check;
alter table tasks add constraint tasks_kind_check
  check (kind in ('grant', 'revoke', 'certify', 'offboarding', 'change'));

-- Which kinds of change need approval, and by which policy. A kind that has no row needs none.
create table four_eyes (
  tenant_id int not null references tenants,
  kind text not null check (kind in ('automations', 'policies', 'owners', 'roles')),
  policy_id text collate "C" not null,
  changed_by text collate "C" not null,
  changed_at timestamptz(3) not null,
  primary key (tenant_id, kind)
);

-- A request that waits in a task. It is carried out as it was sent, by its author, if it still does what was approved:
-- `plan` is what it would do, and `fingerprint` a hash of that. The MAC is over all that decides, so that nobody without the
-- secret key can have something carried out in another's name.
create table changes (
  tenant_id int not null,
  task_id ksuid not null,
  kind text not null,
  operation text not null,
  path jsonb not null,
  body jsonb,
  plan jsonb not null,
  fingerprint bytea not null,
  author_id ksuid not null,
  client_id text collate "C" not null default '',
  session_id text collate "C" not null default '',
  source_address text not null,
  request_id text not null,
  created_at timestamptz(3) not null,
  carried_out_at timestamptz(3),
  mac bytea not null,
  primary key (tenant_id, task_id),
  foreign key (tenant_id, task_id) references tasks
);
create index changes_of_author on changes (tenant_id, author_id, fingerprint);
