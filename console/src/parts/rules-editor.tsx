import { Group, NativeSelect, NumberInput, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './questions-editor.module.css'
import { RowActions } from './row-actions.tsx'

type Of = 'number' | 'text' | 'texts' | 'numbers' | 'flag' | 'date' | 'header'
export type RuleSpec = readonly [name: string, label: string, of: Of]
export type Rules = Readonly<Record<string, unknown>>

export const textRules: readonly RuleSpec[] = [
  ['minLen', 'At least this many characters', 'number'],
  ['maxLen', 'At most this many characters', 'number'],
  ['len', 'Exactly this many characters', 'number'],
  ['pattern', 'Matches a regular expression', 'text'],
  ['prefix', 'Begins with', 'text'],
  ['suffix', 'Ends with', 'text'],
  ['contains', 'Contains', 'text'],
  ['notContains', 'Does not contain', 'text'],
  ['in', 'One of', 'texts'],
  ['notIn', 'None of', 'texts'],
  ['const', 'Exactly', 'text'],
  ['email', 'An email address', 'flag'],
  ['uri', 'A URL', 'flag'],
  ['uriRef', 'A URL or a path', 'flag'],
  ['hostname', 'A host name', 'flag'],
  ['ip', 'An IP address', 'flag'],
  ['ipv4', 'An IPv4 address', 'flag'],
  ['ipv6', 'An IPv6 address', 'flag'],
  ['address', 'A host name or an IP address', 'flag'],
  ['uuid', 'A UUID', 'flag'],
  ['wellKnownRegex', 'Part of an HTTP header', 'header'],
  ['minBytes', 'At least this many bytes', 'number'],
  ['maxBytes', 'At most this many bytes', 'number'],
  ['lenBytes', 'Exactly this many bytes', 'number'],
]

export const numberRules: readonly RuleSpec[] = [
  ['gte', 'At least', 'number'],
  ['gt', 'More than', 'number'],
  ['lte', 'At most', 'number'],
  ['lt', 'Less than', 'number'],
  ['in', 'One of', 'numbers'],
  ['notIn', 'None of', 'numbers'],
  ['const', 'Exactly', 'number'],
]

export const listRules: readonly RuleSpec[] = [
  ['minItems', 'At least this many', 'number'],
  ['maxItems', 'At most this many', 'number'],
  ['unique', 'No duplicates', 'flag'],
]

export const dateRules: readonly RuleSpec[] = [
  ['minDate', 'Not before', 'date'],
  ['maxDate', 'Not after', 'date'],
  ['minDaysFromToday', 'At least this many days from today', 'number'],
  ['maxDaysFromToday', 'At most this many days from today', 'number'],
]

const begun: Record<Of, unknown> = {
  number: '1',
  text: '',
  texts: [],
  numbers: [],
  flag: true,
  date: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length),
  header: 'HTTP_HEADER_NAME',
}

/** Rules that are unset are null, empty lists or false; a text or a date that is being written may be empty. */
const isSet = (value: unknown, of: Of, isKept: boolean): boolean => {
  if (value === undefined || value === null) return false
  if (of === 'flag') return value === true
  if (of === 'header') return value !== 'UNKNOWN'
  if (of === 'texts' || of === 'numbers') return isKept || (value as unknown[]).length > 0
  return isKept || of === 'text' || value !== ''
}

type RulesEditorProps = {
  label: string
  specs: readonly RuleSpec[]
  rules: Rules | null | undefined
  onChange: (rules: Rules) => void
  isReadOnly: boolean
  /** Whole numbers on the wire of this message are numbers and not texts. */
  hasPlainNumbers?: boolean
}

/** The rules for an answer: those that are set, each of which can be removed, and a list to add one from. */
export function RulesEditor({
  label,
  specs,
  rules,
  onChange,
  isReadOnly,
  hasPlainNumbers = false,
}: RulesEditorProps): ReactNode {
  const all = rules ?? {}
  // A list that was just added is empty, and is shown: it is there as its own, not shared, empty list.
  const shown = specs.filter(([name, , of]) => isSet(all[name], of, addedEmpty.has(all[name] as object)))
  const others = specs.filter((spec) => !shown.includes(spec))
  const set = (name: string, value: unknown): void => onChange({ ...all, [name]: value })
  const add = (name: string): void => {
    const spec = specs.find(([each]) => each === name)
    if (!spec) return
    const value = begun[spec[2]]
    if (!Array.isArray(value)) return set(name, spec[2] === 'number' && hasPlainNumbers ? 1 : value)
    const empty: string[] = []
    addedEmpty.add(empty)
    set(name, empty)
  }
  if (isReadOnly && shown.length === 0) return null
  return (
    <Stack gap="xs" className={classes.rules}>
      {shown.map(([name, words, of]) => (
        <div key={name} className={classes.rule}>
          <RuleValue
            label={words}
            of={of}
            value={all[name]}
            onChange={(value) => set(name, of === 'number' && hasPlainNumbers ? Number(value) : value)}
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && (
            <RowActions
              actions={[
                {
                  label: 'Remove the rule',
                  name: `Remove the rule: ${words}`,
                  icon: IconTrash,
                  onClick: () => onChange(Object.fromEntries(Object.entries(all).filter(([each]) => each !== name))),
                },
              ]}
            />
          )}
        </div>
      ))}
      {!isReadOnly && others.length > 0 && (
        <NativeSelect
          label={label}
          value=""
          onChange={({ currentTarget: { value } }) => add(value)}
          data={[
            { value: '', label: shown.length > 0 ? 'Add another rule…' : 'Any answer. Add a rule…' },
            ...others.map(([value, words]) => ({ value, label: words })),
          ]}
        />
      )}
    </Stack>
  )
}

const addedEmpty = new WeakSet<object>()

type RuleValueProps = {
  label: string
  of: Of
  value: unknown
  onChange: (value: unknown) => void
  isReadOnly: boolean
}

function RuleValue({ label, of, value, onChange, isReadOnly }: RuleValueProps): ReactNode {
  const common = { label, readOnly: isReadOnly }
  if (of === 'flag')
    return (
      <Group>
        <Text size="sm">{label}</Text>
      </Group>
    )
  if (of === 'number')
    return (
      <NumberInput
        {...common}
        allowDecimal={false}
        value={value as string}
        onChange={(number) => onChange(String(number === '' ? 0 : number))}
      />
    )
  if (of === 'texts' || of === 'numbers')
    return (
      <TagsInput
        {...common}
        description="Type each, then press Enter."
        value={(value as string[]).map(String)}
        onChange={(values) => {
          const next = of === 'numbers' ? values.filter((each) => /^-?\d+$/.test(each)) : values
          if (next.length === 0) addedEmpty.add(next)
          onChange(next)
        }}
      />
    )
  if (of === 'header')
    return (
      <NativeSelect
        label={label}
        disabled={isReadOnly}
        value={value as string}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data={[
          { value: 'HTTP_HEADER_NAME', label: 'The name of a header' },
          { value: 'HTTP_HEADER_VALUE', label: 'The value of a header' },
        ]}
      />
    )
  return (
    <TextInput
      {...common}
      type={of === 'date' ? 'date' : 'text'}
      {...(label.startsWith('Matches') && { description: 'RE2 syntax, as in ^[A-Z]+-[0-9]+$' })}
      value={(value as string | undefined) ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
