-- Since when an account is its user's, and a user has their managers: who came to approve changes since approval is needed does not
-- decide them. Null where neither has changed since the row was created.
alter table accounts add column user_since timestamp(3) with time zone;
alter table users add column managers_since timestamp(3) with time zone;
