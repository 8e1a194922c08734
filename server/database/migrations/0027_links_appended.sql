-- A group of events is written together with its link: events that are written with the number of a link pass where the
-- transaction says which it appends. The sealer goes on to update those that were written alone.
drop trigger systemlog_events_are_written_unsealed on systemlog_events;
create trigger systemlog_events_are_written_unsealed before insert on systemlog_events
  for each row when (
    new.seal_number is not null
    and new.seal_number::text is distinct from current_setting('bailiwick.appends_link', true)
  ) execute function systemlog_is_append_only();

-- The severity stands at the beginning of an event now: to look for it in the whole text of each was a tenth of what
-- PostgreSQL did for an event. Only events of the last two minutes are asked for by this index.
drop index systemlog_events_alerts;
create index systemlog_events_alerts on systemlog_events (occurred_at) where event like '{"severity_id":4%';
