import type { Tables } from './table.ts'

export const events: Tables = {
  subscription_deliveries: { room: 'events/subscriptions' },
  subscriptions: {
    room: 'events/subscriptions',
    read: { columns: 'subscription_id display_name state reason detail attempt', reason: 'its name and its errors' },
  },
  systemlog_export_files: {
    room: 'events/exports',
    readByEarlier: {
      'foundation/systemlog': {
        columns: 'export_id first_seal first_position datasource_id name least_event_id greatest_event_id done_at',
        reason: 'verification reads events that have left the database',
      },
    },
  },
  systemlog_exports: {
    room: 'events/exports',
    read: { columns: 'export_id display_name state error deleted_at', reason: 'its name and its errors' },
  },
  webhook_attempts: { room: 'events/webhooks' },
  webhook_deliveries: {
    room: 'events/webhooks',
    read: { columns: 'delivery_id webhook_id state error updated_at', reason: 'what failed, on the home page' },
  },
  webhooks: { room: 'events/webhooks', read: { columns: 'webhook_id display_name deleted_at', reason: 'its name' } },
}
