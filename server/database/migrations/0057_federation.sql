-- Workload federation: tokens of other issuers are exchanged for access tokens of service principals.

-- An issuer that may be trusted. Who could change one could sign in as every principal that trusts it: so it is under a MAC.
create table federation_providers (
  tenant_id integer not null references tenants,
  provider_id ksuid not null,
  display_name text not null,
  description text not null,
  well_known text not null collate "C",
  -- As it was given. spiffe://TRUST-DOMAIN for SPIFFE.
  issuer_url text not null collate "C",
  -- Where SPIFFE publishes the keys of its trust domain; empty for others, whose keys are found by discovery.
  bundle_endpoint_url text not null collate "C",
  is_disabled boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id, provider_id)
);

-- Which tokens of an issuer speak for a principal. Its client id, name, addresses, roles and end are those of its row in
-- credentials, whose client id ends in /wfe.
create table federation_trusts (
  tenant_id integer not null references tenants,
  credential_id ksuid not null,
  principal_id ksuid not null,
  provider_id ksuid not null,
  description text not null,
  condition text not null,
  passthrough_claims text[] not null,
  is_disabled boolean not null,
  updated_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id, credential_id),
  foreign key (tenant_id, credential_id) references credentials (tenant_id, credential_id),
  foreign key (tenant_id, provider_id) references federation_providers (tenant_id, provider_id)
);
create index federation_trusts_of_provider on federation_trusts (tenant_id, provider_id, credential_id);
create index federation_trusts_of_principal on federation_trusts (tenant_id, principal_id, credential_id);

-- What came to a trust in the last days: claims, never tokens. Alike ones are one row.
create table federation_attempts (
  tenant_id integer not null references tenants,
  credential_id ksuid not null,
  attempt_id ksuid not null,
  -- Of all that makes two of them alike.
  fingerprint bytea not null,
  is_admitted boolean not null,
  -- Where and why it was refused; empty for one that was admitted.
  step text not null,
  reason text not null,
  detail text not null,
  -- Only of tokens that the issuer has signed.
  claims jsonb,
  -- Names of claims that were left out, as they are about people.
  omitted text[] not null,
  source_address text not null,
  times integer not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (tenant_id, credential_id, fingerprint),
  foreign key (tenant_id, credential_id) references federation_trusts (tenant_id, credential_id) on delete cascade
);
create index federation_attempts_by_id on federation_attempts (tenant_id, credential_id, attempt_id);
create index federation_attempts_newest on federation_attempts (tenant_id, credential_id, is_admitted, last_at);
create index federation_attempts_oldest on federation_attempts (last_at);
