import { Button, Group, Text } from '@mantine/core'
import { IconFileText, IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import classes from './file-drop.module.css'

type FileDropProps = { file: File | null; onFile: (file: File | null) => void; isDisabled: boolean }

const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 ** 2
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`

/** A place to drop a file on, with a button for those who do not drag. */
export function FileDrop({ file, onFile, isDisabled }: FileDropProps): ReactNode {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped && !isDisabled) onFile(dropped)
  }
  return (
    <div
      className={classes.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        className={classes.input}
        type="file"
        tabIndex={-1}
        aria-label="File to import"
        accept=".jsonl,.ndjson,.csv,.c1z"
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0] ?? null)
          currentTarget.value = ''
        }}
      />
      {file ? (
        <Group gap="sm">
          <IconFileText size={24} stroke={1.4} aria-hidden />
          <div>
            <Text fw={600} size="sm">
              {file.name}
            </Text>
            <Text size="xs" c="dimmed">
              {sizeOf(file.size)}
            </Text>
          </div>
        </Group>
      ) : (
        <Group gap="sm">
          <IconUpload size={24} stroke={1.4} aria-hidden />
          <div>
            <Text fw={600} size="sm">
              Drop a file here
            </Text>
            <Text size="xs" c="dimmed">
              JSON Lines, CSV or a connector file (.c1z), up to 1 GiB
            </Text>
          </div>
        </Group>
      )}
      <Group gap="xs">
        {file && (
          <Button variant="subtle" disabled={isDisabled} onClick={() => onFile(null)}>
            Remove
          </Button>
        )}
        <Button variant="default" disabled={isDisabled} onClick={() => input.current?.click()}>
          {file ? 'Choose another' : 'Choose a file'}
        </Button>
      </Group>
    </div>
  )
}
