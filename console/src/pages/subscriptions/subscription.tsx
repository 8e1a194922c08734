import { Alert, Button, Code } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  subscriptionsDelete,
  subscriptionsGet,
  subscriptionsList,
  subscriptionsListDeliveries,
  subscriptionsPause,
  subscriptionsResume,
  subscriptionsRotateSecret,
  subscriptionsTest,
  subscriptionsUpdate,
} from '#client/api/operations.ts'
import type { Subscription } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DeleteButton } from '../../parts/delete-button.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Summary } from '../../parts/summary.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { Deliveries } from './deliveries.tsx'
import { NewSecret } from './new-secret.tsx'
import { Replay } from './replay.tsx'
import { fieldNames, kindsIn, SubscriptionFields } from './subscription-form.tsx'
import { behindText, SubscriptionState } from './words.tsx'

const above = [{ label: 'Subscriptions', to: '/subscriptions' }]
const changed = [subscriptionsGet, subscriptionsList, subscriptionsListDeliveries]
const refreshMs = 5_000

/** One subscription: its state, what it sends, and its deliveries. */
export function SubscriptionPage(): ReactNode {
  const { subscriptionId = '' } = useParams({ strict: false })
  const { may } = useSession()
  const { data, error, refetch } = useQuery({
    ...read(subscriptionsGet, { path: { id: subscriptionId } }),
    refetchInterval: refreshMs,
  })
  const subscription = data?.subscription
  const mayWrite = may('subscriptions.write') && may('systemlog.read')
  if (error)
    return (
      <Page title="Subscription" above={above}>
        <ErrorNote error={error} title="This subscription cannot be shown" retry={() => void refetch()} />
      </Page>
    )
  return (
    <Page
      title={subscription?.displayName ?? null}
      above={above}
      about={subscription?.description}
      actions={subscription && mayWrite && <Actions subscription={subscription} />}
    >
      {subscription && (
        <>
          <Summary
            facts={[
              ['State', <SubscriptionState key="state" of={subscription} />],
              ['Events behind', behindText(subscription.eventsBehind)],
              ['Delivered', Number(subscription.deliveredCount).toLocaleString()],
              ['Last delivery', <Moment key="last" at={subscription.lastDeliveredAt} none="None" show="exact" />],
            ]}
          />
          <Trouble subscription={subscription} mayWrite={mayWrite} />
          <Settings subscription={subscription} mayWrite={mayWrite} />
          <Deliveries subscription={subscription} />
        </>
      )}
    </Page>
  )
}

function Actions({ subscription }: { subscription: Subscription }): ReactNode {
  const path = { id: subscription.id }
  const [isReplaying, setReplaying] = useState(false)
  const pause = useChange(subscriptionsPause, { changes: changed, done: `Paused ${subscription.displayName}` })
  const test = useChange(subscriptionsTest, {
    changes: changed,
    done: ({ delivery }) =>
      delivery?.outcome === 'DELIVERY_OUTCOME_DELIVERED'
        ? `The receiver responded with status ${delivery.status}`
        : `The test failed: ${delivery?.error ?? ''}`,
  })
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ path })}>
        Send test
      </Button>
      <Button variant="default" onClick={() => setReplaying(true)}>
        Replay
      </Button>
      {subscription.state === 'SUBSCRIPTION_STATE_ACTIVE' ? (
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate({ path })}>
          Pause
        </Button>
      ) : (
        <Resume subscription={subscription} label="Resume" />
      )}
      <DeleteButton
        name={subscription.displayName}
        operation={subscriptionsDelete}
        input={{ path: { id: subscription.id } }}
        changes={[subscriptionsList]}
        href="/subscriptions"
      >
        No further events are sent, and the delivery history is deleted. The events are kept in the system log. This
        cannot be undone.
      </DeleteButton>
      {isReplaying && <Replay subscription={subscription} onClose={() => setReplaying(false)} />}
    </>
  )
}

function Resume({ subscription, label }: { subscription: Subscription; label: string }): ReactNode {
  const resume = useChange(subscriptionsResume, { changes: changed, done: `Resumed ${subscription.displayName}` })
  return (
    <Button
      variant="default"
      loading={resume.isPending}
      onClick={() => resume.mutate({ path: { id: subscription.id } })}
    >
      {label}
    </Button>
  )
}

/** Why nothing is sent, and what was sent although the filter failed. */
function Trouble({ subscription, mayWrite }: { subscription: Subscription; mayWrite: boolean }): ReactNode {
  const { state, detail, failedAttempts, nextAttemptAt, filterErrorCount, filterError } = subscription
  const isStopped = state !== 'SUBSCRIPTION_STATE_ACTIVE'
  const icon = <IconAlertTriangle size={18} aria-hidden />
  return (
    <>
      {isStopped && (
        <Alert color="orange" icon={icon} title={state === 'SUBSCRIPTION_STATE_ENDED' ? 'Ended' : 'Paused'}>
          {detail} Events that occur while it is paused are sent when it is resumed.
        </Alert>
      )}
      {!isStopped && failedAttempts > 0 && (
        <Alert color="red" icon={icon} title={`${failedAttempts} failed attempts at the next event`}>
          {detail} The next attempt is at <Moment at={nextAttemptAt} show="exact" />. Later events wait for it.{' '}
          {mayWrite && <Resume subscription={subscription} label="Try now" />}
        </Alert>
      )}
      {Number(filterErrorCount) > 0 && (
        <Alert color="yellow" icon={icon} title={`The filter failed on ${Number(filterErrorCount)} events`}>
          They were sent. The last error was: {filterError}
        </Alert>
      )}
    </>
  )
}

function Settings({ subscription, mayWrite }: { subscription: Subscription; mayWrite: boolean }): ReactNode {
  const [isChanging, setChanging] = useState(false)
  const [isRotating, setRotating] = useState(false)
  return (
    <Panel
      title="Settings"
      actions={
        mayWrite && (
          <div>
            <Button variant="default" mr="sm" onClick={() => setRotating(true)}>
              Rotate secret
            </Button>
            <Button variant="default" onClick={() => setChanging(true)}>
              Edit
            </Button>
          </div>
        )
      }
    >
      <Facts
        facts={[
          ['URL', <Code key="url">{subscription.url}</Code>],
          ['Event kinds', <Code key="kinds">{subscription.eventKinds.join(', ')}</Code>],
          ['Filter', subscription.filter && <Code key="filter">{subscription.filter}</Code>],
          ['Contact', <UserName key="by" userId={subscription.responsibleUserId} />],
          [
            'Previous secret is valid until',
            subscription.oldSecretUntil && <Moment key="old" at={subscription.oldSecretUntil} />,
          ],
          ['Created', <Moment key="created" at={subscription.createdAt} />],
        ]}
      />
      {isChanging && <ChangeSubscription subscription={subscription} onClose={() => setChanging(false)} />}
      {isRotating && <RotateSecret subscription={subscription} onClose={() => setRotating(false)} />}
    </Panel>
  )
}

type Closing = { subscription: Subscription; onClose: () => void }

function ChangeSubscription({ subscription, onClose }: Closing): ReactNode {
  const [values, setValues] = useState({
    displayName: subscription.displayName,
    url: subscription.url,
    kinds: subscription.eventKinds.join('\n'),
    filter: subscription.filter,
  })
  const update = useChange(subscriptionsUpdate, { changes: changed, done: 'Saved', onDone: onClose })
  const { displayName, url, kinds, filter } = values
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit ${subscription.displayName}`}
      verb="Save"
      isIncomplete={displayName.trim() === '' || url.trim() === ''}
      isPending={update.isPending}
      error={update.error}
      fields={fieldNames('subscription.')}
      onSubmit={() =>
        update.mutate({
          path: { id: subscription.id },
          body: {
            subscription: { displayName, url, eventKinds: kindsIn(kinds), filter },
            updateMask: 'displayName,url,eventKinds,filter',
          },
        })
      }
    >
      <SubscriptionFields values={values} onChange={setValues} error={update.error} at="subscription." />
    </FormModal>
  )
}

function RotateSecret({ subscription, onClose }: Closing): ReactNode {
  const [secret, setSecret] = useState('')
  const rotate = useChange(subscriptionsRotateSecret, { changes: changed, onDone: (reply) => setSecret(reply.secret) })
  if (secret !== '')
    return <NewSecret title={`New secret of ${subscription.displayName}`} secret={secret} onClose={onClose} />
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Rotate the secret of ${subscription.displayName}?`}
      verb="Rotate secret"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ path: { id: subscription.id }, body: {} })}
    >
      Messages are signed with both secrets for 24 hours. Set the new one at the receiver within that time.
    </Confirm>
  )
}
