import { Anchor, Skeleton, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useAsOf } from './as-of.tsx'
import classes from './page.module.css'
import { usePageData } from './pages.ts'

type PageProps = {
  /** Null while it is read; missing where it is always the same and stands with the route. */
  title?: string | null
  /** Breadcrumb, from the top: each a label and an address. */
  above?: readonly { label: string; to: string }[]
  /** One sentence under the title. */
  about?: ReactNode
  /** Nothing can be done in the past: they are left out there. */
  actions?: ReactNode
  children: ReactNode
}

let isFirstPage = true

/** Every page's frame: the title in the window and on the page, the way up, what can be done here. */
export function Page({ title: ownTitle, above = [], about, actions, children }: PageProps): ReactNode {
  const { title: fixedTitle = null } = usePageData()
  const title = ownTitle === undefined ? fixedTitle : ownTitle
  const heading = useRef<HTMLHeadingElement>(null)
  const asOf = useAsOf()
  useEffect(() => {
    if (title !== null) document.title = `${title} · Bailiwick`
  }, [title])
  // Who goes on by a link hears where they are; who has just opened the window starts at its top, and who has opened a dialog before the
  // page was loaded, such as the search, types on there.
  const isNamed = title !== null
  useEffect(() => {
    if (!isNamed) return
    const isElsewhere = document.activeElement?.closest('[role=dialog]')
    if (!isFirstPage && !isElsewhere) heading.current?.focus({ preventScroll: true })
    isFirstPage = false
  }, [isNamed])

  return (
    <>
      <header className={classes.header}>
        <div className={classes.words}>
          {above.length > 0 && (
            <nav aria-label="Breadcrumb" className={classes.above}>
              {above.map(({ label, to }) => (
                <Anchor key={to} component={Link} to={to} size="sm">
                  {label}
                </Anchor>
              ))}
            </nav>
          )}
          <Title order={1} ref={heading} tabIndex={-1}>
            {title ?? (
              <Skeleton component="span" display="inline-block" width="14rem" height="0.8em" aria-label="Loading" />
            )}
          </Title>
          {about && <p className={classes.about}>{about}</p>}
        </div>
        {actions && !asOf && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </>
  )
}
