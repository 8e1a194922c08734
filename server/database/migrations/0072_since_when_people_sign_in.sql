-- Since when a user has their email address and their status: as whom others may sign in since changes need approval does not decide them.
-- Null where neither has changed since the row was created, and where an administrator changed the status.
alter table users add column email_since timestamp(3) with time zone;
alter table users add column status_since timestamp(3) with time zone;
