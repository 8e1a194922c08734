-- Service principals are users of type USER_TYPE_SERVICE with the origin USER_ORIGIN_LOCAL. Their credentials are rows of
-- credentials, with a client id that ends in /spc.

create index users_principals on users (tenant_id, user_id)
  where type = 'USER_TYPE_SERVICE' and origin = 'USER_ORIGIN_LOCAL' and deleted_at is null;

-- A credential of a principal can be created with a credential of somebody else, and ends with it.
create index credentials_with_ancestors on credentials using gin (ancestor_ids)
  where deleted_at is null and ancestor_ids <> '{}';

-- Who is named as an owner of a principal can create credentials for it: that this program named them is noted under a MAC.
create table principal_owners (
  tenant_id integer not null references tenants,
  principal_id ksuid not null,
  -- Of the row in owners.
  owner_id ksuid not null,
  mac bytea not null,
  primary key (tenant_id, principal_id, owner_id)
);
