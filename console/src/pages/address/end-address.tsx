import { Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { addressEnd, addressGet } from '#client/api/operations.ts'
import type { Address } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { localOf, momentOf } from '../../parts/as-of.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { zoneHere } from '../../parts/moment.tsx'

const weekMs = 7 * 86_400_000

/** Ends an old address now or at a time, or removes a new one. */
export function EndAddress({ address, onClose }: { address: Address; onClose: () => void }): ReactNode {
  const isNew = address.state === 'NEW'
  const [isAtTime, setAtTime] = useState(false)
  const [local, setLocal] = useState(() => localOf(new Date(Date.now() + 4 * weekMs)))
  const end = useChange(addressEnd, {
    changes: [addressGet],
    done: isNew ? 'Removed the address' : 'Saved when the address ends',
    onDone: onClose,
  })
  const endsAt = isAtTime ? momentOf(local) || undefined : null
  return (
    <FormModal
      opened
      onClose={onClose}
      title={isNew ? `Remove ${address.host}?` : `End ${address.host}`}
      verb={isNew ? 'Remove address' : 'End address'}
      isIncomplete={endsAt === undefined}
      isPending={end.isPending}
      error={end.error}
      fields={['endsAt']}
      onSubmit={() => end.mutate({ path: { host: address.host }, body: { endsAt: endsAt ?? null } })}
    >
      {isNew ? (
        <Text>It no longer works, and other organizations on this server can use the name.</Text>
      ) : (
        <>
          <Text>
            From then on nothing works at {address.address}: links in old messages, programs that call it, passkeys. No
            other organization on this server can use the name for 90 days; you can use it again.
          </Text>
          <ChoiceField
            label="When"
            fullWidth
            value={isAtTime ? 'time' : 'now'}
            onChange={(chosen) => setAtTime(chosen === 'time')}
            data={[
              { value: 'now', label: 'Now' },
              { value: 'time', label: 'At a set time' },
            ]}
          />
          {isAtTime && (
            <TextInput
              label="Ends at"
              description={`Your time zone: ${zoneHere()}.`}
              type="datetime-local"
              required
              min={localOf(new Date())}
              value={local}
              onChange={({ currentTarget: { value } }) => setLocal(value)}
              error={problemOf(end.error, 'endsAt')}
            />
          )}
        </>
      )}
    </FormModal>
  )
}
