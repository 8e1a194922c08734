import { Anchor, Button, FileButton, Group, List, Text } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { taskAuditList, taskProvisioningAttach, taskProvisioningGet } from '#client/api/operations.ts'
import type { TaskProvisioningResponse } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { may, type SeenTask } from './seen-task.ts'

const accepted = 'image/png,image/jpeg,application/pdf,text/plain,text/csv'
const bytesMax = 5 * 1024 * 1024

export const useProvisioning = (taskId: string, isAsked = true): TaskProvisioningResponse | undefined =>
  useQuery({ ...read(taskProvisioningGet, { path: { task_id: taskId } }), enabled: isAsked }).data

/** By when people make the change, what they attached, and what imports of the app say of it since. */
export function Proof({ seen }: { seen: SeenTask }): ReactNode {
  const isAboutAccess = seen.kind === 'grant' || seen.kind === 'revoke'
  const data = useProvisioning(seen.task.id, isAboutAccess)
  const mayAttach = may(seen, 'PROVISION_COMPLETE')
  if (!data || (!mayAttach && !data.dueAt && data.attachments.length === 0 && !data.check.match(/CONFIRMED|WAITING/)))
    return null
  return (
    <Panel title="The change in the app" isFirst>
      {data.dueAt && (
        <Text size="sm">
          Due <Moment at={data.dueAt} />
          {new Date(data.dueAt) < new Date() && ' (overdue)'}. Whoever is asked is reminded until it is done.
        </Text>
      )}
      <Checked of={data} seen={seen} />
      {data.attachments.length > 0 && (
        <List size="sm" mt="xs" aria-label="Files">
          {data.attachments.map(({ id, name, byteCount, addedByUserId, addedAt }) => (
            <List.Item key={id} icon={<IconPaperclip size={16} aria-hidden />}>
              <Anchor href={`/api/v1/tasks/${seen.task.id}/attachments/${id}`} download={name} size="sm">
                {name}
              </Anchor>{' '}
              ({Math.ceil(byteCount / 1024).toLocaleString()} KB), {seen.nameOf(addedByUserId)}, <Moment at={addedAt} />
            </List.Item>
          ))}
        </List>
      )}
      {mayAttach && (
        <Attach seen={seen} isRequired={data.proof === 'MANUAL_PROOF_FILE' && data.attachments.length === 0} />
      )}
    </Panel>
  )
}

function Checked({ of, seen }: { of: TaskProvisioningResponse; seen: SeenTask }): ReactNode {
  const app = seen.app?.displayName || 'the app'
  const by = of.checkedByConnector ? 'sync' : 'import'
  if (of.check === 'PROVISION_CHECK_WAITING')
    return <Text size="sm">Not confirmed yet: the next sync or full import of {app} shows whether it is so.</Text>
  if (of.check === 'PROVISION_CHECK_CONFIRMED')
    return (
      <Text size="sm" c="teal.8">
        Confirmed by the {by} of <Moment at={of.checkedAt} />.
      </Text>
    )
  if (of.check === 'PROVISION_CHECK_NOT_CONFIRMED')
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {seen.kind === 'grant' ? `It is not there: the ${by} of ` : `It is still there: the ${by} of `}
        <Moment at={of.checkedAt} /> {seen.kind === 'grant' ? 'did not find this access' : 'found this access'} in {app}
        .
      </Text>
    )
  return null
}

/** A file that shows that the change is made. */
function Attach({ seen, isRequired }: { seen: SeenTask; isRequired: boolean }): ReactNode {
  const [problem, setProblem] = useState('')
  const attach = useChange(taskProvisioningAttach, {
    changes: [taskProvisioningGet, taskAuditList],
    done: 'File attached',
  })
  return (
    <>
      <Group mt="sm" gap="sm">
        <FileButton
          accept={accepted}
          onChange={(file) => {
            if (!file) return
            setProblem(file.size > bytesMax ? 'A file can have at most 5 MB.' : '')
            if (file.size <= bytesMax)
              attach.mutate({
                path: { task_id: seen.task.id },
                query: { policy_step_id: seen.task.policy?.current?.id ?? '', name: file.name },
                file,
              })
          }}
        >
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="default"
              loading={attach.isPending}
              leftSection={<IconPaperclip size={14} aria-hidden />}
            >
              Attach a file
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {isRequired ? 'Required before you mark it as done. ' : ''}PNG, JPEG, PDF, text or CSV, up to 5 MB. Everyone
          who sees the task sees it.
        </Text>
      </Group>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <ErrorNote error={attach.error} />
    </>
  )
}
