import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

type PanelProps = {
  title?: string
  about?: ReactNode
  actions?: ReactNode
  /** In a narrow window it comes before the panels beside it. */
  isFirst?: boolean
  children: ReactNode
}

/** A framed part of a page. */
export function Panel({ title, about, actions, isFirst = false, children }: PanelProps): ReactNode {
  const id = useId()
  return (
    <section
      className={classes.panel}
      {...(title && { 'aria-labelledby': id })}
      {...(isFirst && { 'data-first': true })}
    >
      {title && (
        <header className={classes.header}>
          <div>
            <Title order={2} id={id}>
              {title}
            </Title>
            {about && <p className={classes.about}>{about}</p>}
          </div>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}
