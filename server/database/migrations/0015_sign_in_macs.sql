-- Everything that lets a person in carries a MAC under the secret key over all that it says: whoever can write to the
-- database, but lacks the key, can neither add nor change such a row so that it counts.

-- Sessions, links and challenges from before have none and do not count: people sign in again.
drop table sessions;
create table sessions (
  tenant_id int not null,
  session_id ksuid not null,
  user_id ksuid not null,
  method text not null check (method in ('link', 'passkey', 'oidc')),
  source_address text not null,
  user_agent text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- As the policy of the tenant was when the session began.
  idle_seconds int not null,
  fresh_seconds int not null,
  -- The cookie in use, by the number of its generation, and which of the cookies offered for that generation it is. The
  -- cookie itself is derived from these with the secret key, and is not here.
  generation int not null,
  branch int not null,
  rotated_at timestamptz(3) not null,
  -- The cookie before: honoured for requests that were under way.
  previous_branch int not null,
  previous_until timestamptz(3),
  -- How many cookies were offered for the next generation, and when the last one was.
  offers int not null,
  offered_at timestamptz(3),
  -- A session that was ended for a reason that its owner must be told stays for a day.
  ended_at timestamptz(3),
  ended_why text check (ended_why in ('COOKIE_REUSED', 'COOKIE_NOT_REPLACED', 'RECORD_SET_BACK', 'ENDED_BY_ADMINISTRATOR')),
  mac bytea not null,
  -- Written often, and apart from the rest: with a MAC of its own.
  last_seen_at timestamptz(3) not null,
  last_seen_mac bytea not null,
  primary key (tenant_id, session_id),
  foreign key (tenant_id, user_id) references users
);
create index sessions_of_user on sessions (tenant_id, user_id, session_id);

delete from sign_in_links;
-- A link by which an operator lets someone in although the policy of the tenant has no links.
alter table sign_in_links add column is_break_glass boolean not null default false;
alter table sign_in_links add column mac bytea not null;

delete from sign_in_challenges;
alter table sign_in_challenges add column mac bytea not null;

-- Those from before get their MAC by the start that applies this migration, and by no other.
alter table passkeys add column mac bytea;
alter table oidc_providers add column mac bytea;

-- Who someone is at the provider. They are known by this from their first sign-in on, and not by their email address.
create table oidc_identities (
  tenant_id int not null,
  identity_id ksuid not null,
  user_id ksuid not null,
  issuer text not null,
  subject text not null collate "C",
  -- The address that the provider vouched for when the identity was linked.
  email text not null,
  linked_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id, identity_id),
  foreign key (tenant_id, user_id) references users
);
create unique index oidc_identities_by_subject on oidc_identities (tenant_id, issuer, subject);
create unique index oidc_identities_of_user on oidc_identities (tenant_id, user_id, issuer);

-- How the people of a tenant may sign in, and for how long. A tenant without a row has the program's defaults.
create table sign_in_policies (
  tenant_id int not null references tenants,
  methods text[] not null,
  idle_seconds int not null,
  session_seconds int not null,
  fresh_seconds int not null,
  updated_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id)
);
