import type { Field, Task } from '#client/api/types.ts'

/** The fields of a form as the API keeps it in a task: as it was sent, so that anything may be missing. */
export function fieldsOfForm(form: Task['form']): Field[] {
  const fields = form?.['fields']
  if (!Array.isArray(fields)) return []
  return (fields as Partial<Field>[]).map(
    (field) => ({ description: '', displayName: '', ...field, name: field.name || field.displayName || '' }) as Field,
  )
}

const asField = (name: string, value: unknown): Field =>
  ({
    name,
    displayName: name,
    description: '',
    required: false,
    readOnly: false,
    stringField: typeof value === 'string' ? {} : null,
    boolField: typeof value === 'boolean' ? {} : null,
    int64Field: typeof value === 'number' ? {} : null,
    stringSliceField: Array.isArray(value) ? {} : null,
  }) as unknown as Field

/** What a task asks of the requester: its form's fields, or the names of what was answered. */
export const questionsOf = ({ form, data }: Pick<Task, 'form' | 'data'>): Field[] => {
  const fields = fieldsOfForm(form)
  return fields.length > 0 ? fields : Object.entries(data ?? {}).map(([name, value]) => asField(name, value))
}

/** An answer in words. */
export const answerWords = (value: unknown): string => {
  if (value === true) return 'Yes'
  if (value === false) return 'No'
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
