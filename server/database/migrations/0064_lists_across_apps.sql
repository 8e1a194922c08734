-- Grants that end soon, in the order in which they end. `grants_to_expire` is for all tenants at once.
create index grants_ending on grants (tenant_id, expires_at, grant_id) where ended_at is null and expires_at is not null;

-- Grants that neither an import nor a rule gave, by what gave them: mostly few of many, so that looking for them in
-- `grants_open` passes all others. Those of imports and rules, which are most, have no entry here.
create index grants_given_singly on grants (tenant_id, source, app_id, entitlement_id, account_id)
  where ended_at is null and source <> 'import' and source <> 'rule';
