import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, flag, int32, list, listOf, message, required, text } from '#kernel/wire.ts'
import { setUpApp } from './actions.ts'
import { entitlementsMax, membersMax } from './decide.ts'

const named = () => text({ maxLength: 200 })
const about = () => text({ maxLength: 10_000 })
const ownersMax = 100
const ids = (max: number) => list(text({ maxLength: 64 }), max)

export const appSetupRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.AppSetups.Create',
    at: 'POST /api/v1/app-setups',
    summary:
      'Create an app with its owners, its entitlements and their members, completely or not at all. Each part needs the permission that it needs alone.',
    rule: 'apps.create',
    body: message('bailiwick.v1.AppSetupsCreateRequest', {
      displayName: required(named()),
      description: about(),
      ownerIds: described(ids(ownersMax), 'Users who own it, in the role primary.'),
      recordsOnly: described(
        flag(),
        'Approved requests are only recorded. Otherwise, as long as the app has no connector, its owners are asked to carry them out.',
      ),
      entitlements: described(
        listOf(
          message('bailiwick.v1.AppSetupEntitlement', {
            displayName: required(named()),
            description: about(),
            memberIds: described(
              ids(membersMax),
              `Users who have it: recorded as manual grants. At most ${membersMax} in all entitlements.`,
            ),
          }),
          entitlementsMax,
        ),
        `At most ${entitlementsMax}.`,
      ),
    }),
    reply: message('bailiwick.v1.AppSetupsCreateResponse', {
      appId: text(),
      entitlements: listOf(
        message('bailiwick.v1.CreatedEntitlement', { id: text(), displayName: text(), members: int32() }),
      ),
    }),
    handle: (call, { body }) =>
      transact(call.db, (tx) => setUpApp(tx, call, { ...body, isRecordsOnly: body.recordsOnly })),
  }),
]
