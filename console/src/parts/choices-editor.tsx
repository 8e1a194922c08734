import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SelectOption } from '#client/api/types.ts'
import classes from './questions-editor.module.css'
import { RowActions } from './row-actions.tsx'

type ChoicesProps = {
  options: readonly SelectOption[]
  type: string
  onChange: (changes: { options?: SelectOption[]; type?: string }) => void
  isReadOnly: boolean
}

/** What can be chosen: what is shown, and the value that is kept. */
export const ChoicesEditor = ({ options, type, onChange, isReadOnly }: ChoicesProps): ReactNode => {
  const put = (place: number, changes: Partial<SelectOption>): void =>
    onChange({ options: options.map((each, at) => (at === place ? { ...each, ...changes } : each)) })
  return (
    <>
      {options.map((option, place) => (
        // By place: what is written may be the same for a while.
        <div key={place} className={classes.choice}>
          <TextInput
            label={`Choice ${place + 1}`}
            readOnly={isReadOnly}
            value={option.displayName || option.value}
            onChange={({ currentTarget: { value } }) =>
              put(place, {
                displayName: value,
                // A value that was given otherwise stays: answers hold it.
                ...(option.value === (option.displayName || option.value) && { value }),
              })
            }
          />
          <TextInput
            label="Help"
            readOnly={isReadOnly}
            value={option.description ?? ''}
            onChange={({ currentTarget: { value } }) => put(place, { description: value })}
          />
          {!isReadOnly && (
            <RowActions
              actions={[
                {
                  label: 'Remove the choice',
                  name: `Remove choice ${place + 1}`,
                  icon: IconTrash,
                  onClick: () => onChange({ options: options.filter((_, at) => at !== place) }),
                },
              ]}
            />
          )}
        </div>
      ))}
      <Group justify="space-between" align="flex-end">
        {!isReadOnly && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange({ options: [...options, { value: '', displayName: '', description: '' }] })}
          >
            Add choice
          </Button>
        )}
        <NativeSelect
          label="Shown as"
          disabled={isReadOnly}
          value={type === 'SELECT_TYPE_UNSPECIFIED' ? 'SELECT_TYPE_DROPDOWN' : type}
          onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
          data={[
            { value: 'SELECT_TYPE_DROPDOWN', label: 'A dropdown' },
            { value: 'SELECT_TYPE_RADIO', label: 'Radio buttons' },
            { value: 'SELECT_TYPE_BUTTONS', label: 'Buttons' },
          ]}
        />
      </Group>
    </>
  )
}
