create table apps (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  external_id text collate "C",
  display_name text not null,
  description text not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id)
);
create unique index apps_by_external_id on apps (tenant_id, external_id) where external_id is not null;

create table resource_types (
  tenant_id int not null,
  app_id ksuid not null,
  resource_type_id ksuid not null,
  external_id text collate "C",
  display_name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id, resource_type_id),
  foreign key (tenant_id, app_id) references apps
);
create unique index resource_types_by_external_id on resource_types (tenant_id, app_id, external_id)
  where external_id is not null;

create table resources (
  tenant_id int not null,
  app_id ksuid not null,
  resource_type_id ksuid not null,
  resource_id ksuid not null,
  external_id text collate "C",
  display_name text not null,
  description text not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id, resource_type_id, resource_id),
  foreign key (tenant_id, app_id, resource_type_id) references resource_types
);
create unique index resources_by_external_id on resources (tenant_id, app_id, resource_type_id, external_id)
  where external_id is not null;

create table entitlements (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  external_id text collate "C",
  resource_type_id ksuid,
  resource_id ksuid,
  display_name text not null,
  description text not null default '',
  slug text not null default '',
  alias text not null default '',
  purpose text not null default 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'
    check (purpose in ('APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT', 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
      'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id, entitlement_id),
  foreign key (tenant_id, app_id) references apps,
  foreign key (tenant_id, app_id, resource_type_id, resource_id) references resources
);
create unique index entitlements_by_external_id on entitlements (tenant_id, app_id, external_id)
  where external_id is not null;
create index entitlements_by_resource on entitlements (tenant_id, app_id, resource_type_id, resource_id, entitlement_id);
