-- What is left of the budgets against guessing and flooding, for all processes and servers together. Rows belong to no
-- tenant (an address guesses at several): the table stays local to the coordinator where the database is distributed.
-- Keys are hashed, under the secret key, into 65,536 slots for each budget: so the number of rows is bounded whatever
-- callers send, nobody can choose whose slot they share, and neither addresses nor what strangers typed are kept.
-- Unlogged: a failure waits for no disk. After a crash of PostgreSQL the budgets are full.
create unlogged table budgets (
  name text collate "C" not null,
  slot int not null,
  left_over double precision not null,
  at timestamptz not null,
  -- How many were refused since the last that was not; `told` is that number when one is taken, and null when it is refused.
  refused int not null default 0,
  told int,
  -- From then on the row says no more than no row.
  full_at timestamptz not null,
  primary key (name, slot)
);

-- Whom plans of rules have named to whom, though they do not see them otherwise: counted over a day.
create table automation_names_shown (
  tenant_id int not null references tenants,
  reader_id ksuid not null,
  user_id ksuid not null,
  shown_at timestamptz(3) not null,
  primary key (tenant_id, reader_id, user_id)
);
