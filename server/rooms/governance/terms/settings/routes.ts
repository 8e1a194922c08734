import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, message, nested, required, text } from '#kernel/wire.ts'
import { changeSettings } from './actions.ts'
import { findSettings } from './store.ts'

const SettingsMessage = message('settings.v1.RequestSettings', {
  skipJustification: described(flag(), 'Whether access can be requested without a description.'),
})
const settingsReply = (name: string) => message(`settings.v1.${name}`, { requestSettings: nested(SettingsMessage) })

export const settingsRoutes: readonly Route[] = [
  route({
    id: 'settings.v1.RequestSettingsService.Get',
    at: 'GET /api/v1/settings/request',
    summary: 'Get the settings of access requests.',
    rule: 'terms.read',
    reply: settingsReply('GetRequestSettingsResponse'),
    handle: async (call) => ({ requestSettings: await findSettings(call.db, call.tenant.id) }),
  }),
  route({
    id: 'settings.v1.RequestSettingsService.Update',
    at: 'POST /api/v1/settings/request',
    summary: 'Change the settings of access requests.',
    rule: 'terms.change',
    body: message('settings.v1.UpdateRequestSettingsRequest', {
      requestSettings: required(updatable(SettingsMessage)),
      updateMask: text(),
    }),
    reply: settingsReply('UpdateRequestSettingsResponse'),
    async handle(call, { body: { requestSettings, updateMask } }) {
      const names = fieldsToChange(requestSettings, updateMask, ['skipJustification'])
      const { skipJustification } = requestSettings
      const changes = names.has('skipJustification') ? { skipJustification } : {}
      return { requestSettings: await transact(call.db, (tx) => changeSettings(tx, call, changes)) }
    },
  }),
]
