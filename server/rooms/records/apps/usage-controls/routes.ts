import { route } from '#authority/route.ts'
import { keptIn, updatable } from '#kernel/masks.ts'

import { transact } from '#kernel/sql.ts'
import { described, fixed, flag, int32, message, nested, text } from '#kernel/wire.ts'
import { changesIn } from '../changes.ts'
import { changeUsageControls, getUsageControls } from './actions.ts'

const UsageControlsMessage = message('app.v1.AppUsageControls', {
  appId: fixed(text()),
  notify: flag(),
  notifyAfterDays: int32(),
  revoke: flag(),
  revokeAfterDays: int32(),
})

export const usageControlsRoutes = [
  route({
    id: 'app.v1.AppUsageControlsService.Get',
    at: 'GET /api/v1/apps/{app_id}/usage_controls',
    summary: 'Get the usage controls of an app.',
    rule: 'app.read-settings',
    about: { app: 'app_id' },
    reply: message('app.v1.GetAppUsageControlsResponse', {
      appUsageControls: nested(UsageControlsMessage),
      hasUsageData: described(flag(), 'Whether the last use of accounts of the app is known.'),
    }),
    // It is not known yet when an account was last used.
    handle: async (call, { path }) => ({
      appUsageControls: await getUsageControls(call, path.app_id),
      hasUsageData: false,
    }),
  }),
  route({
    id: 'app.v1.AppUsageControlsService.Update',
    at: 'POST /api/v1/apps/{app_id}/usage_controls',
    summary: 'Change the usage controls of an app.',
    rule: 'app.edit',
    about: { app: 'app_id' },
    body: message('app.v1.UpdateAppUsageControlsRequestInput', {
      appUsageControls: updatable(UsageControlsMessage),
      updateMask: text(),
    }),
    reply: message('app.v1.UpdateAppUsageControlsResponse', { appUsageControls: nested(UsageControlsMessage) }),
    async handle(call, { path, body }) {
      const changes = changesIn(UsageControlsMessage, body.appUsageControls, body.updateMask, [
        'notify',
        'notifyAfterDays',
        'revoke',
        'revokeAfterDays',
      ])
      const update = { at: 'appUsageControls', value: body.appUsageControls, updateMask: body.updateMask }
      const changed = await transact(call.db, async (tx) =>
        keptIn(UsageControlsMessage, update, await changeUsageControls(tx, call, path.app_id, changes)),
      )
      return { appUsageControls: changed }
    },
  }),
]
