-- The connectors that report a record. Null: not known, from before this migration. Empty: none, it came by a file or by hand.
alter table resource_types add column connector_ids text[] collate "C";
alter table resources add column connector_ids text[] collate "C";
alter table entitlements add column connector_ids text[] collate "C";
alter table accounts add column connector_ids text[] collate "C";
alter table grants add column connector_ids text[] collate "C";
alter table connector_objects add column connector_ids text[] collate "C";

-- Whether what it reports is kept with the records: since its first sync after this migration.
alter table connectors add column has_reported boolean default false not null;

-- Which connectors report an open grant may change; nothing else of it may.
drop trigger grants_are_only_ended on grants;
create trigger grants_are_only_ended before update on grants for each row
  when (old.ended_at is not null
    or (new.ended_at is null and (new.connector_ids is not distinct from old.connector_ids
      or new.ended_by is distinct from old.ended_by or new.reason is distinct from old.reason))
    or new.tenant_id is distinct from old.tenant_id
    or new.app_id::text is distinct from old.app_id::text
    or new.entitlement_id::text is distinct from old.entitlement_id::text
    or new.account_id::text is distinct from old.account_id::text
    or new.grant_id::text is distinct from old.grant_id::text
    or new.source is distinct from old.source
    or new.granted_by is distinct from old.granted_by
    or new.granted_at is distinct from old.granted_at
    or new.expires_at is distinct from old.expires_at
    or new.began_at is distinct from old.began_at)
  execute function grants_are_only_ended();

-- Passwords of accounts that connectors created, encrypted for their people.
create table account_credentials (
  tenant_id integer not null references tenants,
  app_id ksuid not null,
  account_id ksuid not null,
  credential_id ksuid not null,
  provider text not null,
  key_id text not null,
  name text not null,
  description text not null,
  schema text not null,
  encrypted_bytes bytea not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, app_id, account_id, credential_id)
);
