import { Anchor, Button, Text } from '@mantine/core'
import { IconApps, IconFileText, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../client/session.ts'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Way, Ways } from '../../parts/ways.tsx'
import { AddDirectory } from '../directories/add-directory.tsx'
import { AddPerson } from './add-person.tsx'

type Opened = 'person' | 'directory' | null

/** All ways in which people get here, and when each is the right one. */
export function AddPeople(): ReactNode {
  const { may } = useSession()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened>(null)
  const ways: (Way & { needs: string })[] = [
    {
      needs: 'directories.write',
      title: 'A directory',
      icon: IconUsersGroup,
      about:
        'Okta, Microsoft Entra ID or another identity provider sends its users by SCIM, and keeps them up to date.',
      more: 'New people arrive within minutes, and those who leave are disabled. The best choice if you have one.',
      action: <Button onClick={() => setOpened('directory')}>Connect a directory</Button>,
    },
    {
      needs: 'directories.write',
      title: 'An app as a directory',
      icon: IconApps,
      about: 'The accounts of an app become users: of an HR system, LDAP or Google Workspace that a connector reads.',
      more: 'For systems that do not send SCIM. The app and its connector come first; each sync updates the users.',
      action: (
        <Button component={Link} to="/directories/new" variant="default">
          Choose an app
        </Button>
      ),
    },
    {
      needs: 'imports.write',
      title: 'A file',
      icon: IconFileText,
      about: 'A CSV file of your HR system, with any columns: you choose what each of them becomes.',
      more: 'You see what would change before anything is saved. People are up to date when you import the next file.',
      action: (
        <Button component={Link} to="/imports" variant="default">
          Import a file
        </Button>
      ),
    },
    {
      needs: 'users.write',
      title: 'One by one',
      icon: IconUserPlus,
      about: 'Type the name and the email address of a person, for a trial or for somebody who is in no system.',
      more: 'You disable them yourself when they leave. A directory or a file with their email address takes over later.',
      action: (
        <Button variant="default" onClick={() => setOpened('person')}>
          Add person
        </Button>
      ),
    },
  ]
  return (
    <Page
      above={[{ label: 'Users', to: '/users' }]}
      about="People come from a directory, an app or a file, or are added manually. You can combine these."
    >
      <Ways label="Ways to add people" ways={ways.filter(({ needs }) => may(needs))} />
      <Panel title="If a person comes from several places">
        <Text size="sm">
          The email address decides: who has it already is not added again. A directory or a file that has the email
          address of an existing user describes that user, and the import shows this before it is saved. Which directory
          decides about a field is set in{' '}
          <Anchor component={Link} to="/directories/precedence" inherit underline="always">
            the precedence of directories
          </Anchor>
          . People who are two users because they had two addresses can be merged on the page of one of them.
        </Text>
      </Panel>
      {opened === 'person' && (
        <AddPerson onClose={() => setOpened(null)} onAdded={(id) => void navigate({ href: `/users/${id}` })} />
      )}
      <AddDirectory opened={opened === 'directory'} onClose={() => setOpened(null)} />
    </Page>
  )
}
