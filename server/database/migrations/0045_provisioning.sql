-- What connectors told of an app, as they told it: tasks send it back to them. As the last sync had it.
create table connector_objects (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  kind text collate "C" not null check (kind in ('resource', 'entitlement')),
  -- Of a resource `type:id`, of an entitlement its id.
  external_id text collate "C" not null,
  type_id text collate "C" not null,
  data bytea not null,
  primary key (tenant_id, app_id, kind, external_id)
);

-- Whether access is carried out by the connector, and accounts of people who leave are deleted in the app.
alter table connectors add column provisioning_disabled boolean not null default false;
alter table connectors add column deletes_accounts boolean not null default false;
-- Why the connector said that it does not provision, until it starts again.
alter table connectors add column provisioning_refused text not null default '';

alter table connector_tasks drop constraint connector_tasks_kind_check;
alter table connector_tasks add constraint connector_tasks_kind_check
  check (kind in ('sync', 'grant', 'revoke', 'create_account', 'delete_account'));
-- What a task is about, but for a sync; an account that is created or deleted has no entitlement.
alter table connector_tasks add column app_id text collate "C" not null default '';
alter table connector_tasks add column entitlement_id text collate "C" not null default '';
alter table connector_tasks add column account_id text collate "C" not null default '';
-- A request waits for its end.
alter table connector_tasks add column is_awaited boolean not null default false;
-- The task that this one repeats, and how often it was repeated without anybody asking.
alter table connector_tasks add column retry_of text collate "C" not null default '';
alter table connector_tasks add column retries int not null default 0;
-- The sync that showed what became of it.
alter table connector_tasks add column settled_by text collate "C" not null default '';

-- One at a time is with the connector, and one waits behind it.
create unique index connector_tasks_queued_once on connector_tasks (tenant_id, app_id, account_id, entitlement_id)
  where kind <> 'sync' and state = 'queued';
create unique index connector_tasks_begun_once on connector_tasks (tenant_id, app_id, account_id, entitlement_id)
  where kind <> 'sync' and state in ('leased', 'unknown');
create index connector_tasks_of_app on connector_tasks (tenant_id, app_id, task_id) where kind <> 'sync';
create index connector_tasks_of_account on connector_tasks (tenant_id, app_id, account_id, entitlement_id, task_id)
  where kind <> 'sync';
create index connector_tasks_ended on connector_tasks (tenant_id, app_id, ended_at) where kind <> 'sync';
create index connector_tasks_ready on connector_tasks (tenant_id, connector_id, task_id)
  where kind <> 'sync' and state = 'queued';

-- Access that was given or ended here in an app with a connector, until it was looked at what that means for the app.
create table provisioning_changes (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  -- The grant that was opened or ended, or the task that ended.
  cause_id ksuid not null,
  -- `removed`: also what the app itself is known to have was ended here.
  change text not null check (change in ('opened', 'ended', 'removed', 'settled')),
  primary key (tenant_id, app_id, entitlement_id, account_id, cause_id, change)
);

-- Requests that wait for what a connector does, and for which step of theirs.
create table task_provisionings (
  tenant_id int not null,
  task_id ksuid not null,
  connector_id ksuid not null,
  connector_task_id ksuid not null,
  generation int not null,
  place int not null,
  primary key (tenant_id, task_id, connector_task_id),
  foreign key (tenant_id, task_id) references tasks (tenant_id, task_id)
);
create index task_provisionings_by_connector_task on task_provisionings (tenant_id, connector_task_id);
