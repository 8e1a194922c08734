import { Button, Input, MultiSelect, NativeSelect, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Field, FieldRelationship } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'
import classes from './questions-editor.module.css'
import { RowActions } from './row-actions.tsx'

export type Relationship = Sent<FieldRelationship>

const kinds = [
  ['atLeastOne', 'At least one of them must be answered'],
  ['mutuallyExclusive', 'Only one of them can be answered'],
  ['requiredTogether', 'All of them are answered, or none'],
  ['dependentOn', 'They can be answered only if others are'],
] as const
type Kind = (typeof kinds)[number][0]

type RelationshipsEditorProps = {
  fields: readonly Field[]
  relationships: readonly Relationship[]
  onChange: (relationships: Relationship[]) => void
  isReadOnly: boolean
  problem: (place: number) => string | undefined
}

/** Which questions depend on each other. */
export function RelationshipsEditor({
  fields,
  relationships,
  onChange,
  isReadOnly,
  problem,
}: RelationshipsEditorProps): ReactNode {
  const data = fields
    .filter(({ name }, place) => name !== '' && fields.findIndex((each) => each.name === name) === place)
    .map(({ name, displayName }) => ({ value: name, label: displayName || name }))
  const put = (place: number, each: Relationship): void =>
    onChange(relationships.map((other, at) => (at === place ? each : other)))
  return (
    <Stack gap="sm">
      {relationships.map((each, place) => (
        // By place: they have no names.
        <div key={place} className={classes.choice}>
          <RelationshipFields
            number={place + 1}
            relationship={each}
            names={data}
            onChange={(changed) => put(place, changed)}
            isReadOnly={isReadOnly}
            error={problem(place)}
          />
          {!isReadOnly && (
            <RowActions
              actions={[
                {
                  label: 'Remove',
                  name: `Remove dependency ${place + 1}`,
                  icon: IconTrash,
                  onClick: () => onChange(relationships.filter((_, at) => at !== place)),
                },
              ]}
            />
          )}
        </div>
      ))}
      {!isReadOnly &&
        (data.length < 2 ? (
          <Input.Description>To define dependencies, add at least two questions.</Input.Description>
        ) : (
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => onChange([...relationships, { fieldNames: [], atLeastOne: {} }])}
            >
              Add dependency
            </Button>
          </div>
        ))}
    </Stack>
  )
}

type RelationshipFieldsProps = {
  number: number
  relationship: Relationship
  /** The questions that it can be about. */
  names: { value: string; label: string }[]
  onChange: (relationship: Relationship) => void
  isReadOnly: boolean
  error: string | undefined
}

function RelationshipFields(props: RelationshipFieldsProps): ReactNode {
  const { number, relationship, names, onChange, isReadOnly, error } = props
  const { fieldNames, dependentOn } = relationship
  const kind: Kind = kinds.find(([name]) => relationship[name])?.[0] ?? 'atLeastOne'
  return (
    <Stack gap="xs">
      <MultiSelect
        searchable
        label={`Questions ${number}`}
        disabled={isReadOnly}
        data={names}
        value={fieldNames ?? []}
        onChange={(chosen) => onChange({ ...relationship, fieldNames: chosen })}
        error={error}
      />
      <NativeSelect
        aria-label={`Condition for questions ${number}`}
        disabled={isReadOnly}
        value={kind}
        onChange={({ currentTarget: { value } }) =>
          onChange({ fieldNames, [value]: value === 'dependentOn' ? { dependencyFieldNames: [] } : {} })
        }
        data={kinds.map(([value, label]) => ({ value, label }))}
      />
      {kind === 'dependentOn' && (
        <MultiSelect
          searchable
          label="Other questions"
          disabled={isReadOnly}
          data={names}
          value={dependentOn?.dependencyFieldNames ?? []}
          onChange={(dependencyFieldNames) => onChange({ ...relationship, dependentOn: { dependencyFieldNames } })}
        />
      )}
    </Stack>
  )
}
