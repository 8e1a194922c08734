-- API credentials ("personal clients" on the wire). Of the secret only what checks it is kept.
create table credentials (
  tenant_id int not null,
  credential_id ksuid not null,
  user_id ksuid not null,
  client_id text not null collate "C",
  display_name text not null,
  public_key bytea not null,
  secret_sha256 bytea not null,
  allow_source_cidr text[] not null default '{}',
  -- Empty is Full Permissions.
  scoped_role_ids text[] collate "C" not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  deleted_at timestamptz(3),
  primary key (tenant_id, credential_id),
  foreign key (tenant_id, user_id) references users
);
create unique index credentials_by_client_id on credentials (tenant_id, client_id);
create index credentials_by_user on credentials (tenant_id, user_id, credential_id) where deleted_at is null;
create index credentials_alive on credentials (tenant_id, credential_id) where deleted_at is null;

-- The `jti`s of client assertions, until the assertion could not be used again anyway.
create table used_assertions (
  tenant_id int not null,
  credential_id ksuid not null,
  jti text not null collate "C",
  expires_at timestamptz(3) not null,
  primary key (tenant_id, credential_id, jti)
);
create index used_assertions_by_expiry on used_assertions (expires_at);
