import { Anchor, Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  requestCatalogSearchEntitlements,
  requestTermsGet,
  taskCreateGrantTask,
  taskInboxListReports,
} from '#client/api/operations.ts'
import type { TaskServiceCreateGrantResponse, User } from '#client/api/types.ts'
import { ApiError } from '#client/api-error.ts'
import { problemOf } from '../../client/problem.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Chosen } from '../../parts/chosen.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DurationField, isLength } from '../../parts/duration-field.tsx'
import { type Answers, FormFields, standardAnswers, unanswered } from '../../parts/form-fields.tsx'
import { FormModal } from '../../parts/form-modal.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { taskReads } from '../tasks/reads.ts'
import { seenTask } from '../tasks/seen-task.ts'
import { peopleWords } from '../tasks/task-columns.tsx'
import { standing } from '../tasks/words.ts'
import type { Requestable } from './catalog.ts'
import { isPlanChanged, RequestPlanView, useRequestPlan } from './request-plan.tsx'

type RequestDialogProps = {
  item: Requestable
  /** For whom, unless it is chosen otherwise; oneself without. */
  forUser?: Person | null
  onClose: () => void
}

const reasonMax = 10_000

/** Asks for access: why, for how long, for whom, and what its form asks. */
export function RequestDialog({ item, forUser = null, onClose }: RequestDialogProps): ReactNode {
  const { entitlement, isHeld, isForGood } = item
  const [reason, setReason] = useState('')
  const [forWhom, setForWhom] = useState<Person | null>(forUser)
  const [sent, setSent] = useState<TaskServiceCreateGrantResponse | null>(null)
  const form = useTerms(item)
  const { max } = form
  const [picked, setPicked] = useState<string | null | undefined>()
  const duration = picked === undefined ? max : picked
  const [isEmergency, setEmergency] = useState(false)
  const [given, setAnswers] = useState<Answers | null>(null)
  const answers = given ?? standardAnswers(form.fields)
  const create = useChange(taskCreateGrantTask, {
    changes: [...taskReads, requestCatalogSearchEntitlements],
    onDone: (reply) => setSent(reply),
  })
  const { error } = create
  const planned = useRequestPlan(
    {
      appId: entitlement.appId,
      appEntitlementId: entitlement.id,
      ...(forWhom && { identityUserId: forWhom.id }),
      grantDuration: duration,
      emergencyAccess: isEmergency,
      ...(form.fields.length > 0 && { requestData: { ...answers } }),
    },
    sent === null && !form.isPending && isLength(duration, max),
  )
  if (sent) return <Sent reply={sent} item={item} onClose={onClose} />
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
        !isLength(duration, max) ||
        openTaskId !== '' ||
        unanswered(form.fields, answers).length > 0 ||
        (form.isReasonRequired && form.isReasonShown && reason.trim() === '')
      }
      error={existing || isChanged ? null : error}
      fields={['description', 'grantDuration', ...form.fields.map(({ name }) => `requestData.${name}`)]}
      onSubmit={() =>
        create.mutate(
          {
            body: {
              ...planned.asked,
              description: reason.trim(),
              // Made as it was shown, or not at all.
              planFingerprint: planned.plan?.fingerprint ?? '',
              expandMask: { paths: ['*'] },
            },
          },
          { onError: (refused) => void (isPlanChanged(refused) && planned.again()) },
        )
      }
    >
      <Text size="sm" c="dimmed">
        {[item.appName && `In ${item.appName}`, entitlement.description].filter(Boolean).join('. ')}
        {isHeld &&
          !forWhom &&
          (isForGood
            ? ' You already have this access, without expiry.'
            : ' You already have this access. It is extended when the request is approved.')}
      </Text>
      <ForWhom chosen={forWhom} onChoose={setForWhom} />
      {form.isReasonShown && (
        <Textarea
          label="Reason"
          description="Visible to everyone who can see the request."
          data-autofocus
          required={form.isReasonRequired}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={reasonMax}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
          error={problemOf(error, 'description')}
        />
      )}
      <DurationField
        key={max}
        label="For how long"
        value={duration}
        onChange={setPicked}
        max={max}
        error={problemOf(error ?? planned.error, 'grantDuration')}
      />
      {form.fields.length > 0 && (
        <FormFields
          fields={form.fields}
          answers={answers}
          onChange={setAnswers}
          problem={(name) => problemOf(error ?? planned.error, `requestData.${name}`)}
        />
      )}
      {form.isEmergencyPossible && (
        <Checkbox
          label="This is an emergency"
          description="The emergency policy applies."
          checked={isEmergency}
          onChange={({ currentTarget: { checked } }) => setEmergency(checked)}
        />
      )}
      {(existing || openTaskId) && (
        <Text size="sm" role="alert" c="var(--mantine-color-error)">
          There is already an open request for this:{' '}
          <Anchor component={Link} to={`/tasks/${existing?.['numericId'] ?? openTaskId}`} size="sm">
            {existing ? `task #${existing['numericId']}` : 'open it'}
          </Anchor>
          .
        </Text>
      )}
      {openTaskId === '' && (
        <RequestPlanView planned={planned} isChanged={isChanged} person={forWhom?.displayName ?? null} />
      )}
    </FormModal>
  )
}

/** What applies to a request of it. Whoever may not read that is asked by the API for what is missing. */
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

type Person = Pick<User, 'id' | 'displayName'>

/** For oneself, unless one may ask for others: anyone by the help desk, their reports by managers. */
function ForWhom({ chosen, onChoose }: { chosen: Person | null; onChoose: (who: Person | null) => void }): ReactNode {
  const { may } = useSession()
  const mayAll = may('tasks.others')
  const { data } = useQuery({ ...read(taskInboxListReports, {}), enabled: !mayAll })
  const reports = data?.list ?? []
  if (mayAll)
    return (
      <Stack gap="xs">
        <UserPicker
          label="For someone else"
          description={chosen ? undefined : 'Leave empty to request access for yourself.'}
          onPick={onChoose}
        />
        {chosen && (
          <Chosen
            items={[chosen]}
            keyOf={({ id }) => id}
            nameOf={({ displayName }) => displayName}
            onRemove={() => onChoose(null)}
          />
        )}
      </Stack>
    )
  if (reports.length === 0) return null
  return (
    <NativeSelect
      label="For whom"
      value={chosen?.id ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(reports.find(({ id }) => id === value) ?? null)}
      data={[
        { value: '', label: 'Myself' },
        ...reports.map(({ id, displayName }) => ({ value: id, label: displayName })),
      ]}
    />
  )
}

type SentProps = { reply: TaskServiceCreateGrantResponse; item: Requestable; onClose: () => void }

function Sent({ reply, item, onClose }: SentProps): ReactNode {
  const seen = seenTask(reply.taskView, reply)
  const [word] = seen ? standing(seen) : ['Sent']
  const people = seen ? peopleWords(seen.task.stepApproverIds.map(seen.nameOf)) : ''
  const isGranted = word === 'Granted'
  return (
    <Dialog opened onClose={onClose} title={isGranted ? 'Access granted' : 'Request sent'} size="md">
      <Stack>
        <Text size="sm" role="status">
          {isGranted
            ? `You can use ${item.entitlement.displayName} now.`
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
