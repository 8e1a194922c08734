-- Lists of what is alive, however much was deleted.
create index resource_types_alive on resource_types (tenant_id, app_id, resource_type_id) where deleted_at is null;
create index resources_alive on resources (tenant_id, app_id, resource_type_id, resource_id) where deleted_at is null;

-- A search by id alone does not know the rest of the key.
create index resource_types_by_id on resource_types (tenant_id, resource_type_id);
create index resources_by_id on resources (tenant_id, resource_id);
create index entitlements_by_id on entitlements (tenant_id, entitlement_id);
create index accounts_by_id on accounts (tenant_id, account_id);

-- What loses its parent when a resource is deleted.
create index resources_by_parent on resources (tenant_id, app_id, parent_resource_type_id, parent_resource_id)
  where parent_resource_id is not null;

-- The filters of the entitlement search that are not bound to an app.
create index entitlements_by_alias on entitlements (tenant_id, alias, app_id, entitlement_id) where alias <> '';
create index entitlements_by_resource_id on entitlements (tenant_id, resource_id, app_id, entitlement_id)
  where resource_id is not null;
create index entitlements_by_resource_type on entitlements (tenant_id, resource_type_id, app_id, entitlement_id)
  where resource_type_id is not null;
create index entitlements_by_framework on entitlements using gin (compliance_framework_value_ids);

-- The same keys as before, a word rather than a character at a time: 10 µs for a name of three words, not 190.
create or replace function name_keys(name text) returns setof text language plpgsql immutable strict parallel safe as $$
declare
  rest text := lower(left(name, 200));
  shorter text;
  told text[] := '{}';
begin
  while rest <> '' loop
    if left(rest, 100) <> all(told) then
      told := told || left(rest, 100);
      return next left(rest, 100);
    end if;
    shorter := regexp_replace(rest, '^[[:alnum:]]*[^[:alnum:]]+', '');
    exit when shorter = rest;
    rest := shorter;
  end loop;
end
$$;

-- As before, but for rows that are searched by something else than they were: taking a risk level off 100,000
-- entitlements need not write their names anew.
create or replace function search_keys_of_named() returns trigger language plpgsql as $$
declare
  kind text := tg_argv[0];
  id text := tg_argv[1];
  others text := case when kind = 'entitlement' then 'union select lower(a) from unnest(array[n.alias, n.slug]) a' else '' end;
  changed text := '';
begin
  if tg_op = 'UPDATE' then
    changed := format(
      'join old_rows o on o.tenant_id = n.tenant_id and o.app_id = n.app_id and o.%1$I = n.%1$I
         and (o.deleted_at is null, o.display_name %2$s) is distinct from (n.deleted_at is null, n.display_name %3$s)',
      id, case when kind = 'entitlement' then ', o.alias, o.slug' else '' end,
      case when kind = 'entitlement' then ', n.alias, n.slug' else '' end);
    execute format(
      'delete from search_keys k using new_rows n %s
       where k.tenant_id = n.tenant_id and k.kind = %L and k.object_id = n.%I',
      changed, kind, id);
  end if;
  execute format(
    'insert into search_keys (tenant_id, kind, key, object_id, app_id)
     select distinct n.tenant_id, %L, k.key, n.%I, n.app_id from new_rows n %s, lateral (
       select name_keys(n.display_name) as key %s) k
     where n.deleted_at is null and k.key <> ''''',
    kind, id, changed, others);
  return null;
end
$$;
