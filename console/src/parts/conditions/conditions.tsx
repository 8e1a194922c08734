import { Button, NativeSelect, Group as Row, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { FindValues } from '../completion.tsx'
import { ConditionRow } from './condition-row.tsx'
import classes from './conditions.module.css'
import {
  type Attribute,
  attributesOf,
  depthMax,
  emptyGroup,
  type Group,
  type Item,
  isFinished,
  newCondition,
  textFields,
} from './model.ts'
import { type Parsed, parseConditions } from './parse.ts'
import { printConditions } from './print.ts'

type ConditionsProps = {
  /** What expressions can read, as `subject.department`. */
  names: readonly string[]
  /** Finds the possible values of an attribute. */
  values?: FindValues | undefined
  /** The expression. */
  value: string
  onChange: (expression: string, isFinished: boolean) => void
}

/** An expression as conditions, where they can show it: both change with the other. */
export function Conditions({ names, values, value, onChange }: ConditionsProps): ReactNode {
  const parse = (text: string): Parsed & { text: string } => ({ text, ...parseConditions(text, textFields(names)) })
  const [kept, setKept] = useState(() => parse(value))
  // What was written here is kept as it was, also what is not finished; what was written elsewhere is read again.
  const { group, reason } = kept.text === value ? kept : parse(value)
  const change = (next: Group): void => {
    const text = printConditions(next)
    setKept({ text, group: next, reason: null })
    onChange(text, next.items.length === 0 || isFinished(next))
  }
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>Conditions</legend>
      {group ? (
        <GroupEditor
          place=""
          group={group}
          depth={1}
          attributes={attributesOf(names)}
          values={values}
          onChange={change}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Conditions cannot show this expression. {reason} It is used as it is written below.
        </Text>
      )}
    </fieldset>
  )
}

type GroupProps = {
  place: string
  group: Group
  depth: number
  attributes: readonly Attribute[]
  values: FindValues | undefined
  onChange: (group: Group) => void
  onRemove?: () => void
}

const joins = [
  { value: 'and false', label: 'All of these are true' },
  { value: 'or false', label: 'At least one of these is true' },
  { value: 'and true', label: 'Not all of these are true' },
  { value: 'or true', label: 'None of these is true' },
]

function GroupEditor({ place, group, depth, attributes, values, onChange, onRemove }: GroupProps): ReactNode {
  const add = useRef<HTMLButtonElement>(null)
  const { items, join, isNot } = group
  const set = (next: readonly Item[]): void => onChange({ ...group, items: next })
  const name = place === '' ? 'conditions' : `group ${place}`
  const [first] = attributes
  return (
    <div className={classes.group} role="group" aria-label={place === '' ? 'All conditions' : `Group ${place}`}>
      {(items.length > 1 || isNot || place !== '') && (
        <NativeSelect
          className={classes.join}
          aria-label={`Which of the ${name} must be true`}
          value={`${join} ${isNot}`}
          data={joins}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...group, join: value.startsWith('and') ? 'and' : 'or', isNot: value.endsWith('true') })
          }
        />
      )}
      {items.length > 0 && (
        <ol className={classes.items}>
          {items.map((item, at) => {
            const of = {
              place: place === '' ? `${at + 1}` : `${place}.${at + 1}`,
              attributes,
              values,
              onChange: (next: Item) => set(items.with(at, next)),
              onRemove: () => {
                set(items.toSpliced(at, 1))
                add.current?.focus()
              },
            }
            return (
              // What is added is at the end, and after a removal the focus moves: a place is as good as a name.
              <li key={`${items.length} ${at}`}>
                {item.kind === 'group' ? (
                  <GroupEditor {...of} group={item} depth={depth + 1} />
                ) : (
                  <ConditionRow {...of} condition={item} />
                )}
              </li>
            )
          })}
        </ol>
      )}
      <Row gap="xs">
        <Button
          ref={add}
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={!first}
          onClick={() => first && set([...items, newCondition(preferred(attributes) ?? first)])}
        >
          Add condition
        </Button>
        {depth < depthMax && items.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => set([...items, { ...emptyGroup, join: join === 'and' ? 'or' : 'and' }])}
          >
            Add group
          </Button>
        )}
        {onRemove && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onRemove}>
            Remove group {place}
          </Button>
        )}
        {place === '' && items.length > 0 && !isFinished(group) && (
          <Text size="sm" c="dimmed">
            Complete the conditions to see whom they match.
          </Text>
        )}
      </Row>
    </div>
  )
}

/** What most rules begin with. */
const preferred = (attributes: readonly Attribute[]): Attribute | undefined =>
  attributes.find(({ kind, name }) => kind === 'field' && name === 'department')
