-- A rule that costs more than a rule may is paused, and says so.
alter table automations drop constraint automations_paused_why_check,
  add constraint automations_paused_why_check check (paused_why in ('held', 'cancelled', 'undone', 'costly'));

-- What evaluating a rule user by user has cost so far, over all steps of its run.
alter table automation_runs add column asked_units bigint not null default 0,
  add column asked_users int not null default 0;
