-- Who does work that one process does for all, and until when. Rows belong to no tenant: the table stays local to the
-- coordinator where the database is distributed. Unlogged: it is renewed every second, and after a crash nobody is left
-- who held anything.
create unlogged table leases (
  name text collate "C" primary key,
  owner text collate "C" not null,
  until timestamptz not null
);
