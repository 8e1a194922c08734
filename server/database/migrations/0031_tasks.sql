-- What was asked for, and what became of it. A task's events are all that its state is made of (task_events); this row is what
-- lists and searches need of it, written with the events in one transaction.
create table tasks (
  tenant_id int not null references tenants,
  task_id ksuid not null,
  number bigint not null,
  kind text not null check (kind in ('grant', 'revoke', 'certify', 'offboarding')),
  origin text not null,
  -- The user whose access it is about; empty where an account belongs to nobody.
  subject_user_id text collate "C" not null default '',
  created_by text collate "C" not null default '',
  app_id text collate "C" not null default '',
  entitlement_id text collate "C" not null default '',
  account_id text collate "C" not null default '',
  resource_type_id text collate "C" not null default '',
  resource_id text collate "C" not null default '',
  display_name text not null,
  description text not null default '',
  source jsonb not null default '{}',
  is_open boolean not null default true,
  outcome text check (outcome in ('done', 'denied', 'failed', 'cancelled', 'timed out')),
  outcome_at timestamptz(3),
  is_emergency boolean not null default false,
  duration_seconds bigint,
  policy_id text collate "C" not null default '',
  -- Of the step that is taken now: its id, its kind, who approves, and when it is escalated or no longer waited for.
  step_id text collate "C" not null default '',
  step_kind text not null default '',
  step_approvers text not null default '',
  step_due_at timestamptz(3),
  stuck_why text,
  approver_ids text[] collate "C" not null default '{}',
  comment_count int not null default 0,
  -- Counts the events: a change that was made on what is no longer true does not commit.
  version int not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, task_id)
);
create unique index tasks_by_number on tasks (tenant_id, number);
-- One open request for the same thing: the second is told of the first.
create unique index tasks_open_once on tasks (tenant_id, kind, app_id, entitlement_id, subject_user_id, account_id)
  where is_open and kind in ('grant', 'revoke');
create index tasks_of_subject on tasks (tenant_id, subject_user_id, task_id);
create index tasks_by_creator on tasks (tenant_id, created_by, task_id);
create index tasks_of_app on tasks (tenant_id, app_id, is_open, task_id);
create index tasks_of_entitlement on tasks (tenant_id, app_id, entitlement_id, task_id);
create index tasks_open on tasks (tenant_id, task_id) where is_open;
create index tasks_due on tasks (step_due_at) where is_open and step_due_at is not null;

-- The next number of a tenant. Servers take blocks of them, so that creating tasks does not queue for one row.
create table task_numbers (
  tenant_id int primary key references tenants,
  next bigint not null
);

create table task_events (
  tenant_id int not null,
  task_id ksuid not null,
  number int not null,
  event_id ksuid not null,
  kind text not null,
  by_user_id text collate "C" not null default '',
  happened_at timestamptz(3) not null,
  data jsonb not null,
  primary key (tenant_id, task_id, number),
  foreign key (tenant_id, task_id) references tasks
);

-- Who can decide or carry out the current step of an open task: what the inbox is read from.
create table task_assignees (
  tenant_id int not null,
  user_id ksuid not null,
  task_id ksuid not null,
  primary key (tenant_id, user_id, task_id),
  foreign key (tenant_id, task_id) references tasks
);
create index task_assignees_of_task on task_assignees (tenant_id, task_id);

-- Who decided something in a task.
create table task_actors (
  tenant_id int not null,
  user_id ksuid not null,
  task_id ksuid not null,
  primary key (tenant_id, user_id, task_id),
  foreign key (tenant_id, task_id) references tasks
);
