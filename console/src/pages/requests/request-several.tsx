import { Anchor, Button, Fieldset, Group, List, Stack, Text, Textarea } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { requestCatalogSearchEntitlements, requestsCreate, requestTermsGet } from '#client/api/operations.ts'
import type { CreateRequestsResponse, ResultOfSeveral } from '#client/api/types.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DurationField, isLength } from '../../parts/duration-field.tsx'
import { type Answers, FormFields, standardAnswers, unanswered } from '../../parts/form-fields.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { taskReads } from '../tasks/reads.ts'
import { seenTask } from '../tasks/seen-task.ts'
import { peopleWords } from '../tasks/task-columns.tsx'
import { counted, standing } from '../tasks/words.ts'
import { keyOfItem, type Requestable } from './catalog.ts'
import { ForWhom, type Person } from './for-whom.tsx'

type Filled = { duration?: string | null; answers?: Answers }

type RequestSeveralProps = {
  items: readonly Requestable[]
  forUser?: Person | null
  onClose: () => void
  /** Called with what was requested. */
  onSent: (items: readonly Requestable[]) => void
}

/** The settings of each request, and what is filled in so far. */
function useForms(items: readonly Requestable[], filled: Readonly<Record<string, Filled>>) {
  const found = useQueries({
    queries: items.map(({ entitlement: { appId, id } }) => ({
      ...read(requestTermsGet, { path: { app_id: appId, entitlement_id: id } }),
      retry: false,
    })),
  })
  return items.map((item, place) => {
    const terms = found[place]?.data
    const own = filled[keyOfItem(item)]
    const fields = terms?.requestSchema?.form?.fields ?? []
    const max = terms ? terms.maxGrantDuration : item.entitlement.durationGrant
    const duration = own && 'duration' in own ? (own.duration ?? null) : (terms?.suggestedGrantDuration ?? max)
    const answers = own?.answers ?? standardAnswers(fields)
    return {
      ...{ item, fields, max, duration, answers },
      why: own && 'duration' in own ? '' : (terms?.suggestedGrantDurationWhy ?? ''),
      isReasonRequired: terms?.justificationRequired ?? false,
      isPending: found[place]?.isPending ?? true,
      isComplete: isLength(duration, max) && unanswered(fields, answers).length === 0,
    }
  })
}
type Form = ReturnType<typeof useForms>[number]

/** Requests several entitlements with one reason. Each has its own duration and answers, and its own result. */
export function RequestSeveral({ items: chosen, forUser = null, onClose, onSent }: RequestSeveralProps): ReactNode {
  // What was sent is no longer chosen, but its results are shown.
  const [items] = useState(chosen)
  const [reason, setReason] = useState('')
  const [forWhom, setForWhom] = useState<Person | null>(forUser)
  const [filled, setFilled] = useState<Readonly<Record<string, Filled>>>({})
  const [reply, setReply] = useState<CreateRequestsResponse | null>(null)
  const forms = useForms(items, filled)
  const create = useChange(requestsCreate, {
    changes: [...taskReads, requestCatalogSearchEntitlements],
    onDone(done) {
      setReply(done)
      onSent(items.filter((_, place) => done.results[place]?.taskView))
    },
  })
  if (reply) return <Results reply={reply} items={items} onClose={onClose} />
  const isReasonRequired = forms.some((form) => form.isReasonRequired)
  const fill = (item: Requestable, change: Filled): void =>
    setFilled((before) => ({ ...before, [keyOfItem(item)]: { ...before[keyOfItem(item)], ...change } }))
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Request ${counted(items.length, 'entitlement')}`}
      verb={`Send ${counted(items.length, 'request')}`}
      isPending={create.isPending || forms.some(({ isPending }) => isPending)}
      isIncomplete={forms.some(({ isComplete }) => !isComplete) || (isReasonRequired && reason.trim() === '')}
      error={create.error}
      fields={['description']}
      onSubmit={() =>
        create.mutate({
          body: {
            description: reason.trim(),
            ...(forWhom && { identityUserId: forWhom.id }),
            requests: forms.map(({ item: { entitlement }, duration, fields, answers }) => ({
              appId: entitlement.appId,
              appEntitlementId: entitlement.id,
              grantDuration: duration,
              ...(fields.length > 0 && { requestData: { ...answers } }),
            })),
            expandMask: { paths: ['*'] },
          },
        })
      }
    >
      <Textarea
        label="Reason"
        description="The same for all of them. Visible to everyone who can see the requests."
        data-autofocus
        required={isReasonRequired}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={problemOf(create.error, 'description')}
      />
      <ForWhom chosen={forWhom} onChoose={setForWhom} />
      {forms.map((form) => (
        <OneOfThem key={keyOfItem(form.item)} form={form} onFill={(change) => fill(form.item, change)} />
      ))}
    </FormModal>
  )
}

const OneOfThem = ({ form, onFill }: { form: Form; onFill: (change: Filled) => void }): ReactNode => (
  <Fieldset legend={`${form.item.entitlement.displayName}, ${form.item.appName}`}>
    <Stack gap="sm">
      <DurationField
        key={`${form.max} ${form.isPending}`}
        label={`For how long: ${form.item.entitlement.displayName}`}
        {...(form.why && { description: form.why })}
        value={form.duration}
        onChange={(duration) => onFill({ duration })}
        max={form.max}
      />
      {form.fields.length > 0 && (
        <FormFields
          fields={form.fields}
          answers={form.answers}
          onChange={(answers) => onFill({ answers })}
          problem={() => undefined}
        />
      )}
    </Stack>
  </Fieldset>
)

type ResultsProps = { reply: CreateRequestsResponse; items: readonly Requestable[]; onClose: () => void }

/** What came of each request. */
const Results = ({ reply, items, onClose }: ResultsProps): ReactNode => {
  const sent = reply.results.filter(({ taskView }) => taskView).length
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        sent === reply.results.length
          ? `${counted(sent, 'request')} created`
          : `${sent} of ${counted(reply.results.length, 'request')} created`
      }
    >
      <Stack>
        <div role="status">
          <List size="sm" spacing="xs">
            {reply.results.map((result, place) => (
              <List.Item key={`${result.appId} ${result.appEntitlementId}`}>
                <strong>{items[place]?.entitlement.displayName}</strong>: <Result of={result} reply={reply} />
              </List.Item>
            ))}
          </List>
        </div>
        <Group justify="flex-end">
          <Button component={Link} to="/requests" variant="default">
            My requests
          </Button>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Result({ of, reply }: { of: ResultOfSeveral; reply: CreateRequestsResponse }): ReactNode {
  const seen = seenTask(of.taskView, reply)
  if (!seen)
    return (
      <Text span size="sm" c="var(--mantine-color-error)">
        {of.openTaskId ? 'there is already an open request for this' : of.fields[0] || of.message}
        {of.openTaskId && (
          <>
            {': '}
            <Anchor component={Link} to={`/tasks/${of.openTaskId}`} size="sm" underline="always">
              open it
            </Anchor>
          </>
        )}
      </Text>
    )
  const people = peopleWords(seen.task.stepApproverIds.map(seen.nameOf))
  return (
    <>
      {standing(seen)[0].toLowerCase()}
      {people && ` (${people})`},{' '}
      <Anchor component={Link} to={`/tasks/${seen.task.numericId}`} size="sm" underline="always">
        task #{seen.task.numericId}
      </Anchor>
    </>
  )
}
