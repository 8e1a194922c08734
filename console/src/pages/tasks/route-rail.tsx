import {
  type Icon,
  IconArrowForwardUp,
  IconCheck,
  IconClock,
  IconDots,
  IconRefresh,
  IconSend,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PolicyStepInstance } from '../../api/types.ts'
import { Moment } from '../../parts/moment.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import classes from './route-rail.module.css'
import { type SeenTask, stuckWhy } from './seen-task.ts'
import { peopleWords } from './task-columns.tsx'
import { outcomeOf, standing, stepTitle } from './words.ts'

type Stop = {
  key: string
  is: 'done' | 'bad' | 'over' | 'current' | 'future'
  icon: Icon
  title: string
  /** Where it stands, for those who hear the page and those who do not tell colours apart. */
  word: string
  people?: string
  at?: string | null
  more?: ReactNode
}

type Ended = { is: Stop['is']; icon: Icon; word: string; by: string; at: string | null }

/** How a step that was taken ended. */
function endOf({ approval, provision, wait, form, accept, reject }: PolicyStepInstance): Ended {
  const ended = (is: Stop['is'], icon: Icon, word: string, by = '', at: string | null = null): Ended => ({
    is,
    icon,
    word,
    by,
    at,
  })
  const skipped = approval?.skipped ?? provision?.skipped ?? wait?.skipped ?? form?.skipped
  if (skipped) return ended('over', IconArrowForwardUp, 'Skipped', skipped.userId, skipped.skippedAt)
  const restarted = approval?.restarted ?? form?.restarted
  if (restarted) return ended('over', IconRefresh, 'Restarted', restarted.userId, restarted.restartedAt)
  const reassigned = approval?.reassigned ?? form?.reassigned
  if (reassigned) return ended('over', IconArrowForwardUp, 'Reassigned', reassigned.userId, reassigned.reassignedAt)
  if (approval?.approved)
    return ended('done', IconCheck, 'Approved', approval.approved.userId, approval.approved.approvedAt)
  if (approval?.denied) return ended('bad', IconX, 'Denied', approval.denied.userId, approval.denied.deniedAt)
  if (provision?.completed)
    return ended('done', IconCheck, 'Done', provision.completed.userId, provision.completed.completedAt)
  if (provision?.errored) return ended('bad', IconX, 'Failed', '', provision.errored.erroredAt)
  if (provision?.cancelled)
    return ended('bad', IconX, 'Not done', provision.cancelled.cancelledByUserId, provision.cancelled.cancelledAt)
  if (wait?.timedOut) return ended('bad', IconX, 'Timed out', '', wait.timedOut.timedOutAt)
  if (wait?.succeeded) return ended('done', IconCheck, 'Over', '', wait.succeeded.succeededAt)
  if (form?.completed) return ended('done', IconCheck, 'Answered', form.completed.userId, form.completed.completedAt)
  if (reject) return ended('bad', IconX, 'Denied')
  if (accept) return ended('done', IconCheck, 'Approved')
  return ended('over', IconDots, 'Ended')
}

const said = (text: string | undefined): ReactNode => (text ? <p className={classes.said}>{text}</p> : null)

function pastStop(step: PolicyStepInstance, seen: SeenTask): Stop {
  const { is, icon, word, by, at } = endOf(step)
  return {
    key: step.id,
    is,
    icon,
    title: stepTitle(step),
    word,
    ...(at !== null && { people: seen.nameOf(by), at }),
    more: said(step.provision?.errored?.description || step.accept?.acceptMessage || step.reject?.rejectMessage),
  }
}

function currentStop(step: PolicyStepInstance, seen: SeenTask): Stop {
  const { task, nameOf } = seen
  const due =
    step.approval?.escalationInstance?.expiresAt ?? step.wait?.untilTime?.untilTime ?? step.wait?.timeout ?? null
  const why = stuckWhy(seen)
  return {
    key: step.id,
    is: why ? 'bad' : 'current',
    icon: why ? IconX : IconClock,
    title: stepTitle(step),
    word: why ? 'Stuck' : 'Now',
    ...(task.stepApproverIds.length > 0 && { people: peopleWords(task.stepApproverIds.map(nameOf)) }),
    ...(step.approval?.assignedAt && { at: step.approval.assignedAt }),
    more: (
      <>
        {said(why)}
        {due && (
          <p className={classes.line}>
            {step.approval ? 'Is escalated ' : 'Goes on '}
            <RelativeTime at={due} />
          </p>
        )}
        {step.wait?.condition && <p className={classes.line}>Until: {step.wait.condition.condition}</p>}
      </>
    ),
  }
}

function stopsOf(seen: SeenTask): Stop[] {
  const { task, nameOf } = seen
  const { current = null, history = [], next = [] } = task.policy ?? {}
  const isOpen = task.state === 'TASK_STATE_OPEN'
  const why = stuckWhy(seen)
  const outcome = outcomeOf(task)
  const [word] = standing(seen)
  const about = task.type?.grant ?? task.type?.revoke ?? task.type?.offboarding
  const isDone = ['GRANTED', 'REVOKED', 'DONE'].includes(outcome)
  return [
    {
      key: 'created',
      is: 'done',
      icon: IconSend,
      title: 'Requested',
      word: '',
      people: nameOf(task.createdByUserId),
      at: task.createdAt,
    },
    ...history.map((step) => pastStop(step, seen)),
    ...(current ? [currentStop(current, seen)] : []),
    ...(!current && isOpen && why
      ? [{ key: 'stuck', is: 'bad' as const, icon: IconX, title: 'Nobody can go on', word: 'Stuck', more: said(why) }]
      : []),
    ...next.map(
      (step, place): Stop => ({
        key: `next ${place}`,
        is: 'future',
        icon: IconDots,
        title: stepTitle(step),
        word: 'Still to come',
      }),
    ),
    isOpen
      ? {
          key: 'end',
          is: 'future',
          icon: IconCheck,
          title: seen.kind === 'grant' ? 'Access granted' : seen.kind === 'revoke' ? 'Access revoked' : 'Done',
          word: 'Still to come',
        }
      : {
          key: 'end',
          is: isDone ? 'done' : outcome === 'CANCELLED' || outcome === '' ? 'over' : 'bad',
          icon: isDone || outcome === '' ? IconCheck : IconX,
          title: word,
          word: 'Closed',
          at: about?.outcomeTime ?? null,
        },
  ]
}

/** A task's route as a line: the steps that were taken, the one that is, and those still to come. */
export function RouteRail({ seen }: { seen: SeenTask }): ReactNode {
  const stops = stopsOf(seen)
  return (
    <ol className={classes.rail} aria-label="Steps of this request">
      {stops.map(({ key, is, icon: Mark, title, word, people, at, more }, place) => (
        <li
          key={key}
          className={classes.stop}
          data-is={is}
          data-leads={stops[place + 1]?.is === 'future' ? 'future' : 'past'}
          {...(is === 'current' && { 'aria-current': 'step' })}
        >
          <span className={classes.mark} aria-hidden>
            <Mark size={15} stroke={2} />
          </span>
          <div>
            <p className={classes.title}>{title}</p>
            <p className={classes.line}>
              {word}
              {people && (
                <>
                  {word && ': '}
                  <span className={classes.people}>{people}</span>
                </>
              )}
              {at && (
                <>
                  {word || people ? ', ' : ''}
                  {is === 'current' ? (
                    <>
                      since <RelativeTime at={at} />
                    </>
                  ) : (
                    <Moment at={at} />
                  )}
                </>
              )}
            </p>
            {more}
          </div>
        </li>
      ))}
    </ol>
  )
}
