-- Programs that run next to an app and read it. They call the server; the server never calls them.
create table connectors (
  tenant_id int not null references tenants,
  connector_id ksuid not null,
  app_id ksuid not null,
  display_name text not null,
  description text not null default '',
  catalog_id text collate "C" not null default '',
  -- What it said of itself, and from where.
  metadata jsonb not null default '{}',
  agent text not null default '',
  host_id text not null default '',
  last_seen_at timestamptz(3),
  sync_every_seconds int not null default 3600,
  next_sync_at timestamptz(3),
  sync_disabled_at timestamptz(3),
  sync_disabled_reason text not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, connector_id),
  foreign key (tenant_id, app_id) references apps (tenant_id, app_id)
);
create index connectors_of_app on connectors (tenant_id, app_id, connector_id);

-- What a connector proves itself with. The private half of its key exists once, in the reply that created it.
create table connector_credentials (
  tenant_id int not null,
  credential_id ksuid not null,
  connector_id ksuid not null,
  client_id text collate "C" not null,
  display_name text not null default '',
  public_key bytea not null,
  secret_sha256 bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  mac bytea not null,
  primary key (tenant_id, credential_id),
  foreign key (tenant_id, connector_id) references connectors (tenant_id, connector_id)
);
create unique index connector_credentials_by_client on connector_credentials (tenant_id, client_id);
create index connector_credentials_of_connector on connector_credentials (tenant_id, connector_id);

-- What a connector is to do. It is leased to the host that fetched it; a lease ends by itself.
create table connector_tasks (
  tenant_id int not null,
  connector_id ksuid not null,
  task_id ksuid not null,
  kind text not null check (kind in ('sync', 'grant', 'revoke')),
  state text not null check (state in ('queued', 'leased', 'merging', 'held', 'done', 'failed', 'unknown', 'cancelled')),
  asked_by text collate "C" not null default '',
  host_id text not null default '',
  lease_until timestamptz(3),
  attempts int not null default 0,
  error text not null default '',
  -- Of a sync: the upload that was whole, whether a person confirmed what the breaker held, and the import that it became.
  upload_id text collate "C" not null default '',
  byte_count bigint not null default 0,
  is_confirmed boolean not null default false,
  import_id text collate "C" not null default '',
  created_at timestamptz(3) not null,
  begun_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (tenant_id, connector_id, task_id),
  foreign key (tenant_id, connector_id) references connectors (tenant_id, connector_id)
);
create index connector_tasks_open on connector_tasks (tenant_id, connector_id, task_id)
  where state in ('queued', 'leased', 'merging', 'held');
create index connector_tasks_leased on connector_tasks (tenant_id, lease_until) where state = 'leased';

-- Uploaded files, in pieces, until they are merged: whichever server merges them has them.
create table connector_files (
  tenant_id int not null,
  task_id ksuid not null,
  upload_id text collate "C" not null,
  place int not null,
  bytes bytea not null,
  primary key (tenant_id, task_id, upload_id, place)
);
