-- Whether who saved the rule last may change only rules of what they own. What such rules give is counted over a day: else
-- one after the other, each for a few, they would give to everyone, whom their author then sees.
alter table automations add column is_of_owner boolean not null default false;
