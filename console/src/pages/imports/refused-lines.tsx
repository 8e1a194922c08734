import { Alert, Button, Code, Group, ScrollArea, Text } from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ApiError } from '#client/api-error.ts'
import { numberOf } from './counts.tsx'
import classes from './refused-lines.module.css'

/** Saves the refused lines as a file, for the person who fixes the source. */
function download(error: ApiError): void {
  const text = error.violations.map(({ field, description }) => `${field}\t${description}\n`).join('')
  const url = URL.createObjectURL(new Blob([text], { type: 'text/tab-separated-values' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'refused-lines.tsv' })
  link.click()
  URL.revokeObjectURL(url)
}

/** The lines because of which the whole file was refused: the API names the first thousand of them. */
export function RefusedLines({ error }: { error: ApiError }): ReactNode {
  const count = Number(error.metadata['refused'] ?? error.violations.length)
  const named = error.violations.length
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={`${numberOf(String(count))} ${count === 1 ? 'line was' : 'lines were'} rejected. Nothing was imported`}
    >
      <Group justify="space-between" mb="xs">
        <Text size="sm">
          {count > named ? `The first ${numberOf(String(named))} are listed. ` : ''}Fix the file and try again.
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => download(error)}
        >
          Download list
        </Button>
      </Group>
      <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Rejected lines' }}>
        <ul className={classes.lines}>
          {error.violations.map(({ field, description }) => (
            <li key={`${field} ${description}`}>
              <Code>{field}</Code> {description}
            </li>
          ))}
        </ul>
      </ScrollArea.Autosize>
      {error.requestId && (
        <Text size="xs" c="dimmed" mt="xs">
          Request <Code>{error.requestId}</Code>
        </Text>
      )}
    </Alert>
  )
}
