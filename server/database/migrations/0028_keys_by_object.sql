-- The object before the kind: an object's keys are then found by its id also where PostgreSQL knows nothing of the table yet.
-- Behind tenant and kind, both of which the primary key begins with too, it read all keys of the tenant for each object.
drop index search_keys_of_object;
create index search_keys_of_object on search_keys (tenant_id, object_id, kind, key);
