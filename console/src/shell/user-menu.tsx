import { ActionIcon, Avatar, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconDevices, IconFingerprint, IconKey, IconLogout } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { signInOut } from '#client/api/operations.ts'
import { call } from '../client/call.ts'
import { useSession } from '../client/session.ts'

/** Leaves with a fresh page: nothing that was read as the one who left stays in memory. */
async function signOut(): Promise<void> {
  await call(signInOut, {})
  location.assign('/sign-in')
}

export function UserMenu(): ReactNode {
  const { user } = useSession()
  const name = user?.displayName || user?.email || ''
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl">
          <Avatar size={28} name={name} color="ink" variant="filled" aria-hidden />
          <VisuallyHidden>User menu, {name}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {user?.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/credentials" leftSection={<IconKey size={16} aria-hidden />}>
          API credentials
        </Menu.Item>
        <Menu.Item component={Link} to="/settings/passkeys" leftSection={<IconFingerprint size={16} aria-hidden />}>
          Passkeys
        </Menu.Item>
        <Menu.Item component={Link} to="/settings/sessions" leftSection={<IconDevices size={16} aria-hidden />}>
          Sessions
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()} leftSection={<IconLogout size={16} aria-hidden />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
