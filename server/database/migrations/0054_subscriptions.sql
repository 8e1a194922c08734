-- Subscriptions: events of the system log, sent to addresses of receivers in the order of the tenant's chain.
create table subscriptions (
  tenant_id int not null references tenants,
  subscription_id ksuid not null,
  display_name text not null,
  description text not null default '',
  url text not null,
  event_kinds text[] not null,
  filter text not null default '',
  -- 'ended': the receiver answered 410.
  state text not null check (state in ('active', 'paused', 'ended')),
  -- Why it is not active, for programs, and in words; of one that is active, why the last attempt failed.
  reason text not null default '',
  detail text not null default '',
  state_changed_at timestamptz(3) not null,
  -- Bound to the address, the kinds, the filter and who is responsible: whoever changes those in the database gets nothing sent.
  sealed_secret bytea not null,
  sealed_old_secret bytea,
  old_secret_until timestamptz(3),
  -- Whoever created it, or last changed what leaves and where it goes: it is sent for as long as they may read the system log.
  responsible_id text not null collate "C",
  created_by text not null collate "C",
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The last event in the chain that was acknowledged, or passed over.
  cursor_seal bigint not null,
  cursor_position int not null,
  -- Whether there are events after it in links up to its own.
  is_behind boolean not null default true,
  -- Failed attempts at the event that follows.
  attempt int not null default 0,
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3),
  last_delivered_at timestamptz(3),
  delivered_count bigint not null default 0,
  filter_error_count bigint not null default 0,
  filter_error text not null default '',
  -- Changed with each change of what is sent or where: whoever is sending stops, and begins again with it.
  version int not null default 1,
  -- When it was last taken up: those that have waited longest are next.
  claimed_at timestamptz(3),
  lease_id text collate "C",
  lease_until timestamptz(3),
  primary key (tenant_id, subscription_id)
);
create index subscriptions_active on subscriptions (tenant_id, subscription_id) where state = 'active';

-- Attempts: the newest of each subscription. The body of a request is the event, which is in the system log.
create table subscription_deliveries (
  tenant_id int not null,
  subscription_id ksuid not null,
  delivery_id ksuid not null,
  message_id text not null collate "C",
  kind text not null collate "C",
  is_test boolean not null,
  attempt int not null,
  outcome text not null check (outcome in ('delivered', 'failed')),
  started_at timestamptz(3) not null,
  duration_ms int not null,
  -- 0 where there was no reply.
  status int not null,
  error text not null default '',
  -- Both without secrets. Of the reply only the beginning.
  request text not null,
  reply text not null default '',
  primary key (tenant_id, subscription_id, delivery_id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);
create index subscription_deliveries_old on subscription_deliveries (started_at);
