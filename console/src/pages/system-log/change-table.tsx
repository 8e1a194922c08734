import { Badge } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type FieldChange, fieldName, itemsOf, type Told } from './changes.ts'
import classes from './log.module.css'
import { ThingLink } from './thing-link.tsx'
import { type Names, namedThing } from './things.ts'

type Reading = { names: Names; may: (permission: string) => boolean }

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const constantForm = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/

/** A value of an event as people read it: names for ids, words for constants, times in their own zone. */
function Value({ value, names, may }: Reading & { value: unknown }): ReactNode {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <span className={classes.quiet}>Not set</span>
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') {
    const thing = namedThing(value, names, may)
    if (thing) return <ThingLink thing={thing} />
    if (timeForm.test(value)) return <Moment at={value} show="exact" />
    if (constantForm.test(value)) return value.replaceAll('_', ' ').toLowerCase()
    return <span className={classes.value}>{value}</span>
  }
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.map((item, place) => (
      <Fragment key={`${place} ${String(item)}`}>
        {place > 0 && ', '}
        <Value value={item} names={names} may={may} />
      </Fragment>
    ))
  if (isFlat(value))
    return Object.entries(value).map(([name, each], place) => (
      <Fragment key={name}>
        {place > 0 && ', '}
        {fieldName(name)}: <Value value={each} names={names} may={may} />
      </Fragment>
    ))
  if (Array.isArray(value) && value.every(isFlat))
    return value.map((item) => (
      <div key={JSON.stringify(item)}>
        <Value value={item} names={names} may={may} />
      </div>
    ))
  return <code className={classes.value}>{JSON.stringify(value, null, 1)}</code>
}

/** An object of values only, which fits on a line. */
const isFlat = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each !== 'object' || each === null)

const states = { added: ['+ Added', 'teal'], removed: ['− Removed', 'red'], changed: ['Changed', 'blue'] } as const

function Sides({ change, ...reading }: Reading & { change: FieldChange }): ReactNode {
  const items = itemsOf(change)
  if (items)
    return (
      <>
        <td data-label="Before">
          {items.removed.map((item) => (
            <del key={JSON.stringify(item)} className={classes.thing}>
              − <Value value={item} {...reading} />
            </del>
          ))}
        </td>
        <td data-label="After">
          {items.added.map((item) => (
            <ins key={JSON.stringify(item)} className={classes.thing}>
              + <Value value={item} {...reading} />
            </ins>
          ))}
          {items.added.length === 0 && items.removed.length === 0 && 'Same values in another order'}
        </td>
      </>
    )
  return (
    <>
      <td data-label="Before">
        {change.state === 'added' ? <Value value={null} {...reading} /> : <Value value={change.before} {...reading} />}
      </td>
      <td data-label="After">
        <Value value={change.after} {...reading} />
      </td>
    </>
  )
}

/** What an event changed, field by field. Fields that stayed as they were are left out. */
export const ChangeTable = ({ told, caption, ...reading }: Reading & { told: Told; caption: string }): ReactNode => (
  <>
    {told.changes.length > 0 && (
      <table className={classes.changes} aria-label={caption}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Change</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {told.changes.map((change) => {
            const [label, color] = states[change.state]
            return (
              <tr key={change.field}>
                <th scope="row">{fieldName(change.field)}</th>
                <td>
                  <Badge color={color} variant="light">
                    {label}
                  </Badge>
                </td>
                <Sides change={change} {...reading} />
              </tr>
            )
          })}
        </tbody>
      </table>
    )}
    {told.facts.length > 0 && (
      <Facts
        facts={told.facts.map(([field, value]) => [fieldName(field), <Value key={field} value={value} {...reading} />])}
      />
    )}
  </>
)
