-- Who named a delegate: only those whom someone named themselves decide changes in their place. Of those named before, it is not known.
alter table user_delegations add column named_by text collate "C" default ''::text not null;
