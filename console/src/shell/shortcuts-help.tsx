import { Kbd, Stack, Switch, Table, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode, useId } from 'react'
import { useSession } from '../client/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useDestinations } from '../parts/pages.ts'
import { useShortcutsOn } from '../parts/shortcuts.ts'
import { decideKeys, everywhereKeys, listKeys } from './keys.ts'

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)

type KeyRow = { keys: readonly string[]; about: string }

/** All shortcuts, and the switch that turns those of one key off. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }): ReactNode {
  const { may } = useSession()
  const [isOn, setOn] = useShortcutsOn()
  const goes = useDestinations().flatMap(({ key, label }) => (key ? [{ keys: ['g', key], about: label }] : []))
  return (
    <Dialog opened onClose={onClose} title="Keyboard shortcuts" size="md">
      <Stack>
        <Keys title="Everywhere" rows={everywhereKeys(isMac ? '⌘' : 'Ctrl')} />
        <Keys title="Go to" rows={goes} />
        <Keys title="Lists" rows={listKeys} />
        {may('tasks.own') && <Keys title="Inbox" rows={decideKeys} />}
        <Switch
          label="Use single-key shortcuts in this browser"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => setOn(checked)}
        />
        <Text size="sm" c="dimmed">
          Shortcuts do nothing while you type in a field.
        </Text>
      </Stack>
    </Dialog>
  )
}

function Keys({ title, rows }: { title: string; rows: readonly KeyRow[] }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {title}
      </Title>
      <Table aria-labelledby={id}>
        <Table.Tbody>
          {rows.map(({ keys, about }) => (
            <Table.Tr key={about}>
              <Table.Th scope="row" w="7rem">
                {keys.map((key, place) => (
                  <Fragment key={`${key} ${place}`}>
                    {place > 0 && ' '}
                    <Kbd>{key}</Kbd>
                  </Fragment>
                ))}
              </Table.Th>
              <Table.Td>{about}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
