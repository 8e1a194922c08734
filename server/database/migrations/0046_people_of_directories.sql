-- An app of any kind can be a directory: its accounts make people. One of the kind `app` is fed by imports and connectors.
alter table directories add column kind text not null default 'scim' check (kind in ('scim', 'app'));
alter table directories alter column group_type_id drop not null;
-- Which accounts are people: an expression; empty is all of them.
alter table directories add column account_filter text not null default '';
-- By what accounts and users are known to be the same, in this order: [[of the account, of the user], …].
alter table directories add column match_cases jsonb not null default '[]';
-- The place among all directories, and where it differs that for an attribute. Smaller comes first; of equal ones the older.
alter table directories add column rank int not null default 1000000;
alter table directories add column ranks jsonb not null default '{}';
-- When its accounts were last made people.
alter table directories add column followed_at timestamptz(3);

-- Directories of apps keep here what an account says of its person, and which state of the account that was.
alter table directory_users add column seen_at timestamptz(3);
-- How the account came to be this person's: created, a key, or before.
alter table directory_users add column matched_by text not null default '';
-- Whom the account calls its manager, and which user that is.
alter table directory_users add column manager_ref text not null default '';
alter table directory_users add column manager_id text not null collate "C" default '';
create index directory_users_without_manager on directory_users (tenant_id, app_id, account_id)
  where manager_ref <> '' and manager_id = '' and deleted_at is null;

-- From which account of which directory each attribute is, and since when: {attribute: [app, account, moment]}.
alter table users add column sources jsonb not null default '{}';

-- Accounts of directories that make nobody, and why.
create table directory_conflicts (
  tenant_id int not null,
  app_id ksuid not null,
  account_id ksuid not null,
  reason text not null,
  -- The key by which it was looked for.
  key text not null default '',
  user_ids text[] collate "C" not null default '{}',
  since timestamptz(3) not null,
  primary key (tenant_id, app_id, account_id),
  foreign key (tenant_id, app_id) references directories
);

-- What a change of directories would do, as it was shown; kept for a day.
create table directory_plans (
  tenant_id int not null references tenants,
  plan_id ksuid not null,
  created_by text not null collate "C",
  -- What would be changed, and what stands for all that would come of it.
  change jsonb not null,
  fingerprint text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, plan_id)
);
create table directory_plan_items (
  tenant_id int not null,
  plan_id ksuid not null,
  place int not null,
  item jsonb not null,
  primary key (tenant_id, plan_id, place),
  foreign key (tenant_id, plan_id) references directory_plans on delete cascade
);
