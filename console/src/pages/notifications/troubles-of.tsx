import type { NotificationStatus } from '#client/api/types.ts'
import type { Trouble } from '../../parts/troubles.tsx'

/** What of notifications is not being sent, and what to do about it. */
export function troublesOf(status: NotificationStatus): Trouble[] {
  const troubles: Trouble[] = []
  if (!status.isMailConfigured)
    troubles.push({
      title: 'No email is sent',
      words:
        'No mail server is configured. No emails are sent about approvals, comments, reminders or access that expires.',
      advice: 'The operator of the server configures one with --smtp-host and --mail-from; see docs/mail.md.',
    })
  else if (!status.isMailEnabled)
    troubles.push({
      title: 'Email is turned off',
      words: 'Only security notices are sent by email.',
      advice: 'Turn it on below.',
    })
  if (status.lastError !== '')
    troubles.push({
      title: `${status.waiting.toLocaleString()} ${status.waiting === 1 ? 'message is waiting' : 'messages are waiting'}`,
      words: status.lastError,
      advice: 'They are retried for four days.',
    })
  return troubles
}
