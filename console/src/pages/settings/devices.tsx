import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { deviceList, deviceRevoke, personalClientList } from '#client/api/operations.ts'
import type { Device } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { deviceColumns, noDevices, RevokeDevice } from './device-list.tsx'
import { SettingsPage } from './settings-page.tsx'

/** The programs that the caller has authorized. */
export function Devices(): ReactNode {
  const { may } = useSession()
  const [toRevoke, setToRevoke] = useState<Device | null>(null)
  const revoke = useChange(deviceRevoke, {
    changes: [deviceList, personalClientList],
    done: 'Revoked the device',
    onDone: () => setToRevoke(null),
  })
  return (
    <SettingsPage
      about="Programs that you authorized with a code to act as you. Each expires after at most 90 days, together with the API credentials that it created."
      actions={
        may('credentials.own.write') && (
          <Button component={Link} to="/device" variant="default">
            Enter a code
          </Button>
        )
      }
    >
      <DataList
        caption="Your authorized devices"
        operation={deviceList}
        input={({ pageSize, pageToken }) => ({ query: { page_size: pageSize, page_token: pageToken } })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={deviceColumns(may('credentials.own.write') ? setToRevoke : null)}
        empty={{ ...noDevices, title: 'No authorized devices' }}
      />
      <RevokeDevice
        device={toRevoke}
        revoke={revoke}
        onConfirm={({ id }) => revoke.mutate({ path: { id } })}
        onClose={() => setToRevoke(null)}
      />
    </SettingsPage>
  )
}
