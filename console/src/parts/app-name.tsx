import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { appsGet } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'

const knownMs = 300_000

/** An app, by id: its name. */
export function AppName({ id }: { id: string }): ReactNode {
  const { data } = useQuery({ ...read(appsGet, { path: { id } }), staleTime: knownMs })
  return data?.app?.displayName || id
}
