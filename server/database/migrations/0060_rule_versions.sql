-- Versions of automation rules: what each save wrote, by whom, when and why (decision 0111).
create table automation_versions (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  version int not null,
  kind text not null check (kind in ('none', 'basic', 'cel', 'entitlements')),
  expression text not null default '',
  refs jsonb not null default '[]',
  display_name text not null default '',
  description text not null default '',
  -- Who must match and who must not: [{"userId", "matches"}].
  examples jsonb not null default '[]',
  reason text not null default '',
  -- The version that this one restored; null where it was written anew.
  restores int,
  -- Empty where nobody knows: rules of before there were versions, and of the demo company.
  saved_by text not null collate "C" default '',
  saved_at timestamptz(3) not null,
  primary key (tenant_id, app_id, entitlement_id, version),
  foreign key (tenant_id, app_id, entitlement_id) references automations
);
insert into automation_versions (tenant_id, app_id, entitlement_id, version, kind, expression, refs, display_name,
  description, saved_at)
select tenant_id, app_id, entitlement_id, version, kind, expression, refs, display_name, description, updated_at
from automations;

alter table automations add column examples jsonb not null default '[]';
-- Why someone was excluded, and why something was granted manually.
alter table automation_exclusions add column reason text not null default '';
alter table grants add column reason text not null default '';
