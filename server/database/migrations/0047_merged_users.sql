-- The user whom this one was merged into, as whose record everything goes on; empty where it was not.
alter table users add column merged_into text not null collate "C" default '';
create index users_merged on users (tenant_id, merged_into, user_id) where merged_into <> '';

-- Two users who are one person, with all that is needed to split them again.
create table user_merges (
  tenant_id int not null references tenants,
  merge_id ksuid not null,
  user_id ksuid not null,
  into_user_id ksuid not null,
  merged_by text not null collate "C",
  merged_at timestamptz(3) not null,
  split_by text not null collate "C" default '',
  split_at timestamptz(3),
  moved jsonb not null,
  primary key (tenant_id, merge_id),
  foreign key (tenant_id, user_id) references users,
  foreign key (tenant_id, into_user_id) references users
);
create index user_merges_of_user on user_merges (tenant_id, user_id, merge_id);
create index user_merges_into on user_merges (tenant_id, into_user_id, merge_id);
create unique index user_merges_open on user_merges (tenant_id, user_id) where split_at is null;
