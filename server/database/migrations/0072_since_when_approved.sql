-- Since when a user has their email address and their status: as whom others may sign in since changes need approval does not decide them.
-- Null where neither has changed since the row was created, and where an administrator changed the status.
alter table users add column email_since timestamp(3) with time zone;
alter table users add column status_since timestamp(3) with time zone;

-- Since when a kind of change needs approval, by whichever policy: of several that apply to a change, the first decides.
-- Null where that was set before this column, and not saved since: then it is changed_at.
alter table four_eyes add column created_at timestamp(3) with time zone;
