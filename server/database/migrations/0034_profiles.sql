-- Access profiles ("request catalogs" on the wire): what can be requested, by whom, and what is given together.
create table profiles (
  tenant_id int not null references tenants,
  profile_id ksuid not null,
  display_name text not null,
  description text not null default '',
  is_published boolean not null default false,
  is_for_everyone boolean not null default false,
  -- Whether it can be requested as a whole: its enrollment is an entitlement of the app "Access profiles", under the same id.
  is_bundle boolean not null default false,
  enrollment text not null,
  unenrollment text not null,
  unenrollment_entitlements text not null,
  annotations jsonb not null default '{}',
  created_by text collate "C" not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, profile_id)
);

-- What is in a profile, in the order in which clients named it. The enrollment of a profile that can be requested as a whole
-- is a row too, so that what can be requested is found in one place.
create table profile_entries (
  tenant_id int not null,
  profile_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  place int not null,
  is_enrollment boolean not null default false,
  added_at timestamptz(3) not null,
  primary key (tenant_id, profile_id, app_id, entitlement_id),
  foreign key (tenant_id, profile_id) references profiles (tenant_id, profile_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements (tenant_id, app_id, entitlement_id)
);
create index profile_entries_of_entitlement on profile_entries (tenant_id, app_id, entitlement_id, profile_id);
create index profile_entries_in_order on profile_entries (tenant_id, profile_id, place);

-- Who sees a profile that is not for everyone: who holds one of these.
create table profile_visibility (
  tenant_id int not null,
  profile_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  added_at timestamptz(3) not null,
  primary key (tenant_id, profile_id, app_id, entitlement_id),
  foreign key (tenant_id, profile_id) references profiles (tenant_id, profile_id),
  foreign key (tenant_id, app_id, entitlement_id) references entitlements (tenant_id, app_id, entitlement_id)
);
create index profile_visibility_of_entitlement on profile_visibility (tenant_id, app_id, entitlement_id, profile_id);

-- Who was enrolled, as far as something was done about it: `asked` has a task that asks for the enrollment, `joined` was given
-- or has requested what is in the profile, `leaving` has a task that asks to end the enrollment.
create table profile_members (
  tenant_id int not null,
  profile_id ksuid not null,
  user_id ksuid not null,
  state text not null check (state in ('asked', 'joined', 'leaving')),
  -- Whether the profile's automation enrolled them.
  is_automatic boolean not null,
  joined_at timestamptz(3) not null,
  primary key (tenant_id, profile_id, user_id),
  foreign key (tenant_id, profile_id) references profiles (tenant_id, profile_id)
);
create index profile_members_of_user on profile_members (tenant_id, user_id, profile_id);

-- Profiles whose enrollment was given to or taken from someone: appended by whoever does, read by regular work.
create table profile_changes (
  tenant_id int not null references tenants,
  change_id bigint generated always as identity,
  profile_id text collate "C" not null,
  primary key (tenant_id, change_id)
);

-- What a profile's automation has beside the rule of its enrollment, which is in automations.
create table profile_automations (
  tenant_id int not null,
  profile_id ksuid not null,
  is_enabled boolean not null,
  creates_tasks boolean not null,
  -- What the client said; 0 is the usual threshold.
  removed_percent int not null,
  primary key (tenant_id, profile_id),
  foreign key (tenant_id, profile_id) references profiles (tenant_id, profile_id)
);

alter table automations
  -- From how many percent of the members on a run that takes from them is held; null is the usual threshold.
  add column loss_percent_max int,
  -- Whether that also goes for a handful of members.
  add column holds_few boolean not null default false;

alter table grants drop constraint grants_source_check;
alter table grants add constraint grants_source_check
  check (source in ('manual', 'import', 'rule', 'request', 'profile'));
