-- Who did what. Append-only: a row is written once and sealed once.
create table systemlog_events (
  tenant_id int not null references tenants,
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

-- One link of a tenant's chain: authenticates the link before it and the events in it.
create table systemlog_seals (
  tenant_id int not null references tenants,
  seal_number bigint not null,
  event_count int not null,
  sealed_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id, seal_number)
);
create index systemlog_seals_by_time on systemlog_seals (tenant_id, sealed_at, seal_number);

-- Where a tenant's chain ends: cutting off its end does not go unseen.
create table systemlog_heads (
  tenant_id int primary key references tenants,
  seal_number bigint not null,
  mac bytea not null
);

create function systemlog_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.seal_number is null and new.seal_number is not null
    and (new.tenant_id, new.event_id, new.occurred_at, new.event, new.mac)
      = (old.tenant_id, old.event_id, old.occurred_at, old.event, old.mac)
  then
    return new;
  end if;
  raise exception 'the system log is append-only';
end
$$;
create trigger systemlog_events_are_append_only before update or delete on systemlog_events
  for each row execute function systemlog_is_append_only();

create function systemlog_seals_stay() returns trigger language plpgsql as $$
begin
  raise exception 'the system log is append-only';
end
$$;
create trigger systemlog_seals_stay before update or delete on systemlog_seals
  for each row execute function systemlog_seals_stay();
create trigger systemlog_events_stay before truncate on systemlog_events
  for each statement execute function systemlog_seals_stay();
