-- A task that another opened: an offboarding opens the revocations of what its subject holds, and is done when they are.
alter table tasks add column parent_id text collate "C" not null default '';
create index tasks_of_parent on tasks (tenant_id, parent_id, is_open) where parent_id <> '';
create unique index tasks_offboarding_once on tasks (tenant_id, subject_user_id) where is_open and kind = 'offboarding';

-- Whether the current step wants a reason to approve, and to deny: searches ask for it.
alter table tasks add column step_approve_reason boolean not null default false;
alter table tasks add column step_deny_reason boolean not null default false;

-- What nobody can go on with is listed for administrators, and looked at again and again.
create index tasks_stuck on tasks (tenant_id, task_id) where is_open and stuck_why is not null;
