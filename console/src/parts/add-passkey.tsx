import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { passkeyCreate, passkeyList, passkeyOptions } from '#client/api/operations.ts'
import { call } from '../client/call.ts'
import { problemOf } from '../client/problem.ts'
import { FormModal } from './form-modal.tsx'

async function addPasskey(displayName: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { options } = await call(passkeyOptions, {})
  const response = await startRegistration({ optionsJSON: options as never })
  await call(passkeyCreate, { body: { displayName, response: response as never } })
}

/** Adds a passkey of this browser or device. */
export function AddPasskey({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: addPasskey,
    async onSuccess() {
      onClose()
      await client.invalidateQueries({ queryKey: [passkeyList.id] })
    },
  })
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Add a passkey"
      verb="Continue"
      isIncomplete={name.trim() === ''}
      isPending={add.isPending}
      error={add.error}
      fields={['displayName']}
      onSubmit={() => add.mutate(name.trim())}
    >
      <TextInput
        label="Name"
        description="A name to recognize it by, such as the device. Your browser then guides you through the next steps."
        placeholder="My laptop"
        required
        data-autofocus
        maxLength={100}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        error={problemOf(add.error, 'displayName')}
      />
    </FormModal>
  )
}
