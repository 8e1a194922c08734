-- Grants that are held, in the order in which they were granted: what the list across apps is sorted by. `grants_begun` has also those
-- that ended, and begins again where only the expiry changed.
-- Every grant has a source. The condition is there so that only the statement that names it uses this index: without statistics, as
-- after the first import, PostgreSQL read it for all others, from its beginning to its end (tests/apps/without-statistics.test.ts).
create index grants_granted on grants (tenant_id, granted_at, grant_id) where ended_at is null and source <> '';
