import { type ReactNode, useState } from 'react'
import { userDeviceList, userDeviceRevoke } from '#client/api/operations.ts'
import type { Device } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { deviceColumns, noDevices, RevokeDevice } from '../settings/device-list.tsx'
import { UserPage, useUser } from './user-page.tsx'

/** The programs that a user has authorized: for administrators. */
export function UserDevices(): ReactNode {
  const { userId } = useUser()
  const { may } = useSession()
  const [toRevoke, setToRevoke] = useState<Device | null>(null)
  const revoke = useChange(userDeviceRevoke, {
    changes: [userDeviceList],
    done: 'Revoked the device',
    onDone: () => setToRevoke(null),
  })
  return (
    <UserPage>
      <DataList
        caption="Authorized devices"
        operation={userDeviceList}
        input={({ pageSize, pageToken }) => ({
          path: { user_id: userId },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={deviceColumns(may('credentials.write') ? setToRevoke : null)}
        empty={noDevices}
      />
      <RevokeDevice
        device={toRevoke}
        revoke={revoke}
        onConfirm={({ id }) => revoke.mutate({ path: { user_id: userId, id } })}
        onClose={() => setToRevoke(null)}
      />
    </UserPage>
  )
}
