-- Links for the first sign-in of one person, which administrators create. The email address is the one that they were created for.
create table invitations (
  tenant_id integer not null references tenants,
  invitation_id ksuid not null,
  user_id ksuid not null,
  email text not null,
  secret_sha256 bytea not null,
  created_by ksuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3),
  mac bytea not null,
  primary key (tenant_id, invitation_id),
  foreign key (tenant_id, user_id) references users (tenant_id, user_id)
);
create unique index invitations_by_secret on invitations (tenant_id, secret_sha256);
create index invitations_by_user on invitations (tenant_id, user_id, invitation_id);
create index invitations_by_expiry on invitations (tenant_id, expires_at);

-- Who has ever signed in, since when, and when the invitation was created if it was by one. Sessions, passkeys and invitations are deleted; these rows stay.
create table first_sign_ins (
  tenant_id integer not null references tenants,
  user_id ksuid not null,
  signed_in_at timestamptz(3) not null,
  invited_at timestamptz(3),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, user_id)
);

-- Of earlier sign-ins, what is left: sessions, passkeys, linked identities, and the credentials of people. One tenant after the other.
do $$
declare
  of integer;
begin
  for of in select tenant_id from tenants order by tenant_id loop
    insert into first_sign_ins (tenant_id, user_id, signed_in_at)
    select s.tenant_id, s.user_id, min(s.at)
    from (
      select tenant_id, user_id, created_at as at from sessions where tenant_id = of
      union all select tenant_id, user_id, created_at from passkeys where tenant_id = of
      union all select tenant_id, user_id, linked_at from oidc_identities where tenant_id = of
      union all select tenant_id, user_id, created_at from credentials where tenant_id = of
    ) s
    group by s.tenant_id, s.user_id;
  end loop;
end
$$;
