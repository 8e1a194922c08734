import { NativeSelect, NumberInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { appSearch, appsCreate, appsGet, appsList, appsUpdate } from '#client/api/operations.ts'
import type { App } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { useChange } from '../../client/queries.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { DescriptionField, NameField } from '../../parts/name-fields.tsx'

type AppFormProps = {
  /** The app that is changed; without one, a new one is made. */
  app?: App
  onClose: () => void
  onMade?: (id: string) => void
}

const changes = [appSearch, appsList, appsGet]
const matchings = [
  { value: 'APP_USER_IDENTITY_MATCHING_STRICT', label: 'Email address, username and employee ID' },
  { value: 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME', label: 'Email address, username, employee ID and full name' },
] as const

export function AppForm({ app, onClose, onMade }: AppFormProps): ReactNode {
  const [displayName, setDisplayName] = useState(app?.displayName ?? '')
  const [description, setDescription] = useState(app?.description ?? '')
  const [cost, setCost] = useState<number | string>(app?.monthlyCostUsd || '')
  const [matching, setMatching] = useState<App['identityMatching']>(app?.identityMatching ?? matchings[0].value)
  const create = useChange(appsCreate, {
    changes,
    done: `Created ${displayName.trim()}`,
    onDone({ app: made }) {
      onClose()
      if (made) onMade?.(made.id)
    },
  })
  const update = useChange(appsUpdate, { changes, done: 'Saved', onDone: onClose })
  const { error, isPending } = app ? update : create
  const problem = (field: string): string | undefined => problemOf(error, app ? `app.${field}` : field)
  const terms = {
    displayName: displayName.trim(),
    description: description.trim(),
    monthlyCostUsd: Number(cost),
    identityMatching: matching,
  }
  return (
    <FormModal
      opened
      onClose={onClose}
      title={app ? `Edit ${app.displayName}` : 'Create app'}
      verb={app ? 'Save' : 'Create app'}
      isIncomplete={terms.displayName === ''}
      isPending={isPending}
      error={error}
      fields={['displayName', 'description', 'monthlyCostUsd'].map((field) => (app ? `app.${field}` : field))}
      onSubmit={() =>
        app
          ? update.mutate({ path: { id: app.id }, body: { app: terms, updateMask: Object.keys(terms).join(',') } })
          : create.mutate({ body: terms })
      }
    >
      <NameField value={displayName} onChange={setDisplayName} error={problem('displayName')} />
      <DescriptionField
        description="What the app is used for."
        value={description}
        onChange={setDescription}
        error={problem('description')}
      />
      <NumberInput
        label="Monthly cost (USD)"
        min={0}
        allowDecimal={false}
        thousandSeparator=","
        value={cost}
        onChange={setCost}
        error={problem('monthlyCostUsd')}
      />
      <NativeSelect
        label="Match imported accounts to people by"
        value={matching}
        onChange={({ currentTarget: { value } }) => setMatching(value as App['identityMatching'])}
        data={matchings.map((each) => ({ ...each }))}
      />
    </FormModal>
  )
}
