-- Who did what. Append-only: a row is written once and sealed once.
create table systemlog_events (
  -- Without a foreign key: it would be looked up, and its tenant's row locked, once for each event.
  tenant_id int not null,
  event_id ksuid not null,
  occurred_at timestamptz(3) not null,
  -- OCSF JSON, as text: what is authenticated is these very characters.
  event text not null,
  -- Made with a key that is not in the database: a row written behind the program's back does not have a right one.
  mac bytea not null,
  -- Its place in the chain, given within a second by the sealer. Also the order in which events are listed: one that
  -- commits late comes late, rather than slip in behind readers who are past it.
  seal_number bigint,
  seal_position int,
  primary key (tenant_id, event_id),
  check ((seal_number is null) = (seal_position is null))
);
create index systemlog_events_unsealed on systemlog_events (tenant_id, event_id) where seal_number is null;
create unique index systemlog_events_in_chain on systemlog_events (tenant_id, seal_number, seal_position)
  where seal_number is not null;

-- One link of a tenant's chain: authenticates the link before it, the events in it, and what stands here.
create table systemlog_seals (
  tenant_id int not null references tenants,
  seal_number bigint not null,
  event_count int not null,
  sealed_at timestamptz(3) not null,
  -- No event in this link occurred before; none in it or in any link before it occurred after. Taken from the events
  -- themselves, so that the clocks of several servers need not agree.
  earliest_at timestamptz(3) not null,
  latest_at timestamptz(3) not null,
  -- Holds an event that occurred minutes before one of an earlier link: a search by time has to look this far.
  comes_late boolean not null,
  mac bytea not null,
  primary key (tenant_id, seal_number)
);
create index systemlog_seals_by_time on systemlog_seals (tenant_id, latest_at, seal_number);
create index systemlog_seals_that_come_late on systemlog_seals (tenant_id, seal_number) where comes_late;

-- Where a tenant's chain ends: cutting off its end does not go unseen.
create table systemlog_heads (
  tenant_id int primary key references tenants,
  seal_number bigint not null,
  mac bytea not null
);

-- The triggers stop the hand that slips; whoever switches them off is found by `bailiwick systemlog verify`.
create function systemlog_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the system log is append-only';
end
$$;

create trigger systemlog_events_are_written_unsealed before insert on systemlog_events
  for each row when (new.seal_number is not null) execute function systemlog_is_append_only();
create trigger systemlog_events_are_sealed_once before update on systemlog_events
  for each row when (
    old.seal_number is not null or new.seal_number is null
    or (new.tenant_id, new.event_id, new.occurred_at, new.event, new.mac)
      is distinct from (old.tenant_id, old.event_id, old.occurred_at, old.event, old.mac)
  ) execute function systemlog_is_append_only();
create trigger systemlog_events_stay before delete or truncate on systemlog_events
  for each statement execute function systemlog_is_append_only();

create trigger systemlog_seals_stay before update or delete or truncate on systemlog_seals
  for each statement execute function systemlog_is_append_only();

create trigger systemlog_heads_move_on before update on systemlog_heads
  for each row when (new.tenant_id <> old.tenant_id or new.seal_number <= old.seal_number)
  execute function systemlog_is_append_only();
create trigger systemlog_heads_stay before delete or truncate on systemlog_heads
  for each statement execute function systemlog_is_append_only();
