import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { requestSchemaGet, requestSchemaSearch } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { Named } from '../../parts/named.tsx'
import { Picker } from '../../parts/picker.tsx'

type FormFieldProps = {
  label: string
  formId: string
  onChange: (formId: string) => void
  isReadOnly: boolean
  error?: string | undefined
}

/** One form, by id; none where it is empty. */
export function FormField({ label, formId, onChange, isReadOnly, error }: FormFieldProps): ReactNode {
  const { data } = useQuery({
    ...read(requestSchemaGet, { path: { request_schema_id: formId } }),
    enabled: formId !== '',
  })
  const chosen = formId !== '' && data?.requestSchema?.id === formId ? data.requestSchema : null
  if (isReadOnly)
    return formId === '' ? null : (
      <Named isQuiet label={chosen?.form?.displayName ?? formId} to={`/forms/${formId}`} about={label} />
    )
  return (
    <Picker
      label={label}
      placeholder="No form"
      operation={requestSchemaSearch}
      input={(query) => ({ body: { query, pageSize: 25 } })}
      items={({ list }) => list}
      keyOf={({ id }) => id}
      nameOf={({ id, form }) => form?.displayName ?? id}
      chosen={chosen}
      onPick={({ id }) => onChange(id)}
      onClear={() => onChange('')}
      error={error}
    />
  )
}
