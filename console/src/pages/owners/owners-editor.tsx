import { Button, Skeleton } from '@mantine/core'
import { IconPlus, IconUserStar } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AsOfField, useAsOf } from '../../parts/as-of.tsx'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Owned, ownerWords } from './kinds.ts'
import { ManyOwners } from './many-owners.tsx'
import classes from './owners-editor.module.css'
import { OwnersForm } from './owners-form.tsx'
import { RolePanel } from './role-panel.tsx'
import { useRoles } from './roles.ts'

type OwnersEditorProps<Path> = {
  owned: Owned<Path>
  /** What the owned thing is called. */
  name: string
  mayChange: boolean
}

/** Who owns a thing, role by role, or page by page where they are many; now, or at an earlier moment. */
export function OwnersEditor<Path>({ owned, name, mayChange }: OwnersEditorProps<Path>): ReactNode {
  const asOf = useAsOf()
  const { roles, isMany, isPending, error, retry } = useRoles(owned, asOf)
  const [isNew, setNew] = useState(false)
  const mayNow = mayChange && asOf === ''
  if (isMany) return <ManyOwners owned={owned} mayChange={mayNow} />
  const add = mayNow && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNew(true)}>
      {roles.length === 0 ? 'Add owner' : 'Add a role'}
    </Button>
  )
  return (
    <>
      <div className={classes.tools} role="search">
        <AsOfField />
        {roles.length > 0 && <div className={classes.add}>{add}</div>}
      </div>
      {error ? (
        <ErrorNote error={error} title="The owners cannot be shown" retry={retry} />
      ) : isPending ? (
        <Skeleton height={180} radius="md" />
      ) : roles.length === 0 ? (
        <Panel>
          {asOf ? (
            <EmptyNote icon={IconUserStar} title="No owners at that time">
              No role had an owner at that time.
            </EmptyNote>
          ) : (
            <EmptyNote icon={IconUserStar} title={`${name} has no owners`} action={add}>
              {ownerWords[owned.of].none}
            </EmptyNote>
          )}
        </Panel>
      ) : (
        roles.map((role) => <RolePanel key={role.slug} owned={owned} role={role} mayChange={mayNow} />)
      )}
      {isNew && <OwnersForm owned={owned} taken={roles.map(({ slug }) => slug)} onClose={() => setNew(false)} />}
    </>
  )
}
