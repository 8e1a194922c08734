-- Files of connectors (.c1z) are imported: into one app each, and with what was left out of them.
alter table imports drop constraint imports_format_check;
alter table imports add constraint imports_format_check check (format in ('jsonl', 'csv', 'c1z'));
alter table imports add column app_id text collate "C" not null default '';
alter table imports add column notes text[] not null default '{}';

-- By which other entitlements of its app an account holds one: of a group, for example. As the last import told it; the row of
-- its own id says that it is held directly as well.
create table grant_sources (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  source_entitlement_id ksuid not null,
  primary key (tenant_id, app_id, entitlement_id, account_id, source_entitlement_id)
);
