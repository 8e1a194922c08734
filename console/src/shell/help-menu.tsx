import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconBook, IconCode, IconHelp, IconKeyboard, IconVocabulary } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSession } from '../client/session.ts'
import { openShortcuts } from '../parts/shortcuts.ts'

const pages = [
  ['Console guide', '/docs/guides/console', IconBook],
  ['Docs', '/docs/guides', IconBook],
  ['API reference', '/docs', IconCode],
  ['Glossary', '/docs/guides/glossary', IconVocabulary],
] as const

export function HelpMenu(): ReactNode {
  const { serverVersion } = useSession()
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Help">
          <IconHelp size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {pages.map(([label, href, Icon]) => (
          <Menu.Item
            key={href}
            component="a"
            href={href}
            target="_blank"
            rel="noopener"
            leftSection={<Icon size={16} aria-hidden />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={openShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>
          <Text size="xs">Bailiwick {serverVersion}</Text>
        </Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}
