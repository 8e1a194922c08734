-- What applies to an entitlement when it is requested, beyond what it says itself: see docs/decisions/0061.
alter table entitlements add column overrides_defaults boolean not null default false;

-- Which settings requests of an app's entitlements get, by conditions. The first that is enabled and true applies.
create table routing_rules (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  rule_id ksuid not null,
  -- From 1, without gaps: changes of the rules of an app hold the app.
  place int not null check (place > 0),
  display_name text not null,
  description text not null default '',
  condition text not null default '',
  is_enabled boolean not null,
  grant_policy_id text collate "C" not null default '',
  form_id text collate "C" not null default '',
  max_seconds bigint,
  is_emergency_enabled boolean not null default false,
  emergency_policy_id text collate "C" not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, app_id, rule_id),
  foreign key (tenant_id, app_id) references apps (tenant_id, app_id)
);
create index routing_rules_in_order on routing_rules (tenant_id, app_id, place);

-- What applies to the entitlements of an app that say nothing themselves.
create table request_defaults (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  is_enabled boolean not null,
  -- Empty for entitlements of every type, and of none.
  resource_type_ids text[] collate "C" not null default '{}',
  grant_policy_id text collate "C" not null default '',
  form_id text collate "C" not null default '',
  duration_seconds bigint,
  is_duration_unset boolean not null default false,
  is_emergency_enabled boolean not null default false,
  emergency_policy_id text collate "C" not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, app_id),
  foreign key (tenant_id, app_id) references apps (tenant_id, app_id)
);

create table request_settings (
  tenant_id int primary key references tenants,
  skips_justification boolean not null,
  updated_at timestamptz(3) not null
);
