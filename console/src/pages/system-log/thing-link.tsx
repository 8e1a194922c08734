import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './log.module.css'
import { type Thing, typeName } from './things.ts'

type ThingLinkProps = {
  thing: Thing
  /** Shows its type, too. */
  hasType?: boolean
}

/** Something that an event mentions, by its name, which leads to its page. */
export const ThingLink = ({ thing, hasType = false }: ThingLinkProps): ReactNode => (
  <span className={classes.thing}>
    {hasType && thing.label && <span className={classes.quiet}>{typeName(thing.type)} </span>}
    {thing.to ? (
      <Anchor component={Link} to={thing.to} size="sm" underline="always">
        {thing.label || typeName(thing.type)}
      </Anchor>
    ) : (
      thing.label || typeName(thing.type)
    )}
    {thing.about && <span className={classes.quiet}> in {thing.about}</span>}
    {thing.isDeleted && <span className={classes.quiet}> (deleted)</span>}
  </span>
)
