-- What decides who may do what carries a MAC under the installation's secret key: a row that was written or changed
-- without the key does not count. Existing rows get theirs at the first start after this (server/sealed-rows.ts).
alter table credentials
  -- The credentials by whose tokens this one was created, the first of them first; it ends with any of them.
  add column ancestor_ids text[] collate "C" not null default '{}',
  add column mac bytea;

alter table roles add column mac bytea;

alter table user_roles
  -- The user's email address when the role was assigned: under the MAC, unlike users.email.
  add column assigned_email text,
  -- Assignments of the built-in Basic User need none: imports write a million of them.
  add column mac bytea;

-- That the existing rows got theirs: it is done once.
alter table installation add column sealed_rows_mac bytea;

-- Access tokens that were revoked (RFC 7009), until they would have expired anyway.
create table revoked_tokens (
  tenant_id int not null,
  credential_id ksuid not null,
  token_id text not null collate "C",
  expires_at timestamptz(3) not null,
  primary key (tenant_id, credential_id, token_id),
  foreign key (tenant_id, credential_id) references credentials
);
create index revoked_tokens_by_expiry on revoked_tokens (expires_at);
