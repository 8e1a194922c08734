import { IconLock } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { useSession } from '../../client/session.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { Page } from '../../parts/page.tsx'

/** A page for those who may change directories. */
export function ForWriters({ children, ...page }: ComponentProps<typeof Page>): ReactNode {
  const { may } = useSession()
  return (
    <Page {...page}>
      {may('directories.write') ? (
        children
      ) : (
        <EmptyNote icon={IconLock} title="You cannot edit directories">
          Only a Super Administrator can.
        </EmptyNote>
      )}
    </Page>
  )
}
