import { Anchor, Button, CloseButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { homeGetSetup } from '#client/api/operations.ts'
import { useDismissed } from '../../client/dismissed.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Panel } from '../../parts/panel.tsx'
import classes from './setup.module.css'
import { type SetupStep, type SetupWords, setupWords } from './setup-words.ts'

/** The guided start: what to do next, and where. Judged by the data, so that it continues where it was left. */
export function Setup(): ReactNode {
  const { user, may } = useSession()
  const [isDismissed, dismiss, resume] = useDismissed('setup', user?.id ?? '')
  const isAsked = may('apps.write')
  const { data } = useQuery({ ...read(homeGetSetup, {}), enabled: isAsked })
  const steps = data?.list ?? []
  const done = steps.filter(({ isDone }) => isDone).length
  if (!isAsked || steps.length === done) return null
  if (isDismissed)
    return (
      <p className={classes.resume}>
        <Button variant="subtle" size="compact-sm" onClick={resume}>
          Continue the setup: {done} of {steps.length} steps done
        </Button>
      </p>
    )
  // What somebody else does is not in the way of what the caller can do.
  const next = steps.find(({ isDone, doneBy }) => !isDone && doneBy === 'you')
  return (
    <Panel
      title="Set up Bailiwick"
      about={`${done} of ${steps.length} steps done. Each is judged by the data: you can stop at any time and continue later.`}
      actions={<CloseButton aria-label="Hide: set up Bailiwick" onClick={dismiss} />}
    >
      <ol className={classes.steps}>
        {steps.map((step) => {
          const words = setupWords[step.step]
          return words && <StepItem key={step.step} step={step} words={words} isNext={step === next} />
        })}
      </ol>
      <p className={classes.also}>
        Also{' '}
        <Anchor
          href="/docs/guides/operations#backup-and-restore-embedded-database"
          target="_blank"
          rel="noopener"
          underline="always"
          inherit
        >
          back up the database and the secret key
        </Anchor>
        . Bailiwick cannot check whether this is done.
      </p>
    </Panel>
  )
}

type StepProps = { step: SetupStep; words: SetupWords; isNext: boolean }

function StepItem({ step, words, isNext }: StepProps): ReactNode {
  const id = useId()
  // The next one is open until the caller has chosen otherwise.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? isNext
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <li className={classes.step} data-done={step.isDone}>
      {step.isDone ? (
        <IconCircleCheckFilled size={20} role="img" aria-label="Done" className={classes.done} />
      ) : (
        <IconCircle size={20} stroke={1.6} role="img" aria-label="To do" className={classes.todo} />
      )}
      <div className={classes.words}>
        <button
          type="button"
          className={classes.title}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setChosen(!isOpen)}
        >
          {words.title}
          <Chevron size={16} aria-hidden />
        </button>
        <div id={id} hidden={!isOpen}>
          {isOpen && <StepBody step={step} words={words} isNext={isNext} />}
        </div>
      </div>
    </li>
  )
}

const whose = {
  '': '',
  you: '',
  administrator: 'Your roles do not allow it: a Super Administrator does this.',
  operator: 'The operator of the server does this, on the machine where it runs:',
} as const

const StepBody = ({ step: { doneBy, command, detail }, words, isNext }: StepProps): ReactNode => (
  <div className={classes.body}>
    <p>{words.about}</p>
    <p>
      {words.judged}
      {detail !== '' && ` You opened it at ${detail}.`}
    </p>
    {whose[doneBy] !== '' && <p>{whose[doneBy]}</p>}
    {doneBy === 'operator' && command !== '' && <CopyText value={command} label="command" />}
    {doneBy !== 'administrator' && (
      <div className={classes.actions}>
        {words.ways.map(({ label, to }, place) => (
          <Way key={label} label={label} to={to} isMain={place === 0 && isNext} isFirst={place === 0} />
        ))}
      </div>
    )}
  </div>
)

type WayProps = { label: string; to: string; isMain: boolean; isFirst: boolean }

function Way({ label, to, isMain, isFirst }: WayProps): ReactNode {
  if (to.startsWith('/docs/'))
    return (
      <Anchor href={to} target="_blank" rel="noopener" size="sm">
        {label}
      </Anchor>
    )
  if (isFirst)
    return (
      <Button component={Link} to={to} size="xs" variant={isMain ? 'filled' : 'default'}>
        {label}
      </Button>
    )
  return (
    <Anchor component={Link} to={to} size="sm">
      {label}
    </Anchor>
  )
}
