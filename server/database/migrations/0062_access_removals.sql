-- Removals of all access of a person, as a plan showed them. The grants that one ended carry its id in ended_by: that is how it is undone.
create table access_removals (
  tenant_id int not null references tenants,
  removal_id ksuid not null,
  user_id ksuid not null,
  -- Of the plan: a second request with the same plan gets the same removal.
  fingerprint text not null collate "C",
  reason text not null,
  asked_by text not null collate "C",
  -- How its author came in: revocations are opened with what they may do then.
  client_id text not null collate "C" default '',
  session_id text not null collate "C" default '',
  source_address text not null default '',
  request_id text not null default '',
  created_at timestamptz(3) not null,
  grant_count int not null,
  -- Entitlements from whose rules the person was excluded by it: [{"appId", "id"}].
  excluded jsonb not null default '[]',
  -- Access that people have to remove in the app: [{"appId", "entitlementId", "accountId", "taskId"}]. A job opens a
  -- revocation for each, and then writes its id there.
  by_hand jsonb not null default '[]',
  by_hand_error text not null default '',
  is_disabled boolean not null default false,
  undone_by text not null collate "C" default '',
  undone_at timestamptz(3),
  restored_count int not null default 0,
  left_count int not null default 0,
  primary key (tenant_id, removal_id)
);
create index access_removals_of_user on access_removals (tenant_id, user_id, removal_id);
