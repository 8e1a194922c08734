import { useQuery } from '@tanstack/react-query'
import { tenantEmailProviderGetEmailCapabilities, userNotificationSettingsGet } from '#client/api/operations.ts'
import type { ChannelSettings } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'

/** The chats to which requests for approval are posted. The settings of chats are the same for everyone. */
const chatsOf = ({ slack, teams }: ChannelSettings): string[] =>
  [
    { name: 'Slack', of: slack },
    { name: 'Microsoft Teams', of: teams },
  ].flatMap(({ name, of }) => (of?.isConfigured && of.enabled && of.approvalNeeded?.enabled ? [name] : []))

/** How approvers learn of a request, in a sentence; empty until it is known. */
export function useApproverNotices(): string {
  const { may } = useSession()
  const mail = useQuery(read(tenantEmailProviderGetEmailCapabilities, {}))
  const own = useQuery({ ...read(userNotificationSettingsGet, {}), enabled: may('notifications.own') })
  const channels = own.data?.userNotificationSettings?.channelSettings
  if (!mail.data || (may('notifications.own') && own.isPending)) return ''
  const chats = channels ? chatsOf(channels) : []
  const hasMail = mail.data.externalEmailSupported
  // Off for the caller may be off for the organization: only a switch that is on shows that email is sent.
  const sendsMail = hasMail && channels?.email?.enabled
  const by = [...(sendsMail ? ['by email'] : []), ...chats.map((name) => `in ${name}`)]
  if (by.length > 0) return `Approvers are notified ${by.join(' and ')}.`
  return hasMail ? 'Approvers see it in their inbox.' : 'Approvers see it in their inbox; no email is set up.'
}
