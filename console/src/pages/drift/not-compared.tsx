import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { driftCount } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { uncomparedWords } from './uncompared.ts'

/** What is not compared, in a sentence that leads to what to do about it. */
export function NotCompared({ otherwise = null }: { otherwise?: ReactNode }): ReactNode {
  const { data: counted } = useQuery(read(driftCount, {}))
  const words = counted ? uncomparedWords(counted) : ''
  if (words === '') return counted && otherwise
  return (
    <>
      {words}{' '}
      <Anchor component={Link} to="/connectors" inherit underline="always" style={{ whiteSpace: 'nowrap' }}>
        Review connectors
      </Anchor>
    </>
  )
}
