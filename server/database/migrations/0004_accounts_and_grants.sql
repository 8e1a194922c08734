-- An account in one app ("app user" on the wire), matched to a user or to nobody.
create table accounts (
  tenant_id int not null,
  app_id ksuid not null,
  account_id ksuid not null,
  external_id text collate "C",
  user_id ksuid,
  type text not null default 'APP_USER_TYPE_USER'
    check (type in ('APP_USER_TYPE_USER', 'APP_USER_TYPE_SERVICE_ACCOUNT', 'APP_USER_TYPE_SYSTEM_ACCOUNT')),
  status text not null default 'STATUS_ENABLED' check (status in ('STATUS_ENABLED', 'STATUS_DISABLED', 'STATUS_DELETED')),
  display_name text not null,
  email text not null default '',
  emails text[] not null default '{}',
  username text not null default '',
  usernames text[] not null default '{}',
  employee_ids text[] not null default '{}',
  profile jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, app_id, account_id),
  foreign key (tenant_id, app_id) references apps,
  foreign key (tenant_id, user_id) references users
);
create unique index accounts_by_external_id on accounts (tenant_id, app_id, external_id) where external_id is not null;
create index accounts_by_user on accounts (tenant_id, user_id, app_id, account_id) where user_id is not null;

-- Who holds which entitlement, and why. A row is written once and ended once; nothing else in it ever changes, so the
-- rows that began by a moment and had not ended are the truth as of that moment. New terms for a grant (another expiry)
-- end the row and begin another with the same granted_at.
create table grants (
  tenant_id int not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  grant_id ksuid not null,
  source text not null check (source in ('manual', 'import', 'rule', 'request')),
  -- Who or what gave it: a user's id, an import's, a rule's run.
  granted_by text not null default '',
  -- Since when it is held.
  granted_at timestamptz(3) not null,
  -- Until when, where it was given for a time.
  expires_at timestamptz(3),
  -- Since when, and until when, this row is what the record says.
  began_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by text,
  -- 'revoked' where it was taken back, 'expired' where its time was up, 'restated' where a row with new terms follows.
  ended_why text check (ended_why in ('revoked', 'expired', 'restated')),
  primary key (tenant_id, app_id, entitlement_id, account_id, grant_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements,
  foreign key (tenant_id, app_id, account_id) references accounts,
  check ((ended_at is null) = (ended_why is null)),
  check (ended_at is null or ended_at >= began_at)
);
create unique index grants_open on grants (tenant_id, app_id, entitlement_id, account_id, source) where ended_at is null;
create index grants_by_account on grants (tenant_id, app_id, account_id, entitlement_id) where ended_at is null;
create index grants_to_expire on grants (tenant_id, expires_at) where ended_at is null and expires_at is not null;

create function grants_are_only_ended() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.ended_at is not null
    or (to_jsonb(new) - array['ended_at', 'ended_by', 'ended_why'])
       is distinct from (to_jsonb(old) - array['ended_at', 'ended_by', 'ended_why'])
  then
    raise exception 'a grant is written once and ended once';
  end if;
  return new;
end
$$;
create trigger grants_are_only_ended before update or delete on grants
  for each row execute function grants_are_only_ended();
