-- Programs of connectors that the server runs: what they are started with, sealed, and what became of them.
create table connector_programs (
  tenant_id integer not null references tenants,
  connector_id ksuid not null,
  program text collate "C" not null,
  sealed_settings bytea not null,
  is_provisioning boolean not null,
  revision integer not null default 1,
  settings_updated_at timestamptz(3) not null,
  state text collate "C" not null default 'waiting'
    check (state in ('waiting', 'running', 'restarting', 'failed', 'stopped')),
  detail text not null default '',
  state_since timestamptz(3) not null,
  restarts integer not null default 0,
  sealed_log bytea,
  primary key (tenant_id, connector_id),
  foreign key (tenant_id, connector_id) references connectors (tenant_id, connector_id)
);
