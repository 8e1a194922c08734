-- Who decides about access, in which steps. Steps are kept in the wire's own form, so that clients read back what they sent.
create table policies (
  tenant_id int not null references tenants,
  policy_id ksuid not null,
  type text not null check (type in ('POLICY_TYPE_GRANT', 'POLICY_TYPE_REVOKE', 'POLICY_TYPE_CERTIFY')),
  display_name text not null,
  description text not null default '',
  steps jsonb not null,
  rules jsonb not null default '[]',
  remediates_immediately boolean not null default false,
  baseline_policy_id text collate "C" not null default '',
  -- The policies that this one refers to: by a rule, as its baseline, or by an escalation.
  referred_ids text[] collate "C" not null default '{}',
  scope jsonb,
  annotations jsonb not null default '{}',
  built_in text,
  version int not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, policy_id)
);
create index policies_referring on policies using gin (referred_ids);

alter table apps
  add column grant_policy_id text collate "C" not null default '',
  add column revoke_policy_id text collate "C" not null default '',
  add column certify_policy_id text collate "C" not null default '';

alter table entitlements
  add column grant_policy_id text collate "C" not null default '',
  add column revoke_policy_id text collate "C" not null default '',
  add column certify_policy_id text collate "C" not null default '',
  add column emergency_policy_id text collate "C" not null default '',
  add column is_emergency_enabled boolean not null default false,
  add column provisioner jsonb,
  add column deprovisioner jsonb;
