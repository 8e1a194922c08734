/** What can be done with a task. */
const actionNames = [
  'approve',
  'deny',
  'comment',
  'close',
  'reassign',
  'restart',
  'reset',
  'skip-step',
  'escalate',
  'process',
  'update-grant-duration',
  'update-request-data',
  'retry-provisioning',
  'provision-complete',
  'provision-errored',
  'provision-cancelled',
] as const
export type ActionName = (typeof actionNames)[number]
