-- Webhooks: addresses of other systems that are called, to decide a step of a policy or to carry it out.
create table webhooks (
  tenant_id int not null references tenants,
  webhook_id ksuid not null,
  display_name text not null,
  description text not null,
  url text not null,
  -- How this server was addressed by who saved it last: addresses for callbacks begin with it. Empty: https and the domain of the tenant.
  origin text not null default '',
  -- How long a reply is waited for that was announced by 202; null for the usual time.
  callback_timeout_seconds int,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, webhook_id)
);

-- One message to a webhook, and what became of it.
create table webhook_deliveries (
  tenant_id int not null,
  delivery_id ksuid not null,
  webhook_id ksuid not null,
  state text not null check (state in ('pending', 'running', 'error', 'waiting', 'answered', 'success', 'fatal')),
  source text not null check (source in ('test', 'approval', 'provision')),
  -- The task and its step that wait for the answer; empty for a test.
  ticket_id text not null collate "C" default '',
  step_id text not null collate "C" default '',
  -- The JSON of the payload, as it is sent every time.
  payload text not null,
  -- Where it was sent last, or will be sent first; its host, of which only some requests are under way at once.
  destination text not null,
  host text not null collate "C",
  origin text not null,
  -- Of the token in the address for callbacks: SHA-256. The token itself is kept nowhere.
  callback_hash bytea not null,
  attempts int not null default 0,
  bad_answers int not null default 0,
  error text not null default '',
  answer jsonb,
  -- Which attempt is under way: a result of an earlier one does not count.
  lease_id text not null collate "C" default '',
  -- When there is something to do: the next attempt, the end of the lease of this one, or the end of waiting for a callback.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_attempted_at timestamptz(3),
  completed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (tenant_id, delivery_id),
  foreign key (tenant_id, webhook_id) references webhooks
);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, due_at) where due_at is not null;
create index webhook_deliveries_of_webhook on webhook_deliveries (tenant_id, webhook_id, delivery_id);
create index webhook_deliveries_completed on webhook_deliveries (tenant_id, completed_at) where completed_at is not null;
create unique index webhook_deliveries_callback on webhook_deliveries (tenant_id, callback_hash);
-- A step asks once.
create unique index webhook_deliveries_step on webhook_deliveries (tenant_id, step_id) where step_id <> '';

-- Requests that were sent and callbacks that came, without the secrets in them.
create table webhook_attempts (
  tenant_id int not null,
  delivery_id ksuid not null,
  attempt_id ksuid not null,
  -- 0 for a callback.
  number int not null,
  request_headers jsonb not null default '{}',
  began_at timestamptz(3) not null,
  -- Null while it is under way, and for good where the server was killed.
  ended_at timestamptz(3),
  status int not null default 0,
  error text not null default '',
  reply_headers jsonb not null default '{}',
  reply_body text not null default '',
  source_address text not null default '',
  primary key (tenant_id, delivery_id, attempt_id),
  foreign key (tenant_id, delivery_id) references webhook_deliveries on delete cascade
);
