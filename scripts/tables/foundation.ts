import type { Tables } from './table.ts'

export const foundation: Tables = {
  automation_changes: { room: 'foundation/writes', read: { columns: '', reason: 'rules react to them' } },
  jobs: {
    room: 'foundation/jobs',
    read: { columns: 'job_id kind state last_error', reason: 'what failed, on the home page' },
  },
  organization_contacts: { room: 'foundation/organization' },
  organization_domains: { room: 'foundation/organization' },
  owners: {
    room: 'foundation/ownership',
    read: {
      columns:
        '* kind app_id resource_type_id object_id role_slug owner_id user_id entitlement_app_id entitlement_id began_at ended_at',
      reason: 'who owns what',
    },
  },
  profile_changes: {
    room: 'foundation/writes',
    read: { columns: '', reason: 'whose enrollments are due to be looked at' },
  },
  search_keys: {
    room: 'foundation/writes',
    read: { columns: 'kind key object_id app_id', reason: 'lists find rows by words' },
    readByEarlier: {
      kernel: { columns: 'kind key object_id app_id previous_key', reason: 'lists of every room find rows by words' },
    },
  },
  signing_keys: { room: 'foundation/tenants' },
  systemlog_events: {
    room: 'foundation/systemlog',
    read: {
      columns: 'event_id occurred_at event mac seal_number seal_position trail',
      reason: 'notifications and approvals are made from events',
    },
  },
  systemlog_heads: { room: 'foundation/systemlog', read: { columns: 'seal_number', reason: 'how far the log is' } },
  systemlog_seals: {
    room: 'foundation/systemlog',
    read: { columns: 'seal_number event_count latest_at', reason: 'what an export has to contain' },
  },
  systemlog_seams: { room: 'foundation/systemlog' },
  systemlog_verifications: { room: 'foundation/systemlog' },
  tenants: {
    room: 'foundation/tenants',
    read: { columns: 'public_id domain', reason: 'links to a tenant' },
    readByEarlier: { kernel: { columns: '', reason: 'work over all tenants continues where it stopped' } },
  },
}
