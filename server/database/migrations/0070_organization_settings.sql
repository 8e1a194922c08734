-- The mail domains of an organization, whom it names as contacts, and from which addresses it may be reached.
create table organization_domains (
  tenant_id integer not null references tenants,
  domain_id ksuid not null,
  domain text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, domain_id)
);
create unique index organization_domains_once on organization_domains (tenant_id, domain);

create table organization_contacts (
  tenant_id integer not null references tenants,
  operations_emails text[] not null,
  security_emails text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id)
);

create table source_limits (
  tenant_id integer not null references tenants,
  limits jsonb not null,
  updated_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id)
);
