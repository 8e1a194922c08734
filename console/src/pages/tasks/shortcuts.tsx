import { Kbd, Stack, Switch, Table, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog } from '../../parts/dialog.tsx'

const keys = [
  ['j', 'Next request'],
  ['k', 'Previous request'],
  ['x', 'Select or unselect it'],
  ['*', 'Select or unselect all on this page'],
  ['Esc', 'Clear the selection'],
  ['a', 'Approve the selected requests, or this one'],
  ['d', 'Deny the selected requests, or this one'],
  ['Enter', 'Open it'],
  ['?', 'Show keyboard shortcuts'],
] as const

/** Whether single keys do something: WCAG 2.2, 2.1.4, asks that they can be turned off. */
const useShortcutsOn = () =>
  useLocalStorage({ key: 'bailiwick-shortcuts', defaultValue: true, getInitialValueInEffect: false })

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=checkbox]):not([type=radio])') ||
    target.closest('[role=dialog], [role=listbox]') !== null)

/** Single keys, as long as nobody types and no window is open. What answers false leaves the key to the browser. */
export function useShortcuts(handlers: Readonly<Record<string, () => unknown>>): void {
  const [isOn] = useShortcutsOn()
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    if (!isOn) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role=dialog]')) return
      const handler = latest.current[event.key]
      if (handler && handler() !== false) event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}

export function ShortcutsHelp({ onClose }: { onClose: () => void }): ReactNode {
  const [isOn, setOn] = useShortcutsOn()
  return (
    <Dialog opened onClose={onClose} title="Keyboard shortcuts" size="md">
      <Stack>
        <Table>
          <Table.Tbody>
            {keys.map(([key, about]) => (
              <Table.Tr key={key}>
                <Table.Th scope="row" w="6rem">
                  <Kbd>{key}</Kbd>
                </Table.Th>
                <Table.Td>{about}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Use these keys in this browser"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => setOn(checked)}
        />
        <Text size="sm" c="dimmed">
          Shortcuts are off while you type in a field.
        </Text>
      </Stack>
    </Dialog>
  )
}
