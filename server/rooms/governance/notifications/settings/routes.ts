import { route } from '#authority/route.ts'
import { updatable } from '#kernel/masks.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { message, nested, required } from '#kernel/wire.ts'
import { findConfigured } from '../chat/store.ts'
import { setOrganisation, setPersonal } from './actions.ts'
import { findOrganisation, findPersonal } from './store.ts'
import { ChannelsMessage, viewOrganisation, viewPersonal } from './view.ts'

const OrganisationMessage = message('settings.v1.OrgNotificationSettings', { channelSettings: nested(ChannelsMessage) })
const PersonalMessage = message('settings.v1.UserNotificationSettings', { channelSettings: nested(ChannelsMessage) })

const organisationReply = (name: string) =>
  message(`settings.v1.${name}`, { orgNotificationSettings: nested(OrganisationMessage) })
const personalReply = (name: string) =>
  message(`settings.v1.${name}`, { userNotificationSettings: nested(PersonalMessage) })
const body = (name: string) => message(`settings.v1.${name}`, { channelSettings: required(updatable(ChannelsMessage)) })

export const settingsRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.OrgNotificationSettingsService.Get',
    at: 'GET /api/v1/settings/notifications/org',
    summary:
      'Get which notifications the organization sends, through which channels, and which settings people cannot change.',
    rule: 'notifications.read',
    reply: organisationReply('GetOrgNotificationSettingsResponse'),
    async handle({ db, tenant }) {
      const [settings, configured] = await Promise.all([findOrganisation(db, tenant.id), findConfigured(db, tenant.id)])
      return { orgNotificationSettings: viewOrganisation(settings, configured) }
    },
  }),
  route({
    id: 'settings.v1.OrgNotificationSettingsService.Update',
    at: 'POST /api/v1/settings/notifications/org',
    summary: 'Change which notifications the organization sends. Omitted fields are not changed.',
    rule: 'notifications.change',
    body: body('UpdateOrgNotificationSettingsRequest'),
    reply: organisationReply('UpdateOrgNotificationSettingsResponse'),
    async handle(call, { body: { channelSettings } }) {
      const after = await transact(call.db, (tx) => setOrganisation(tx, call, channelSettings))
      return { orgNotificationSettings: viewOrganisation(after, await findConfigured(call.db, call.tenant.id)) }
    },
  }),
  route({
    id: 'settings.v1.UserNotificationSettingsService.Get',
    at: 'GET /api/v1/settings/notifications/user',
    summary: 'Get which notifications the caller gets. Settings that the organization locked are marked.',
    rule: 'own-notifications.use',
    reply: personalReply('GetUserNotificationSettingsResponse'),
    async handle({ db, tenant, actor }) {
      const [organisation, personal, configured] = await Promise.all([
        findOrganisation(db, tenant.id),
        findPersonal(db, tenant.id, [actor.userId]),
        findConfigured(db, tenant.id),
      ])
      const own = personal.get(actor.userId) ?? {}
      return { userNotificationSettings: viewPersonal(organisation, own, configured) }
    },
  }),
  route({
    id: 'settings.v1.UserNotificationSettingsService.Update',
    at: 'POST /api/v1/settings/notifications/user',
    summary: 'Change which notifications the caller gets. Settings that the organization locked cannot be changed.',
    rule: 'own-notifications.use',
    body: body('UpdateUserNotificationSettingsRequest'),
    reply: personalReply('UpdateUserNotificationSettingsResponse'),
    async handle(call, { body: { channelSettings } }) {
      const { organisation, own } = await transact(call.db, (tx) => setPersonal(tx, call, channelSettings))
      const configured = await findConfigured(call.db, call.tenant.id)
      return { userNotificationSettings: viewPersonal(organisation, own, configured) }
    },
  }),
]
