import type { Tables } from './table.ts'

export const platform: Tables = {
  budgets: { room: 'kernel' },
  idempotency_keys: { room: 'http' },
  installation: { room: 'kernel' },
  leases: { room: 'engine' },
  schema_migrations: { room: 'database' },
}
