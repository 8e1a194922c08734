-- By when people make a change in the app, and what they have to give when they say that it is done.
alter table apps add column manual_days smallint default 3 not null;
alter table apps add column manual_proof text default 'optional'::text not null;
alter table apps add constraint apps_manual_days_check check (manual_days between 1 and 90);
alter table apps add constraint apps_manual_proof_check check (manual_proof in ('optional', 'comment', 'file'));

-- Files that show that a change was made. They are sealed: a dump of the database does not show them.
create table task_attachments (
  tenant_id integer not null references tenants,
  attachment_id ksuid not null,
  task_id ksuid not null,
  step_id text collate "C" not null,
  name text not null,
  media_type text not null,
  byte_count integer not null,
  added_by ksuid not null,
  added_at timestamptz(3) not null,
  sealed bytea not null,
  primary key (tenant_id, attachment_id)
);
create index task_attachments_of_task on task_attachments (tenant_id, task_id, attachment_id);
create index task_attachments_by_size on task_attachments (tenant_id, byte_count);
