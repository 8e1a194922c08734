import type { ReactNode } from 'react'
import type { Import, ImportCounts } from '#client/api/types.ts'
import { Table } from '../../parts/table.tsx'

const numbers = new Intl.NumberFormat()
/** A 64-bit number of the API, as people write it. */
export const numberOf = (text: string): string => numbers.format(Number(text))

export const kindNames: Readonly<Record<ImportCounts['kind'], string>> = {
  unspecified: 'Given in the file (column kind)',
  user: 'Users',
  app: 'Apps',
  resource_type: 'Resource types',
  resource: 'Resources',
  entitlement: 'Entitlements',
  account: 'Accounts',
  grant: 'Grants',
}

const total = (counts: Import['counts'], of: 'added' | 'changed' | 'removed'): number =>
  counts.reduce((sum, each) => sum + Number(each[of]), 0)

/** `12 added, 3 changed`, or that nothing was. */
export function countWords(counts: Import['counts']): string {
  const words = (['added', 'changed', 'removed'] as const).flatMap((of) =>
    total(counts, of) > 0 ? [`${numbers.format(total(counts, of))} ${of}`] : [],
  )
  return words.join(', ') || 'Nothing changed'
}

/** What an import did, or would do, a kind a row. */
export const Counts = ({ counts, caption }: { counts: Import['counts']; caption: string }): ReactNode => (
  <Table
    caption={caption}
    rows={counts}
    keyOf={({ kind }) => kind}
    isPending={false}
    isStale={false}
    columns={[
      { header: 'Records', cell: ({ kind }) => kindNames[kind] },
      ...(['added', 'changed', 'unchanged', 'removed'] as const).map((of) => ({
        header: of.charAt(0).toUpperCase() + of.slice(1),
        width: '18%',
        isNumber: true,
        cell: (each: ImportCounts) => numberOf(each[of]),
      })),
    ]}
  />
)

/** What people call a format. */
export const formatNames: Readonly<Record<Import['format'], string>> = {
  unspecified: '',
  jsonl: 'JSON Lines',
  csv: 'CSV',
  c1z: 'Connector file',
}
