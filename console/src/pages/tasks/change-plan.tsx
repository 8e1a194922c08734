import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { changesGet } from '#client/api/operations.ts'
import type { ChangeEffectResource } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { type ChangedField, changedFields, nameIn, resourceWords } from './change-lines.ts'
import classes from './change-plan.module.css'
import { Why } from './step-why.tsx'

/** What a change that waits for approval does: before and after, field by field. */
export function ChangePlan({ taskId }: { taskId: string }): ReactNode {
  const { data, error, refetch } = useQuery(read(changesGet, { path: { task_id: taskId } }))
  if (error) return <ErrorNote error={error} title="The change cannot be shown" retry={() => void refetch()} />
  const change = data?.change
  if (!change) return <Skeleton height={120} />
  const nameOf = nameIn(change.names)
  return (
    <div>
      {change.plan.map(({ message, resources }, place) => (
        // Two effects may have the same text: their place distinguishes them, and it never changes.
        <div key={`${place} ${message}`} className={classes.effect}>
          <p className={classes.message}>{message}</p>
          {resources.map((resource) => (
            <Resource key={`${resource.type} ${resource.id}`} resource={resource} nameOf={nameOf} />
          ))}
        </div>
      ))}
      {change.carriedOutAt && (
        <Text size="sm" mt="sm">
          The change was applied: <Moment at={change.carriedOutAt} />.
        </Text>
      )}
      <Why label="Full request">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by the keyboard */}
        <pre className={classes.raw} tabIndex={0}>
          {JSON.stringify(
            { operation: change.operation, path: change.path, body: change.body, plan: change.plan },
            null,
            2,
          )}
        </pre>
      </Why>
    </div>
  )
}

type ResourceProps = { resource: ChangeEffectResource; nameOf: (id: string) => string }

function Resource({ resource, nameOf }: ResourceProps): ReactNode {
  const fields = resource.type === 'owner' ? [] : changedFields(resource, nameOf)
  const hasBefore = fields.some(({ before }) => before !== null)
  return (
    <>
      <Text size="sm" c="dimmed">
        {resourceWords(resource, nameOf)}
      </Text>
      {fields.length > 0 && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              {hasBefore && <th scope="col">Before</th>}
              <th scope="col">{hasBefore ? 'After' : 'Value'}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.name}>
                <th scope="row">{field.name}</th>
                {hasBefore && (
                  <td data-label="Before">
                    <Lines field={field} side="before" />
                  </td>
                )}
                <td data-label={hasBefore ? 'After' : 'Value'}>
                  <Lines field={field} side="after" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** A value, or a list of values; those that the other side does not have are highlighted. */
function Lines({ field: { before, after }, side }: { field: ChangedField; side: 'before' | 'after' }): ReactNode {
  const lines = (side === 'before' ? before : after) ?? []
  const others = (side === 'before' ? after : before) ?? []
  if (lines.length === 0) return '–'
  const mark = (line: string): ReactNode => {
    if (before === null || others.includes(line)) return line
    return side === 'before' ? <del>{line}</del> : <ins>{line}</ins>
  }
  if (lines.length === 1 && lines[0] !== undefined) return mark(lines[0])
  return (
    <ol>
      {lines.map((line, place) => (
        <li key={`${place} ${line}`}>{mark(line)}</li>
      ))}
    </ol>
  )
}
