-- Connectors that this server runs itself: no program calls for them.
alter table connectors add column is_built_in boolean not null default false;
create index connectors_built_in on connectors (tenant_id, connector_id) where is_built_in and deleted_at is null;

-- Where an app speaks SCIM, and the token that it takes, sealed with the secret key for this connector and address.
create table scim_connections (
  tenant_id int not null references tenants,
  connector_id ksuid not null,
  base_url text collate "C" not null,
  sealed_token bytea not null,
  token_updated_at timestamptz(3) not null,
  -- Accounts of people who leave are deleted rather than disabled.
  deletes_users boolean not null default false,
  -- The app said that it takes no more requests before this.
  wait_until timestamptz(3),
  primary key (tenant_id, connector_id),
  foreign key (tenant_id, connector_id) references connectors (tenant_id, connector_id)
);
