import { Anchor, Skeleton, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useAsOf } from './as-of.tsx'
import classes from './page.module.css'
import { usePageData } from './pages.ts'

type PageProps = {
  /** Null while it is read; missing if it is always the same and defined with the route. */
  title?: string | null
  /** Breadcrumb, from the top: each a label and an address. */
  above?: readonly { label: string; to: string }[]
  /** One sentence under the title. */
  about?: ReactNode
  /** Hidden when the page shows the past, where nothing can be changed. */
  actions?: ReactNode
  children: ReactNode
}

let isFirstPage = true

/** The frame of every page: the title of the window and of the page, the breadcrumb, the actions. */
export function Page({ title: ownTitle, above = [], about, actions, children }: PageProps): ReactNode {
  const { title: fixedTitle = null } = usePageData()
  const title = ownTitle === undefined ? fixedTitle : ownTitle
  const heading = useRef<HTMLHeadingElement>(null)
  const asOf = useAsOf()
  useEffect(() => {
    if (title !== null) document.title = `${title} · Bailiwick`
  }, [title])
  // After following a link, a screen reader announces the new page. On the first page the focus stays at the top of the
  // window, and if a dialog was opened before the page was loaded, such as the search, the focus stays there.
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
