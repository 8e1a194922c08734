-- What the published API tells of the governed records beyond their names.
alter table apps
  add column annotations jsonb not null default '{}',
  add column instructions text not null default '',
  add column monthly_cost_usd int not null default 0,
  add column identity_matching text not null default 'APP_USER_IDENTITY_MATCHING_STRICT'
    check (identity_matching in ('APP_USER_IDENTITY_MATCHING_STRICT', 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME')),
  -- Made and kept by hand, rather than by an import.
  add column is_manually_managed boolean not null default false;
create index apps_alive on apps (tenant_id, app_id) where deleted_at is null;

alter table resource_types
  add column trait_ids text[] not null default '{}',
  add column is_manually_managed boolean not null default false;

alter table resources
  add column annotations jsonb not null default '{}',
  add column custom_description text not null default '',
  add column profile jsonb not null default '{}',
  add column parent_resource_type_id ksuid,
  add column parent_resource_id ksuid,
  add column is_manually_managed boolean not null default false,
  add foreign key (tenant_id, app_id, parent_resource_type_id, parent_resource_id) references resources;

-- Values that entitlements point at: risk levels, compliance frameworks, and others of the tenant's own.
create table attribute_values (
  tenant_id int not null references tenants,
  value_id ksuid not null,
  type_id text not null collate "C",
  value text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, value_id)
);
create index attribute_values_by_type on attribute_values (tenant_id, type_id, value_id) where deleted_at is null;
create unique index attribute_values_once on attribute_values (tenant_id, type_id, lower(value)) where deleted_at is null;

alter table entitlements
  add column annotations jsonb not null default '{}',
  add column risk_level_value_id ksuid,
  add column compliance_framework_value_ids text[] collate "C" not null default '{}',
  -- How long a grant lasts unless said otherwise; null is for good.
  add column duration_grant_seconds bigint,
  add column is_manually_managed boolean not null default false,
  add foreign key (tenant_id, risk_level_value_id) references attribute_values;
create index entitlements_alive on entitlements (tenant_id, app_id, entitlement_id) where deleted_at is null;
create index entitlements_by_risk on entitlements (tenant_id, risk_level_value_id, app_id, entitlement_id)
  where risk_level_value_id is not null;

-- Who holds the source entitlement is given the destination one.
create table entitlement_proxies (
  tenant_id int not null,
  src_app_id ksuid not null,
  src_entitlement_id ksuid not null,
  dst_app_id ksuid not null,
  dst_entitlement_id ksuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, src_app_id, src_entitlement_id, dst_app_id, dst_entitlement_id),
  foreign key (tenant_id, src_app_id, src_entitlement_id) references entitlements,
  foreign key (tenant_id, dst_app_id, dst_entitlement_id) references entitlements
);
create index entitlement_proxies_by_destination
  on entitlement_proxies (tenant_id, dst_app_id, dst_entitlement_id, src_app_id, src_entitlement_id);

create table app_usage_controls (
  tenant_id int not null,
  app_id ksuid not null,
  notify boolean not null default false,
  notify_after_days int not null default 0,
  revoke boolean not null default false,
  revoke_after_days int not null default 0,
  primary key (tenant_id, app_id),
  foreign key (tenant_id, app_id) references apps
);

-- Someone else answers for a user for a time.
create table user_delegations (
  tenant_id int not null,
  user_id ksuid not null,
  delegated_user_id ksuid not null,
  start_at timestamptz(3),
  expiration_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users,
  foreign key (tenant_id, delegated_user_id) references users
);
create index user_delegations_by_delegate on user_delegations (tenant_id, delegated_user_id, user_id);

create index users_by_department on users (tenant_id, department, user_id) where deleted_at is null;
create index users_by_job_title on users (tenant_id, job_title, user_id) where deleted_at is null;
create index users_by_manager on users using gin (manager_ids);
create index users_alive on users (tenant_id, user_id) where deleted_at is null;
create index accounts_alive on accounts (tenant_id, app_id, account_id) where deleted_at is null;

-- The record of grants, read the other ways: an account's whole past, and what changed when.
create index grants_past on grants (tenant_id, app_id, account_id, entitlement_id, began_at);
create index grants_begun on grants (tenant_id, began_at, grant_id);
create index grants_ended on grants (tenant_id, ended_at, grant_id) where ended_at is not null;

-- What things are searched by: one row for each way in which a name, an address or an id can be begun. A search is a
-- range of keys, so its first page costs the same however many things there are.
create table search_keys (
  tenant_id int not null,
  kind text not null collate "C"
    check (kind in ('user', 'app', 'resource_type', 'resource', 'entitlement', 'account')),
  key text not null collate "C",
  object_id ksuid not null,
  app_id text not null collate "C" default '',
  primary key (tenant_id, kind, key, object_id)
);
create index search_keys_of_object on search_keys (tenant_id, kind, object_id, key);

-- 'Ana Maria Souza' is found by 'ana m', 'maria s' and 'sou'. A key is cut where no one types on.
create function name_keys(name text) returns setof text language sql immutable strict parallel safe as $$
  with lowered as (select lower(left(name, 200)) as whole)
  select distinct left(substr(whole, p), 100) from lowered,
    lateral (select 1 as p union all
      select p + 1 from generate_series(1, length(whole)) p
      where substr(whole, p, 1) !~ '[[:alnum:]]' and substr(whole, p + 1, 1) ~ '[[:alnum:]]') as starts
  where substr(whole, p) <> ''
$$;

create function search_keys_of_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from search_keys k using old_rows o
    where k.tenant_id = o.tenant_id and k.kind = 'user' and k.object_id = o.user_id;
  end if;
  insert into search_keys (tenant_id, kind, key, object_id)
  select distinct n.tenant_id, 'user', k.key, n.user_id
  from new_rows n, lateral (
    select name_keys(n.display_name) as key
    union select lower(left(a, 100)) from unnest(n.emails || n.usernames || n.employee_ids || array[n.email, n.username]) a
  ) k
  where n.deleted_at is null and k.key <> '';
  return null;
end
$$;
create trigger search_keys_of_new_users after insert on users referencing new table as new_rows
  for each statement execute function search_keys_of_users();
create trigger search_keys_of_changed_users after update on users referencing old table as old_rows new table as new_rows
  for each statement execute function search_keys_of_users();

create function search_keys_of_accounts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from search_keys k using old_rows o
    where k.tenant_id = o.tenant_id and k.kind = 'account' and k.object_id = o.account_id;
  end if;
  insert into search_keys (tenant_id, kind, key, object_id, app_id)
  select distinct n.tenant_id, 'account', k.key, n.account_id, n.app_id
  from new_rows n, lateral (
    select name_keys(n.display_name) as key
    union select lower(left(a, 100)) from unnest(n.emails || n.usernames || array[n.email, n.username]) a
  ) k
  where n.deleted_at is null and k.key <> '';
  return null;
end
$$;
create trigger search_keys_of_new_accounts after insert on accounts referencing new table as new_rows
  for each statement execute function search_keys_of_accounts();
create trigger search_keys_of_changed_accounts after update on accounts
  referencing old table as old_rows new table as new_rows
  for each statement execute function search_keys_of_accounts();

-- Apps, resource types, resources and entitlements are searched by name alone; the trigger says which column is the id.
create function search_keys_of_named() returns trigger language plpgsql as $$
declare
  kind text := tg_argv[0];
  id text := tg_argv[1];
begin
  if tg_op = 'UPDATE' then
    execute format(
      'delete from search_keys k using old_rows o where k.tenant_id = o.tenant_id and k.kind = %L and k.object_id = o.%I',
      kind, id);
  end if;
  execute format(
    'insert into search_keys (tenant_id, kind, key, object_id, app_id)
     select distinct n.tenant_id, %L, k.key, n.%I, n.app_id from new_rows n, lateral (
       select name_keys(n.display_name) as key %s) k
     where n.deleted_at is null and k.key <> ''''',
    kind, id, case when kind = 'entitlement' then 'union select lower(a) from unnest(array[n.alias, n.slug]) a' else '' end);
  return null;
end
$$;
create trigger search_keys_of_new_apps after insert on apps referencing new table as new_rows
  for each statement execute function search_keys_of_named('app', 'app_id');
create trigger search_keys_of_changed_apps after update on apps referencing old table as old_rows new table as new_rows
  for each statement execute function search_keys_of_named('app', 'app_id');
create trigger search_keys_of_new_resource_types after insert on resource_types referencing new table as new_rows
  for each statement execute function search_keys_of_named('resource_type', 'resource_type_id');
create trigger search_keys_of_changed_resource_types after update on resource_types
  referencing old table as old_rows new table as new_rows
  for each statement execute function search_keys_of_named('resource_type', 'resource_type_id');
create trigger search_keys_of_new_resources after insert on resources referencing new table as new_rows
  for each statement execute function search_keys_of_named('resource', 'resource_id');
create trigger search_keys_of_changed_resources after update on resources
  referencing old table as old_rows new table as new_rows
  for each statement execute function search_keys_of_named('resource', 'resource_id');
create trigger search_keys_of_new_entitlements after insert on entitlements referencing new table as new_rows
  for each statement execute function search_keys_of_named('entitlement', 'entitlement_id');
create trigger search_keys_of_changed_entitlements after update on entitlements
  referencing old table as old_rows new table as new_rows
  for each statement execute function search_keys_of_named('entitlement', 'entitlement_id');
