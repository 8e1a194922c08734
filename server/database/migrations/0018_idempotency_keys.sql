-- What was answered to a request that carried an Idempotency-Key, written with the change that it made: the same request
-- again gets the same answer, and changes nothing. The reply is sealed with the secret key, and holds no secret.
create table idempotency_keys (
  tenant_id int not null references tenants,
  -- The credential, or the user of a session.
  caller text collate "C" not null,
  key_sha256 bytea not null,
  -- Of the operation, its address and its body.
  fingerprint bytea not null,
  reply bytea not null,
  -- The reply that was sent held a secret, which is not kept.
  has_secret boolean not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, caller, key_sha256)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
