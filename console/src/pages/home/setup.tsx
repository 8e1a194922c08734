import { Anchor, Button, CloseButton } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { homeGetSetup } from '#client/api/operations.ts'
import type { ReplyOf } from '#client/operation.ts'
import { useDismissed } from '../../client/dismissed.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Panel } from '../../parts/panel.tsx'
import classes from './setup.module.css'

type Step = ReplyOf<typeof homeGetSetup>['list'][number]['step']
type Words = { title: string; about: string; action: string; to: string; other?: { label: string; to: string } }

const words: Readonly<Record<Step, Words | null>> = {
  SETUP_STEP_UNSPECIFIED: null,
  SETUP_STEP_PASSKEY: {
    title: 'Add a passkey',
    about: 'Sign in without a one-time link.',
    action: 'Add a passkey',
    to: '/settings/passkeys',
  },
  SETUP_STEP_PEOPLE: {
    title: 'Add your people',
    about: 'Connect a directory, or import a file.',
    action: 'Connect a directory',
    to: '/directories/new',
    other: { label: 'Import a file', to: '/imports' },
  },
  SETUP_STEP_APPS: {
    title: 'Add an app and its entitlements',
    about: 'Connect an app, or create one and import its entitlements.',
    action: 'Connect an app',
    to: '/connectors/new',
    other: { label: 'Create an app', to: '/apps#create' },
  },
  SETUP_STEP_ACCESS: {
    title: 'Record who has access',
    about: 'Use a connector or an import, or grant access manually.',
    action: 'Import access',
    to: '/imports',
    other: { label: 'Open an app', to: '/apps' },
  },
  SETUP_STEP_RULE: {
    title: 'Create the first rule',
    about: 'Grants an entitlement to everyone who matches, and removes it from those who no longer do.',
    action: 'Create a rule',
    to: '/rules#create',
  },
  SETUP_STEP_REQUESTS: {
    title: 'Let people request access',
    about: 'Publish an access profile with entitlements that people can request.',
    action: 'Create an access profile',
    to: '/profiles#create',
  },
  SETUP_STEP_ADMINISTRATORS: {
    title: 'Add a second administrator',
    about: 'So that you are not locked out if one of you is unavailable.',
    action: 'Choose a person',
    to: '/users',
  },
  SETUP_STEP_MAIL: {
    title: 'Send email',
    about:
      'Start the server with --smtp-host and --mail-from, so that people are notified about approvals and access that ends.',
    action: 'See notifications',
    to: '/settings/organisation-notifications',
  },
}

/** The first steps of an administrator, marked as done by the existing data. Hidden after the last of them. */
export function Setup(): ReactNode {
  const { user, may } = useSession()
  const [isDismissed, dismiss] = useDismissed('setup', user?.id ?? '')
  const isAsked = may('apps.write') && !isDismissed
  const { data } = useQuery({ ...read(homeGetSetup, {}), enabled: isAsked })
  const steps = data?.list ?? []
  const done = steps.filter(({ isDone }) => isDone).length
  if (!isAsked || steps.length === done) return null
  return (
    <Panel
      title="Set up Bailiwick"
      about={`${done} of ${steps.length} steps done.`}
      actions={<CloseButton aria-label="Dismiss: set up Bailiwick" onClick={dismiss} />}
    >
      <ol className={classes.steps}>
        {steps.map(({ step, isDone }) => {
          const of = words[step]
          return of && <StepItem key={step} words={of} isDone={isDone} />
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

const StepItem = ({
  words: { title, about, action, to, other },
  isDone,
}: {
  words: Words
  isDone: boolean
}): ReactNode => (
  <li className={classes.step} data-done={isDone}>
    {isDone ? (
      <IconCircleCheckFilled size={20} role="img" aria-label="Done" className={classes.done} />
    ) : (
      <IconCircle size={20} stroke={1.6} role="img" aria-label="To do" className={classes.todo} />
    )}
    <div className={classes.words}>
      <div className={classes.title}>{title}</div>
      {!isDone && <div className={classes.about}>{about}</div>}
    </div>
    {!isDone && (
      <div className={classes.actions}>
        {other && (
          <Anchor component={Link} to={other.to} size="sm">
            {other.label}
          </Anchor>
        )}
        <Button component={Link} to={to} size="xs" variant="default">
          {action}
        </Button>
      </div>
    )}
  </li>
)
