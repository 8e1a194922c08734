-- Grants as their connector wrote them, where it may need more than entitlement and account to revoke them: an id of its own, or
-- annotations. Of most grants there is no row: their id is made of those two.
create table connector_grants (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  -- The connector says that it cannot be revoked by itself.
  is_fixed boolean not null,
  data bytea not null,
  primary key (tenant_id, app_id, entitlement_id, account_id)
);

-- What the accounts that a connector creates are told of beside the person: values, with the person's attributes in braces.
alter table connectors add column account_profile jsonb not null default '{}';
