-- Deleted users, accounts and entitlements are searched for too, where a search asks for them. Their keys lie apart:
-- whoever looks for what is there does not walk past what is not.
alter table search_keys drop constraint search_keys_kind_check;
alter table search_keys add constraint search_keys_kind_check check (kind in (
  'user', 'app', 'resource_type', 'resource', 'entitlement', 'account',
  'deleted_user', 'deleted_entitlement', 'deleted_account'));

-- The key of the same object that comes before this one; empty for its first. Whether an object was found by an earlier
-- key is then told by the row itself: looking for that key took as long as all the rest of a search.
alter table search_keys add column previous_key text not null collate "C" default '';
update search_keys k set previous_key = p.previous_key
from (
  select tenant_id, kind, key, object_id,
    lag(key) over (partition by tenant_id, kind, object_id order by key) as previous_key
  from search_keys
) p
where p.previous_key is not null
  and (k.tenant_id, k.kind, k.key, k.object_id) = (p.tenant_id, p.kind, p.key, p.object_id);
alter table search_keys alter column previous_key drop default;
alter table search_keys drop constraint search_keys_pkey;
alter table search_keys add primary key (tenant_id, kind, key, object_id) include (app_id, previous_key);

-- What something is searched by: its name from each word on, and its addresses, numbers and the like as they are.
create function keys_of(name text, others text[]) returns table (key text, previous_key text)
language sql immutable parallel safe as $$
  select k.key, coalesce(lag(k.key) over (order by k.key collate "C"), '')
  from (select name_keys(name) as key union select lower(left(o, 100)) from unnest(others) o) k
  where k.key <> ''
$$;

create function living_or_deleted(kind text, deleted_at timestamptz) returns text
language sql immutable parallel safe as $$
  select case when deleted_at is null then kind else 'deleted_' || kind end
$$;

-- As before, but for rows that are searched by something else than they were: another status, department or match does
-- not write names and addresses anew. Which those are is asked by `execute`, planned each time: a plan that was kept from a
-- change of one row compares each of thousands with each: 8,000 were not done in 20 s.
create or replace function search_keys_of_users() returns trigger language plpgsql as $$
declare
  changed text := '
    new_rows n join old_rows o on o.tenant_id = n.tenant_id and o.user_id = n.user_id
      and (o.deleted_at is null, o.display_name, o.email, o.emails, o.username, o.usernames, o.employee_ids)
        is distinct from (n.deleted_at is null, n.display_name, n.email, n.emails, n.username, n.usernames, n.employee_ids)';
begin
  if tg_op = 'UPDATE' then
    execute 'delete from search_keys k using ' || changed || '
      where k.tenant_id = o.tenant_id and k.kind = living_or_deleted(''user'', o.deleted_at) and k.object_id = o.user_id';
  end if;
  execute '
    insert into search_keys (tenant_id, kind, key, object_id, previous_key)
    select n.tenant_id, living_or_deleted(''user'', n.deleted_at), k.key, n.user_id, k.previous_key
    from ' || case tg_op when 'UPDATE' then changed else 'new_rows n' end || ',
      lateral keys_of(n.display_name, n.emails || n.usernames || n.employee_ids || array[n.email, n.username]) k';
  return null;
end
$$;

create or replace function search_keys_of_accounts() returns trigger language plpgsql as $$
declare
  changed text := '
    new_rows n join old_rows o on o.tenant_id = n.tenant_id and o.app_id = n.app_id and o.account_id = n.account_id
      and (o.deleted_at is null, o.display_name, o.email, o.emails, o.username, o.usernames)
        is distinct from (n.deleted_at is null, n.display_name, n.email, n.emails, n.username, n.usernames)';
begin
  if tg_op = 'UPDATE' then
    execute 'delete from search_keys k using ' || changed || '
      where k.tenant_id = o.tenant_id and k.kind = living_or_deleted(''account'', o.deleted_at)
        and k.object_id = o.account_id';
  end if;
  execute '
    insert into search_keys (tenant_id, kind, key, object_id, app_id, previous_key)
    select n.tenant_id, living_or_deleted(''account'', n.deleted_at), k.key, n.account_id, n.app_id, k.previous_key
    from ' || case tg_op when 'UPDATE' then changed else 'new_rows n' end || ',
      lateral keys_of(n.display_name, n.emails || n.usernames || array[n.email, n.username]) k';
  return null;
end
$$;

-- As before, and entitlements keep their keys when they are deleted.
create or replace function search_keys_of_named() returns trigger language plpgsql as $$
declare
  kind text := tg_argv[0];
  id text := tg_argv[1];
  is_kept boolean := kind = 'entitlement';
  changed text := '';
begin
  if tg_op = 'UPDATE' then
    changed := format(
      'join old_rows o on o.tenant_id = n.tenant_id and o.app_id = n.app_id and o.%1$I = n.%1$I
         and (o.deleted_at is null, o.display_name %2$s) is distinct from (n.deleted_at is null, n.display_name %3$s)',
      id, case when is_kept then ', o.alias, o.slug' else '' end, case when is_kept then ', n.alias, n.slug' else '' end);
    execute format(
      'delete from search_keys k using new_rows n %s
       where k.tenant_id = n.tenant_id and k.kind = living_or_deleted(%L, o.deleted_at) and k.object_id = n.%I',
      changed, kind, id);
  end if;
  execute format(
    'insert into search_keys (tenant_id, kind, key, object_id, app_id, previous_key)
     select n.tenant_id, living_or_deleted(%1$L, n.deleted_at), k.key, n.%2$I, n.app_id, k.previous_key
     from new_rows n %3$s, lateral keys_of(n.display_name, %4$s) k
     where n.deleted_at is null or %5$L',
    kind, id, changed, case when is_kept then 'array[n.alias, n.slug]' else '''{}''' end, is_kept);
  return null;
end
$$;

-- The keys of what was deleted before.
insert into search_keys (tenant_id, kind, key, object_id, previous_key)
select u.tenant_id, 'deleted_user', k.key, u.user_id, k.previous_key from users u,
  lateral keys_of(u.display_name, u.emails || u.usernames || u.employee_ids || array[u.email, u.username]) k
where u.deleted_at is not null;
insert into search_keys (tenant_id, kind, key, object_id, app_id, previous_key)
select a.tenant_id, 'deleted_account', k.key, a.account_id, a.app_id, k.previous_key from accounts a,
  lateral keys_of(a.display_name, a.emails || a.usernames || array[a.email, a.username]) k
where a.deleted_at is not null;
insert into search_keys (tenant_id, kind, key, object_id, app_id, previous_key)
select e.tenant_id, 'deleted_entitlement', k.key, e.entitlement_id, e.app_id, k.previous_key from entitlements e,
  lateral keys_of(e.display_name, array[e.alias, e.slug]) k
where e.deleted_at is not null;
