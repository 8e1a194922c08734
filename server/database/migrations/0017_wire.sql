-- That a grant lasts for good was said, rather than that nothing was said: clients read back what they sent.
alter table entitlements
  add column is_duration_unset boolean not null default false,
  add column user_edited text[] not null default '{}',
  add constraint entitlements_one_duration check (not is_duration_unset or duration_grant_seconds is null);

alter table apps add column icon_url text not null default '';

-- In which order the owners of a role were set, where that is not the order in which they came. A row holds from its
-- moment on, until the next; owners that it does not name come behind, in the order in which they came.
create table owner_orders (
  tenant_id int not null references tenants,
  kind text collate "C" not null,
  app_id text collate "C" not null default '',
  resource_type_id text collate "C" not null default '',
  object_id ksuid not null,
  role_slug text collate "C" not null,
  change_id ksuid not null,
  began_at timestamptz(3) not null,
  owner_ids text[] collate "C" not null,
  primary key (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, began_at, change_id)
);
