create table roles (
  tenant_id int not null references tenants,
  role_id ksuid not null,
  -- 'system:owner' and the like; what a built-in role permits is the program's, not the row's.
  name text not null collate "C",
  display_name text not null,
  -- What a role that is not built in permits.
  permissions text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, role_id),
  unique (tenant_id, name)
);

create table users (
  tenant_id int not null references tenants,
  user_id ksuid not null,
  -- The caller's own key, where the user came in by import.
  external_id text collate "C",
  type text not null default 'USER_TYPE_HUMAN'
    check (type in ('USER_TYPE_HUMAN', 'USER_TYPE_SERVICE', 'USER_TYPE_SYSTEM', 'USER_TYPE_AGENT')),
  origin text not null default 'USER_ORIGIN_LOCAL'
    check (origin in ('USER_ORIGIN_LOCAL', 'USER_ORIGIN_DIRECTORY', 'USER_ORIGIN_SYSTEM')),
  status text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED', 'DELETED')),
  directory_status text not null default 'ENABLED' check (directory_status in ('UNKNOWN', 'ENABLED', 'DISABLED', 'DELETED')),
  display_name text not null,
  email text not null default '',
  emails text[] not null default '{}',
  username text not null default '',
  usernames text[] not null default '{}',
  employee_ids text[] not null default '{}',
  department text not null default '',
  job_title text not null default '',
  employment_type text not null default '',
  employment_status text not null default '',
  manager_ids text[] collate "C" not null default '{}',
  profile jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, user_id)
);
create unique index users_by_external_id on users (tenant_id, external_id) where external_id is not null;
-- Two people may not sign in with one address.
create unique index users_by_email on users (tenant_id, lower(email)) where email <> '' and deleted_at is null;

create table user_roles (
  tenant_id int not null,
  user_id ksuid not null,
  role_id ksuid not null,
  granted_at timestamptz(3) not null,
  primary key (tenant_id, user_id, role_id),
  foreign key (tenant_id, user_id) references users,
  foreign key (tenant_id, role_id) references roles
);
create index user_roles_by_role on user_roles (tenant_id, role_id, user_id);
