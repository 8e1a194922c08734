import { Button } from '@mantine/core'
import { IconDeviceLaptop } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import type { Device } from '#client/api/types.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Moment } from '../../parts/moment.tsx'
import type { Column } from '../../parts/table.tsx'

/** What both lists of authorized devices show of each. */
export const deviceColumns = (onRevoke: ((device: Device) => void) | null): Column<Device>[] => [
  { header: 'Program', cell: ({ displayName }) => <strong>{displayName}</strong> },
  {
    header: 'From',
    width: '16%',
    cell: ({ sourceAddress, userAgent }) => <span title={userAgent}>{sourceAddress}</span>,
  },
  { header: 'Authorized', width: '17%', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { header: 'Last used', width: '17%', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" /> },
  { header: 'Expires', width: '14%', cell: ({ expiresAt }) => <Moment at={expiresAt} show="day" /> },
  {
    header: 'Actions',
    isHidden: true,
    width: '6rem',
    cell: (device) =>
      onRevoke && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`Revoke ${device.displayName} from ${device.sourceAddress}`}
          onClick={() => onRevoke(device)}
        >
          Revoke
        </Button>
      ),
  },
]

export const noDevices = {
  icon: IconDeviceLaptop,
  title: 'No authorized devices',
  children: 'Programs that sign in with a code, such as cone login, are listed here.',
}

type RevokeProps = {
  device: Device | null
  revoke: { isPending: boolean; error: Error | null; reset: () => void }
  onConfirm: (device: Device) => void
  onClose: () => void
}

export function RevokeDevice({ device, revoke, onConfirm, onClose }: RevokeProps): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(device)
  if (device) last.current = device
  return (
    <Confirm
      opened={device !== null}
      onClose={() => {
        revoke.reset()
        onClose()
      }}
      title={`Revoke ${last.current?.displayName ?? 'this device'}?`}
      verb="Revoke"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => device && onConfirm(device)}
    >
      The device and the API credentials that it created lose access immediately. This cannot be undone.
    </Confirm>
  )
}
