import { listTenantIds } from '#kernel/tenants-with.ts'
import {
  acceptRestored,
  alert,
  keepRestored,
  operatorCause,
  record,
  sealUnheld,
} from '#rooms/foundation/systemlog/index.ts'
import { listTenants, rotateSigningKey } from '#rooms/foundation/tenants/index.ts'
import { deleteIdentitiesOf, deleteSignInsOf } from '#rooms/identity/sessions/index.ts'
import type { Run } from './command.ts'
import { operate } from './operate.ts'
import { print } from './print.ts'

export const databaseRestored: Run = ({ flags }) =>
  operate(
    flags,
    async (world) => {
      const isKept = flags['keep-credentials'] === true
      const tenants = await listTenants(world.db)
      const floor = await acceptRestored(world, isKept, async (tx, { restoredAt, credentialsFloor }) => {
        const tenantIds = await listTenantIds(tx)
        await deleteSignInsOf(tx, tenantIds)
        if (!isKept) await deleteIdentitiesOf(tx, tenantIds)
        for (const tenant of tenants) {
          const cause = operatorCause(tenant, 'database restored')
          // A key that was retired after the backup would sign again.
          const keyId = await rotateSigningKey(tx, world, tenant.id)
          const data = { restoredAt, credentialsFloor, keepsCredentials: isKept, signingKeyId: keyId }
          const touched = { type: 'tenant', id: tenant.publicId, name: tenant.domain, data }
          const message = `Accepted a restored database; credentials from before are ${isKept ? 'kept' : 'not accepted until approved'}`
          await record(tx, world, cause, alert(cause, 'update', message, [touched]))
        }
      })
      await sealUnheld(world)
      await keepRestored(world, floor)
      print(
        [
          `Accepted the restored database at ${floor.restoredAt?.toISOString()}.`,
          'Everyone is signed out, and sign-in links from before do not work.',
          isKept
            ? 'API credentials, passkeys and linked identities of the backup are accepted. Delete those that were deleted after the backup was created.'
            : 'API credentials and passkeys from before are refused. Approve a credential with "bailiwick credential approve CLIENT_ID".',
          ...(isKept
            ? []
            : [
                'All links to OpenID Connect identities were removed. Identities are linked again at the next sign-in.',
              ]),
          'Users, their roles and the OpenID Connect provider are as in the backup. Check them before you start the server.',
        ].join('\n'),
      )
      return 0
    },
    { isOnAny: true },
  )
