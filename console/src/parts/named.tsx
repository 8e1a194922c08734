import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { lacking } from '../client/needed.ts'
import { useSession } from '../client/session.ts'
import classes from './named.module.css'
import { PageLink } from './page-link.tsx'

type NamedProps = {
  label: string
  /** Where it leads; only the name where that is nowhere. */
  to?: string | undefined
  /** A quiet line under it. */
  about?: ReactNode
  isQuiet?: boolean
}

/** A thing in a list by its name, which leads to its page if the caller may open it. */
export const Named = ({ label, to, about, isQuiet = false }: NamedProps): ReactNode => (
  <div>
    {useIsOpen(to) && to ? (
      <Anchor component={PageLink} to={to} size="sm" fw={isQuiet ? 400 : 600}>
        {label}
      </Anchor>
    ) : (
      <span className={isQuiet ? undefined : classes.name}>{label}</span>
    )}
    {about && <div className={classes.about}>{about}</div>}
  </div>
)

function useIsOpen(to = ''): boolean {
  const session = useSession()
  const [pathname = ''] = to.split(/[?#]/)
  return pathname !== '' && lacking(pathname, session) === null
}
