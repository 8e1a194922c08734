import { Anchor, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { requestCatalogSearchEntitlements, requestTermsGet, taskCreateGrantTask } from '#client/api/operations.ts'
import type { RequestPlan, TaskServiceCreateGrantResponse } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { useEnforcedBy } from '../../client/enforcement.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { DurationField, isLength } from '../../parts/duration-field.tsx'
import { type Answers, FormFields, standardAnswers, unanswered } from '../../parts/form-fields.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { type Changed, isOnlyRecorded } from '../tasks/planned-stop.tsx'
import { taskReads } from '../tasks/reads.ts'
import { seenTask } from '../tasks/seen-task.ts'
import { peopleWords } from '../tasks/task-columns.tsx'
import { standing } from '../tasks/words.ts'
import type { Requestable } from './catalog.ts'
import { ForWhom, type Person } from './for-whom.tsx'
import { isPlanChanged, RequestPlanView, useRequestPlan } from './request-plan.tsx'

type RequestDialogProps = {
  item: Requestable
  /** The default beneficiary; without it, the caller. */
  forUser?: Person | null
  onClose: () => void
}

const reasonMax = 10_000

/** Requests access: why, for how long, for whom, and the answers to its form. */
export function RequestDialog({ item, forUser = null, onClose }: RequestDialogProps): ReactNode {
  const { entitlement, isHeld, isForGood } = item
  const [sent, setSent] = useState<TaskServiceCreateGrantResponse | null>(null)
  const asked = useRequestForm(item, forUser, sent === null)
  const { form, planned, forWhom, reason, duration, answers } = asked
  const changed = { appName: item.appName, by: useEnforcedBy(entitlement) }
  const create = useChange(taskCreateGrantTask, {
    changes: [...taskReads, requestCatalogSearchEntitlements],
    onDone: (reply) => setSent(reply),
  })
  const { error } = create
  const submit = (): void =>
    create.mutate(
      {
        body: {
          ...planned.asked,
          description: reason.trim(),
          // The request is created exactly as the plan shows it, or not at all.
          planFingerprint: planned.plan?.fingerprint ?? '',
          expandMask: { paths: ['*'] },
        },
      },
      { onError: (refused) => void (isPlanChanged(refused) && planned.again()) },
    )
  if (sent) return <Sent reply={sent} item={item} planned={planned.plan} changed={changed} onClose={onClose} />
  const isChanged = isPlanChanged(error)
  const openTaskId = planned.plan?.openTaskId ?? ''
  const existing = error instanceof ApiError && error.reason === 'TASK_EXISTS' ? error.metadata : null
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`${isHeld && !isForGood && !forWhom ? 'Extend' : 'Request'} ${entitlement.displayName}`}
      verb="Send request"
      isPending={create.isPending || form.isPending || planned.isPending}
      isIncomplete={
        !isLength(duration, form.max) ||
        openTaskId !== '' ||
        unanswered(form.fields, answers).length > 0 ||
        (form.isReasonRequired && form.isReasonShown && reason.trim() === '')
      }
      error={existing || isChanged ? null : error}
      fields={['description', 'grantDuration', ...form.fields.map(({ name }) => `requestData.${name}`)]}
      onSubmit={submit}
    >
      <About item={item} isForSelf={!forWhom} />
      <ForWhom chosen={forWhom} onChoose={asked.setForWhom} />
      <RequestFields {...asked} error={error} />
      {(existing || openTaskId) && (
        <OpenRequest taskId={existing?.['numericId'] ?? openTaskId} number={existing?.['numericId']} />
      )}
      {openTaskId === '' && (
        <RequestPlanView
          planned={planned}
          isChanged={isChanged}
          person={forWhom?.displayName ?? null}
          changed={changed}
        />
      )}
    </FormModal>
  )
}

type RequestFieldsProps = Omit<ReturnType<typeof useRequestForm>, 'forWhom' | 'setForWhom'> & { error: unknown }

function RequestFields({ form, planned, error, ...asked }: RequestFieldsProps): ReactNode {
  return (
    <>
      {form.isReasonShown && (
        <ReasonField
          isRequired={form.isReasonRequired}
          value={asked.reason}
          onChange={asked.setReason}
          error={problemOf(error, 'description')}
        />
      )}
      <DurationField
        key={form.max}
        label="For how long"
        value={asked.duration}
        onChange={asked.setDuration}
        max={form.max}
        error={problemOf(error ?? planned.error, 'grantDuration')}
      />
      {form.fields.length > 0 && (
        <FormFields
          fields={form.fields}
          answers={asked.answers}
          onChange={asked.setAnswers}
          problem={(name) => problemOf(error ?? planned.error, `requestData.${name}`)}
        />
      )}
      {form.isEmergencyPossible && (
        <Checkbox
          label="This is an emergency"
          description="The emergency policy applies."
          checked={asked.isEmergency}
          onChange={({ currentTarget: { checked } }) => asked.setEmergency(checked)}
        />
      )}
    </>
  )
}

/** The request while it is edited, and its plan. */
function useRequestForm(item: Requestable, forUser: Person | null, isOpen: boolean) {
  const { appId, id } = item.entitlement
  const [reason, setReason] = useState('')
  const [forWhom, setForWhom] = useState<Person | null>(forUser)
  const form = useTerms(item)
  const [picked, setDuration] = useState<string | null | undefined>()
  const duration = picked === undefined ? form.max : picked
  const [isEmergency, setEmergency] = useState(false)
  const [given, setAnswers] = useState<Answers | null>(null)
  const answers = given ?? standardAnswers(form.fields)
  const planned = useRequestPlan(
    {
      appId,
      appEntitlementId: id,
      ...(forWhom && { identityUserId: forWhom.id }),
      grantDuration: duration,
      emergencyAccess: isEmergency,
      ...(form.fields.length > 0 && { requestData: { ...answers } }),
    },
    isOpen && !form.isPending && isLength(duration, form.max),
  )
  return {
    form,
    planned,
    ...{ forWhom, setForWhom, reason, setReason, duration, setDuration },
    ...{ isEmergency, setEmergency, answers, setAnswers },
  }
}

/**
 * The settings for a request of it. For callers who may not read them, the API refuses the request and names what is
 * missing.
 */
function useTerms({ entitlement: { appId, id, durationGrant } }: Requestable) {
  const { data, isPending } = useQuery({
    ...read(requestTermsGet, { path: { app_id: appId, entitlement_id: id } }),
    retry: false,
  })
  const schema = data?.requestSchema
  return {
    fields: schema?.form?.fields ?? [],
    isReasonShown: schema?.justificationVisibility !== 'JUSTIFICATION_VISIBILITY_HIDE',
    isReasonRequired: data?.justificationRequired ?? false,
    isEmergencyPossible: data?.emergencyAvailable ?? false,
    max: data ? data.maxGrantDuration : durationGrant,
    isPending,
  }
}

/** What is requested, and that the caller has it already. */
const About = ({ item, isForSelf }: { item: Requestable; isForSelf: boolean }): ReactNode => (
  <Text size="sm" c="dimmed">
    {[item.appName && `In ${item.appName}`, item.entitlement.description].filter(Boolean).join('. ')}
    {item.isHeld &&
      isForSelf &&
      (item.isForGood
        ? ' You already have this access, without expiry.'
        : ' You already have this access. It is extended when the request is approved.')}
  </Text>
)

type ReasonFieldProps = {
  isRequired: boolean
  value: string
  onChange: (reason: string) => void
  error: string | undefined
}

const ReasonField = ({ isRequired, value, onChange, error }: ReasonFieldProps): ReactNode => (
  <Textarea
    label="Reason"
    description="Visible to everyone who can see the request."
    data-autofocus
    required={isRequired}
    autosize
    minRows={2}
    maxRows={8}
    maxLength={reasonMax}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    error={error}
  />
)

/** The request that is already open: its number is known only from the refusal. */
const OpenRequest = ({ taskId, number }: { taskId: string; number: string | undefined }): ReactNode => (
  <Text size="sm" role="alert" c="var(--mantine-color-error)">
    There is already an open request for this:{' '}
    <Anchor component={Link} to={`/tasks/${taskId}`} size="sm">
      {number ? `task #${number}` : 'open it'}
    </Anchor>
    .
  </Text>
)

type SentProps = {
  reply: TaskServiceCreateGrantResponse
  item: Requestable
  planned: RequestPlan | null
  changed: Changed
  onClose: () => void
}

function Sent({ reply, item, planned, changed, onClose }: SentProps): ReactNode {
  const seen = seenTask(reply.taskView, reply)
  const [word] = seen ? standing(seen) : ['Sent']
  const people = seen ? peopleWords(seen.task.stepApproverIds.map(seen.nameOf)) : ''
  const isGranted = word === 'Granted'
  const isRecorded = isGranted && isOnlyRecorded(planned?.steps ?? [], changed)
  const grantedWords = isRecorded
    ? `${item.entitlement.displayName} is recorded. Nobody is asked to change ${item.appName || 'the app'}.`
    : `You can use ${item.entitlement.displayName} now.`
  return (
    <Dialog
      opened
      onClose={onClose}
      title={isRecorded ? 'Access recorded' : isGranted ? 'Access granted' : 'Request sent'}
      size="md"
    >
      <Stack>
        <Text size="sm" role="status">
          {isGranted
            ? grantedWords
            : people
              ? `${item.entitlement.displayName} is waiting for a decision by ${people}.`
              : `${item.entitlement.displayName}: ${word.toLowerCase()}.`}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button component={Link} to={`/tasks/${seen?.task.numericId ?? ''}`} data-autofocus>
            Open task #{seen?.task.numericId}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
