import {
  acceptRestored,
  alert,
  keepRestored,
  operatorCause,
  record,
  sealAll,
} from '#rooms/foundation/systemlog/index.ts'
import { listTenants, rotateSigningKey } from '#rooms/foundation/tenants/index.ts'
import { dataSettings } from '#server/config.ts'
import type { Command } from './command.ts'
import { operate, print } from './operate.ts'

export const databaseRestored: Command = {
  name: 'database restored',
  positionals: [],
  summary:
    'Accept a database that was restored from a backup. Sign-in links, sessions, API credentials, passkeys and linked OpenID Connect identities from before are no longer honoured.',
  settings: dataSettings,
  flags: [
    {
      name: 'keep-credentials',
      value: null,
      help: 'Honour the API credentials, passkeys and linked identities in the backup, also those that were deleted after it was made.',
    },
  ],
  run: ({ flags }) =>
    operate(
      flags,
      async (world) => {
        const isKept = flags['keep-credentials'] === true
        const tenants = await listTenants(world.db)
        const floor = await acceptRestored(world, isKept, async (tx, { restoredAt, credentialsFloor }) => {
          for (const tenant of tenants) {
            const cause = operatorCause(tenant, 'database restored')
            // A key that was retired after the backup would sign again.
            const keyId = await rotateSigningKey(tx, world, tenant.id)
            const data = { restoredAt, credentialsFloor, keepsCredentials: isKept, signingKeyId: keyId }
            const touched = { type: 'tenant', id: tenant.publicId, name: tenant.domain, data }
            const message = `Accepted a restored database; credentials from before are ${isKept ? 'kept' : 'not honoured until approved'}`
            await record(tx, world, cause, alert(cause, 'update', message, [touched]))
          }
        })
        await sealAll(world)
        await keepRestored(world, floor)
        print(
          [
            `Accepted the database as it is, at ${floor.restoredAt?.toISOString()}.`,
            'Everyone is signed out, and sign-in links from before do not work.',
            isKept
              ? 'API credentials, passkeys and linked identities are honoured as the backup has them. Delete those that were deleted since it was made.'
              : 'API credentials and passkeys from before are refused. Approve a credential with "bailiwick credential approve CLIENT_ID".',
            ...(isKept
              ? []
              : [
                  'Nobody is linked with the OpenID Connect provider: identities are linked again at the next sign-in.',
                ]),
            'Users, their roles and the OpenID Connect provider are as the backup has them. Check them before you start the server.',
          ].join('\n'),
        )
        return 0
      },
      { isOnAny: true },
    ),
}
