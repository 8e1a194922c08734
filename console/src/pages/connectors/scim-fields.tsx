import { Alert, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { scimConnectorTest } from '#client/api/operations.ts'
import type { ScimCheck } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { problemOf } from '../../client/problem.ts'
import { ErrorNote } from '../../parts/error-note.tsx'

export type ScimValues = { baseUrl: string; token: string }

type ScimFieldsProps = {
  values: ScimValues
  onChange: (values: ScimValues) => void
  /** The error when they were sent. */
  error: unknown
  /** The note under the token. */
  tokenNote: string
  isTokenRequired?: boolean
}

/** The URL of an app's SCIM API, and its token; both can be tested. */
export function ScimFields({ values, onChange, error, tokenNote, isTokenRequired = true }: ScimFieldsProps): ReactNode {
  const test = useMutation({ mutationFn: (body: ScimValues) => call(scimConnectorTest, { body }) })
  const change = (changed: Partial<ScimValues>): void => {
    test.reset()
    onChange({ ...values, ...changed })
  }
  return (
    <>
      <TextInput
        label="Base URL"
        description="The URL without /Users or /Groups."
        placeholder="https://app.example.com/scim/v2"
        required
        maxLength={2000}
        value={values.baseUrl}
        onChange={({ currentTarget: { value } }) => change({ baseUrl: value })}
        error={problemOf(error ?? test.error, 'baseUrl')}
      />
      <PasswordInput
        label="Token"
        description={tokenNote}
        required={isTokenRequired}
        autoComplete="off"
        maxLength={8000}
        value={values.token}
        onChange={({ currentTarget: { value } }) => change({ token: value })}
        error={problemOf(error ?? test.error, 'token')}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
      />
      <Group>
        <Button
          variant="default"
          disabled={values.baseUrl.trim() === '' || values.token.trim() === ''}
          loading={test.isPending}
          onClick={() => test.mutate(values)}
        >
          Test connection
        </Button>
      </Group>
      <TestResult check={test.data?.check} />
      <ErrorNote error={test.error} title="The test could not be run" shownElsewhere={['baseUrl', 'token']} />
    </>
  )
}

/** The result of a test, and what to do about it. */
export const TestResult = ({ check }: { check: ScimCheck | null | undefined }): ReactNode =>
  check && (
    <Alert
      color={check.isWorking ? 'green' : 'orange'}
      variant="light"
      role="status"
      icon={check.isWorking ? <IconCircleCheck size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />}
      title={check.isWorking ? 'The connection works' : 'The connection does not work'}
      style={{ overflowWrap: 'anywhere' }}
    >
      <Text size="sm">{check.message}</Text>
      {check.advice && (
        <Text size="sm" mt="xs">
          {check.advice}
        </Text>
      )}
    </Alert>
  )
