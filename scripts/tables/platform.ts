import type { Tables } from './table.ts'

export const platform: Tables = {
  budgets: { room: 'kernel' },
  idempotency_keys: { room: 'http' },
  installation: {
    room: 'secrets',
    read: { columns: 'restored_at credentials_floor restored_mac', reason: 'what a restored backup invalidates' },
    alsoWrittenBy: ['foundation/systemlog'],
  },
  leases: { room: 'engine' },
  schema_migrations: { room: 'database' },
}
