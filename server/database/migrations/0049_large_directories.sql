-- How many users a directory that is fed by SCIM has, and how many of them are active: the sum of several rows, so that those who
-- create users at once do not wait for one another.
create table directory_sizes (
  tenant_id int not null references tenants,
  app_id ksuid not null,
  part int not null,
  users int not null,
  active int not null,
  primary key (tenant_id, app_id, part),
  foreign key (tenant_id, app_id) references directories
);
insert into directory_sizes (tenant_id, app_id, part, users, active)
select u.tenant_id, u.app_id, 0, count(*), count(*) filter (where u.is_active)
from directory_users u
join directories d on d.tenant_id = u.tenant_id and d.app_id = u.app_id and d.kind = 'scim'
where u.deleted_at is null
group by u.tenant_id, u.app_id;

-- Users whose manager is not there yet, by what the manager is called.
create index directory_users_awaiting on directory_users (tenant_id, app_id, lower(manager_ref))
  where manager_ref <> '' and manager_id = '' and deleted_at is null;

-- What an administrator decided about held deactivations that a job carries out: {"isConfirmed": true, "until": "2026-…"}.
alter table directories add column held_decision jsonb;
