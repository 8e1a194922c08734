-- Who owns what, and in which role: a user, or everyone who holds an entitlement. As in grants, a row is written once and
-- ended once, so the rows that had begun by a moment and had not ended are the truth as of that moment.
create table owners (
  tenant_id int not null references tenants,
  -- What is owned: its kind and its key. A user lies in no app, and only a resource has a type; what there is not is ''.
  kind text collate "C" not null check (kind in ('app', 'entitlement', 'resource', 'account', 'user')),
  app_id text collate "C" not null default '',
  resource_type_id text collate "C" not null default '',
  object_id ksuid not null,
  role_slug text collate "C" not null check (role_slug ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  owner_id ksuid not null,
  -- Who owns it: a user, or the holders of an entitlement.
  user_id ksuid,
  entitlement_app_id ksuid,
  entitlement_id ksuid,
  began_at timestamptz(3) not null,
  began_by text not null default '',
  ended_at timestamptz(3),
  ended_by text,
  -- 'removed' where someone took it away, 'owner_gone' and 'object_gone' where it went with what was deleted.
  ended_why text check (ended_why in ('removed', 'owner_gone', 'object_gone')),
  primary key (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, owner_id),
  foreign key (tenant_id, user_id) references users,
  foreign key (tenant_id, entitlement_app_id, entitlement_id) references entitlements,
  check ((user_id is null) = (entitlement_id is not null)),
  check ((entitlement_app_id is null) = (entitlement_id is null)),
  check ((app_id = '') = (kind = 'user')),
  check ((resource_type_id = '') = (kind <> 'resource')),
  check ((ended_at is null) = (ended_why is null)),
  check (ended_at is null or ended_at >= began_at)
);
-- An owner is one in a role once; and lists walk these.
create unique index owners_open_users on owners
  (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, user_id)
  where ended_at is null and user_id is not null;
create unique index owners_open_entitlements on owners
  (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, entitlement_app_id, entitlement_id)
  where ended_at is null and entitlement_id is not null;
-- What a user owns or ever owned, and what the holders of an entitlement do or did.
create index owners_by_user on owners (tenant_id, user_id, kind, app_id, resource_type_id, object_id)
  where user_id is not null;
create index owners_by_entitlement on owners
  (tenant_id, entitlement_app_id, entitlement_id, kind, app_id, resource_type_id, object_id)
  where entitlement_id is not null;
-- What went with a deleted app: everything in it that had an owner.
create index owners_in_app on owners (tenant_id, app_id, kind) where ended_at is null;

create function owners_are_only_ended() returns trigger language plpgsql as $$
begin
  raise exception 'an owner is written once and ended once';
end
$$;
create trigger owners_are_only_ended before update on owners
  for each row when (
    old.ended_at is not null or new.ended_at is null
    or (new.tenant_id, new.kind, new.app_id, new.resource_type_id, new.object_id, new.role_slug, new.owner_id,
        new.user_id, new.entitlement_app_id, new.entitlement_id, new.began_at, new.began_by)
      is distinct from (old.tenant_id, old.kind, old.app_id, old.resource_type_id, old.object_id, old.role_slug,
        old.owner_id, old.user_id, old.entitlement_app_id, old.entitlement_id, old.began_at, old.began_by)
  ) execute function owners_are_only_ended();
create trigger owners_stay before delete on owners for each row execute function owners_are_only_ended();
create trigger owners_are_not_emptied before truncate on owners
  for each statement execute function owners_are_only_ended();

-- The holders of an entitlement in the order of their users: a page of its 10,000 holders is a walk of the app's accounts.
create index accounts_of_users_in_app on accounts (tenant_id, app_id, user_id, account_id)
  where user_id is not null and deleted_at is null;
