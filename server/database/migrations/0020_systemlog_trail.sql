-- What an event's writer knew when it wrote it, under the event's MAC: who it is, its running number, how many of its
-- events were committed by then, and the last link that it had seen. Null in events of earlier versions.
alter table systemlog_events add column trail text;

drop trigger systemlog_events_are_sealed_once on systemlog_events;
create trigger systemlog_events_are_sealed_once before update on systemlog_events
  for each row when (
    old.seal_number is not null or new.seal_number is null
    or (new.tenant_id, new.event_id, new.occurred_at, new.event, new.trail, new.mac)
      is distinct from (old.tenant_id, old.event_id, old.occurred_at, old.event, old.trail, old.mac)
  ) execute function systemlog_is_append_only();

-- Events that an operator is to be told of at once. A quote in a value is written \", so this matches the attribute alone.
create index systemlog_events_alerts on systemlog_events (occurred_at) where event like '%"severity_id":4%';

-- Set by `bailiwick database restored`. What was created before these times does not count: a backup brings back what was
-- used up or deleted after it was made. Authenticated with the secret key.
alter table installation
  add column restored_at timestamptz(3),
  add column credentials_floor timestamptz(3),
  add column restored_mac bytea;
-- An operator approved a credential from before the restore.
alter table credentials add column approval_mac bytea;
