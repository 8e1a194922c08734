import { Button } from '@mantine/core'
import { IconFileText, IconListDetails, IconPlugConnected } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../../client/session.ts'
import { Page } from '../../../parts/page.tsx'
import { type Way, Ways } from '../../../parts/ways.tsx'
import { AppFromFile } from './app-from-file.tsx'
import { ManualApp } from './manual-app.tsx'

type Chosen = 'file' | 'manual' | null

/** The ways in which an app gets here, and the two of them that need no connector. */
export function NewApp(): ReactNode {
  const { may } = useSession()
  const [chosen, setChosen] = useState<Chosen>(null)
  const choose = (way: NonNullable<Chosen>, label: string): ReactNode => (
    <Button
      variant={chosen === way ? 'filled' : 'default'}
      aria-expanded={chosen === way}
      onClick={() => setChosen(way)}
    >
      {label}
    </Button>
  )
  const ways: (Way & { needs: string })[] = [
    {
      needs: 'imports.write',
      title: 'A connector',
      icon: IconPlugConnected,
      about: 'It reads the accounts, roles and groups of the app, and grants and revokes access there.',
      more: 'The app confirms what was done. The best choice if there is a connector, or if the app supports SCIM.',
      action: (
        <Button component={Link} to="/connectors/new">
          Choose a connector
        </Button>
      ),
    },
    {
      needs: 'imports.write',
      title: 'A file',
      icon: IconFileText,
      about: 'A CSV file of its members, as most apps export it, with any columns: you choose what each becomes.',
      more: 'You see what would be created before it is saved. As long as there is no connector, its owners are asked to make changes in the app.',
      action: choose('file', 'Use a file'),
    },
    {
      needs: 'apps.write',
      title: 'Manually',
      icon: IconListDetails,
      about: 'Type its entitlements, and choose its owners and members.',
      more: 'For an app with few people. As long as there is no connector, its owners are asked to make changes in the app.',
      action: choose('manual', 'Enter it here'),
    },
  ]
  return (
    <Page
      above={[{ label: 'Apps', to: '/apps' }]}
      about="An app comes from a connector or a file, or is entered manually. A connector can be added to any of them later."
    >
      <Ways label="Ways to add an app" ways={ways.filter(({ needs }) => may(needs))} />
      {chosen === 'file' && <AppFromFile />}
      {chosen === 'manual' && <ManualApp />}
    </Page>
  )
}
