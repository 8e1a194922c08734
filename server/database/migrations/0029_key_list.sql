-- The keys of an object in their order, as one value: a plain INSERT or UPDATE of one row returns it, wherever the row is, and
-- the keys follow as plain rows. Each then goes to one shard of a distributed table. Not in SQL, which is planned at each call.
create function key_list(name text, others text[]) returns text[]
  language plpgsql immutable parallel safe
as $$
begin
  return array(select k.key from keys_of(name, others) k order by k.key collate "C");
end
$$;
