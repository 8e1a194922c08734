-- Grants that are held, in the order in which they were granted: what the list across apps is sorted by. `grants_begun` has also those
-- that ended, and begins again where only the expiry changed.
create index grants_granted on grants (tenant_id, granted_at, grant_id) where ended_at is null;
