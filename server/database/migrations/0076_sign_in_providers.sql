-- OpenID Connect providers of tenants: one that the operator configured, which may be for all mail domains, and those that administrators configured.
-- test_result is what the last test round trip returned, and by whom; it is not part of the MAC.
create table sign_in_providers (
  tenant_id integer not null references tenants,
  provider_id ksuid not null,
  display_name text not null,
  issuer text not null collate "C",
  client_id text not null,
  sealed_client_secret bytea,
  domains text[] not null,
  is_enabled boolean not null,
  is_of_operator boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  mac bytea not null,
  tested_at timestamptz(3),
  tested_by ksuid,
  test_result jsonb,
  primary key (tenant_id, provider_id)
);
create unique index sign_in_providers_by_issuer on sign_in_providers (tenant_id, issuer);
create unique index sign_in_providers_of_operator on sign_in_providers (tenant_id) where is_of_operator;

-- The row of a tenant is copied to sign_in_providers at the next start: only the program can compute its MAC. The version before continues to read the row here.
alter table oidc_providers add column moved_at timestamptz(3);
