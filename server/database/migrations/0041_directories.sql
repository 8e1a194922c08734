-- A directory: an identity provider that sends its users and groups by SCIM. It is an app, whose accounts are its users.
create table directories (
  tenant_id int not null,
  app_id ksuid not null,
  -- The resource type of its groups.
  group_type_id ksuid not null,
  -- Users who are there already are linked by their email address.
  links_existing boolean not null default true,
  -- Since when deactivations wait for someone to confirm them.
  held_since timestamptz(3),
  -- Deactivations before this moment do not count towards holding.
  counted_from timestamptz(3) not null,
  last_request_at timestamptz(3),
  last_error_at timestamptz(3),
  last_error text not null default '',
  created_by text not null collate "C" default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id),
  foreign key (tenant_id, app_id) references apps,
  foreign key (tenant_id, app_id, group_type_id) references resource_types
);

-- What the identity provider authenticates with. Of the secret only what checks it is kept.
create table directory_tokens (
  tenant_id int not null,
  token_id ksuid not null,
  app_id ksuid not null,
  secret_sha256 bytea not null,
  created_by text not null collate "C" default '',
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  -- Under the secret key: a row that another hand wrote or changed does not count.
  mac bytea not null,
  primary key (tenant_id, token_id),
  foreign key (tenant_id, app_id) references directories
);
create index directory_tokens_by_directory on directory_tokens (tenant_id, app_id, token_id);

-- A SCIM user: an account with what the provider says of it.
create table directory_users (
  tenant_id int not null,
  app_id ksuid not null,
  account_id ksuid not null,
  user_id ksuid not null,
  user_name text not null,
  external_id text collate "C",
  is_active boolean not null,
  -- Lower case, for filters.
  emails text[] not null default '{}',
  -- The resource with the names that the schema has, without what is kept in columns or elsewhere.
  resource jsonb not null,
  version int not null,
  -- The user's attributes and status follow this account; of several directories that know a user, one.
  is_source boolean not null,
  -- It calls the user inactive, and that waits for confirmation.
  is_held boolean not null default false,
  deactivated_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id, account_id),
  foreign key (tenant_id, app_id) references directories,
  foreign key (tenant_id, app_id, account_id) references accounts,
  foreign key (tenant_id, user_id) references users
);
create unique index directory_users_by_name on directory_users (tenant_id, app_id, lower(user_name)) where deleted_at is null;
create index directory_users_alive on directory_users (tenant_id, app_id, account_id) where deleted_at is null;
create index directory_users_by_external_id on directory_users (tenant_id, app_id, external_id) where deleted_at is null;
create index directory_users_by_user on directory_users (tenant_id, user_id, app_id);
create index directory_users_by_email on directory_users using gin (emails) where deleted_at is null;
create index directory_users_deactivated on directory_users (tenant_id, app_id, deactivated_at)
  where deactivated_at is not null;
create index directory_users_held on directory_users (tenant_id, app_id, account_id) where is_held;

-- A SCIM group: an entitlement whose holders are its members.
create table directory_groups (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  resource_id ksuid not null,
  display_name text not null,
  external_id text collate "C",
  version int not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id, entitlement_id),
  foreign key (tenant_id, app_id) references directories,
  foreign key (tenant_id, app_id, entitlement_id) references entitlements
);
create index directory_groups_alive on directory_groups (tenant_id, app_id, entitlement_id) where deleted_at is null;
create index directory_groups_by_name on directory_groups (tenant_id, app_id, lower(display_name)) where deleted_at is null;
create index directory_groups_by_external_id on directory_groups (tenant_id, app_id, external_id) where deleted_at is null;

-- The directory that disabled a user, who is enabled again when it says so; empty where a person or an import did.
alter table users add column disabled_by text not null collate "C" default '';

-- Whether its accounts make users.
alter table apps add column is_directory boolean not null default false;

alter table grants drop constraint grants_source_check;
alter table grants add constraint grants_source_check
  check (source in ('manual', 'import', 'rule', 'request', 'profile', 'directory'));
