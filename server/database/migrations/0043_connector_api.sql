-- Connectors have owners.
alter table owners drop constraint owners_kind_check;
alter table owners add constraint owners_kind_check
  check (kind in ('app', 'entitlement', 'resource', 'account', 'user', 'connector'));

-- When a connector syncs: by a cron expression in a time zone; every so many seconds where that is empty.
alter table connectors add column cron_spec text collate "C" not null default '';
alter table connectors add column cron_time_zone text collate "C" not null default '';
alter table connectors add column cron_since timestamptz(3);

-- What it is started with, without its secrets: kept to tell how it is run.
alter table connectors add column config jsonb;
alter table connectors add column config_updated_at timestamptz(3);

-- The syncs of a connector, the newest first, however many other tasks it has.
create index connector_tasks_syncs on connector_tasks (tenant_id, connector_id, task_id) where kind = 'sync';
