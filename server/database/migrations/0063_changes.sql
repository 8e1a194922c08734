-- What changed between two moments: see server/rooms/overview/changes.

-- Grants that were ended after their time was up: at one moment they were held no more, and no row ended then. There are few.
create index grants_ended_late on grants (tenant_id, expires_at) where ended_at > expires_at;

-- Of a million accounts, those that came and went within some days.
create index accounts_created on accounts (tenant_id, created_at, account_id);
create index accounts_deleted on accounts (tenant_id, deleted_at, account_id) where deleted_at is not null;
