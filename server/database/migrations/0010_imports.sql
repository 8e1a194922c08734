-- Every import that was done. What it did in detail is told by the rows that carry its time, and by grants that carry its
-- id; one that was refused left nothing, and is not here.
create table imports (
  tenant_id int not null references tenants,
  import_id ksuid not null,
  format text not null check (format in ('jsonl', 'csv')),
  is_full boolean not null,
  is_forced boolean not null,
  -- Who did it; empty for the operator's own command.
  user_id text not null collate "C" default '',
  user_name text not null default '',
  line_count int not null,
  byte_count bigint not null,
  -- [{"kind", "added", "changed", "unchanged", "removed"}]
  counts jsonb not null,
  ignored_fields text[] not null default '{}',
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  primary key (tenant_id, import_id)
);

-- Accounts that are nobody's, to be looked through when users come in.
create index accounts_of_nobody on accounts (tenant_id, app_id, account_id) where user_id is null and deleted_at is null;
