import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

type PageLinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string }

/**
 * A link to an address with a query. The router is given the two apart: what stays in every address, as the moment of a page in the
 * past (roots.ts), is added to the query, and would otherwise be added to its last value.
 */
export const PageLink = ({ to, ...props }: PageLinkProps): ReactNode => {
  const [path = '', query = ''] = to.split('?')
  return <Link {...props} to={path} search={Object.fromEntries(new URLSearchParams(query)) as never} />
}
