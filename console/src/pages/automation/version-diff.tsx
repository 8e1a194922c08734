import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AutomationVersionDifference } from '#client/api/types.ts'
import { EntitlementName } from '../../parts/entitlement-name.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { diffOf } from './text-diff.ts'
import classes from './version-diff.module.css'

const labels: Readonly<Record<string, string>> = {
  kind: 'Kind of rule',
  expression: 'Expression',
  entitlementRefs: 'Entitlements',
  displayName: 'Name of the rule',
  description: 'Description',
  'examples.mustMatchUserIds': 'Examples that must match',
  'examples.mustNotMatchUserIds': 'Examples that must not match',
}

const kinds: Readonly<Record<string, string>> = { cel: 'Expression', entitlements: 'Entitlements', none: 'Nobody' }

/** The differences between two versions. */
export const VersionDiff = ({ differences }: { differences: readonly AutomationVersionDifference[] }): ReactNode =>
  differences.length === 0 ? (
    <p className={classes.same}>The two versions are the same.</p>
  ) : (
    <dl className={classes.diff}>
      {differences.map((difference) => (
        <div key={difference.field}>
          <dt>{labels[difference.field] ?? difference.field}</dt>
          <dd>
            <Changed {...difference} />
          </dd>
        </div>
      ))}
    </dl>
  )

function Changed({ field, before, after }: AutomationVersionDifference): ReactNode {
  if (field === 'kind')
    return (
      <>
        <del className={classes.before}>{kinds[before] ?? before}</del>{' '}
        <ins className={classes.after}>{kinds[after] ?? after}</ins>
      </>
    )
  if (field === 'entitlementRefs' || field.startsWith('examples.'))
    return <Items field={field} before={linesOf(before)} after={linesOf(after)} />
  return (
    <Code block className={classes.text}>
      {diffOf(before, after).map(({ text, side }, place) =>
        side === 'both' ? (
          <span key={place}>{text}</span>
        ) : side === 'before' ? (
          <del key={place} className={classes.before}>
            {text}
          </del>
        ) : (
          <ins key={place} className={classes.after}>
            {text}
          </ins>
        ),
      )}
    </Code>
  )
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

type ItemsProps = { field: string; before: readonly string[]; after: readonly string[] }

/** Items that came and went. */
const Items = ({ field, before, after }: ItemsProps): ReactNode => (
  <ul className={classes.items}>
    {[...new Set([...before, ...after])].map((item) => {
      const isBefore = before.includes(item)
      const isAfter = after.includes(item)
      const shown = <Item field={field} item={item} />
      return (
        <li key={item}>
          {isBefore && isAfter ? (
            shown
          ) : isBefore ? (
            <del className={classes.before}>{shown}</del>
          ) : (
            <ins className={classes.after}>{shown}</ins>
          )}
        </li>
      )
    })}
  </ul>
)

function Item({ field, item }: { field: string; item: string }): ReactNode {
  if (field.startsWith('examples.')) return <UserName userId={item} />
  const [appId = '', id = ''] = item.split('/')
  return <EntitlementName appId={appId} entitlementId={id} />
}
