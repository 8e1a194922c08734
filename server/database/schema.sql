-- Generated: do not edit. CONTRIBUTING.md, "Migrations", says how to change the schema.

create domain ksuid as text collate "C"
  constraint ksuid_check CHECK ((VALUE ~ '^[0-9A-Za-z]{27}$'::text));

create table access_removals (
  tenant_id integer not null,
  removal_id ksuid not null,
  user_id ksuid not null,
  fingerprint text collate "C" not null,
  reason text not null,
  asked_by text collate "C" not null,
  client_id text collate "C" default ''::text not null,
  session_id text collate "C" default ''::text not null,
  source_address text default ''::text not null,
  request_id text default ''::text not null,
  created_at timestamp(3) with time zone not null,
  grant_count integer not null,
  excluded jsonb default '[]'::jsonb not null,
  by_hand jsonb default '[]'::jsonb not null,
  by_hand_error text default ''::text not null,
  is_disabled boolean default false not null,
  undone_by text collate "C" default ''::text not null,
  undone_at timestamp(3) with time zone,
  restored_count integer default 0 not null,
  left_count integer default 0 not null,
  constraint access_removals_pkey PRIMARY KEY (tenant_id, removal_id)
);
CREATE INDEX access_removals_of_user ON access_removals USING btree (tenant_id, user_id, removal_id);

create table account_credentials (
  tenant_id integer not null,
  app_id ksuid not null,
  account_id ksuid not null,
  credential_id ksuid not null,
  provider text not null,
  key_id text not null,
  name text not null,
  description text not null,
  schema text not null,
  encrypted_bytes bytea not null,
  created_at timestamp(3) with time zone not null,
  constraint account_credentials_pkey PRIMARY KEY (tenant_id, app_id, account_id, credential_id)
);

create table accounts (
  tenant_id integer not null,
  app_id ksuid not null,
  account_id ksuid not null,
  external_id text collate "C",
  user_id ksuid,
  type text default 'APP_USER_TYPE_USER'::text not null,
  status text default 'STATUS_ENABLED'::text not null,
  display_name text not null,
  email text default ''::text not null,
  emails text[] default '{}'::text[] not null,
  username text default ''::text not null,
  usernames text[] default '{}'::text[] not null,
  employee_ids text[] default '{}'::text[] not null,
  profile jsonb default '{}'::jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  is_manually_managed boolean default false not null,
  connector_ids text[] collate "C",
  user_since timestamp(3) with time zone,
  constraint accounts_pkey PRIMARY KEY (tenant_id, app_id, account_id),
  constraint accounts_status_check CHECK ((status = ANY (ARRAY['STATUS_ENABLED'::text, 'STATUS_DISABLED'::text, 'STATUS_DELETED'::text]))),
  constraint accounts_type_check CHECK ((type = ANY (ARRAY['APP_USER_TYPE_USER'::text, 'APP_USER_TYPE_SERVICE_ACCOUNT'::text, 'APP_USER_TYPE_SYSTEM_ACCOUNT'::text])))
);
CREATE INDEX accounts_alive ON accounts USING btree (tenant_id, app_id, account_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX accounts_by_external_id ON accounts USING btree (tenant_id, app_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX accounts_by_id ON accounts USING btree (tenant_id, account_id);
CREATE INDEX accounts_by_name ON accounts USING btree (tenant_id, lower(display_name), app_id, account_id) WHERE (deleted_at IS NULL);
CREATE INDEX accounts_by_user ON accounts USING btree (tenant_id, user_id, app_id, account_id) WHERE (user_id IS NOT NULL);
CREATE INDEX accounts_created ON accounts USING btree (tenant_id, created_at, account_id);
CREATE INDEX accounts_deleted ON accounts USING btree (tenant_id, deleted_at, account_id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX accounts_gone_of_nobody ON accounts USING btree (tenant_id, app_id, account_id) WHERE ((user_id IS NULL) AND (deleted_at IS NOT NULL));
CREATE INDEX accounts_not_enabled ON accounts USING btree (tenant_id, status, app_id, account_id) WHERE (status <> 'STATUS_ENABLED'::text);
CREATE INDEX accounts_not_of_users ON accounts USING btree (tenant_id, type, app_id, account_id) WHERE (type <> 'APP_USER_TYPE_USER'::text);
CREATE INDEX accounts_of_nobody ON accounts USING btree (tenant_id, app_id, account_id) WHERE ((user_id IS NULL) AND (deleted_at IS NULL));
CREATE INDEX accounts_of_users_in_app ON accounts USING btree (tenant_id, app_id, user_id, account_id) WHERE ((user_id IS NOT NULL) AND (deleted_at IS NULL));

create table answerable_rounds (
  tenant_id integer not null,
  after_app_id text collate "C" default ''::text not null,
  after_entitlement_id text collate "C" default ''::text not null,
  seal_number bigint not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  checked integer default 0 not null,
  constraint answerable_rounds_pkey PRIMARY KEY (tenant_id)
);

create table app_usage_controls (
  tenant_id integer not null,
  app_id ksuid not null,
  notify boolean default false not null,
  notify_after_days integer default 0 not null,
  revoke boolean default false not null,
  revoke_after_days integer default 0 not null,
  constraint app_usage_controls_pkey PRIMARY KEY (tenant_id, app_id)
);

create table apps (
  tenant_id integer not null,
  app_id ksuid not null,
  external_id text collate "C",
  display_name text not null,
  description text default ''::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  annotations jsonb default '{}'::jsonb not null,
  instructions text default ''::text not null,
  monthly_cost_usd integer default 0 not null,
  identity_matching text default 'APP_USER_IDENTITY_MATCHING_STRICT'::text not null,
  is_manually_managed boolean default false not null,
  icon_url text default ''::text not null,
  grant_policy_id text collate "C" default ''::text not null,
  revoke_policy_id text collate "C" default ''::text not null,
  certify_policy_id text collate "C" default ''::text not null,
  is_directory boolean default false not null,
  without_connector text default 'records only'::text not null,
  constraint apps_pkey PRIMARY KEY (tenant_id, app_id),
  constraint apps_identity_matching_check CHECK ((identity_matching = ANY (ARRAY['APP_USER_IDENTITY_MATCHING_STRICT'::text, 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME'::text]))),
  constraint apps_without_connector_check CHECK ((without_connector = ANY (ARRAY['manual'::text, 'records only'::text])))
);
CREATE INDEX apps_alive ON apps USING btree (tenant_id, app_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX apps_by_external_id ON apps USING btree (tenant_id, external_id) WHERE (external_id IS NOT NULL);

create table attribute_values (
  tenant_id integer not null,
  value_id ksuid not null,
  type_id text collate "C" not null,
  value text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint attribute_values_pkey PRIMARY KEY (tenant_id, value_id)
);
CREATE INDEX attribute_values_by_type ON attribute_values USING btree (tenant_id, type_id, value_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX attribute_values_once ON attribute_values USING btree (tenant_id, type_id, lower(value)) WHERE (deleted_at IS NULL);

create table automation_changes (
  tenant_id integer not null,
  change_id bigint generated always as identity not null,
  app_id text collate "C" default ''::text not null,
  entitlement_id text collate "C" default ''::text not null,
  changed_by text collate "C" default ''::text not null,
  kind text not null,
  ids text[] collate "C" default '{}'::text[] not null,
  is_everyone boolean default false not null,
  fields text[] collate "C",
  is_by_rule boolean default false not null,
  constraint automation_changes_pkey PRIMARY KEY (tenant_id, change_id),
  constraint automation_changes_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'manager'::text, 'account_new'::text, 'account'::text, 'holding'::text, 'rule'::text])))
);

create table automation_exclusions (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  user_id ksuid not null,
  added_at timestamp(3) with time zone not null,
  added_by text collate "C" default ''::text not null,
  reason text default ''::text not null,
  constraint automation_exclusions_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, user_id)
);
CREATE INDEX automation_exclusions_of_user ON automation_exclusions USING btree (tenant_id, user_id);

create table automation_names_shown (
  tenant_id integer not null,
  reader_id ksuid not null,
  user_id ksuid not null,
  shown_at timestamp(3) with time zone not null,
  constraint automation_names_shown_pkey PRIMARY KEY (tenant_id, reader_id, user_id)
);

create table automation_reads (
  tenant_id integer not null,
  app_id text collate "C" not null,
  entitlement_id text collate "C" not null,
  by_app_id ksuid not null,
  by_entitlement_id ksuid not null,
  constraint automation_reads_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, by_app_id, by_entitlement_id)
);
CREATE INDEX automation_reads_of_rule ON automation_reads USING btree (tenant_id, by_app_id, by_entitlement_id);

create table automation_run_items (
  tenant_id integer not null,
  run_id ksuid not null,
  user_id text collate "C" not null,
  outcome text not null,
  constraint automation_run_items_pkey PRIMARY KEY (tenant_id, run_id, user_id),
  constraint automation_run_items_outcome_check CHECK ((outcome = ANY (ARRAY['gain'::text, 'lose'::text])))
);

create table automation_runs (
  tenant_id integer not null,
  run_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  version integer not null,
  cause text not null,
  started_by text collate "C" default ''::text not null,
  phase text not null,
  status text not null,
  is_released boolean default false not null,
  "position" text collate "C" default ''::text not null,
  matched integer default 0 not null,
  excluded integer default 0 not null,
  members integer default 0 not null,
  to_gain integer default 0 not null,
  to_lose integer default 0 not null,
  gained integer default 0 not null,
  lost integer default 0 not null,
  failed integer default 0 not null,
  failures jsonb default '[]'::jsonb not null,
  undoes text collate "C",
  left_alone integer default 0 not null,
  undone_by text collate "C",
  error text default ''::text not null,
  started_at timestamp(3) with time zone not null,
  stepped_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  asked_units bigint default 0 not null,
  asked_users integer default 0 not null,
  constraint automation_runs_pkey PRIMARY KEY (tenant_id, run_id),
  constraint automation_runs_cause_check CHECK ((cause = ANY (ARRAY['saved'::text, 'change'::text, 'exclusion'::text, 'schedule'::text, 'hand'::text, 'apply'::text, 'release'::text, 'undo'::text]))),
  constraint automation_runs_phase_check CHECK ((phase = ANY (ARRAY['finding'::text, 'applying'::text, 'over'::text]))),
  constraint automation_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'held'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'superseded'::text])))
);
CREATE INDEX automation_runs_idle ON automation_runs USING btree (finished_at) WHERE ((status = 'done'::text) AND (cause = 'schedule'::text) AND (gained = 0) AND (lost = 0) AND (failed = 0));
CREATE INDEX automation_runs_of_rule ON automation_runs USING btree (tenant_id, app_id, entitlement_id, run_id);
CREATE UNIQUE INDEX automation_runs_open ON automation_runs USING btree (tenant_id, app_id, entitlement_id) WHERE (status = ANY (ARRAY['running'::text, 'held'::text]));
CREATE INDEX automation_runs_running ON automation_runs USING btree (stepped_at) WHERE (status = 'running'::text);

create table automation_versions (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  version integer not null,
  kind text not null,
  expression text default ''::text not null,
  refs jsonb default '[]'::jsonb not null,
  display_name text default ''::text not null,
  description text default ''::text not null,
  examples jsonb default '[]'::jsonb not null,
  reason text default ''::text not null,
  restores integer,
  saved_by text collate "C" default ''::text not null,
  saved_at timestamp(3) with time zone not null,
  constraint automation_versions_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, version),
  constraint automation_versions_kind_check CHECK ((kind = ANY (ARRAY['none'::text, 'basic'::text, 'cel'::text, 'entitlements'::text])))
);

create table automations (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  version integer not null,
  kind text not null,
  expression text default ''::text not null,
  refs jsonb default '[]'::jsonb not null,
  display_name text default ''::text not null,
  description text default ''::text not null,
  reads text[] default '{}'::text[] not null,
  is_clocked boolean default false not null,
  has_breaker boolean default true not null,
  paused_why text,
  due_at timestamp(3) with time zone,
  due_cause text default 'schedule'::text not null,
  due_by text default ''::text not null,
  last_run_id ksuid,
  last_completed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  is_of_owner boolean default false not null,
  loss_percent_max integer,
  holds_few boolean default false not null,
  examples jsonb default '[]'::jsonb not null,
  constraint automations_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id),
  constraint automations_kind_check CHECK ((kind = ANY (ARRAY['none'::text, 'basic'::text, 'cel'::text, 'entitlements'::text]))),
  constraint automations_paused_why_check CHECK ((paused_why = ANY (ARRAY['held'::text, 'cancelled'::text, 'undone'::text, 'costly'::text])))
);
CREATE INDEX automations_alive ON automations USING btree (tenant_id, app_id, entitlement_id) WHERE (deleted_at IS NULL);
CREATE INDEX automations_due ON automations USING btree (due_at) WHERE ((deleted_at IS NULL) AND (paused_why IS NULL));

create unlogged table budgets (
  name text collate "C" not null,
  slot integer not null,
  left_over double precision not null,
  at timestamp with time zone not null,
  refused integer default 0 not null,
  told integer,
  full_at timestamp with time zone not null,
  constraint budgets_pkey PRIMARY KEY (name, slot)
);

create table bulk_actions (
  tenant_id integer not null,
  bulk_action_id ksuid not null,
  kind text collate "C" not null,
  title text not null,
  reason text not null,
  asked_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  changed_count integer not null,
  items jsonb not null,
  undone_by text collate "C" default ''::text not null,
  undone_at timestamp(3) with time zone,
  restored_count integer default 0 not null,
  left_count integer default 0 not null,
  constraint bulk_actions_pkey PRIMARY KEY (tenant_id, bulk_action_id),
  constraint bulk_actions_kind_check CHECK ((kind = ANY (ARRAY['revoke'::text, 'expiry'::text, 'status'::text, 'owner'::text, 'risk'::text])))
);

create table changes (
  tenant_id integer not null,
  task_id ksuid not null,
  kind text not null,
  operation text not null,
  path jsonb not null,
  body jsonb,
  plan jsonb not null,
  fingerprint bytea not null,
  author_id ksuid not null,
  client_id text collate "C" default ''::text not null,
  session_id text collate "C" default ''::text not null,
  source_address text not null,
  request_id text not null,
  created_at timestamp(3) with time zone not null,
  carried_out_at timestamp(3) with time zone,
  mac bytea not null,
  constraint changes_pkey PRIMARY KEY (tenant_id, task_id)
);
CREATE INDEX changes_of_author ON changes USING btree (tenant_id, author_id, fingerprint);

create table chat_webhooks (
  tenant_id integer not null,
  channel text not null,
  host text not null,
  sealed_url bytea not null,
  updated_by text collate "C" not null,
  updated_at timestamp(3) with time zone not null,
  constraint chat_webhooks_pkey PRIMARY KEY (tenant_id, channel),
  constraint chat_webhooks_channel_check CHECK ((channel = ANY (ARRAY['slack'::text, 'teams'::text])))
);

create table connector_credentials (
  tenant_id integer not null,
  credential_id ksuid not null,
  connector_id ksuid not null,
  client_id text collate "C" not null,
  display_name text default ''::text not null,
  public_key bytea not null,
  secret_sha256 bytea not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  mac bytea not null,
  constraint connector_credentials_pkey PRIMARY KEY (tenant_id, credential_id)
);
CREATE UNIQUE INDEX connector_credentials_by_client ON connector_credentials USING btree (tenant_id, client_id);
CREATE INDEX connector_credentials_of_connector ON connector_credentials USING btree (tenant_id, connector_id);

create table connector_files (
  tenant_id integer not null,
  task_id ksuid not null,
  upload_id text collate "C" not null,
  place integer not null,
  bytes bytea not null,
  constraint connector_files_pkey PRIMARY KEY (tenant_id, task_id, upload_id, place)
);

create table connector_grants (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  is_fixed boolean not null,
  data bytea not null,
  constraint connector_grants_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id)
);

create table connector_objects (
  tenant_id integer not null,
  app_id ksuid not null,
  kind text collate "C" not null,
  external_id text collate "C" not null,
  type_id text collate "C" not null,
  data bytea not null,
  connector_ids text[] collate "C",
  constraint connector_objects_pkey PRIMARY KEY (tenant_id, app_id, kind, external_id),
  constraint connector_objects_kind_check CHECK ((kind = ANY (ARRAY['resource'::text, 'entitlement'::text])))
);

create table connector_tasks (
  tenant_id integer not null,
  connector_id ksuid not null,
  task_id ksuid not null,
  kind text not null,
  state text not null,
  asked_by text collate "C" default ''::text not null,
  host_id text default ''::text not null,
  lease_until timestamp(3) with time zone,
  attempts integer default 0 not null,
  error text default ''::text not null,
  upload_id text collate "C" default ''::text not null,
  byte_count bigint default 0 not null,
  is_confirmed boolean default false not null,
  import_id text collate "C" default ''::text not null,
  created_at timestamp(3) with time zone not null,
  begun_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  app_id text collate "C" default ''::text not null,
  entitlement_id text collate "C" default ''::text not null,
  account_id text collate "C" default ''::text not null,
  is_awaited boolean default false not null,
  retry_of text collate "C" default ''::text not null,
  retries integer default 0 not null,
  settled_by text collate "C" default ''::text not null,
  constraint connector_tasks_pkey PRIMARY KEY (tenant_id, connector_id, task_id),
  constraint connector_tasks_kind_check CHECK ((kind = ANY (ARRAY['sync'::text, 'grant'::text, 'revoke'::text, 'create_account'::text, 'delete_account'::text]))),
  constraint connector_tasks_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'leased'::text, 'merging'::text, 'held'::text, 'done'::text, 'failed'::text, 'unknown'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX connector_tasks_begun_once ON connector_tasks USING btree (tenant_id, app_id, account_id, entitlement_id) WHERE ((kind <> 'sync'::text) AND (state = ANY (ARRAY['leased'::text, 'unknown'::text])));
CREATE INDEX connector_tasks_ended ON connector_tasks USING btree (tenant_id, app_id, ended_at) WHERE (kind <> 'sync'::text);
CREATE INDEX connector_tasks_leased ON connector_tasks USING btree (tenant_id, lease_until) WHERE (state = 'leased'::text);
CREATE INDEX connector_tasks_of_account ON connector_tasks USING btree (tenant_id, app_id, account_id, entitlement_id, task_id) WHERE (kind <> 'sync'::text);
CREATE INDEX connector_tasks_of_app ON connector_tasks USING btree (tenant_id, app_id, task_id) WHERE (kind <> 'sync'::text);
CREATE INDEX connector_tasks_open ON connector_tasks USING btree (tenant_id, connector_id, task_id) WHERE (state = ANY (ARRAY['queued'::text, 'leased'::text, 'merging'::text, 'held'::text]));
CREATE UNIQUE INDEX connector_tasks_queued_once ON connector_tasks USING btree (tenant_id, app_id, account_id, entitlement_id) WHERE ((kind <> 'sync'::text) AND (state = 'queued'::text));
CREATE INDEX connector_tasks_ready ON connector_tasks USING btree (tenant_id, connector_id, task_id) WHERE ((kind <> 'sync'::text) AND (state = 'queued'::text));
CREATE INDEX connector_tasks_syncs ON connector_tasks USING btree (tenant_id, connector_id, task_id) WHERE (kind = 'sync'::text);

create table connectors (
  tenant_id integer not null,
  connector_id ksuid not null,
  app_id ksuid not null,
  display_name text not null,
  description text default ''::text not null,
  catalog_id text collate "C" default ''::text not null,
  metadata jsonb default '{}'::jsonb not null,
  agent text default ''::text not null,
  host_id text default ''::text not null,
  last_seen_at timestamp(3) with time zone,
  sync_every_seconds integer default 3600 not null,
  next_sync_at timestamp(3) with time zone,
  sync_disabled_at timestamp(3) with time zone,
  sync_disabled_reason text default ''::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  cron_spec text collate "C" default ''::text not null,
  cron_time_zone text collate "C" default ''::text not null,
  cron_since timestamp(3) with time zone,
  config jsonb,
  config_updated_at timestamp(3) with time zone,
  provisioning_disabled boolean default false not null,
  deletes_accounts boolean default false not null,
  provisioning_refused text default ''::text not null,
  is_built_in boolean default false not null,
  account_profile jsonb default '{}'::jsonb not null,
  provisioning_off_since timestamp(3) with time zone,
  has_reported boolean default false not null,
  constraint connectors_pkey PRIMARY KEY (tenant_id, connector_id)
);
CREATE INDEX connectors_built_in ON connectors USING btree (tenant_id, connector_id) WHERE (is_built_in AND (deleted_at IS NULL));
CREATE INDEX connectors_of_app ON connectors USING btree (tenant_id, app_id, connector_id);
CREATE INDEX connectors_off ON connectors USING btree (tenant_id, connector_id) WHERE (provisioning_off_since IS NOT NULL);

create table credentials (
  tenant_id integer not null,
  credential_id ksuid not null,
  user_id ksuid not null,
  client_id text collate "C" not null,
  display_name text not null,
  public_key bytea not null,
  secret_sha256 bytea not null,
  allow_source_cidr text[] default '{}'::text[] not null,
  scoped_role_ids text[] collate "C" default '{}'::text[] not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  ancestor_ids text[] collate "C" default '{}'::text[] not null,
  mac bytea,
  approval_mac bytea,
  require_dpop boolean default false not null,
  constraint credentials_pkey PRIMARY KEY (tenant_id, credential_id)
);
CREATE INDEX credentials_alive ON credentials USING btree (tenant_id, credential_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX credentials_by_client_id ON credentials USING btree (tenant_id, client_id);
CREATE INDEX credentials_by_user ON credentials USING btree (tenant_id, user_id, credential_id) WHERE (deleted_at IS NULL);
CREATE INDEX credentials_with_ancestors ON credentials USING gin (ancestor_ids) WHERE ((deleted_at IS NULL) AND (ancestor_ids <> '{}'::text[]));

create table device_requests (
  tenant_id integer not null,
  request_id ksuid not null,
  device_code_sha256 bytea not null,
  user_code_mac bytea not null,
  client_id text collate "C" not null,
  scoped_role_ids text[] collate "C" default '{}'::text[] not null,
  source_address text not null,
  user_agent text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  state text not null,
  user_id text collate "C" default ''::text not null,
  decided_at timestamp(3) with time zone,
  credential_id text collate "C" default ''::text not null,
  interval_seconds integer not null,
  polled_at timestamp(3) with time zone,
  forget_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint device_requests_pkey PRIMARY KEY (tenant_id, request_id),
  constraint device_requests_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'denied'::text, 'redeemed'::text])))
);
CREATE INDEX device_requests_by_credential ON device_requests USING btree (tenant_id, credential_id) WHERE (credential_id <> ''::text);
CREATE UNIQUE INDEX device_requests_by_device_code ON device_requests USING btree (tenant_id, device_code_sha256);
CREATE UNIQUE INDEX device_requests_by_user_code ON device_requests USING btree (tenant_id, user_code_mac);
CREATE INDEX device_requests_to_forget ON device_requests USING btree (forget_at);
CREATE INDEX device_requests_waiting ON device_requests USING btree (tenant_id, expires_at) WHERE (state = 'waiting'::text);

create table directories (
  tenant_id integer not null,
  app_id ksuid not null,
  group_type_id ksuid,
  links_existing boolean default true not null,
  held_since timestamp(3) with time zone,
  counted_from timestamp(3) with time zone not null,
  last_request_at timestamp(3) with time zone,
  last_error_at timestamp(3) with time zone,
  last_error text default ''::text not null,
  created_by text collate "C" default ''::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  kind text default 'scim'::text not null,
  account_filter text default ''::text not null,
  match_cases jsonb default '[]'::jsonb not null,
  rank integer default 1000000 not null,
  ranks jsonb default '{}'::jsonb not null,
  followed_at timestamp(3) with time zone,
  held_decision jsonb,
  constraint directories_pkey PRIMARY KEY (tenant_id, app_id),
  constraint directories_kind_check CHECK ((kind = ANY (ARRAY['scim'::text, 'app'::text])))
);

create table directory_conflicts (
  tenant_id integer not null,
  app_id ksuid not null,
  account_id ksuid not null,
  reason text not null,
  key text default ''::text not null,
  user_ids text[] collate "C" default '{}'::text[] not null,
  since timestamp(3) with time zone not null,
  constraint directory_conflicts_pkey PRIMARY KEY (tenant_id, app_id, account_id)
);

create table directory_groups (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  resource_id ksuid not null,
  display_name text not null,
  external_id text collate "C",
  version integer not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint directory_groups_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id)
);
CREATE INDEX directory_groups_alive ON directory_groups USING btree (tenant_id, app_id, entitlement_id) WHERE (deleted_at IS NULL);
CREATE INDEX directory_groups_by_external_id ON directory_groups USING btree (tenant_id, app_id, external_id) WHERE (deleted_at IS NULL);
CREATE INDEX directory_groups_by_name ON directory_groups USING btree (tenant_id, app_id, lower(display_name)) WHERE (deleted_at IS NULL);

create table directory_plan_items (
  tenant_id integer not null,
  plan_id ksuid not null,
  place integer not null,
  item jsonb not null,
  constraint directory_plan_items_pkey PRIMARY KEY (tenant_id, plan_id, place)
);

create table directory_plans (
  tenant_id integer not null,
  plan_id ksuid not null,
  created_by text collate "C" not null,
  change jsonb not null,
  fingerprint text not null,
  created_at timestamp(3) with time zone not null,
  constraint directory_plans_pkey PRIMARY KEY (tenant_id, plan_id)
);

create table directory_sizes (
  tenant_id integer not null,
  app_id ksuid not null,
  part integer not null,
  users integer not null,
  active integer not null,
  constraint directory_sizes_pkey PRIMARY KEY (tenant_id, app_id, part)
);

create table directory_tokens (
  tenant_id integer not null,
  token_id ksuid not null,
  app_id ksuid not null,
  secret_sha256 bytea not null,
  created_by text collate "C" default ''::text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  mac bytea not null,
  constraint directory_tokens_pkey PRIMARY KEY (tenant_id, token_id)
);
CREATE INDEX directory_tokens_by_directory ON directory_tokens USING btree (tenant_id, app_id, token_id);

create table directory_users (
  tenant_id integer not null,
  app_id ksuid not null,
  account_id ksuid not null,
  user_id ksuid not null,
  user_name text not null,
  external_id text collate "C",
  is_active boolean not null,
  emails text[] default '{}'::text[] not null,
  resource jsonb not null,
  version integer not null,
  is_source boolean not null,
  is_held boolean default false not null,
  deactivated_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  seen_at timestamp(3) with time zone,
  matched_by text default ''::text not null,
  manager_ref text default ''::text not null,
  manager_id text collate "C" default ''::text not null,
  constraint directory_users_pkey PRIMARY KEY (tenant_id, app_id, account_id)
);
CREATE INDEX directory_users_alive ON directory_users USING btree (tenant_id, app_id, account_id) WHERE (deleted_at IS NULL);
CREATE INDEX directory_users_awaiting ON directory_users USING btree (tenant_id, app_id, lower(manager_ref)) WHERE ((manager_ref <> ''::text) AND (manager_id = ''::text) AND (deleted_at IS NULL));
CREATE INDEX directory_users_by_email ON directory_users USING gin (emails) WHERE (deleted_at IS NULL);
CREATE INDEX directory_users_by_external_id ON directory_users USING btree (tenant_id, app_id, external_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX directory_users_by_name ON directory_users USING btree (tenant_id, app_id, lower(user_name)) WHERE (deleted_at IS NULL);
CREATE INDEX directory_users_by_user ON directory_users USING btree (tenant_id, user_id, app_id);
CREATE INDEX directory_users_deactivated ON directory_users USING btree (tenant_id, app_id, deactivated_at) WHERE (deactivated_at IS NOT NULL);
CREATE INDEX directory_users_held ON directory_users USING btree (tenant_id, app_id, account_id) WHERE is_held;
CREATE INDEX directory_users_without_manager ON directory_users USING btree (tenant_id, app_id, account_id) WHERE ((manager_ref <> ''::text) AND (manager_id = ''::text) AND (deleted_at IS NULL));

create table drift (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  kind text not null,
  found_at timestamp(3) with time zone not null,
  constraint drift_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id),
  constraint drift_kind_check CHECK ((kind = ANY (ARRAY['unexplained'::text, 'missing'::text])))
);

create table drift_checks (
  tenant_id integer not null,
  app_id ksuid not null,
  baseline_at timestamp(3) with time zone not null,
  checked_at timestamp(3) with time zone not null,
  constraint drift_checks_pkey PRIMARY KEY (tenant_id, app_id)
);

create table drift_run_items (
  tenant_id integer not null,
  run_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  state text not null,
  error text default ''::text not null,
  task_id text collate "C" default ''::text not null,
  grant_ids text[] default '{}'::text[] not null,
  constraint drift_run_items_pkey PRIMARY KEY (tenant_id, run_id, app_id, entitlement_id, account_id),
  constraint drift_run_items_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text, 'undone'::text, 'left'::text])))
);
CREATE INDEX drift_run_items_in_state ON drift_run_items USING btree (tenant_id, run_id, state, app_id, entitlement_id, account_id);
CREATE INDEX drift_run_items_of_access ON drift_run_items USING btree (tenant_id, app_id, entitlement_id, account_id);

create table drift_runs (
  tenant_id integer not null,
  run_id ksuid not null,
  remedy text not null,
  state text not null,
  error text default ''::text not null,
  asked_by text collate "C" not null,
  client_id text collate "C" default ''::text not null,
  session_id text collate "C" default ''::text not null,
  source_address text default ''::text not null,
  request_id text default ''::text not null,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  undone_by text collate "C" default ''::text not null,
  undone_at timestamp(3) with time zone,
  constraint drift_runs_pkey PRIMARY KEY (tenant_id, run_id),
  constraint drift_runs_remedy_check CHECK ((remedy = ANY (ARRAY['keep'::text, 'revoke'::text, 'remove'::text, 'provision'::text]))),
  constraint drift_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'stopped'::text, 'undoing'::text, 'undone'::text])))
);

create table entitlement_proxies (
  tenant_id integer not null,
  src_app_id ksuid not null,
  src_entitlement_id ksuid not null,
  dst_app_id ksuid not null,
  dst_entitlement_id ksuid not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint entitlement_proxies_pkey PRIMARY KEY (tenant_id, src_app_id, src_entitlement_id, dst_app_id, dst_entitlement_id)
);
CREATE INDEX entitlement_proxies_by_destination ON entitlement_proxies USING btree (tenant_id, dst_app_id, dst_entitlement_id, src_app_id, src_entitlement_id);

create table entitlements (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  external_id text collate "C",
  resource_type_id ksuid,
  resource_id ksuid,
  display_name text not null,
  description text default ''::text not null,
  slug text default ''::text not null,
  alias text default ''::text not null,
  purpose text default 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  annotations jsonb default '{}'::jsonb not null,
  risk_level_value_id ksuid,
  compliance_framework_value_ids text[] collate "C" default '{}'::text[] not null,
  duration_grant_seconds bigint,
  is_manually_managed boolean default false not null,
  is_duration_unset boolean default false not null,
  user_edited text[] default '{}'::text[] not null,
  grant_policy_id text collate "C" default ''::text not null,
  revoke_policy_id text collate "C" default ''::text not null,
  certify_policy_id text collate "C" default ''::text not null,
  emergency_policy_id text collate "C" default ''::text not null,
  is_emergency_enabled boolean default false not null,
  provisioner jsonb,
  deprovisioner jsonb,
  overrides_defaults boolean default false not null,
  connector_ids text[] collate "C",
  constraint entitlements_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id),
  constraint entitlements_one_duration CHECK (((NOT is_duration_unset) OR (duration_grant_seconds IS NULL))),
  constraint entitlements_purpose_check CHECK ((purpose = ANY (ARRAY['APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT'::text, 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION'::text, 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP'::text])))
);
CREATE INDEX entitlements_alive ON entitlements USING btree (tenant_id, app_id, entitlement_id) WHERE (deleted_at IS NULL);
CREATE INDEX entitlements_by_alias ON entitlements USING btree (tenant_id, alias, app_id, entitlement_id) WHERE (alias <> ''::text);
CREATE UNIQUE INDEX entitlements_by_external_id ON entitlements USING btree (tenant_id, app_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX entitlements_by_framework ON entitlements USING gin (compliance_framework_value_ids);
CREATE INDEX entitlements_by_id ON entitlements USING btree (tenant_id, entitlement_id);
CREATE INDEX entitlements_by_name ON entitlements USING btree (tenant_id, lower(display_name), app_id, entitlement_id) WHERE (deleted_at IS NULL);
CREATE INDEX entitlements_by_resource ON entitlements USING btree (tenant_id, app_id, resource_type_id, resource_id, entitlement_id);
CREATE INDEX entitlements_by_resource_id ON entitlements USING btree (tenant_id, resource_id, app_id, entitlement_id) WHERE (resource_id IS NOT NULL);
CREATE INDEX entitlements_by_resource_type ON entitlements USING btree (tenant_id, resource_type_id, app_id, entitlement_id) WHERE (resource_type_id IS NOT NULL);
CREATE INDEX entitlements_by_risk ON entitlements USING btree (tenant_id, risk_level_value_id, app_id, entitlement_id) WHERE (risk_level_value_id IS NOT NULL);

create table federation_attempts (
  tenant_id integer not null,
  credential_id ksuid not null,
  attempt_id ksuid not null,
  fingerprint bytea not null,
  is_admitted boolean not null,
  step text not null,
  reason text not null,
  detail text not null,
  claims jsonb,
  omitted text[] not null,
  source_address text not null,
  times integer not null,
  first_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null,
  constraint federation_attempts_pkey PRIMARY KEY (tenant_id, credential_id, fingerprint)
);
CREATE INDEX federation_attempts_by_id ON federation_attempts USING btree (tenant_id, credential_id, attempt_id);
CREATE INDEX federation_attempts_newest ON federation_attempts USING btree (tenant_id, credential_id, is_admitted, last_at);
CREATE INDEX federation_attempts_oldest ON federation_attempts USING btree (last_at);

create table federation_providers (
  tenant_id integer not null,
  provider_id ksuid not null,
  display_name text not null,
  description text not null,
  well_known text collate "C" not null,
  issuer_url text collate "C" not null,
  bundle_endpoint_url text collate "C" not null,
  is_disabled boolean not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint federation_providers_pkey PRIMARY KEY (tenant_id, provider_id)
);

create table federation_trusts (
  tenant_id integer not null,
  credential_id ksuid not null,
  principal_id ksuid not null,
  provider_id ksuid not null,
  description text not null,
  condition text not null,
  passthrough_claims text[] not null,
  is_disabled boolean not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint federation_trusts_pkey PRIMARY KEY (tenant_id, credential_id)
);
CREATE INDEX federation_trusts_of_principal ON federation_trusts USING btree (tenant_id, principal_id, credential_id);
CREATE INDEX federation_trusts_of_provider ON federation_trusts USING btree (tenant_id, provider_id, credential_id);

create table first_sign_ins (
  tenant_id integer not null,
  user_id ksuid not null,
  signed_in_at timestamp(3) with time zone not null,
  invited_at timestamp(3) with time zone,
  constraint first_sign_ins_pkey PRIMARY KEY (tenant_id, user_id)
);

create table form_bindings (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  form_id ksuid not null,
  created_at timestamp(3) with time zone not null,
  constraint form_bindings_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id)
);
CREATE INDEX form_bindings_of_form ON form_bindings USING btree (tenant_id, form_id);

create table forms (
  tenant_id integer not null,
  form_id ksuid not null,
  name text not null,
  description text default ''::text not null,
  fields jsonb not null,
  field_groups jsonb default '[]'::jsonb not null,
  field_relationships jsonb default '[]'::jsonb not null,
  justification_visibility text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint forms_pkey PRIMARY KEY (tenant_id, form_id)
);

create table four_eyes (
  tenant_id integer not null,
  kind text not null,
  policy_id text collate "C" not null,
  changed_by text collate "C" not null,
  changed_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone,
  constraint four_eyes_pkey PRIMARY KEY (tenant_id, kind),
  constraint four_eyes_kind_check CHECK ((kind = ANY (ARRAY['automations'::text, 'policies'::text, 'owners'::text, 'roles'::text])))
);

create table grant_sources (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  source_entitlement_id ksuid not null,
  constraint grant_sources_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id, source_entitlement_id)
);

create table grants (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  grant_id ksuid not null,
  source text not null,
  granted_by text default ''::text not null,
  granted_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  began_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  ended_by text,
  ended_why text,
  reason text default ''::text not null,
  connector_ids text[] collate "C",
  constraint grants_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id, grant_id),
  constraint grants_check CHECK (((ended_at IS NULL) = (ended_why IS NULL))),
  constraint grants_check1 CHECK (((ended_at IS NULL) OR (ended_at >= began_at))),
  constraint grants_ended_why_check CHECK ((ended_why = ANY (ARRAY['revoked'::text, 'expired'::text, 'restated'::text]))),
  constraint grants_source_check CHECK ((source = ANY (ARRAY['manual'::text, 'import'::text, 'rule'::text, 'request'::text, 'profile'::text, 'directory'::text])))
);
CREATE INDEX grants_begun ON grants USING btree (tenant_id, began_at, grant_id);
CREATE INDEX grants_begun_of_entitlement ON grants USING btree (tenant_id, app_id, entitlement_id, began_at, grant_id);
CREATE INDEX grants_by_account ON grants USING btree (tenant_id, app_id, account_id, entitlement_id) WHERE (ended_at IS NULL);
CREATE INDEX grants_ended ON grants USING btree (tenant_id, ended_at, grant_id) INCLUDE (ended_why) WHERE (ended_at IS NOT NULL);
CREATE INDEX grants_ended_late ON grants USING btree (tenant_id, expires_at) WHERE (ended_at > expires_at);
CREATE INDEX grants_ended_of_entitlement ON grants USING btree (tenant_id, app_id, entitlement_id, ended_at, grant_id) WHERE (ended_at IS NOT NULL);
CREATE INDEX grants_ending ON grants USING btree (tenant_id, expires_at, grant_id) WHERE ((ended_at IS NULL) AND (expires_at IS NOT NULL));
CREATE INDEX grants_given_singly ON grants USING btree (tenant_id, source, app_id, entitlement_id, account_id) WHERE ((ended_at IS NULL) AND (source <> 'import'::text) AND (source <> 'rule'::text));
CREATE INDEX grants_granted ON grants USING btree (tenant_id, granted_at, grant_id) WHERE ((ended_at IS NULL) AND (source <> ''::text));
CREATE UNIQUE INDEX grants_open ON grants USING btree (tenant_id, app_id, entitlement_id, account_id, source) WHERE (ended_at IS NULL);
CREATE INDEX grants_past ON grants USING btree (tenant_id, app_id, account_id, entitlement_id, began_at);
CREATE INDEX grants_to_expire ON grants USING btree (expires_at) WHERE ((ended_at IS NULL) AND (expires_at IS NOT NULL));

create table idempotency_keys (
  tenant_id integer not null,
  caller text collate "C" not null,
  key_sha256 bytea not null,
  fingerprint bytea not null,
  reply bytea not null,
  has_secret boolean not null,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (tenant_id, caller, key_sha256)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

create table imports (
  tenant_id integer not null,
  import_id ksuid not null,
  format text not null,
  is_full boolean not null,
  is_forced boolean not null,
  user_id text collate "C" default ''::text not null,
  user_name text default ''::text not null,
  line_count integer not null,
  byte_count bigint not null,
  counts jsonb not null,
  ignored_fields text[] default '{}'::text[] not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone not null,
  app_id text collate "C" default ''::text not null,
  notes text[] default '{}'::text[] not null,
  constraint imports_pkey PRIMARY KEY (tenant_id, import_id),
  constraint imports_format_check CHECK ((format = ANY (ARRAY['jsonl'::text, 'csv'::text, 'c1z'::text])))
);

create table installation (
  one boolean default true not null,
  secret_key_fingerprint text not null,
  created_at timestamp(3) with time zone not null,
  sealed_rows_mac bytea,
  restored_at timestamp(3) with time zone,
  credentials_floor timestamp(3) with time zone,
  restored_mac bytea,
  constraint installation_pkey PRIMARY KEY (one),
  constraint installation_one_check CHECK (one)
);

create table invitations (
  tenant_id integer not null,
  invitation_id ksuid not null,
  user_id ksuid not null,
  email text not null,
  secret_sha256 bytea not null,
  created_by ksuid not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  mac bytea not null,
  constraint invitations_pkey PRIMARY KEY (tenant_id, invitation_id)
);
CREATE INDEX invitations_by_expiry ON invitations USING btree (tenant_id, expires_at);
CREATE UNIQUE INDEX invitations_by_secret ON invitations USING btree (tenant_id, secret_sha256);
CREATE INDEX invitations_by_user ON invitations USING btree (tenant_id, user_id, invitation_id);

create table jobs (
  tenant_id integer not null,
  job_id ksuid not null,
  kind text collate "C" not null,
  key text collate "C",
  lane text collate "C",
  payload jsonb not null,
  subject_type text default ''::text not null,
  subject_id text collate "C" default ''::text not null,
  state text default 'waiting'::text not null,
  due_at timestamp(3) with time zone,
  attempts integer default 0 not null,
  deadline_at timestamp(3) with time zone,
  lease_id ksuid,
  lease_holder text default ''::text not null,
  last_error text default ''::text not null,
  cause jsonb not null,
  created_at timestamp(3) with time zone not null,
  started_at timestamp(3) with time zone,
  constraint jobs_pkey PRIMARY KEY (tenant_id, job_id),
  constraint jobs_check CHECK (((due_at IS NULL) = (state = 'stuck'::text))),
  constraint jobs_check1 CHECK (((lease_id IS NOT NULL) = (state = 'running'::text))),
  constraint jobs_kind_check CHECK ((kind <> ''::text)),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'stuck'::text])))
);
CREATE UNIQUE INDEX jobs_by_key ON jobs USING btree (tenant_id, kind, key) WHERE ((state = 'waiting'::text) AND (key IS NOT NULL));
CREATE INDEX jobs_by_kind ON jobs USING btree (tenant_id, kind, job_id);
CREATE INDEX jobs_by_lane ON jobs USING btree (tenant_id, kind, lane, job_id) WHERE (lane IS NOT NULL);
CREATE INDEX jobs_due ON jobs USING btree (tenant_id, kind, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX jobs_running ON jobs USING btree (tenant_id, kind, job_id) WHERE (state = 'running'::text);
CREATE INDEX jobs_stuck ON jobs USING btree (tenant_id, job_id) WHERE (state = 'stuck'::text);

create unlogged table leases (
  name text collate "C" not null,
  owner text collate "C" not null,
  until timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (name)
);

create table mail_audit (
  tenant_id integer not null,
  audit_id ksuid not null,
  event jsonb not null,
  constraint mail_audit_pkey PRIMARY KEY (tenant_id, audit_id)
);

create table mail_senders (
  tenant_id integer not null,
  from_name text not null,
  reply_to text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint mail_senders_pkey PRIMARY KEY (tenant_id)
);

create table notification_cursors (
  tenant_id integer not null,
  seal_number bigint not null,
  seal_position integer not null,
  days_ahead_until timestamp(3) with time zone not null,
  day_ahead_until timestamp(3) with time zone not null,
  credentials_until timestamp(3) with time zone not null,
  constraint notification_cursors_pkey PRIMARY KEY (tenant_id)
);

create table notification_messages (
  tenant_id integer not null,
  message_id ksuid not null,
  channel text not null,
  user_id text collate "C" not null,
  form text not null,
  state text not null,
  created_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  attempts integer default 0 not null,
  lease_id text collate "C" default ''::text not null,
  error text default ''::text not null,
  ended_at timestamp(3) with time zone,
  constraint notification_messages_pkey PRIMARY KEY (tenant_id, message_id),
  constraint notification_messages_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'slack'::text, 'teams'::text]))),
  constraint notification_messages_form_check CHECK ((form = ANY (ARRAY['single'::text, 'summary'::text, 'digest'::text]))),
  constraint notification_messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
);
CREATE INDEX notification_messages_due ON notification_messages USING btree (tenant_id, due_at) WHERE (state = 'waiting'::text);
CREATE INDEX notification_messages_ended ON notification_messages USING btree (tenant_id, ended_at) WHERE (state <> 'waiting'::text);
CREATE INDEX notification_messages_listed ON notification_messages USING btree (tenant_id, state, message_id);
CREATE INDEX notification_messages_of_user ON notification_messages USING btree (tenant_id, channel, user_id, created_at);

create table notification_settings (
  tenant_id integer not null,
  user_id text collate "C" not null,
  settings jsonb not null,
  updated_at timestamp(3) with time zone not null,
  constraint notification_settings_pkey PRIMARY KEY (tenant_id, user_id)
);

create table notifications (
  tenant_id integer not null,
  notification_id ksuid not null,
  channel text not null,
  user_id text collate "C" not null,
  kind text not null,
  key text collate "C" not null,
  task_id text collate "C" default ''::text not null,
  step_id text collate "C" default ''::text not null,
  data jsonb default '{}'::jsonb not null,
  created_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  message_id text collate "C" default ''::text not null,
  constraint notifications_pkey PRIMARY KEY (tenant_id, notification_id),
  constraint notifications_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'slack'::text, 'teams'::text])))
);
CREATE INDEX notifications_due ON notifications USING btree (tenant_id, due_at, user_id) WHERE (message_id = ''::text);
CREATE INDEX notifications_of_message ON notifications USING btree (tenant_id, message_id) WHERE (message_id <> ''::text);
CREATE UNIQUE INDEX notifications_once ON notifications USING btree (tenant_id, channel, user_id, key);

create table oidc_identities (
  tenant_id integer not null,
  identity_id ksuid not null,
  user_id ksuid not null,
  issuer text not null,
  subject text collate "C" not null,
  email text not null,
  linked_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint oidc_identities_pkey PRIMARY KEY (tenant_id, identity_id)
);
CREATE UNIQUE INDEX oidc_identities_by_subject ON oidc_identities USING btree (tenant_id, issuer, subject);
CREATE UNIQUE INDEX oidc_identities_of_user ON oidc_identities USING btree (tenant_id, user_id, issuer);

create table oidc_providers (
  tenant_id integer not null,
  issuer text not null,
  client_id text not null,
  sealed_client_secret bytea,
  updated_at timestamp(3) with time zone not null,
  mac bytea,
  constraint oidc_providers_pkey PRIMARY KEY (tenant_id)
);

create table organization_contacts (
  tenant_id integer not null,
  operations_emails text[] not null,
  security_emails text[] not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint organization_contacts_pkey PRIMARY KEY (tenant_id)
);

create table organization_domains (
  tenant_id integer not null,
  domain_id ksuid not null,
  domain text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  constraint organization_domains_pkey PRIMARY KEY (tenant_id, domain_id)
);
CREATE UNIQUE INDEX organization_domains_once ON organization_domains USING btree (tenant_id, domain);

create table owner_orders (
  tenant_id integer not null,
  kind text collate "C" not null,
  app_id text collate "C" default ''::text not null,
  resource_type_id text collate "C" default ''::text not null,
  object_id ksuid not null,
  role_slug text collate "C" not null,
  change_id ksuid not null,
  began_at timestamp(3) with time zone not null,
  owner_ids text[] collate "C" not null,
  constraint owner_orders_pkey PRIMARY KEY (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, began_at, change_id)
);

create table owners (
  tenant_id integer not null,
  kind text collate "C" not null,
  app_id text collate "C" default ''::text not null,
  resource_type_id text collate "C" default ''::text not null,
  object_id ksuid not null,
  role_slug text collate "C" not null,
  owner_id ksuid not null,
  user_id ksuid,
  entitlement_app_id ksuid,
  entitlement_id ksuid,
  began_at timestamp(3) with time zone not null,
  began_by text default ''::text not null,
  ended_at timestamp(3) with time zone,
  ended_by text,
  ended_why text,
  constraint owners_pkey PRIMARY KEY (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, owner_id),
  constraint owners_check CHECK (((user_id IS NULL) = (entitlement_id IS NOT NULL))),
  constraint owners_check1 CHECK (((entitlement_app_id IS NULL) = (entitlement_id IS NULL))),
  constraint owners_check2 CHECK (((app_id = ''::text) = (kind = 'user'::text))),
  constraint owners_check3 CHECK (((resource_type_id = ''::text) = (kind <> 'resource'::text))),
  constraint owners_check4 CHECK (((ended_at IS NULL) = (ended_why IS NULL))),
  constraint owners_check5 CHECK (((ended_at IS NULL) OR (ended_at >= began_at))),
  constraint owners_ended_why_check CHECK ((ended_why = ANY (ARRAY['removed'::text, 'owner_gone'::text, 'object_gone'::text]))),
  constraint owners_kind_check CHECK ((kind = ANY (ARRAY['app'::text, 'entitlement'::text, 'resource'::text, 'account'::text, 'user'::text, 'connector'::text]))),
  constraint owners_role_slug_check CHECK ((role_slug ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text))
);
CREATE INDEX owners_by_entitlement ON owners USING btree (tenant_id, entitlement_app_id, entitlement_id, kind, app_id, resource_type_id, object_id) WHERE (entitlement_id IS NOT NULL);
CREATE INDEX owners_by_user ON owners USING btree (tenant_id, user_id, kind, app_id, resource_type_id, object_id) WHERE (user_id IS NOT NULL);
CREATE INDEX owners_in_app ON owners USING btree (tenant_id, app_id, kind) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX owners_open_entitlements ON owners USING btree (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, entitlement_app_id, entitlement_id) WHERE ((ended_at IS NULL) AND (entitlement_id IS NOT NULL));
CREATE UNIQUE INDEX owners_open_users ON owners USING btree (tenant_id, kind, app_id, resource_type_id, object_id, role_slug, user_id) WHERE ((ended_at IS NULL) AND (user_id IS NOT NULL));

create table passkeys (
  tenant_id integer not null,
  passkey_id ksuid not null,
  user_id ksuid not null,
  display_name text not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  mac bytea,
  constraint passkeys_pkey PRIMARY KEY (tenant_id, passkey_id)
);
CREATE UNIQUE INDEX passkeys_by_credential_id ON passkeys USING btree (tenant_id, credential_id);
CREATE INDEX passkeys_of_user ON passkeys USING btree (tenant_id, user_id, passkey_id);

create table policies (
  tenant_id integer not null,
  policy_id ksuid not null,
  type text not null,
  display_name text not null,
  description text default ''::text not null,
  steps jsonb not null,
  rules jsonb default '[]'::jsonb not null,
  remediates_immediately boolean default false not null,
  baseline_policy_id text collate "C" default ''::text not null,
  referred_ids text[] collate "C" default '{}'::text[] not null,
  scope jsonb,
  annotations jsonb default '{}'::jsonb not null,
  built_in text,
  version integer not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  has_post_action boolean default false not null,
  constraint policies_pkey PRIMARY KEY (tenant_id, policy_id),
  constraint policies_type_check CHECK ((type = ANY (ARRAY['POLICY_TYPE_GRANT'::text, 'POLICY_TYPE_REVOKE'::text, 'POLICY_TYPE_CERTIFY'::text])))
);
CREATE INDEX policies_referring ON policies USING gin (referred_ids);

create table principal_owners (
  tenant_id integer not null,
  principal_id ksuid not null,
  owner_id ksuid not null,
  mac bytea not null,
  constraint principal_owners_pkey PRIMARY KEY (tenant_id, principal_id, owner_id)
);

create table profile_automations (
  tenant_id integer not null,
  profile_id ksuid not null,
  is_enabled boolean not null,
  creates_tasks boolean not null,
  removed_percent integer not null,
  constraint profile_automations_pkey PRIMARY KEY (tenant_id, profile_id)
);

create table profile_changes (
  tenant_id integer not null,
  change_id bigint generated always as identity not null,
  profile_id text collate "C" not null,
  constraint profile_changes_pkey PRIMARY KEY (tenant_id, change_id)
);

create table profile_entries (
  tenant_id integer not null,
  profile_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  place integer not null,
  is_enrollment boolean default false not null,
  added_at timestamp(3) with time zone not null,
  constraint profile_entries_pkey PRIMARY KEY (tenant_id, profile_id, app_id, entitlement_id)
);
CREATE INDEX profile_entries_in_order ON profile_entries USING btree (tenant_id, profile_id, place);
CREATE INDEX profile_entries_of_entitlement ON profile_entries USING btree (tenant_id, app_id, entitlement_id, profile_id);

create table profile_members (
  tenant_id integer not null,
  profile_id ksuid not null,
  user_id ksuid not null,
  state text not null,
  is_automatic boolean not null,
  joined_at timestamp(3) with time zone not null,
  constraint profile_members_pkey PRIMARY KEY (tenant_id, profile_id, user_id),
  constraint profile_members_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'joined'::text, 'leaving'::text])))
);
CREATE INDEX profile_members_of_user ON profile_members USING btree (tenant_id, user_id, profile_id);

create table profile_visibility (
  tenant_id integer not null,
  profile_id ksuid not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  added_at timestamp(3) with time zone not null,
  constraint profile_visibility_pkey PRIMARY KEY (tenant_id, profile_id, app_id, entitlement_id)
);
CREATE INDEX profile_visibility_of_entitlement ON profile_visibility USING btree (tenant_id, app_id, entitlement_id, profile_id);

create table profiles (
  tenant_id integer not null,
  profile_id ksuid not null,
  display_name text not null,
  description text default ''::text not null,
  is_published boolean default false not null,
  is_for_everyone boolean default false not null,
  is_bundle boolean default false not null,
  enrollment text not null,
  unenrollment text not null,
  unenrollment_entitlements text not null,
  annotations jsonb default '{}'::jsonb not null,
  created_by text collate "C" default ''::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint profiles_pkey PRIMARY KEY (tenant_id, profile_id)
);

create table provisioning_changes (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  account_id ksuid not null,
  cause_id ksuid not null,
  change text not null,
  constraint provisioning_changes_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id, account_id, cause_id, change),
  constraint provisioning_changes_change_check CHECK ((change = ANY (ARRAY['opened'::text, 'ended'::text, 'removed'::text, 'settled'::text])))
);

create table request_defaults (
  tenant_id integer not null,
  app_id ksuid not null,
  is_enabled boolean not null,
  resource_type_ids text[] collate "C" default '{}'::text[] not null,
  grant_policy_id text collate "C" default ''::text not null,
  form_id text collate "C" default ''::text not null,
  duration_seconds bigint,
  is_duration_unset boolean default false not null,
  is_emergency_enabled boolean default false not null,
  emergency_policy_id text collate "C" default ''::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint request_defaults_pkey PRIMARY KEY (tenant_id, app_id)
);

create table request_settings (
  tenant_id integer not null,
  skips_justification boolean not null,
  updated_at timestamp(3) with time zone not null,
  constraint request_settings_pkey PRIMARY KEY (tenant_id)
);

create table resource_types (
  tenant_id integer not null,
  app_id ksuid not null,
  resource_type_id ksuid not null,
  external_id text collate "C",
  display_name text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  trait_ids text[] default '{}'::text[] not null,
  is_manually_managed boolean default false not null,
  connector_ids text[] collate "C",
  constraint resource_types_pkey PRIMARY KEY (tenant_id, app_id, resource_type_id)
);
CREATE INDEX resource_types_alive ON resource_types USING btree (tenant_id, app_id, resource_type_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX resource_types_by_external_id ON resource_types USING btree (tenant_id, app_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX resource_types_by_id ON resource_types USING btree (tenant_id, resource_type_id);

create table resources (
  tenant_id integer not null,
  app_id ksuid not null,
  resource_type_id ksuid not null,
  resource_id ksuid not null,
  external_id text collate "C",
  display_name text not null,
  description text default ''::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  annotations jsonb default '{}'::jsonb not null,
  custom_description text default ''::text not null,
  profile jsonb default '{}'::jsonb not null,
  parent_resource_type_id ksuid,
  parent_resource_id ksuid,
  is_manually_managed boolean default false not null,
  connector_ids text[] collate "C",
  constraint resources_pkey PRIMARY KEY (tenant_id, app_id, resource_type_id, resource_id)
);
CREATE INDEX resources_alive ON resources USING btree (tenant_id, app_id, resource_type_id, resource_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX resources_by_external_id ON resources USING btree (tenant_id, app_id, resource_type_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX resources_by_id ON resources USING btree (tenant_id, resource_id);
CREATE INDEX resources_by_parent ON resources USING btree (tenant_id, app_id, parent_resource_type_id, parent_resource_id) WHERE (parent_resource_id IS NOT NULL);

create table revoked_tokens (
  tenant_id integer not null,
  credential_id ksuid not null,
  token_id text collate "C" not null,
  expires_at timestamp(3) with time zone not null,
  constraint revoked_tokens_pkey PRIMARY KEY (tenant_id, credential_id, token_id)
);
CREATE INDEX revoked_tokens_by_expiry ON revoked_tokens USING btree (expires_at);

create table roles (
  tenant_id integer not null,
  role_id ksuid not null,
  name text collate "C" not null,
  display_name text not null,
  permissions text[] default '{}'::text[] not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea,
  constraint roles_pkey PRIMARY KEY (tenant_id, role_id),
  constraint roles_tenant_id_name_key UNIQUE (tenant_id, name)
);

create table routing_rules (
  tenant_id integer not null,
  app_id ksuid not null,
  rule_id ksuid not null,
  place integer not null,
  display_name text not null,
  description text default ''::text not null,
  condition text default ''::text not null,
  is_enabled boolean not null,
  grant_policy_id text collate "C" default ''::text not null,
  form_id text collate "C" default ''::text not null,
  max_seconds bigint,
  is_emergency_enabled boolean default false not null,
  emergency_policy_id text collate "C" default ''::text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint routing_rules_pkey PRIMARY KEY (tenant_id, app_id, rule_id),
  constraint routing_rules_place_check CHECK ((place > 0))
);
CREATE INDEX routing_rules_in_order ON routing_rules USING btree (tenant_id, app_id, place);

create table saved_views (
  tenant_id integer not null,
  view_id ksuid not null,
  user_id ksuid not null,
  page text collate "C" not null,
  name text not null,
  query text not null,
  is_shared boolean not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (tenant_id, view_id)
);
CREATE UNIQUE INDEX saved_views_of_user ON saved_views USING btree (tenant_id, user_id, page, lower(name));
CREATE INDEX saved_views_shared ON saved_views USING btree (tenant_id, view_id) WHERE is_shared;

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table scim_connections (
  tenant_id integer not null,
  connector_id ksuid not null,
  base_url text collate "C" not null,
  sealed_token bytea not null,
  token_updated_at timestamp(3) with time zone not null,
  deletes_users boolean default false not null,
  wait_until timestamp(3) with time zone,
  constraint scim_connections_pkey PRIMARY KEY (tenant_id, connector_id)
);

create table search_keys (
  tenant_id integer not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  object_id ksuid not null,
  app_id text collate "C" default ''::text not null,
  previous_key text collate "C" not null,
  constraint search_keys_pkey PRIMARY KEY (tenant_id, kind, key, object_id) INCLUDE (app_id, previous_key),
  constraint search_keys_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'app'::text, 'resource_type'::text, 'resource'::text, 'entitlement'::text, 'account'::text, 'deleted_user'::text, 'deleted_entitlement'::text, 'deleted_account'::text])))
);
CREATE INDEX search_keys_of_object ON search_keys USING btree (tenant_id, object_id, kind, key);

create table sessions (
  tenant_id integer not null,
  session_id ksuid not null,
  user_id ksuid not null,
  method text not null,
  source_address text not null,
  user_agent text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  idle_seconds integer not null,
  fresh_seconds integer not null,
  generation integer not null,
  branch integer not null,
  rotated_at timestamp(3) with time zone not null,
  previous_branch integer not null,
  previous_until timestamp(3) with time zone,
  offers integer not null,
  offered_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  ended_why text,
  mac bytea not null,
  last_seen_at timestamp(3) with time zone not null,
  last_seen_mac bytea not null,
  constraint sessions_pkey PRIMARY KEY (tenant_id, session_id),
  constraint sessions_ended_why_check CHECK ((ended_why = ANY (ARRAY['COOKIE_REUSED'::text, 'COOKIE_NOT_REPLACED'::text, 'RECORD_SET_BACK'::text, 'ENDED_BY_ADMINISTRATOR'::text]))),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['link'::text, 'passkey'::text, 'oidc'::text])))
);
CREATE INDEX sessions_of_user ON sessions USING btree (tenant_id, user_id, session_id);

create table sign_in_challenges (
  tenant_id integer not null,
  challenge_sha256 bytea not null,
  kind text not null,
  user_id text collate "C" default ''::text not null,
  sealed bytea,
  expires_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (tenant_id, challenge_sha256),
  constraint sign_in_challenges_kind_check CHECK ((kind = ANY (ARRAY['passkey sign-in'::text, 'passkey adding'::text, 'oidc'::text])))
);

create table sign_in_links (
  tenant_id integer not null,
  link_id ksuid not null,
  user_id ksuid not null,
  secret_sha256 bytea not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  is_break_glass boolean default false not null,
  mac bytea not null,
  constraint sign_in_links_pkey PRIMARY KEY (tenant_id, link_id)
);
CREATE UNIQUE INDEX sign_in_links_by_secret ON sign_in_links USING btree (tenant_id, secret_sha256);

create table sign_in_policies (
  tenant_id integer not null,
  methods text[] not null,
  idle_seconds integer not null,
  session_seconds integer not null,
  fresh_seconds integer not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint sign_in_policies_pkey PRIMARY KEY (tenant_id)
);

create table signing_keys (
  tenant_id integer not null,
  key_id ksuid not null,
  public_key bytea not null,
  sealed_private_key bytea not null,
  created_at timestamp(3) with time zone not null,
  retired_at timestamp(3) with time zone,
  constraint signing_keys_pkey PRIMARY KEY (tenant_id, key_id)
);
CREATE UNIQUE INDEX signing_keys_in_use ON signing_keys USING btree (tenant_id) WHERE (retired_at IS NULL);

create table source_limits (
  tenant_id integer not null,
  limits jsonb not null,
  updated_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint source_limits_pkey PRIMARY KEY (tenant_id)
);

create table subscription_deliveries (
  tenant_id integer not null,
  subscription_id ksuid not null,
  delivery_id ksuid not null,
  message_id text collate "C" not null,
  kind text collate "C" not null,
  is_test boolean not null,
  attempt integer not null,
  outcome text not null,
  started_at timestamp(3) with time zone not null,
  duration_ms integer not null,
  status integer not null,
  error text default ''::text not null,
  request text not null,
  reply text default ''::text not null,
  constraint subscription_deliveries_pkey PRIMARY KEY (tenant_id, subscription_id, delivery_id),
  constraint subscription_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
);
CREATE INDEX subscription_deliveries_old ON subscription_deliveries USING btree (started_at);

create table subscriptions (
  tenant_id integer not null,
  subscription_id ksuid not null,
  display_name text not null,
  description text default ''::text not null,
  url text not null,
  event_kinds text[] not null,
  filter text default ''::text not null,
  state text not null,
  reason text default ''::text not null,
  detail text default ''::text not null,
  state_changed_at timestamp(3) with time zone not null,
  sealed_secret bytea not null,
  sealed_old_secret bytea,
  old_secret_until timestamp(3) with time zone,
  responsible_id text collate "C" not null,
  created_by text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  cursor_seal bigint not null,
  cursor_position integer not null,
  is_behind boolean default true not null,
  attempt integer default 0 not null,
  failing_since timestamp(3) with time zone,
  next_attempt_at timestamp(3) with time zone,
  last_delivered_at timestamp(3) with time zone,
  delivered_count bigint default 0 not null,
  filter_error_count bigint default 0 not null,
  filter_error text default ''::text not null,
  version integer default 1 not null,
  claimed_at timestamp(3) with time zone,
  lease_id text collate "C",
  lease_until timestamp(3) with time zone,
  constraint subscriptions_pkey PRIMARY KEY (tenant_id, subscription_id),
  constraint subscriptions_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])))
);
CREATE INDEX subscriptions_active ON subscriptions USING btree (tenant_id, subscription_id) WHERE (state = 'active'::text);

create table systemlog_events (
  tenant_id integer not null,
  event_id ksuid not null,
  occurred_at timestamp(3) with time zone not null,
  event text not null,
  mac bytea not null,
  seal_number bigint,
  seal_position integer,
  trail text,
  constraint systemlog_events_pkey PRIMARY KEY (tenant_id, event_id),
  constraint systemlog_events_check CHECK (((seal_number IS NULL) = (seal_position IS NULL)))
);
CREATE INDEX systemlog_events_alerts ON systemlog_events USING btree (occurred_at) WHERE (event ~~ '{"severity_id":4%'::text);
CREATE UNIQUE INDEX systemlog_events_in_chain ON systemlog_events USING btree (tenant_id, seal_number, seal_position) WHERE (seal_number IS NOT NULL);
CREATE INDEX systemlog_events_unsealed ON systemlog_events USING btree (tenant_id, event_id) WHERE (seal_number IS NULL);

create table systemlog_export_files (
  tenant_id integer not null,
  export_id ksuid not null,
  first_seal bigint not null,
  first_position integer not null,
  last_seal bigint not null,
  last_position integer not null,
  datasource_id text collate "C" not null,
  format text not null,
  name text collate "C" not null,
  event_count integer not null,
  last_event_id ksuid not null,
  least_event_id ksuid not null,
  greatest_event_id ksuid not null,
  content_bytes integer not null,
  stored_bytes integer default 0 not null,
  note text default ''::text not null,
  created_at timestamp(3) with time zone not null,
  done_at timestamp(3) with time zone,
  constraint systemlog_export_files_pkey PRIMARY KEY (tenant_id, export_id, first_seal, first_position),
  constraint systemlog_export_files_format_check CHECK ((format = ANY (ARRAY['zstd'::text, 'gzip'::text])))
);
CREATE INDEX systemlog_export_files_by_event ON systemlog_export_files USING btree (tenant_id, greatest_event_id, least_event_id);
CREATE UNIQUE INDEX systemlog_export_files_under_way ON systemlog_export_files USING btree (tenant_id, export_id) WHERE (done_at IS NULL);

create table systemlog_exports (
  tenant_id integer not null,
  export_id ksuid not null,
  display_name text not null,
  datasource_id text collate "C" not null,
  prefix text not null,
  format text not null,
  state text not null,
  error text default ''::text not null,
  failures integer default 0 not null,
  seal_number bigint not null,
  seal_position integer not null,
  watermark_event_id text collate "C" default ''::text not null,
  next_run_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint systemlog_exports_pkey PRIMARY KEY (tenant_id, export_id),
  constraint systemlog_exports_format_check CHECK ((format = ANY (ARRAY['zstd'::text, 'gzip'::text]))),
  constraint systemlog_exports_state_check CHECK ((state = ANY (ARRAY['exporting'::text, 'waiting'::text, 'error'::text])))
);
CREATE INDEX systemlog_exports_due ON systemlog_exports USING btree (tenant_id, next_run_at) WHERE (deleted_at IS NULL);

create table systemlog_heads (
  tenant_id integer not null,
  seal_number bigint not null,
  mac bytea not null,
  constraint systemlog_heads_pkey PRIMARY KEY (tenant_id)
);

create table systemlog_seals (
  tenant_id integer not null,
  seal_number bigint not null,
  event_count integer not null,
  sealed_at timestamp(3) with time zone not null,
  earliest_at timestamp(3) with time zone not null,
  latest_at timestamp(3) with time zone not null,
  comes_late boolean not null,
  mac bytea not null,
  constraint systemlog_seals_pkey PRIMARY KEY (tenant_id, seal_number)
);
CREATE INDEX systemlog_seals_by_time ON systemlog_seals USING btree (tenant_id, latest_at, seal_number);
CREATE INDEX systemlog_seals_that_come_late ON systemlog_seals USING btree (tenant_id, seal_number) WHERE comes_late;

create table systemlog_seams (
  tenant_id integer not null,
  seal_number bigint not null,
  seal_mac bytea not null,
  latest_at timestamp(3) with time zone not null,
  event_count bigint not null,
  removed_at timestamp(3) with time zone not null,
  mac bytea not null,
  constraint systemlog_seams_pkey PRIMARY KEY (tenant_id)
);

create table systemlog_verifications (
  tenant_id integer not null,
  verification_id ksuid not null,
  by_kind text not null,
  by_id text collate "C" default ''::text not null,
  by_name text default ''::text not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone not null,
  walk_began_at timestamp(3) with time zone not null,
  from_seal bigint not null,
  seal_number bigint not null,
  seal_mac bytea not null,
  event_count bigint not null,
  is_complete boolean not null,
  finding_count integer not null,
  findings jsonb default '[]'::jsonb not null,
  mac bytea not null,
  constraint systemlog_verifications_pkey PRIMARY KEY (tenant_id, verification_id),
  constraint systemlog_verifications_by_kind_check CHECK ((by_kind = ANY (ARRAY['server'::text, 'user'::text, 'command'::text])))
);

create table task_actors (
  tenant_id integer not null,
  user_id ksuid not null,
  task_id ksuid not null,
  constraint task_actors_pkey PRIMARY KEY (tenant_id, user_id, task_id)
);

create table task_assignees (
  tenant_id integer not null,
  user_id ksuid not null,
  task_id ksuid not null,
  constraint task_assignees_pkey PRIMARY KEY (tenant_id, user_id, task_id)
);
CREATE INDEX task_assignees_of_task ON task_assignees USING btree (tenant_id, task_id);

create table task_events (
  tenant_id integer not null,
  task_id ksuid not null,
  number integer not null,
  event_id ksuid not null,
  kind text not null,
  by_user_id text collate "C" default ''::text not null,
  happened_at timestamp(3) with time zone not null,
  data jsonb not null,
  constraint task_events_pkey PRIMARY KEY (tenant_id, task_id, number)
);

create table task_numbers (
  tenant_id integer not null,
  next bigint not null,
  constraint task_numbers_pkey PRIMARY KEY (tenant_id)
);

create table task_provisionings (
  tenant_id integer not null,
  task_id ksuid not null,
  connector_id ksuid not null,
  connector_task_id ksuid not null,
  generation integer not null,
  place integer not null,
  constraint task_provisionings_pkey PRIMARY KEY (tenant_id, task_id, connector_task_id)
);
CREATE INDEX task_provisionings_by_connector_task ON task_provisionings USING btree (tenant_id, connector_task_id);

create table tasks (
  tenant_id integer not null,
  task_id ksuid not null,
  number bigint not null,
  kind text not null,
  origin text not null,
  subject_user_id text collate "C" default ''::text not null,
  created_by text collate "C" default ''::text not null,
  app_id text collate "C" default ''::text not null,
  entitlement_id text collate "C" default ''::text not null,
  account_id text collate "C" default ''::text not null,
  resource_type_id text collate "C" default ''::text not null,
  resource_id text collate "C" default ''::text not null,
  display_name text not null,
  description text default ''::text not null,
  source jsonb default '{}'::jsonb not null,
  is_open boolean default true not null,
  outcome text,
  outcome_at timestamp(3) with time zone,
  is_emergency boolean default false not null,
  duration_seconds bigint,
  policy_id text collate "C" default ''::text not null,
  step_id text collate "C" default ''::text not null,
  step_kind text default ''::text not null,
  step_approvers text default ''::text not null,
  step_due_at timestamp(3) with time zone,
  stuck_why text,
  approver_ids text[] collate "C" default '{}'::text[] not null,
  comment_count integer default 0 not null,
  version integer not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  parent_id text collate "C" default ''::text not null,
  step_approve_reason boolean default false not null,
  step_deny_reason boolean default false not null,
  constraint tasks_pkey PRIMARY KEY (tenant_id, task_id),
  constraint tasks_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'revoke'::text, 'certify'::text, 'offboarding'::text, 'change'::text]))),
  constraint tasks_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'denied'::text, 'failed'::text, 'cancelled'::text, 'timed out'::text])))
);
CREATE INDEX tasks_by_creator ON tasks USING btree (tenant_id, created_by, task_id);
CREATE UNIQUE INDEX tasks_by_number ON tasks USING btree (tenant_id, number);
CREATE INDEX tasks_due ON tasks USING btree (step_due_at) WHERE (is_open AND (step_due_at IS NOT NULL));
CREATE INDEX tasks_in_app ON tasks USING btree (tenant_id, app_id, task_id);
CREATE INDEX tasks_of_app ON tasks USING btree (tenant_id, app_id, is_open, task_id);
CREATE INDEX tasks_of_entitlement ON tasks USING btree (tenant_id, app_id, entitlement_id, task_id);
CREATE INDEX tasks_of_parent ON tasks USING btree (tenant_id, parent_id, is_open) WHERE (parent_id <> ''::text);
CREATE INDEX tasks_of_subject ON tasks USING btree (tenant_id, subject_user_id, task_id);
CREATE UNIQUE INDEX tasks_offboarding_once ON tasks USING btree (tenant_id, subject_user_id) WHERE (is_open AND (kind = 'offboarding'::text));
CREATE INDEX tasks_open ON tasks USING btree (tenant_id, task_id) WHERE is_open;
CREATE UNIQUE INDEX tasks_open_once ON tasks USING btree (tenant_id, kind, app_id, entitlement_id, subject_user_id, account_id) WHERE (is_open AND (kind = ANY (ARRAY['grant'::text, 'revoke'::text])));
CREATE INDEX tasks_stuck ON tasks USING btree (tenant_id, task_id) WHERE (is_open AND (stuck_why IS NOT NULL));

create table tenants (
  tenant_id integer generated always as identity not null,
  public_id ksuid not null,
  domain text collate "C" not null,
  host text collate "C" not null,
  created_at timestamp(3) with time zone not null,
  constraint tenants_pkey PRIMARY KEY (tenant_id),
  constraint tenants_host_key UNIQUE (host),
  constraint tenants_public_id_key UNIQUE (public_id)
);

create table unanswerable (
  tenant_id integer not null,
  app_id ksuid not null,
  entitlement_id ksuid not null,
  problems jsonb not null,
  checked_at timestamp(3) with time zone not null,
  constraint unanswerable_pkey PRIMARY KEY (tenant_id, app_id, entitlement_id)
);

create table used_assertions (
  tenant_id integer not null,
  credential_id ksuid not null,
  jti text collate "C" not null,
  expires_at timestamp(3) with time zone not null,
  constraint used_assertions_pkey PRIMARY KEY (tenant_id, credential_id, jti)
);
CREATE INDEX used_assertions_by_expiry ON used_assertions USING btree (expires_at);

create table user_delegations (
  tenant_id integer not null,
  user_id ksuid not null,
  delegated_user_id ksuid not null,
  start_at timestamp(3) with time zone,
  expiration_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  named_by text collate "C" default ''::text not null,
  constraint user_delegations_pkey PRIMARY KEY (tenant_id, user_id)
);
CREATE INDEX user_delegations_by_delegate ON user_delegations USING btree (tenant_id, delegated_user_id, user_id);

create table user_merges (
  tenant_id integer not null,
  merge_id ksuid not null,
  user_id ksuid not null,
  into_user_id ksuid not null,
  merged_by text collate "C" not null,
  merged_at timestamp(3) with time zone not null,
  split_by text collate "C" default ''::text not null,
  split_at timestamp(3) with time zone,
  moved jsonb not null,
  constraint user_merges_pkey PRIMARY KEY (tenant_id, merge_id)
);
CREATE INDEX user_merges_into ON user_merges USING btree (tenant_id, into_user_id, merge_id);
CREATE INDEX user_merges_of_user ON user_merges USING btree (tenant_id, user_id, merge_id);
CREATE UNIQUE INDEX user_merges_open ON user_merges USING btree (tenant_id, user_id) WHERE (split_at IS NULL);

create table user_roles (
  tenant_id integer not null,
  user_id ksuid not null,
  role_id ksuid not null,
  granted_at timestamp(3) with time zone not null,
  assigned_email text,
  mac bytea,
  constraint user_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id)
);
CREATE INDEX user_roles_by_role ON user_roles USING btree (tenant_id, role_id, user_id);

create table users (
  tenant_id integer not null,
  user_id ksuid not null,
  external_id text collate "C",
  type text default 'USER_TYPE_HUMAN'::text not null,
  origin text default 'USER_ORIGIN_LOCAL'::text not null,
  status text default 'ENABLED'::text not null,
  directory_status text default 'ENABLED'::text not null,
  display_name text not null,
  email text default ''::text not null,
  emails text[] default '{}'::text[] not null,
  username text default ''::text not null,
  usernames text[] default '{}'::text[] not null,
  employee_ids text[] default '{}'::text[] not null,
  department text default ''::text not null,
  job_title text default ''::text not null,
  employment_type text default ''::text not null,
  employment_status text default ''::text not null,
  manager_ids text[] collate "C" default '{}'::text[] not null,
  profile jsonb default '{}'::jsonb not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  disabled_by text collate "C" default ''::text not null,
  sources jsonb default '{}'::jsonb not null,
  merged_into text collate "C" default ''::text not null,
  managers_since timestamp(3) with time zone,
  email_since timestamp(3) with time zone,
  status_since timestamp(3) with time zone,
  constraint users_pkey PRIMARY KEY (tenant_id, user_id),
  constraint users_directory_status_check CHECK ((directory_status = ANY (ARRAY['UNKNOWN'::text, 'ENABLED'::text, 'DISABLED'::text, 'DELETED'::text]))),
  constraint users_origin_check CHECK ((origin = ANY (ARRAY['USER_ORIGIN_LOCAL'::text, 'USER_ORIGIN_DIRECTORY'::text, 'USER_ORIGIN_SYSTEM'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text, 'DELETED'::text]))),
  constraint users_type_check CHECK ((type = ANY (ARRAY['USER_TYPE_HUMAN'::text, 'USER_TYPE_SERVICE'::text, 'USER_TYPE_SYSTEM'::text, 'USER_TYPE_AGENT'::text])))
);
CREATE INDEX users_alive ON users USING btree (tenant_id, user_id) WHERE (deleted_at IS NULL);
CREATE INDEX users_by_address ON users USING btree (tenant_id, lower(email), user_id) WHERE (deleted_at IS NULL);
CREATE INDEX users_by_creation ON users USING btree (tenant_id, created_at, user_id) WHERE (deleted_at IS NULL);
CREATE INDEX users_by_department ON users USING btree (tenant_id, department, user_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX users_by_email ON users USING btree (tenant_id, lower(email)) WHERE ((email <> ''::text) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX users_by_external_id ON users USING btree (tenant_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX users_by_job_title ON users USING btree (tenant_id, job_title, user_id) WHERE (deleted_at IS NULL);
CREATE INDEX users_by_manager ON users USING gin (manager_ids);
CREATE INDEX users_by_name ON users USING btree (tenant_id, lower(display_name), user_id) WHERE (deleted_at IS NULL);
CREATE INDEX users_by_origin ON users USING btree (tenant_id, origin, user_id) WHERE (deleted_at IS NULL);
CREATE INDEX users_merged ON users USING btree (tenant_id, merged_into, user_id) WHERE (merged_into <> ''::text);
CREATE INDEX users_not_enabled ON users USING btree (tenant_id, status, user_id) WHERE (status <> 'ENABLED'::text);
CREATE INDEX users_not_human ON users USING btree (tenant_id, type, user_id) WHERE (type <> 'USER_TYPE_HUMAN'::text);
CREATE INDEX users_principals ON users USING btree (tenant_id, user_id) WHERE ((type = 'USER_TYPE_SERVICE'::text) AND (origin = 'USER_ORIGIN_LOCAL'::text) AND (deleted_at IS NULL));

create table webhook_attempts (
  tenant_id integer not null,
  delivery_id ksuid not null,
  attempt_id ksuid not null,
  number integer not null,
  request_headers jsonb default '{}'::jsonb not null,
  began_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  status integer default 0 not null,
  error text default ''::text not null,
  reply_headers jsonb default '{}'::jsonb not null,
  reply_body text default ''::text not null,
  source_address text default ''::text not null,
  constraint webhook_attempts_pkey PRIMARY KEY (tenant_id, delivery_id, attempt_id)
);

create table webhook_deliveries (
  tenant_id integer not null,
  delivery_id ksuid not null,
  webhook_id ksuid not null,
  state text not null,
  source text not null,
  ticket_id text collate "C" default ''::text not null,
  step_id text collate "C" default ''::text not null,
  payload text not null,
  destination text not null,
  host text collate "C" not null,
  origin text not null,
  callback_hash bytea not null,
  attempts integer default 0 not null,
  bad_answers integer default 0 not null,
  error text default ''::text not null,
  answer jsonb,
  lease_id text collate "C" default ''::text not null,
  due_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  last_attempted_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (tenant_id, delivery_id),
  constraint webhook_deliveries_source_check CHECK ((source = ANY (ARRAY['test'::text, 'approval'::text, 'provision'::text]))),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'running'::text, 'error'::text, 'waiting'::text, 'answered'::text, 'success'::text, 'fatal'::text])))
);
CREATE UNIQUE INDEX webhook_deliveries_callback ON webhook_deliveries USING btree (tenant_id, callback_hash);
CREATE INDEX webhook_deliveries_completed ON webhook_deliveries USING btree (tenant_id, completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (tenant_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries USING btree (tenant_id, webhook_id, delivery_id);
CREATE UNIQUE INDEX webhook_deliveries_step ON webhook_deliveries USING btree (tenant_id, step_id) WHERE (step_id <> ''::text);

create table webhooks (
  tenant_id integer not null,
  webhook_id ksuid not null,
  display_name text not null,
  description text not null,
  url text not null,
  origin text default ''::text not null,
  callback_timeout_seconds integer,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint webhooks_pkey PRIMARY KEY (tenant_id, webhook_id)
);

alter table access_removals add constraint access_removals_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table account_credentials add constraint account_credentials_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table accounts add constraint accounts_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table accounts add constraint accounts_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table answerable_rounds add constraint answerable_rounds_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table app_usage_controls add constraint app_usage_controls_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table apps add constraint apps_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table attribute_values add constraint attribute_values_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table automation_exclusions add constraint automation_exclusions_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table automation_exclusions add constraint automation_exclusions_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table automation_names_shown add constraint automation_names_shown_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table automation_reads add constraint automation_reads_tenant_id_by_app_id_by_entitlement_id_fkey
  FOREIGN KEY (tenant_id, by_app_id, by_entitlement_id) REFERENCES automations(tenant_id, app_id, entitlement_id);

alter table automation_run_items add constraint automation_run_items_tenant_id_run_id_fkey
  FOREIGN KEY (tenant_id, run_id) REFERENCES automation_runs(tenant_id, run_id);

alter table automation_runs add constraint automation_runs_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES automations(tenant_id, app_id, entitlement_id);

alter table automation_versions add constraint automation_versions_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES automations(tenant_id, app_id, entitlement_id);

alter table automations add constraint automations_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table bulk_actions add constraint bulk_actions_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table changes add constraint changes_tenant_id_task_id_fkey
  FOREIGN KEY (tenant_id, task_id) REFERENCES tasks(tenant_id, task_id);

alter table chat_webhooks add constraint chat_webhooks_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table connector_credentials add constraint connector_credentials_tenant_id_connector_id_fkey
  FOREIGN KEY (tenant_id, connector_id) REFERENCES connectors(tenant_id, connector_id);

alter table connector_grants add constraint connector_grants_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table connector_objects add constraint connector_objects_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table connector_tasks add constraint connector_tasks_tenant_id_connector_id_fkey
  FOREIGN KEY (tenant_id, connector_id) REFERENCES connectors(tenant_id, connector_id);

alter table connectors add constraint connectors_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table connectors add constraint connectors_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table credentials add constraint credentials_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table device_requests add constraint device_requests_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table directories add constraint directories_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table directories add constraint directories_tenant_id_app_id_group_type_id_fkey
  FOREIGN KEY (tenant_id, app_id, group_type_id) REFERENCES resource_types(tenant_id, app_id, resource_type_id);

alter table directory_conflicts add constraint directory_conflicts_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES directories(tenant_id, app_id);

alter table directory_groups add constraint directory_groups_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table directory_groups add constraint directory_groups_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES directories(tenant_id, app_id);

alter table directory_plan_items add constraint directory_plan_items_tenant_id_plan_id_fkey
  FOREIGN KEY (tenant_id, plan_id) REFERENCES directory_plans(tenant_id, plan_id) ON DELETE CASCADE;

alter table directory_plans add constraint directory_plans_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table directory_sizes add constraint directory_sizes_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES directories(tenant_id, app_id);

alter table directory_sizes add constraint directory_sizes_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table directory_tokens add constraint directory_tokens_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES directories(tenant_id, app_id);

alter table directory_users add constraint directory_users_tenant_id_app_id_account_id_fkey
  FOREIGN KEY (tenant_id, app_id, account_id) REFERENCES accounts(tenant_id, app_id, account_id);

alter table directory_users add constraint directory_users_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES directories(tenant_id, app_id);

alter table directory_users add constraint directory_users_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table drift add constraint drift_tenant_id_app_id_account_id_fkey
  FOREIGN KEY (tenant_id, app_id, account_id) REFERENCES accounts(tenant_id, app_id, account_id);

alter table drift add constraint drift_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table drift_checks add constraint drift_checks_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table drift_run_items add constraint drift_run_items_tenant_id_run_id_fkey
  FOREIGN KEY (tenant_id, run_id) REFERENCES drift_runs(tenant_id, run_id) ON DELETE CASCADE;

alter table drift_runs add constraint drift_runs_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table entitlement_proxies add constraint entitlement_proxies_tenant_id_dst_app_id_dst_entitlement_i_fkey
  FOREIGN KEY (tenant_id, dst_app_id, dst_entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table entitlement_proxies add constraint entitlement_proxies_tenant_id_src_app_id_src_entitlement_i_fkey
  FOREIGN KEY (tenant_id, src_app_id, src_entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table entitlements add constraint entitlements_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table entitlements add constraint entitlements_tenant_id_app_id_resource_type_id_resource_id_fkey
  FOREIGN KEY (tenant_id, app_id, resource_type_id, resource_id) REFERENCES resources(tenant_id, app_id, resource_type_id, resource_id);

alter table entitlements add constraint entitlements_tenant_id_risk_level_value_id_fkey
  FOREIGN KEY (tenant_id, risk_level_value_id) REFERENCES attribute_values(tenant_id, value_id);

alter table federation_attempts add constraint federation_attempts_tenant_id_credential_id_fkey
  FOREIGN KEY (tenant_id, credential_id) REFERENCES federation_trusts(tenant_id, credential_id) ON DELETE CASCADE;

alter table federation_attempts add constraint federation_attempts_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table federation_providers add constraint federation_providers_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table federation_trusts add constraint federation_trusts_tenant_id_credential_id_fkey
  FOREIGN KEY (tenant_id, credential_id) REFERENCES credentials(tenant_id, credential_id);

alter table federation_trusts add constraint federation_trusts_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table federation_trusts add constraint federation_trusts_tenant_id_provider_id_fkey
  FOREIGN KEY (tenant_id, provider_id) REFERENCES federation_providers(tenant_id, provider_id);

alter table first_sign_ins add constraint first_sign_ins_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table first_sign_ins add constraint first_sign_ins_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table form_bindings add constraint form_bindings_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table form_bindings add constraint form_bindings_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table form_bindings add constraint form_bindings_tenant_id_form_id_fkey
  FOREIGN KEY (tenant_id, form_id) REFERENCES forms(tenant_id, form_id);

alter table forms add constraint forms_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table four_eyes add constraint four_eyes_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table grant_sources add constraint grant_sources_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table grants add constraint grants_tenant_id_app_id_account_id_fkey
  FOREIGN KEY (tenant_id, app_id, account_id) REFERENCES accounts(tenant_id, app_id, account_id);

alter table grants add constraint grants_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table idempotency_keys add constraint idempotency_keys_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table imports add constraint imports_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table invitations add constraint invitations_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table invitations add constraint invitations_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table jobs add constraint jobs_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table mail_audit add constraint mail_audit_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table mail_senders add constraint mail_senders_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table notification_cursors add constraint notification_cursors_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table notification_messages add constraint notification_messages_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table notification_settings add constraint notification_settings_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table notifications add constraint notifications_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table oidc_identities add constraint oidc_identities_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table oidc_providers add constraint oidc_providers_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table organization_contacts add constraint organization_contacts_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table organization_domains add constraint organization_domains_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table owner_orders add constraint owner_orders_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table owners add constraint owners_tenant_id_entitlement_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, entitlement_app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table owners add constraint owners_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table owners add constraint owners_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table passkeys add constraint passkeys_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table policies add constraint policies_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table principal_owners add constraint principal_owners_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table profile_automations add constraint profile_automations_tenant_id_profile_id_fkey
  FOREIGN KEY (tenant_id, profile_id) REFERENCES profiles(tenant_id, profile_id);

alter table profile_changes add constraint profile_changes_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table profile_entries add constraint profile_entries_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table profile_entries add constraint profile_entries_tenant_id_profile_id_fkey
  FOREIGN KEY (tenant_id, profile_id) REFERENCES profiles(tenant_id, profile_id);

alter table profile_members add constraint profile_members_tenant_id_profile_id_fkey
  FOREIGN KEY (tenant_id, profile_id) REFERENCES profiles(tenant_id, profile_id);

alter table profile_visibility add constraint profile_visibility_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table profile_visibility add constraint profile_visibility_tenant_id_profile_id_fkey
  FOREIGN KEY (tenant_id, profile_id) REFERENCES profiles(tenant_id, profile_id);

alter table profiles add constraint profiles_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table provisioning_changes add constraint provisioning_changes_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table request_defaults add constraint request_defaults_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table request_defaults add constraint request_defaults_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table request_settings add constraint request_settings_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table resource_types add constraint resource_types_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table resources add constraint resources_tenant_id_app_id_parent_resource_type_id_parent__fkey
  FOREIGN KEY (tenant_id, app_id, parent_resource_type_id, parent_resource_id) REFERENCES resources(tenant_id, app_id, resource_type_id, resource_id);

alter table resources add constraint resources_tenant_id_app_id_resource_type_id_fkey
  FOREIGN KEY (tenant_id, app_id, resource_type_id) REFERENCES resource_types(tenant_id, app_id, resource_type_id);

alter table revoked_tokens add constraint revoked_tokens_tenant_id_credential_id_fkey
  FOREIGN KEY (tenant_id, credential_id) REFERENCES credentials(tenant_id, credential_id);

alter table roles add constraint roles_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table routing_rules add constraint routing_rules_tenant_id_app_id_fkey
  FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, app_id);

alter table routing_rules add constraint routing_rules_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table saved_views add constraint saved_views_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table scim_connections add constraint scim_connections_tenant_id_connector_id_fkey
  FOREIGN KEY (tenant_id, connector_id) REFERENCES connectors(tenant_id, connector_id);

alter table scim_connections add constraint scim_connections_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table sessions add constraint sessions_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table sign_in_challenges add constraint sign_in_challenges_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table sign_in_links add constraint sign_in_links_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table sign_in_policies add constraint sign_in_policies_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table signing_keys add constraint signing_keys_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table source_limits add constraint source_limits_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table subscription_deliveries add constraint subscription_deliveries_tenant_id_subscription_id_fkey
  FOREIGN KEY (tenant_id, subscription_id) REFERENCES subscriptions(tenant_id, subscription_id) ON DELETE CASCADE;

alter table subscriptions add constraint subscriptions_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table systemlog_export_files add constraint systemlog_export_files_tenant_id_export_id_fkey
  FOREIGN KEY (tenant_id, export_id) REFERENCES systemlog_exports(tenant_id, export_id);

alter table systemlog_exports add constraint systemlog_exports_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table systemlog_heads add constraint systemlog_heads_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table systemlog_seals add constraint systemlog_seals_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table systemlog_seams add constraint systemlog_seams_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table systemlog_verifications add constraint systemlog_verifications_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table task_actors add constraint task_actors_tenant_id_task_id_fkey
  FOREIGN KEY (tenant_id, task_id) REFERENCES tasks(tenant_id, task_id);

alter table task_assignees add constraint task_assignees_tenant_id_task_id_fkey
  FOREIGN KEY (tenant_id, task_id) REFERENCES tasks(tenant_id, task_id);

alter table task_events add constraint task_events_tenant_id_task_id_fkey
  FOREIGN KEY (tenant_id, task_id) REFERENCES tasks(tenant_id, task_id);

alter table task_numbers add constraint task_numbers_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table task_provisionings add constraint task_provisionings_tenant_id_task_id_fkey
  FOREIGN KEY (tenant_id, task_id) REFERENCES tasks(tenant_id, task_id);

alter table tasks add constraint tasks_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table unanswerable add constraint unanswerable_tenant_id_app_id_entitlement_id_fkey
  FOREIGN KEY (tenant_id, app_id, entitlement_id) REFERENCES entitlements(tenant_id, app_id, entitlement_id);

alter table user_delegations add constraint user_delegations_tenant_id_delegated_user_id_fkey
  FOREIGN KEY (tenant_id, delegated_user_id) REFERENCES users(tenant_id, user_id);

alter table user_delegations add constraint user_delegations_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table user_merges add constraint user_merges_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table user_merges add constraint user_merges_tenant_id_into_user_id_fkey
  FOREIGN KEY (tenant_id, into_user_id) REFERENCES users(tenant_id, user_id);

alter table user_merges add constraint user_merges_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table user_roles add constraint user_roles_tenant_id_role_id_fkey
  FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, role_id);

alter table user_roles add constraint user_roles_tenant_id_user_id_fkey
  FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, user_id);

alter table users add constraint users_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

alter table webhook_attempts add constraint webhook_attempts_tenant_id_delivery_id_fkey
  FOREIGN KEY (tenant_id, delivery_id) REFERENCES webhook_deliveries(tenant_id, delivery_id) ON DELETE CASCADE;

alter table webhook_deliveries add constraint webhook_deliveries_tenant_id_webhook_id_fkey
  FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks(tenant_id, webhook_id);

alter table webhooks add constraint webhooks_tenant_id_fkey
  FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id);

CREATE OR REPLACE FUNCTION grants_are_only_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a grant is written once and ended once';
end
$function$;

CREATE OR REPLACE FUNCTION name_keys(name text)
 RETURNS SETOF text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  rest text := lower(left(name, 200));
  shorter text;
  told text[] := '{}';
begin
  while rest <> '' loop
    if left(rest, 100) <> all(told) then
      told := told || left(rest, 100);
      return next left(rest, 100);
    end if;
    shorter := regexp_replace(rest, '^[[:alnum:]]*[^[:alnum:]]+', '');
    exit when shorter = rest;
    rest := shorter;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION keys_of(name text, others text[])
 RETURNS TABLE(key text, previous_key text)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select k.key, coalesce(lag(k.key) over (order by k.key collate "C"), '')
  from (select name_keys(name) as key union select lower(left(o, 100)) from unnest(others) o) k
  where k.key <> ''
$function$;

CREATE OR REPLACE FUNCTION key_list(name text, others text[])
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return array(select k.key from keys_of(name, others) k order by k.key collate "C");
end
$function$;

CREATE OR REPLACE FUNCTION living_or_deleted(kind text, deleted_at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when deleted_at is null then kind else 'deleted_' || kind end
$function$;

CREATE OR REPLACE FUNCTION owners_are_only_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an owner is written once and ended once';
end
$function$;

CREATE OR REPLACE FUNCTION systemlog_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the system log is append-only';
end
$function$;

CREATE TRIGGER grants_are_not_emptied BEFORE TRUNCATE ON grants FOR EACH STATEMENT EXECUTE FUNCTION grants_are_only_ended();

CREATE TRIGGER grants_are_only_ended BEFORE UPDATE ON grants FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) OR ((new.ended_at IS NULL) AND ((NOT (new.connector_ids IS DISTINCT FROM old.connector_ids)) OR (new.ended_by IS DISTINCT FROM old.ended_by) OR (new.reason IS DISTINCT FROM old.reason))) OR (new.tenant_id IS DISTINCT FROM old.tenant_id) OR ((new.app_id)::text IS DISTINCT FROM (old.app_id)::text) OR ((new.entitlement_id)::text IS DISTINCT FROM (old.entitlement_id)::text) OR ((new.account_id)::text IS DISTINCT FROM (old.account_id)::text) OR ((new.grant_id)::text IS DISTINCT FROM (old.grant_id)::text) OR (new.source IS DISTINCT FROM old.source) OR (new.granted_by IS DISTINCT FROM old.granted_by) OR (new.granted_at IS DISTINCT FROM old.granted_at) OR (new.expires_at IS DISTINCT FROM old.expires_at) OR (new.began_at IS DISTINCT FROM old.began_at))) EXECUTE FUNCTION grants_are_only_ended();

CREATE TRIGGER grants_stay BEFORE DELETE ON grants FOR EACH ROW EXECUTE FUNCTION grants_are_only_ended();

CREATE TRIGGER owners_are_not_emptied BEFORE TRUNCATE ON owners FOR EACH STATEMENT EXECUTE FUNCTION owners_are_only_ended();

CREATE TRIGGER owners_are_only_ended BEFORE UPDATE ON owners FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) OR (new.ended_at IS NULL) OR ((new.tenant_id IS DISTINCT FROM old.tenant_id) OR (new.kind IS DISTINCT FROM old.kind) OR (new.app_id IS DISTINCT FROM old.app_id) OR (new.resource_type_id IS DISTINCT FROM old.resource_type_id) OR ((new.object_id)::text IS DISTINCT FROM (old.object_id)::text) OR (new.role_slug IS DISTINCT FROM old.role_slug) OR ((new.owner_id)::text IS DISTINCT FROM (old.owner_id)::text) OR ((new.user_id)::text IS DISTINCT FROM (old.user_id)::text) OR ((new.entitlement_app_id)::text IS DISTINCT FROM (old.entitlement_app_id)::text) OR ((new.entitlement_id)::text IS DISTINCT FROM (old.entitlement_id)::text) OR (new.began_at IS DISTINCT FROM old.began_at) OR (new.began_by IS DISTINCT FROM old.began_by)))) EXECUTE FUNCTION owners_are_only_ended();

CREATE TRIGGER owners_stay BEFORE DELETE ON owners FOR EACH ROW EXECUTE FUNCTION owners_are_only_ended();

CREATE TRIGGER systemlog_events_are_not_emptied BEFORE TRUNCATE ON systemlog_events FOR EACH STATEMENT EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_events_are_sealed_once BEFORE UPDATE ON systemlog_events FOR EACH ROW WHEN (((old.seal_number IS NOT NULL) OR (new.seal_number IS NULL) OR ((new.tenant_id IS DISTINCT FROM old.tenant_id) OR ((new.event_id)::text IS DISTINCT FROM (old.event_id)::text) OR (new.occurred_at IS DISTINCT FROM old.occurred_at) OR (new.event IS DISTINCT FROM old.event) OR (new.trail IS DISTINCT FROM old.trail) OR (new.mac IS DISTINCT FROM old.mac)))) EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_events_are_written_unsealed BEFORE INSERT ON systemlog_events FOR EACH ROW WHEN (((new.seal_number IS NOT NULL) AND ((new.seal_number)::text IS DISTINCT FROM current_setting('bailiwick.appends_link'::text, true)))) EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_events_stay BEFORE DELETE ON systemlog_events FOR EACH STATEMENT WHEN ((COALESCE(current_setting('bailiwick.archived_up_to'::text, true), ''::text) = ''::text)) EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_events_stay_until_archived BEFORE DELETE ON systemlog_events FOR EACH ROW WHEN (((old.seal_number IS NULL) OR (old.seal_number > COALESCE((NULLIF(current_setting('bailiwick.archived_up_to'::text, true), ''::text))::bigint, (0)::bigint)))) EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_heads_are_not_emptied BEFORE TRUNCATE ON systemlog_heads FOR EACH STATEMENT EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_heads_move_on BEFORE UPDATE ON systemlog_heads FOR EACH ROW WHEN (((new.tenant_id <> old.tenant_id) OR (new.seal_number <= old.seal_number))) EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_heads_stay BEFORE DELETE ON systemlog_heads FOR EACH STATEMENT EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_seals_are_not_emptied BEFORE TRUNCATE ON systemlog_seals FOR EACH STATEMENT EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_seals_stay BEFORE DELETE OR UPDATE ON systemlog_seals FOR EACH STATEMENT EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_seams_are_not_emptied BEFORE TRUNCATE ON systemlog_seams FOR EACH STATEMENT EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_seams_move_on BEFORE UPDATE ON systemlog_seams FOR EACH ROW WHEN (((new.tenant_id <> old.tenant_id) OR (new.seal_number <= old.seal_number))) EXECUTE FUNCTION systemlog_is_append_only();

CREATE TRIGGER systemlog_seams_stay BEFORE DELETE ON systemlog_seams FOR EACH STATEMENT EXECUTE FUNCTION systemlog_is_append_only();
