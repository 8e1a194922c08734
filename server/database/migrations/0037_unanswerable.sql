-- Entitlements that can be requested although a step of their policy names nobody who could decide it. Kept current by regular
-- work, which looks at all of them in rounds.
create table unanswerable (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  problems jsonb not null,
  checked_at timestamptz(3) not null,
  primary key (tenant_id, app_id, entitlement_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements
);

-- Where the round of a tenant stands. `seal_number` is the end of the system log when it began: what changes afterwards may not
-- be in it, so that another one follows.
create table answerable_rounds (
  tenant_id int not null references tenants,
  after_app_id text collate "C" not null default '',
  after_entitlement_id text collate "C" not null default '',
  seal_number bigint not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  checked int not null default 0,
  primary key (tenant_id)
);
