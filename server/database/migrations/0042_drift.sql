-- Where the access that a connector found in an app differs from the access that is recorded for other reasons: as the last sync
-- of the app told it. What was settled since is left out when the list is read.
create table drift (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  -- 'unexplained': the app has it, and nothing here says why. 'missing': it should be there, and the app does not have it.
  kind text not null check (kind in ('unexplained', 'missing')),
  found_at timestamptz(3) not null,
  primary key (tenant_id, app_id, entitlement_id, account_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements,
  foreign key (tenant_id, app_id, account_id) references accounts
);

-- The last comparison of each app. What the first sync found is the baseline: it was there before anyone could say why.
create table drift_checks (
  tenant_id int not null,
  app_id ksuid not null,
  baseline_at timestamptz(3) not null,
  checked_at timestamptz(3) not null,
  primary key (tenant_id, app_id),
  foreign key (tenant_id, app_id) references apps
);
