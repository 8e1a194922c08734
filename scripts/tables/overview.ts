import type { Tables } from './table.ts'

export const overview: Tables = {
  bulk_actions: { room: 'overview/bulk' },
  saved_views: { room: 'overview/lists' },
}
