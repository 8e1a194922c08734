-- A run of a rule counts the accounts of nobody that it gave something to, deleted ones too. With accounts_of_nobody, which
-- has the others, they are found without reading all accounts of the app: 0.4 s of a run over a million.
create index accounts_gone_of_nobody on accounts (tenant_id, app_id, account_id)
  where user_id is null and deleted_at is not null;
