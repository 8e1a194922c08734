-- Search keys, changes that rules look at and the end of a deleted entitlement's rule are written by the program, with the
-- write that causes them (server/rooms/foundation/writes). A trigger on a shard cannot write another distributed table.
drop trigger search_keys_of_new_users on users;
drop trigger search_keys_of_changed_users on users;
drop trigger search_keys_of_new_accounts on accounts;
drop trigger search_keys_of_changed_accounts on accounts;
drop trigger search_keys_of_new_apps on apps;
drop trigger search_keys_of_changed_apps on apps;
drop trigger search_keys_of_new_resource_types on resource_types;
drop trigger search_keys_of_changed_resource_types on resource_types;
drop trigger search_keys_of_new_resources on resources;
drop trigger search_keys_of_changed_resources on resources;
drop trigger search_keys_of_new_entitlements on entitlements;
drop trigger search_keys_of_changed_entitlements on entitlements;
drop trigger automation_changes_of_new_users on users;
drop trigger automation_changes_of_changed_users on users;
drop trigger automation_changes_of_new_grants on grants;
drop trigger automation_changes_of_ended_grants on grants;
drop trigger automation_changes_of_new_accounts on accounts;
drop trigger automation_changes_of_changed_accounts on accounts;
drop trigger automations_of_deleted_entitlements on entitlements;
drop function search_keys_of_users();
drop function search_keys_of_accounts();
drop function search_keys_of_named();
drop function automation_changes_of_users();
drop function automation_changes_of_grants();
drop function automation_changes_of_accounts();
drop function automations_of_deleted_entitlements();

-- One row for each write, whether or not any rule reads what it changed: that is decided when the row is read. A rule that
-- is saved while a write is open is then told of it when the write commits, so no rule has to know which transactions were
-- open when it was saved.
alter table automation_changes
  -- user: fields of users. manager: addresses of users, which rules may read of their reports. account_new: users who got an
  -- account in an app. account: users whose account in an app was deleted, restored or matched to someone else.
  -- holding: accounts that were given an entitlement, or lost it. rule: users to be looked at by one rule.
  add column kind text not null default 'user'
    check (kind in ('user', 'manager', 'account_new', 'account', 'holding', 'rule')),
  -- Users, or accounts where the kind is holding.
  add column ids text[] not null collate "C" default '{}',
  -- Too many to name: every rule that reads such a change is run over everyone. Of a holding, in any entitlement of the app.
  add column is_everyone boolean not null default false,
  -- The fields of a user as rules call them; null is any.
  add column fields text[] collate "C",
  -- Given or revoked by the entitlement's own rule, which has no need to look at it again.
  add column is_by_rule boolean not null default false;
update automation_changes set ids = array[user_id], kind = case when app_id = '' then 'user' else 'rule' end;
alter table automation_changes drop column user_id;
alter table automation_changes alter column kind drop default;

alter table automations drop column seen_from_xid;
alter table automation_runs drop column is_early;

-- A trigger that names TRUNCATE exists on the table only; Citus does not create it on the table's shards. So that the others
-- do exist there, TRUNCATE has a trigger of its own.
drop trigger systemlog_events_stay on systemlog_events;
create trigger systemlog_events_stay before delete on systemlog_events
  for each statement execute function systemlog_is_append_only();
create trigger systemlog_events_are_not_emptied before truncate on systemlog_events
  for each statement execute function systemlog_is_append_only();
drop trigger systemlog_seals_stay on systemlog_seals;
create trigger systemlog_seals_stay before update or delete on systemlog_seals
  for each statement execute function systemlog_is_append_only();
create trigger systemlog_seals_are_not_emptied before truncate on systemlog_seals
  for each statement execute function systemlog_is_append_only();
drop trigger systemlog_heads_stay on systemlog_heads;
create trigger systemlog_heads_stay before delete on systemlog_heads
  for each statement execute function systemlog_is_append_only();
create trigger systemlog_heads_are_not_emptied before truncate on systemlog_heads
  for each statement execute function systemlog_is_append_only();
