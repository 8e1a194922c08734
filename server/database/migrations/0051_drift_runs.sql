-- A remedy that was applied to several differences at once, or to one, and what became of each.
create table drift_runs (
  tenant_id int not null references tenants,
  run_id ksuid not null,
  remedy text not null check (remedy in ('keep', 'revoke', 'remove', 'provision')),
  -- 'stopped': its author may no longer do it; what is left was not done.
  state text not null check (state in ('running', 'done', 'stopped', 'undoing', 'undone')),
  error text not null default '',
  asked_by text not null collate "C",
  -- How its author, or whoever undoes it, came in: the rest is done with what they may do then.
  client_id text not null collate "C" default '',
  session_id text not null collate "C" default '',
  source_address text not null default '',
  request_id text not null default '',
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  undone_by text not null collate "C" default '',
  undone_at timestamptz(3),
  primary key (tenant_id, run_id)
);

create table drift_run_items (
  tenant_id int not null,
  run_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  -- 'left': it could not be undone, for the reason in `error`.
  state text not null check (state in ('waiting', 'done', 'refused', 'undone', 'left')),
  error text not null default '',
  -- The task that it opened, and the grants that it recorded or ended.
  task_id text not null collate "C" default '',
  grant_ids text[] not null default '{}',
  primary key (tenant_id, run_id, app_id, entitlement_id, account_id),
  foreign key (tenant_id, run_id) references drift_runs on delete cascade
);
create index drift_run_items_in_state on drift_run_items (tenant_id, run_id, state, app_id, entitlement_id, account_id);
create index drift_run_items_of_access on drift_run_items (tenant_id, app_id, entitlement_id, account_id);

-- Since when a connector carries nothing out that could: provisioning is switched off, or it was started without. What changed
-- since then is looked at when it can again.
alter table connectors add column provisioning_off_since timestamptz(3);
create index connectors_off on connectors (tenant_id, connector_id) where provisioning_off_since is not null;
