import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { isSentForApproval } from '../client/problem.ts'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-note.tsx'

type FormModalProps = {
  opened: boolean
  onClose: () => void
  title: string
  /** The verb on the button. */
  verb: string
  onSubmit: () => void
  /** Whether something is missing; the button is then disabled. */
  isIncomplete?: boolean
  isPending: boolean
  error: unknown
  /** The API's names of the fields that show their own errors, by `problemOf`. */
  fields?: readonly string[]
  children: ReactNode
}

/** A form over the page. Errors of a field are shown at the field, all others at the end. */
export const FormModal = (props: FormModalProps): ReactNode => (
  <Dialog opened={props.opened} onClose={props.onClose} title={props.title}>
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!props.isIncomplete && !props.isPending && !isSentForApproval(props.error)) props.onSubmit()
      }}
    >
      <Stack>
        {props.children}
        <ErrorNote error={props.error} shownElsewhere={props.fields ?? []} />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {isSentForApproval(props.error) ? 'Close' : 'Cancel'}
          </Button>
          {!isSentForApproval(props.error) && (
            <Button type="submit" loading={props.isPending} disabled={props.isIncomplete ?? false}>
              {props.verb}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  </Dialog>
)
