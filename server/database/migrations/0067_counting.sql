-- How many grants ended on each day, without those whose terms changed, is counted for the home page: with why they ended, by the index
-- alone.
drop index grants_ended;
create index grants_ended on grants (tenant_id, ended_at, grant_id) include (ended_why) where ended_at is not null;
