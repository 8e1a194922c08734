import { Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Webhook } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { DurationField } from '../../parts/duration-field.tsx'
import { FormModal } from '../../parts/form-modal.tsx'

export type WebhookDraft = Pick<Webhook, 'displayName' | 'description' | 'url' | 'callbackTimeout'>

type WebhookFormProps = {
  title: string
  verb: string
  /** The prefix of the fields' names in errors of the API. */
  prefix: string
  webhook?: WebhookDraft
  isPending: boolean
  error: unknown
  onClose: () => void
  onSubmit: (draft: WebhookDraft) => void
}

const fields = ['displayName', 'description', 'url', 'callbackTimeout']

/** Name, address and how long a callback is waited for. */
export function WebhookForm({ prefix, webhook, onSubmit, error, ...props }: WebhookFormProps): ReactNode {
  const [draft, setDraft] = useState<WebhookDraft>({
    displayName: webhook?.displayName ?? '',
    description: webhook?.description ?? '',
    url: webhook?.url ?? '',
    callbackTimeout: webhook?.callbackTimeout ?? null,
  })
  const set = (changes: Partial<WebhookDraft>): void => setDraft({ ...draft, ...changes })
  const problem = (field: string): string | undefined => problemOf(error, `${prefix}${field}`)
  return (
    <FormModal
      {...props}
      opened
      isIncomplete={draft.displayName.trim() === '' || draft.url.trim() === ''}
      error={error}
      fields={fields.map((field) => `${prefix}${field}`)}
      onSubmit={() => onSubmit({ ...draft, displayName: draft.displayName.trim(), url: draft.url.trim() })}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.displayName}
        onChange={({ currentTarget }) => set({ displayName: currentTarget.value })}
        error={problem('displayName')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={draft.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
        error={problem('description')}
      />
      <TextInput
        label="URL"
        description="Requests are sent here by POST, signed with the key of this tenant."
        placeholder="https://"
        required
        value={draft.url}
        onChange={({ currentTarget }) => set({ url: currentTarget.value })}
        error={problem('url')}
      />
      <DurationField
        label="Wait for a callback"
        description="After a 202 response, the answer must be sent to the callback URL within this time, 1 to 30 days."
        value={draft.callbackTimeout}
        max={null}
        without="8 days (the default)"
        onChange={(callbackTimeout) => set({ callbackTimeout })}
        error={problem('callbackTimeout')}
      />
    </FormModal>
  )
}
