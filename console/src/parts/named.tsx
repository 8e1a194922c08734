import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './named.module.css'
import { PageLink } from './page-link.tsx'
import { useLacking } from './pages.ts'

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
  const lackingFor = useLacking()
  const [pathname = ''] = to.split(/[?#]/)
  return pathname !== '' && lackingFor(pathname) === null
}
