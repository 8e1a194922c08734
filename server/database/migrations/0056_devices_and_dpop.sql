-- Access tokens of the credential are bound to a key of the client (RFC 9449).
alter table credentials add column require_dpop boolean not null default false;

-- Programs that ask to be authorized as a user who approves it in the console (RFC 8628). One that was redeemed is kept as long as
-- what it gave: a credential whose client id ends in /device.
create table device_requests (
  tenant_id int not null references tenants,
  request_id ksuid not null,
  device_code_sha256 bytea not null,
  -- Under the secret key: there are too few codes for a plain hash.
  user_code_mac bytea not null,
  -- What the program calls itself.
  client_id text not null collate "C",
  scoped_role_ids text[] collate "C" not null default '{}',
  source_address text not null,
  user_agent text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  state text not null check (state in ('waiting', 'approved', 'denied', 'redeemed')),
  -- Who approved or denied it; empty while it waits.
  user_id text not null collate "C" default '',
  decided_at timestamptz(3),
  -- What it gave; empty until it is redeemed.
  credential_id text not null collate "C" default '',
  -- How often the program may ask whether it was approved, and when it last did.
  interval_seconds int not null,
  polled_at timestamptz(3),
  forget_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id, request_id)
);
create unique index device_requests_by_device_code on device_requests (tenant_id, device_code_sha256);
create unique index device_requests_by_user_code on device_requests (tenant_id, user_code_mac);
create index device_requests_waiting on device_requests (tenant_id, expires_at) where state = 'waiting';
create index device_requests_by_credential on device_requests (tenant_id, credential_id) where credential_id <> '';
create index device_requests_to_forget on device_requests (forget_at);
