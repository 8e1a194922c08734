-- Rules that give an entitlement to whom they match, who is left alone by them, and what they did.

-- One rule an entitlement. A deleted one keeps its row, and with it the number of its version.
create table automations (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  -- Rises with every change of whom the rule matches.
  version int not null,
  kind text not null check (kind in ('none', 'basic', 'cel', 'entitlements')),
  expression text not null default '',
  -- Of kind 'entitlements': whose holders match, [{"appId", "id"}] in the order in which they were given.
  refs jsonb not null default '[]',
  display_name text not null default '',
  description text not null default '',
  -- The fields of a user that the rule reads, by their names in expressions: only a change of these is looked at.
  reads text[] not null default '{}',
  -- Reads the time: its answer changes though nothing does.
  is_clocked boolean not null default false,
  has_breaker boolean not null default true,
  -- Why it does not run until a person says so; null while it runs.
  paused_why text check (paused_why in ('held', 'cancelled', 'undone')),
  -- When it is run over everyone next; null while such a run is under way.
  due_at timestamptz(3),
  due_cause text not null default 'schedule',
  due_by text not null default '',
  -- A transaction after which all see it: older ones may not have told it of what they changed.
  seen_from_xid xid8 not null default pg_current_xact_id(),
  last_run_id ksuid,
  last_completed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id, entitlement_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements
);
create index automations_alive on automations (tenant_id, app_id, entitlement_id) where deleted_at is null;
create index automations_due on automations (due_at) where deleted_at is null and paused_why is null;

-- Which entitlements a rule looks at: those that it asks whether a user holds, and its own, whose members it keeps right.
-- An empty entitlement_id is an app: whether a user has an account there.
create table automation_reads (
  tenant_id int not null,
  app_id text not null collate "C",
  entitlement_id text not null collate "C",
  by_app_id ksuid not null,
  by_entitlement_id ksuid not null,
  primary key (tenant_id, app_id, entitlement_id, by_app_id, by_entitlement_id),
  foreign key (tenant_id, by_app_id, by_entitlement_id) references automations
);
create index automation_reads_of_rule on automation_reads (tenant_id, by_app_id, by_entitlement_id);

-- Who is not affected by an entitlement's rule. The list is the entitlement's: it needs no rule, and outlives one.
create table automation_exclusions (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  user_id ksuid not null,
  added_at timestamptz(3) not null,
  added_by text not null collate "C" default '',
  primary key (tenant_id, app_id, entitlement_id, user_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements,
  foreign key (tenant_id, user_id) references users
);
create index automation_exclusions_of_user on automation_exclusions (tenant_id, user_id);

-- What rules did, one row a run. A run that is under way is worked on in short transactions that hold its row: whoever
-- dies lets go of it, and another goes on from there.
create table automation_runs (
  tenant_id int not null,
  run_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  version int not null,
  cause text not null
    check (cause in ('saved', 'change', 'exclusion', 'schedule', 'hand', 'apply', 'release', 'undo')),
  -- The user who caused it, where one did.
  started_by text not null collate "C" default '',
  -- Finding the difference, changing what it found, over.
  phase text not null check (phase in ('finding', 'applying', 'over')),
  status text not null check (status in ('running', 'held', 'done', 'failed', 'cancelled', 'superseded')),
  -- A person has seen what it would do: it is not held.
  is_released boolean not null default false,
  -- It looked while transactions were open that had not seen the rule: it is followed by another.
  is_early boolean not null default false,
  -- How far finding has come, where the database cannot do it in one statement: the last user's id.
  position text not null collate "C" default '',
  matched int not null default 0,
  excluded int not null default 0,
  -- How many hold it because the rule gave it to them, before the run.
  members int not null default 0,
  -- What finding found, and what was then done; others may have changed something in between.
  to_gain int not null default 0,
  to_lose int not null default 0,
  gained int not null default 0,
  lost int not null default 0,
  failed int not null default 0,
  -- Some of those for whom the rule failed: [{"userId", "error"}].
  failures jsonb not null default '[]',
  -- Of an undo: the run that it undid, and how much of it had been changed since.
  undoes text collate "C",
  left_alone int not null default 0,
  undone_by text collate "C",
  error text not null default '',
  started_at timestamptz(3) not null,
  stepped_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (tenant_id, run_id),
  foreign key (tenant_id, app_id, entitlement_id) references automations
);
create index automation_runs_of_rule on automation_runs (tenant_id, app_id, entitlement_id, run_id);
-- At most one at a time, whoever starts it.
create unique index automation_runs_open on automation_runs (tenant_id, app_id, entitlement_id)
  where status in ('running', 'held');
create index automation_runs_running on automation_runs (stepped_at) where status = 'running';
create index automation_runs_idle on automation_runs (finished_at)
  where status = 'done' and cause = 'schedule' and gained = 0 and lost = 0 and failed = 0;

-- What a run found and has not done yet. Each user is looked at again when their turn comes. An empty id stands for
-- accounts that have come to be nobody's.
create table automation_run_items (
  tenant_id int not null,
  run_id ksuid not null,
  user_id text not null collate "C",
  outcome text not null check (outcome in ('gain', 'lose')),
  primary key (tenant_id, run_id, user_id),
  foreign key (tenant_id, run_id) references automation_runs
);

-- Users to look at again, written by what changed them, in its transaction. Only ever appended to and taken from: nobody
-- waits for anybody here. Where a rule is named, only that one is meant.
create table automation_changes (
  tenant_id int not null,
  change_id bigint generated always as identity,
  user_id text not null collate "C",
  app_id text not null collate "C" default '',
  entitlement_id text not null collate "C" default '',
  changed_by text not null collate "C" default '',
  primary key (tenant_id, change_id)
);

-- Nothing is written for tenants without rules, nor when no field changed that some rule reads.
create function automation_changes_of_users() returns trigger language plpgsql as $$
begin
  if not exists (select from automations m where m.deleted_at is null) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into automation_changes (tenant_id, user_id)
    select n.tenant_id, n.user_id from new_rows n
    where n.deleted_at is null
      and exists (select from automations m where m.tenant_id = n.tenant_id and m.deleted_at is null);
    return null;
  end if;
  insert into automation_changes (tenant_id, user_id)
  with read as (
    select m.tenant_id, array_agg(distinct field) as fields from automations m, unnest(m.reads) field
    where m.deleted_at is null and m.tenant_id in (select n.tenant_id from new_rows n) group by m.tenant_id
  )
  select n.tenant_id, n.user_id from new_rows n
  join old_rows o on o.tenant_id = n.tenant_id and o.user_id = n.user_id
  join read r on r.tenant_id = n.tenant_id
  where (o.deleted_at is null) <> (n.deleted_at is null) or r.fields && array[
    case when o.status <> n.status then 'status' end,
    case when o.directory_status <> n.directory_status then 'directoryStatus' end,
    case when o.type <> n.type then 'type' end,
    case when o.display_name <> n.display_name then 'displayName' end,
    case when o.email <> n.email then 'email' end,
    case when o.emails <> n.emails then 'emails' end,
    case when o.username <> n.username then 'username' end,
    case when o.usernames <> n.usernames then 'usernames' end,
    case when o.department <> n.department then 'department' end,
    case when o.job_title <> n.job_title then 'jobTitle' end,
    case when o.employment_type <> n.employment_type then 'employmentType' end,
    case when o.employment_status <> n.employment_status then 'employmentStatus' end,
    case when o.manager_ids <> n.manager_ids then 'manager' end,
    case when o.manager_ids <> n.manager_ids then 'managerId' end,
    case when o.profile <> n.profile then 'profile' end];
  -- A rule may read the address of a user's manager.
  insert into automation_changes (tenant_id, user_id)
  select u.tenant_id, u.user_id from new_rows n
  join old_rows o on o.tenant_id = n.tenant_id and o.user_id = n.user_id and o.email <> n.email
  join users u on u.tenant_id = n.tenant_id and u.manager_ids @> array[n.user_id::text] and u.deleted_at is null
  where exists (select from automations m
    where m.tenant_id = n.tenant_id and m.deleted_at is null and 'manager' = any(m.reads));
  return null;
end
$$;
create trigger automation_changes_of_new_users after insert on users referencing new table as new_rows
  for each statement execute function automation_changes_of_users();
create trigger automation_changes_of_changed_users after update on users
  referencing old table as old_rows new table as new_rows
  for each statement execute function automation_changes_of_users();

-- What a rule itself gives and takes is no news to it, but it is to the rules that read it.
create function automation_changes_of_grants() returns trigger language plpgsql as $$
begin
  insert into automation_changes (tenant_id, user_id)
  select distinct n.tenant_id, a.user_id from new_rows n
  join automation_reads r on r.tenant_id = n.tenant_id and r.app_id = n.app_id and r.entitlement_id = n.entitlement_id
    and (coalesce(current_setting('bailiwick.runs_rules', true), '') <> 'on'
      or r.by_app_id <> n.app_id or r.by_entitlement_id <> n.entitlement_id)
  join accounts a on a.tenant_id = n.tenant_id and a.app_id = n.app_id and a.account_id = n.account_id
  where a.user_id is not null;
  return null;
end
$$;
create trigger automation_changes_of_new_grants after insert on grants referencing new table as new_rows
  for each statement execute function automation_changes_of_grants();
create trigger automation_changes_of_ended_grants after update on grants referencing new table as new_rows
  for each statement execute function automation_changes_of_grants();

-- An account that comes, goes or changes hands takes along what it holds.
create function automation_changes_of_accounts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into automation_changes (tenant_id, user_id)
    select distinct n.tenant_id, n.user_id from new_rows n
    join automation_reads r on r.tenant_id = n.tenant_id and r.app_id = n.app_id and r.entitlement_id = ''
    where n.user_id is not null;
    return null;
  end if;
  insert into automation_changes (tenant_id, user_id)
  select distinct n.tenant_id, w.user_id from new_rows n
  join old_rows o on o.tenant_id = n.tenant_id and o.app_id = n.app_id and o.account_id = n.account_id
    and (o.user_id is distinct from n.user_id or (o.deleted_at is null) <> (n.deleted_at is null))
  cross join lateral (values (o.user_id), (n.user_id)) as w (user_id)
  where w.user_id is not null
    and exists (select from automation_reads r where r.tenant_id = n.tenant_id and r.app_id = n.app_id);
  return null;
end
$$;
create trigger automation_changes_of_new_accounts after insert on accounts referencing new table as new_rows
  for each statement execute function automation_changes_of_accounts();
create trigger automation_changes_of_changed_accounts after update on accounts
  referencing old table as old_rows new table as new_rows
  for each statement execute function automation_changes_of_accounts();

-- A rule ends with its entitlement, and does not come back with it.
create function automations_of_deleted_entitlements() returns trigger language plpgsql as $$
begin
  delete from automation_reads r using new_rows n
  where n.deleted_at is not null and r.tenant_id = n.tenant_id and r.by_app_id = n.app_id
    and r.by_entitlement_id = n.entitlement_id;
  update automations m set deleted_at = n.deleted_at, updated_at = n.deleted_at
  from new_rows n
  where n.deleted_at is not null and m.tenant_id = n.tenant_id and m.app_id = n.app_id
    and m.entitlement_id = n.entitlement_id and m.deleted_at is null;
  return null;
end
$$;
create trigger automations_of_deleted_entitlements after update on entitlements referencing new table as new_rows
  for each statement execute function automations_of_deleted_entitlements();
