-- The host names of tenants: the current one of each, those that are to replace it, and those that it replaced. One for all tenants, so that no name has two.
create table tenant_hosts (
  host text collate "C" not null primary key,
  tenant_id integer not null,
  domain text collate "C" not null,
  origin text collate "C" not null default '',
  created_at timestamptz(3) not null,
  check_sha256 bytea,
  reached_at timestamptz(3),
  reached_origin text not null default '',
  signed_in_at timestamptz(3),
  replaced_at timestamptz(3),
  ends_at timestamptz(3),
  ended_at timestamptz(3),
  certificate text,
  sealed_key bytea,
  certificate_at timestamptz(3)
);
create index tenant_hosts_of on tenant_hosts (tenant_id, created_at);

insert into tenant_hosts (host, tenant_id, domain, created_at)
select host, tenant_id, domain, created_at from tenants;

-- The host name that a passkey was created at. Null for those of earlier versions: the first name of the tenant.
alter table passkeys add column rp_id text;

alter table four_eyes drop constraint four_eyes_kind_check;
alter table four_eyes add constraint four_eyes_kind_check
  check (kind in ('automations', 'policies', 'owners', 'roles', 'address'));
