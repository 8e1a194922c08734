-- Notifications: what people are told by mail, and the organisation in its chat.

-- How far the system log was read for notifications, and up to which end reminders were written.
create table notification_cursors (
  tenant_id int not null references tenants,
  seal_number bigint not null,
  seal_position int not null,
  -- Of access that ends before this, people were told some days ahead, and a day ahead.
  days_ahead_until timestamptz(3) not null,
  day_ahead_until timestamptz(3) not null,
  -- The same of API credentials.
  credentials_until timestamptz(3) not null,
  primary key (tenant_id)
);

-- What people and the organisation chose. An empty user_id is the organisation's row.
create table notification_settings (
  tenant_id int not null references tenants,
  user_id text not null collate "C",
  settings jsonb not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, user_id)
);

-- What an organisation chose of the sender; where mail goes is a setting of the server.
create table mail_senders (
  tenant_id int not null references tenants,
  from_name text not null,
  reply_to text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id)
);

-- Incoming webhooks of a chat. The address is a secret, and sealed; its host is shown.
create table chat_webhooks (
  tenant_id int not null references tenants,
  channel text not null check (channel in ('slack', 'teams')),
  host text not null,
  sealed_url bytea not null,
  updated_by text not null collate "C",
  updated_at timestamptz(3) not null,
  primary key (tenant_id, channel)
);

-- One thing that one person, or a chat, is told.
create table notifications (
  tenant_id int not null references tenants,
  notification_id ksuid not null,
  channel text not null check (channel in ('email', 'slack', 'teams')),
  -- Empty for a chat.
  user_id text not null collate "C",
  kind text not null,
  -- The same is told once, however often it is noticed.
  key text not null collate "C",
  task_id text not null collate "C" default '',
  step_id text not null collate "C" default '',
  data jsonb not null default '{}',
  created_at timestamptz(3) not null,
  -- Not before: reminders and digests wait.
  due_at timestamptz(3) not null,
  -- The message that tells it; empty while it waits for one.
  message_id text not null collate "C" default '',
  primary key (tenant_id, notification_id)
);
create unique index notifications_once on notifications (tenant_id, channel, user_id, key);
create index notifications_due on notifications (tenant_id, due_at, user_id) where message_id = '';
create index notifications_of_message on notifications (tenant_id, message_id) where message_id <> '';

-- A mail or a chat message: one notification, or several in one.
create table notification_messages (
  tenant_id int not null references tenants,
  message_id ksuid not null,
  channel text not null check (channel in ('email', 'slack', 'teams')),
  user_id text not null collate "C",
  form text not null check (form in ('single', 'summary', 'digest')),
  state text not null check (state in ('waiting', 'sent', 'failed', 'dropped')),
  created_at timestamptz(3) not null,
  -- When somebody has to look at it next: when it may be sent, or when the lease of whoever sends it ends.
  due_at timestamptz(3) not null,
  attempts int not null default 0,
  lease_id text not null collate "C" default '',
  error text not null default '',
  ended_at timestamptz(3),
  primary key (tenant_id, message_id)
);
create index notification_messages_due on notification_messages (tenant_id, due_at) where state = 'waiting';
create index notification_messages_of_user on notification_messages (tenant_id, channel, user_id, created_at);
create index notification_messages_ended on notification_messages (tenant_id, ended_at) where state <> 'waiting';
create index notification_messages_listed on notification_messages (tenant_id, state, message_id);

-- What was changed and tested of mail: the system log has it too, among all else.
create table mail_audit (
  tenant_id int not null references tenants,
  audit_id ksuid not null,
  event jsonb not null,
  primary key (tenant_id, audit_id)
);
