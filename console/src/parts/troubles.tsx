import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export type Trouble = { title: string; words: ReactNode; advice: ReactNode }

/** Problems of something that works automatically, with what to do about each. */
export const Troubles = ({ troubles }: { troubles: readonly Trouble[] }): ReactNode =>
  troubles.map(({ title, words, advice }) => (
    <Alert
      key={title}
      color="orange"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={title}
      style={{ overflowWrap: 'anywhere' }}
    >
      <Text size="sm">{words}</Text>
      {advice && (
        <Text size="sm" mt="xs">
          {advice}
        </Text>
      )}
    </Alert>
  ))
