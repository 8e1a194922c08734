import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { rolesList, servicePrincipalGet, userGet, userRolesAdd, userRolesRemove } from '#client/api/operations.ts'
import type { User } from '#client/api/types.ts'
import { read, useChange } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'

/** What a user may do here: their roles, which those may change who hold what the role permits. */
export function UserRoles({ user }: { user: User }): ReactNode {
  const { may, permissions } = useSession()
  const [wanted, setWanted] = useState<string | null>(null)
  const { data } = useQuery({ ...read(rolesList, { query: { page_size: 100 } }), enabled: may('roles.read') })
  const changes = [userGet, servicePrincipalGet]
  const isProgram = user.type === 'USER_TYPE_SERVICE'
  const add = useChange(userRolesAdd, { changes, done: 'Granted the role', onDone: () => setWanted(null) })
  const remove = useChange(userRolesRemove, { changes, done: 'Removed the role' })
  const mayChange = may('roles.assign')
  const roles = data?.list ?? []
  const nameOf = (id: string): string => roles.find((role) => role.id === id)?.displayName ?? id
  const isWithin = (id: string): boolean =>
    roles.find((role) => role.id === id)?.permissions.every((each) => permissions.includes(each)) ?? false
  const others = roles.filter(({ id }) => !user.roleIds.includes(id) && isWithin(id))
  return (
    <Panel title="Roles" about={`What this ${isProgram ? 'program' : 'person'} can do in Bailiwick.`}>
      <Stack gap="sm">
        {user.roleIds.length === 0 && (
          <Text size="sm">
            {isProgram
              ? 'No roles: it has no permissions.'
              : 'No roles: this person can sign in, but has no permissions.'}
          </Text>
        )}
        {user.roleIds.map((id) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Text size="sm">{nameOf(id)}</Text>
            {mayChange && isWithin(id) && (
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={`Remove the role ${nameOf(id)}`}
                loading={remove.isPending && remove.variables.path.role_id === id}
                onClick={() => {
                  add.reset()
                  remove.mutate({ path: { user_id: user.id, role_id: id } })
                }}
              >
                Remove
              </Button>
            )}
          </Group>
        ))}
        {mayChange && (
          <Group align="flex-end" wrap="nowrap">
            <Select
              label="Grant a role"
              placeholder="Choose a role"
              flex={1}
              data={others.map(({ id, displayName }) => ({ value: id, label: displayName }))}
              value={wanted}
              onChange={setWanted}
              nothingFoundMessage="No other role"
            />
            <Button
              loading={add.isPending}
              disabled={wanted === null}
              onClick={() => {
                remove.reset()
                if (wanted) add.mutate({ path: { user_id: user.id, role_id: wanted } })
              }}
            >
              {' '}
              Grant{' '}
            </Button>
          </Group>
        )}
        <ErrorNote error={add.error ?? remove.error} />
      </Stack>
    </Panel>
  )
}
