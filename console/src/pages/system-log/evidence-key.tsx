import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { evidenceGetKey } from '#client/api/operations.ts'
import { read } from '../../client/queries.ts'
import { CopyText } from '../../parts/copy.tsx'
import classes from './log.module.css'

/** What whoever verifies an evidence pack needs from here: the pack itself could name any key. */
export function EvidenceKey(): ReactNode {
  const { data } = useQuery(read(evidenceGetKey, {}))
  if (!data) return null
  return (
    <div className={classes.badge}>
      <span className={classes.quiet}>Key of evidence packs</span>
      <CopyText value={data.fingerprint} label="fingerprint of the key" />
    </div>
  )
}
