-- Exports of the system log: where its events go, how far each export is, and the files that it wrote.
create table systemlog_exports (
  tenant_id int not null references tenants,
  export_id ksuid not null,
  display_name text not null,
  -- The name of a place in the server's settings.
  datasource_id text not null collate "C",
  prefix text not null,
  format text not null check (format in ('zstd', 'gzip')),
  state text not null check (state in ('exporting', 'waiting', 'error')),
  -- What went wrong last, in words for whoever created the export; empty where nothing did.
  error text not null default '',
  failures int not null default 0,
  -- The place in the chain up to which events are exported.
  seal_number bigint not null,
  seal_position int not null,
  watermark_event_id text not null collate "C" default '',
  next_run_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant_id, export_id)
);
create index systemlog_exports_due on systemlog_exports (tenant_id, next_run_at) where deleted_at is null;

-- A file is noted before it is written: whoever writes it again, after a crash, writes the same events under the same name.
create table systemlog_export_files (
  tenant_id int not null,
  export_id ksuid not null,
  first_seal bigint not null,
  first_position int not null,
  last_seal bigint not null,
  last_position int not null,
  datasource_id text not null collate "C",
  format text not null check (format in ('zstd', 'gzip')),
  name text not null collate "C",
  event_count int not null,
  last_event_id ksuid not null,
  -- Of the ids of its events, which are not in the order of the chain.
  least_event_id ksuid not null,
  greatest_event_id ksuid not null,
  content_bytes int not null,
  stored_bytes int not null default 0,
  -- What the receiver said of it, such as that it left some events out.
  note text not null default '',
  created_at timestamptz(3) not null,
  done_at timestamptz(3),
  primary key (tenant_id, export_id, first_seal, first_position),
  foreign key (tenant_id, export_id) references systemlog_exports
);
create unique index systemlog_export_files_under_way on systemlog_export_files (tenant_id, export_id) where done_at is null;
create index systemlog_export_files_by_event on systemlog_export_files (tenant_id, greatest_event_id, least_event_id);

-- Up to which link the events of a tenant were removed from the database, after they were exported. The links stay.
create table systemlog_seams (
  tenant_id int not null references tenants,
  seal_number bigint not null,
  -- Of that link: what the first event behind it continues.
  seal_mac bytea not null,
  latest_at timestamptz(3) not null,
  event_count bigint not null,
  removed_at timestamptz(3) not null,
  mac bytea not null,
  primary key (tenant_id)
);
create trigger systemlog_seams_move_on before update on systemlog_seams for each row
  when (new.tenant_id <> old.tenant_id or new.seal_number <= old.seal_number) execute function systemlog_is_append_only();
create trigger systemlog_seams_stay before delete on systemlog_seams for each statement
  execute function systemlog_is_append_only();
create trigger systemlog_seams_are_not_emptied before truncate on systemlog_seams for each statement
  execute function systemlog_is_append_only();

-- Events leave only in a transaction that says up to which link they were archived. Like the other triggers of the log, these keep
-- hands off by accident; what someone removes on purpose is found by the chain, which continues only from a seam with a MAC.
drop trigger systemlog_events_stay on systemlog_events;
create trigger systemlog_events_stay before delete on systemlog_events for each statement
  when (coalesce(current_setting('bailiwick.archived_up_to', true), '') = '')
  execute function systemlog_is_append_only();
create trigger systemlog_events_stay_until_archived before delete on systemlog_events for each row
  when (old.seal_number is null
    or old.seal_number > coalesce(nullif(current_setting('bailiwick.archived_up_to', true), '')::bigint, 0))
  execute function systemlog_is_append_only();
