import { Anchor, Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { type AttentionItem, useAttention } from '../../client/attention.ts'
import { useSession } from '../../client/session.ts'
import { attentionTitle, attentionWords } from '../../parts/attention-words.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { Panel } from '../../parts/panel.tsx'
import classes from './attention.module.css'
import { placeOf, placeOfAll } from './attention-places.ts'

const looks = {
  ATTENTION_WEIGHT_UNSPECIFIED: { icon: IconInfoCircle, label: 'For information' },
  ATTENTION_WEIGHT_HIGH: { icon: IconUrgent, label: 'Urgent' },
  ATTENTION_WEIGHT_MEDIUM: { icon: IconAlertTriangle, label: 'Important' },
  ATTENTION_WEIGHT_LOW: { icon: IconInfoCircle, label: 'For information' },
} as const

/** What needs attention, the most important first, each with its remedy; hidden for those who cannot have any. */
export function Attention({ isAlways }: { isAlways: boolean }): ReactNode {
  const { data, error, refetch } = useAttention()
  // What waits for the caller's own decision has a separate panel.
  const items = (data?.list ?? []).filter(({ kind }) => kind !== 'ATTENTION_KIND_DECISIONS_WAITING')
  if (!isAlways && items.length === 0) return null
  return (
    <Panel title="Needs attention">
      {error && !data ? (
        <ErrorNote error={error} retry={() => void refetch()} />
      ) : data && items.length === 0 ? (
        <p className={classes.calm}>
          <IconCircleCheck size={18} aria-hidden /> Nothing needs attention.
        </p>
      ) : (
        <ul className={classes.items} aria-busy={!data}>
          {items.map((item) => (
            <Item key={item.kind} item={item} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Item({ item }: { item: AttentionItem }): ReactNode {
  const { kind, weight, examples } = item
  const session = useSession()
  const { icon: Icon, label } = looks[weight]
  const { about, remedy } = attentionWords(kind)
  const place = placeOfAll(item, session)
  return (
    <li className={classes.item}>
      <Icon size={20} stroke={1.7} className={classes.icon} data-weight={weight} role="img" aria-label={label} />
      <div className={classes.words}>
        <div className={classes.title}>{attentionTitle(item)}</div>
        <div className={classes.about}>{about}</div>
        {examples.length > 0 && <Examples item={item} />}
      </div>
      <Button component={PageLink} to={place.to} size="xs" variant="default" className={classes.remedy}>
        {place.label || remedy}
      </Button>
    </li>
  )
}

/** The first few by name; where they are is added if it distinguishes them. */
function Examples({ item: { kind, count, isMore, examples } }: { item: AttentionItem }): ReactNode {
  const rest = count - examples.length
  const session = useSession()
  const isDrift = kind === 'ATTENTION_KIND_DRIFT'
  return (
    <div className={classes.examples}>
      {examples.map((example, at) => {
        const { displayName, about, id, appId } = example
        const to = placeOf(kind, example, session)
        return (
          <Fragment key={`${displayName} ${about} ${appId} ${id}`}>
            {at > 0 && ', '}
            {to ? (
              <Anchor component={PageLink} to={to} inherit underline="always">
                {displayName}
              </Anchor>
            ) : (
              displayName
            )}
            {about && <span className={classes.of}> ({about})</span>}
          </Fragment>
        )
      })}
      {!isDrift && rest > 0 && ` and ${rest.toLocaleString()}${isMore ? '+' : ''} more`}
    </div>
  )
}
