-- Null where a policy has no post action; false where it has one that does nothing, which clients expect to read back.
alter table policies alter column remediates_immediately drop not null, alter column remediates_immediately drop default;
update policies set remediates_immediately = null where not remediates_immediately;
