-- A policy may have a post action that does nothing, which clients expect to read back.
alter table policies add column has_post_action boolean not null default false;
