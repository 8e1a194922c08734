import type { NotificationStatus } from '#client/api/types.ts'
import type { Trouble } from '../../parts/troubles.tsx'

/** What of notifications is not being sent, and what to do about it. */
export function troublesOf(status: NotificationStatus): Trouble[] {
  const troubles: Trouble[] = []
  if (!status.isMailConfigured)
    troubles.push({
      title: 'No email is sent',
      words:
        'This server has no mail server. Nobody is told by email of approvals, comments, reminders or access that ends.',
      advice: 'Whoever runs the server sets one with --smtp-host and --mail-from; see docs/mail.md.',
    })
  else if (!status.isMailEnabled)
    troubles.push({
      title: 'Email is switched off',
      words: 'Only security notices are sent by email.',
      advice: 'Switch it on below.',
    })
  if (status.lastError !== '')
    troubles.push({
      title: `${status.waiting.toLocaleString()} ${status.waiting === 1 ? 'message waits' : 'messages wait'}`,
      words: status.lastError,
      advice: 'They are tried again for four days.',
    })
  return troubles
}
