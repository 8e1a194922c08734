import type { ReactNode } from 'react'
import { changesList, changesSummarize } from '#client/api/operations.ts'
import { Page } from '../../parts/page.tsx'
import { Compare } from './compare.tsx'

/** What changed in the whole tenant between two moments. */
export const TenantChanges = (): ReactNode => (
  <Page about="Compare two moments: who gained and lost access, and what was added and removed.">
    <Compare
      of="the tenant"
      summary={(query) => [changesSummarize, { query }]}
      list={[changesList, (query) => ({ query })]}
    />
  </Page>
)
