import { Alert, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { addressAdd, addressGet, addressPlan } from '#client/api/operations.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { Uses } from './uses.tsx'

/** Adds a host name: first what would change, then the address itself. */
export function AddAddress({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode {
  const [address, setAddress] = useState('')
  const plan = useChange(addressPlan, { changes: [] })
  const add = useChange(addressAdd, { changes: [addressGet], done: 'Added the address', onDone: () => close() })
  const close = (): void => {
    setAddress('')
    plan.reset()
    add.reset()
    onClose()
  }
  const planned = plan.data ?? null
  return (
    <FormModal
      opened={opened}
      onClose={close}
      title="Add address"
      verb={planned ? 'Add address' : 'Show what changes'}
      isIncomplete={address.trim() === ''}
      isPending={plan.isPending || add.isPending}
      error={add.error ?? plan.error}
      fields={['address']}
      onSubmit={() => (planned ? add.mutate({ body: { address } }) : plan.mutate({ body: { address } }))}
    >
      <TextInput
        label="Address"
        description="The host name must lead to this server, with a certificate that browsers accept for it, or through a proxy."
        placeholder="https://access.example.com"
        required
        data-autofocus
        value={address}
        onChange={({ currentTarget: { value } }) => {
          setAddress(value)
          plan.reset()
          add.reset()
        }}
        error={problemOf(plan.error ?? add.error, 'address')}
      />
      {planned?.shortcoming && <Alert color="yellow">{planned.shortcoming}</Alert>}
      {planned && (
        <>
          <Alert color="blue" title={`What changes when ${planned.address} is used`}>
            Adding it changes nothing yet: both addresses work, and you decide later, at the new one, to use it.
          </Alert>
          <Uses uses={planned.uses} />
        </>
      )}
    </FormModal>
  )
}
