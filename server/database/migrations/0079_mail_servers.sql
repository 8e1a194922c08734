-- The mail server of an organization: all of it is sealed, because it contains a password and says where mail goes.
create table mail_servers (
  tenant_id integer not null references tenants,
  sealed bytea not null,
  updated_by ksuid not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id)
);

-- The last test message of each channel, and who confirmed that one arrived, with which settings.
create table channel_tests (
  tenant_id integer not null references tenants,
  channel text not null,
  configuration text not null,
  code_mac bytea,
  tested_by ksuid not null,
  tested_at timestamptz(3) not null,
  is_accepted boolean not null,
  reply text not null,
  wrong_codes integer not null,
  confirmed_configuration text,
  confirmed_by ksuid,
  confirmed_at timestamptz(3),
  primary key (tenant_id, channel),
  check (channel in ('email', 'slack', 'teams'))
);
