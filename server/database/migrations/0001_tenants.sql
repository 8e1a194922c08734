-- Ids are KSUIDs. Collation "C" makes their order as text their order of creation.
create domain ksuid as text collate "C" check (value ~ '^[0-9A-Za-z]{27}$');

-- Marks the database as belonging to one installation: what is sealed in it opens only with that one's secret key.
create table installation (
  one boolean primary key default true check (one),
  secret_key_fingerprint text not null,
  created_at timestamptz(3) not null
);

-- tenant_id is a small number because it stands first in every key and every index entry of every other table.
create table tenants (
  tenant_id int generated always as identity primary key,
  -- How the tenant is called outside the database.
  public_id ksuid not null unique,
  domain text not null collate "C",
  -- The domain as requests are matched to it: lower case, without port; loopback names are one.
  host text not null collate "C" unique,
  created_at timestamptz(3) not null
);

-- The keys that sign a tenant's access tokens. The private half is sealed with the installation's secret key.
create table signing_keys (
  tenant_id int not null references tenants,
  key_id ksuid not null,
  public_key bytea not null,
  sealed_private_key bytea not null,
  created_at timestamptz(3) not null,
  -- Signs no more from then on; what it signed before is still honoured while it lasts.
  retired_at timestamptz(3),
  primary key (tenant_id, key_id)
);
create unique index signing_keys_in_use on signing_keys (tenant_id) where retired_at is null;
