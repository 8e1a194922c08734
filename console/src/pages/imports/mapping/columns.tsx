import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type DateFormat, dateFormats } from './dates.ts'
import { attributes, type FileKind, fieldsOf, plainName, profilePrefix } from './fields.ts'
import { formatFor, type Mapping, samplesOf } from './guess.ts'
import classes from './map-file.module.css'
import { columnProblems } from './mapping-problems.ts'
import type { FileTable } from './table.ts'

type ColumnsProps = { table: FileTable; kind: FileKind; mapping: Mapping; onChange: (mapping: Mapping) => void }

const examplesMax = 3
const samplesMax = 200
const attribute = 'attribute'

/** The name of an attribute for a column without a known one: `Cost center 2` becomes `costCenter2`. */
const attributeFor = (header: string): string =>
  attributes[plainName(header)] ??
  header
    .replace(/[^\p{L}\p{N}]+(\p{L}|\p{N}|$)/gu, (_, next: string) => next.toUpperCase())
    .replace(/^./u, (first) => first.toLowerCase())

/** What each column becomes: proposed, and to be changed. */
export function Columns({ table, kind, mapping, onChange }: ColumnsProps): ReactNode {
  const problems = columnProblems(mapping)
  const set = (at: number, target: string, format?: Mapping['formats'][number]): void =>
    onChange({
      targets: mapping.targets.with(at, target),
      formats: mapping.formats.with(
        at,
        format === undefined ? formatFor(target, samplesOf(table, at, samplesMax)) : format,
      ),
    })
  return (
    <ul className={classes.columns} aria-label="Columns of the file">
      {table.header.map((header, at) => (
        <li key={at} className={classes.column}>
          <div className={classes.name}>
            <Text fw={600} size="sm">
              {header}
            </Text>
            <Text size="xs" c="dimmed" className={classes.examples}>
              {samplesOf(table, at, examplesMax).join(' · ') || 'Empty'}
            </Text>
          </div>
          <Target
            header={header}
            kind={kind}
            target={mapping.targets[at] ?? ''}
            problem={problems[at] ?? ''}
            onChange={(target) => set(at, target)}
          />
          <Format
            header={header}
            target={mapping.targets[at] ?? ''}
            format={mapping.formats[at] ?? null}
            onChange={(format) => set(at, mapping.targets[at] ?? '', format)}
          />
        </li>
      ))}
    </ul>
  )
}

type TargetProps = {
  header: string
  kind: FileKind
  target: string
  problem: string
  onChange: (target: string) => void
}

function Target({ header, kind, target, problem, onChange }: TargetProps): ReactNode {
  const isAttribute = target.startsWith(profilePrefix)
  return (
    <Stack gap={6}>
      <NativeSelect
        aria-label={`${header} becomes`}
        value={isAttribute ? attribute : target}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === attribute ? `${profilePrefix}${attributeFor(header)}` : value)
        }
        data={[
          { value: '', label: 'Ignored' },
          ...fieldsOf[kind].map(({ name, label }) => ({ value: name, label })),
          ...(kind === 'people' ? [{ value: attribute, label: 'Attribute of the profile' }] : []),
        ]}
        error={!isAttribute && problem}
      />
      {isAttribute && (
        <TextInput
          aria-label={`Attribute for ${header}`}
          value={target.slice(profilePrefix.length)}
          onChange={({ currentTarget: { value } }) => onChange(`${profilePrefix}${value}`)}
          maxLength={100}
          error={problem}
        />
      )}
    </Stack>
  )
}

type FormatProps = {
  header: string
  target: string
  format: Mapping['formats'][number]
  onChange: (format: DateFormat | null) => void
}

/** Only for columns of dates. */
function Format({ header, target, format, onChange }: FormatProps): ReactNode {
  if (format === null && target !== 'grantedAt' && target !== 'expiresAt') return null
  const isUnclear = format === 'unclear'
  return (
    <NativeSelect
      aria-label={`Dates of ${header}`}
      value={format ?? ''}
      onChange={({ currentTarget: { value } }) => onChange((value || null) as DateFormat | null)}
      data={[
        ...(isUnclear ? [{ value: 'unclear', label: 'Choose how dates are written' }] : []),
        ...Object.entries(dateFormats).map(([value, label]) => ({ value, label })),
        ...(target.startsWith(profilePrefix) ? [{ value: '', label: 'Text, as it is' }] : []),
      ]}
      error={isUnclear && 'Day and month cannot be told apart.'}
    />
  )
}
