-- Verifications of the system log: who checked the chain, when, up to which link, and what was found. Each row has a MAC, so that
-- whoever writes to the database without the secret key cannot make a log look verified.
create table systemlog_verifications (
  tenant_id int not null references tenants,
  verification_id ksuid not null,
  by_kind text not null check (by_kind in ('server', 'user', 'command')),
  by_id text not null collate "C" default '',
  by_name text not null default '',
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  -- When the walk began that read the log from its beginning and that this one continues.
  walk_began_at timestamptz(3) not null,
  -- The links that were read: behind the one, up to the other, which has this MAC.
  from_seal bigint not null,
  seal_number bigint not null,
  seal_mac bytea not null,
  event_count bigint not null,
  -- False where the log went on behind that link, and was left for the next verification.
  is_complete boolean not null,
  finding_count int not null,
  -- The first of them.
  findings jsonb not null default '[]',
  mac bytea not null,
  primary key (tenant_id, verification_id)
);
