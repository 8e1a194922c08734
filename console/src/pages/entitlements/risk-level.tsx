import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { attributesListComplianceFrameworks, attributesListRiskLevels } from '#client/api/operations.ts'
import type { AttributeValue } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'

const knownMs = 60_000

/** The risk levels; none for callers who may not see them. */
export function useRiskLevels(): readonly AttributeValue[] {
  const { may } = useSession()
  const asked = read(attributesListRiskLevels, { query: { page_size: 100 } })
  return useQuery({ ...asked, staleTime: knownMs, enabled: may('attributes.read') }).data?.list ?? []
}

/** The compliance frameworks; none for callers who may not see them. */
export function useFrameworks(): readonly AttributeValue[] {
  const { may } = useSession()
  const asked = read(attributesListComplianceFrameworks, { query: { page_size: 100 } })
  return useQuery({ ...asked, staleTime: knownMs, enabled: may('attributes.read') }).data?.list ?? []
}

/** Levels are words of the tenant's own: those that most use have a colour. */
const colorOf = (level: string): string => {
  if (/critical|high|severe/i.test(level)) return 'red'
  if (/medium|moderate/i.test(level)) return 'orange'
  if (/low|minor/i.test(level)) return 'teal'
  return 'gray'
}

export function RiskLevel({ id }: { id: string }): ReactNode {
  const level = useRiskLevels().find((each) => each.id === id)
  if (!level) return <span style={{ color: 'var(--quiet)' }}>–</span>
  return (
    <Badge component="span" color={colorOf(level.value)}>
      {level.value}
    </Badge>
  )
}
