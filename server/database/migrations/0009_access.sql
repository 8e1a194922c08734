-- Made by hand, because someone who had no account in the app was given an entitlement of it.
alter table accounts add column is_manually_managed boolean not null default false;
-- The few that are not like most: a filter on them must not walk past everyone else.
create index accounts_not_of_users on accounts (tenant_id, type, app_id, account_id) where type <> 'APP_USER_TYPE_USER';
create index accounts_not_enabled on accounts (tenant_id, status, app_id, account_id) where status <> 'STATUS_ENABLED';

create index users_not_human on users (tenant_id, type, user_id) where type <> 'USER_TYPE_HUMAN';
create index users_not_enabled on users (tenant_id, status, user_id) where status <> 'ENABLED';
create index users_by_origin on users (tenant_id, origin, user_id) where deleted_at is null;

-- The record of one entitlement, read by time: who got it and who lost it, the latest first, among 100,000.
create index grants_begun_of_entitlement on grants (tenant_id, app_id, entitlement_id, began_at, grant_id);
create index grants_ended_of_entitlement on grants (tenant_id, app_id, entitlement_id, ended_at, grant_id)
  where ended_at is not null;

-- What is due is looked for every second, across all tenants, in one probe.
drop index grants_to_expire;
create index grants_to_expire on grants (expires_at) where ended_at is null and expires_at is not null;

-- The guard of 0004 made two objects of jsonb a row; columns are compared in the condition, without a call.
drop trigger grants_are_only_ended on grants;
drop function grants_are_only_ended();
create function grants_are_only_ended() returns trigger language plpgsql as $$
begin
  raise exception 'a grant is written once and ended once';
end
$$;
create trigger grants_are_only_ended before update on grants
  for each row when (
    old.ended_at is not null or new.ended_at is null
    or (new.tenant_id, new.app_id, new.entitlement_id, new.account_id, new.grant_id, new.source, new.granted_by,
        new.granted_at, new.expires_at, new.began_at)
      is distinct from (old.tenant_id, old.app_id, old.entitlement_id, old.account_id, old.grant_id, old.source,
        old.granted_by, old.granted_at, old.expires_at, old.began_at)
  ) execute function grants_are_only_ended();
create trigger grants_stay before delete on grants for each row execute function grants_are_only_ended();
create trigger grants_are_not_emptied before truncate on grants
  for each statement execute function grants_are_only_ended();
