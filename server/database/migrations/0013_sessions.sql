-- Who is signed in to the console, by which browser. The cookie's secret is 256 random bits, and only its hash is here. A
-- session that has ended is deleted: that it was, and how it ended, is in the system log.
create table sessions (
  tenant_id int not null,
  session_id ksuid not null,
  user_id ksuid not null,
  secret_sha256 bytea not null,
  -- The secret before the last rotation: honoured until the new one was seen, and a moment longer.
  previous_sha256 bytea,
  previous_until timestamptz(3),
  method text not null check (method in ('link', 'passkey', 'oidc')),
  source_address text not null,
  user_agent text not null,
  created_at timestamptz(3) not null,
  rotated_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, session_id),
  foreign key (tenant_id, user_id) references users
);
create unique index sessions_by_secret on sessions (tenant_id, secret_sha256);
create unique index sessions_by_previous_secret on sessions (tenant_id, previous_sha256) where previous_sha256 is not null;
create index sessions_of_user on sessions (tenant_id, user_id, session_id);

-- One-time sign-in links: deleted by their use.
create table sign_in_links (
  tenant_id int not null,
  link_id ksuid not null,
  user_id ksuid not null,
  secret_sha256 bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, link_id),
  foreign key (tenant_id, user_id) references users
);
create unique index sign_in_links_by_secret on sign_in_links (tenant_id, secret_sha256);

create table passkeys (
  tenant_id int not null,
  passkey_id ksuid not null,
  user_id ksuid not null,
  display_name text not null,
  -- The authenticator's own id of it, base64url.
  credential_id text not null collate "C",
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (tenant_id, passkey_id),
  foreign key (tenant_id, user_id) references users
);
create unique index passkeys_by_credential_id on passkeys (tenant_id, credential_id);
create index passkeys_of_user on passkeys (tenant_id, user_id, passkey_id);

-- What was asked of a browser and is not answered yet: deleted by the answer, also by a wrong one.
create table sign_in_challenges (
  tenant_id int not null references tenants,
  challenge_sha256 bytea not null,
  kind text not null check (kind in ('passkey sign-in', 'passkey adding', 'oidc')),
  -- Whose answer it must be: a user's for a new passkey, empty else.
  user_id text not null collate "C" default '',
  -- What the answer is checked with and must not be told, sealed with the secret key.
  sealed bytea,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, challenge_sha256)
);

-- The OpenID Connect provider that a tenant's people may sign in with.
create table oidc_providers (
  tenant_id int not null references tenants,
  issuer text not null,
  client_id text not null,
  -- Sealed with the secret key; null for a public client.
  sealed_client_secret bytea,
  updated_at timestamptz(3) not null,
  primary key (tenant_id)
);
