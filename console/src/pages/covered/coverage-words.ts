import type { CoverageNext, GetCoverageResponse } from '#client/api/types.ts'

type Shares = Pick<GetCoverageResponse, 'percent' | 'grants' | 'confirmed' | 'unreliable' | 'people' | 'nobody'>

/** `34%`, in words for all of it: what share of the access the apps confirm. */
export const coverageTitle = ({ percent, grants }: Shares): string =>
  grants === 0 ? 'There is no access yet' : `${percent}% of the access is confirmed by the apps`

const counted = (count: number, words: string): string[] => (count > 0 ? [`${count.toLocaleString()} ${words}`] : [])

/** What becomes of the rest, each with its number. */
export const restWords = ({ unreliable, people, nobody }: Shares): string[] => [
  ...counted(unreliable, 'by connectors that do not sync'),
  ...counted(people, 'by people who get tasks'),
  ...counted(nobody, 'only recorded'),
]

/** What to do, and the tab of the app on which it is done. */
export const remedies: Readonly<Record<CoverageNext['whatToDo'][number], { label: string; tab: string } | null>> = {
  COVERAGE_REMEDY_UNSPECIFIED: null,
  COVERAGE_REMEDY_CONNECT_APP: { label: 'Connect the app', tab: 'connectors' },
  COVERAGE_REMEDY_REPAIR_CONNECTOR: { label: 'Repair its connector', tab: 'connectors' },
  COVERAGE_REMEDY_TURN_ON_PROVISIONING: { label: 'Turn on provisioning', tab: 'connectors' },
  COVERAGE_REMEDY_NAME_PEOPLE: { label: 'Have people asked', tab: 'connectors' },
}
