-- Bulk changes that were carried out, with what each item was before: that is how they are undone.
create table bulk_actions (
  tenant_id int not null references tenants,
  bulk_action_id ksuid not null,
  kind text not null collate "C" check (kind in ('revoke', 'expiry', 'status', 'owner', 'risk')),
  -- As the system log has it, as in "Revoked 12 grants".
  title text not null,
  reason text not null,
  asked_by text not null collate "C",
  created_at timestamptz(3) not null,
  changed_count int not null,
  -- What was changed, at most 1,000: [{"ref", "before", "after"}].
  items jsonb not null,
  undone_by text not null collate "C" default '',
  undone_at timestamptz(3),
  restored_count int not null default 0,
  left_count int not null default 0,
  primary key (tenant_id, bulk_action_id)
);
