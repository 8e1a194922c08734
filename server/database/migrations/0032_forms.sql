-- What requesters are asked. Fields are kept in the wire's own form, so that clients read back what they sent.
create table forms (
  tenant_id int not null references tenants,
  form_id ksuid not null,
  name text not null,
  description text not null default '',
  fields jsonb not null,
  field_groups jsonb not null default '[]',
  field_relationships jsonb not null default '[]',
  justification_visibility text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, form_id)
);

-- The form of an entitlement: at most one.
create table form_bindings (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  form_id ksuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, app_id, entitlement_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements (tenant_id, app_id, entitlement_id),
  foreign key (tenant_id, form_id) references forms (tenant_id, form_id)
);
create index form_bindings_of_form on form_bindings (tenant_id, form_id);
