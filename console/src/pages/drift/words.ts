import { IconBookmark, IconRefresh, IconTrash, IconUserMinus } from '@tabler/icons-react'
import type { Drift } from '#client/api/types.ts'

/** Those that can be chosen. */
export type Remedy = Exclude<Drift['remedies'][number], 'DRIFT_REMEDY_UNSPECIFIED'>

type Words = { label: string; done: string; about: string; icon: typeof IconTrash }

/** What can be done about differences, in the order in which it is offered. */
export const words: Readonly<Partial<Record<Remedy, Words>>> = {
  DRIFT_REMEDY_KEEP: {
    label: 'Keep',
    done: 'Recorded as a manual grant',
    about: 'Unexplained access is recorded as a manual grant.',
    icon: IconBookmark,
  },
  DRIFT_REMEDY_REVOKE: {
    label: 'Revoke',
    done: 'Created a task to revoke access',
    about: 'Creates a task under the revoke policy for each unexplained access.',
    icon: IconUserMinus,
  },
  DRIFT_REMEDY_PROVISION: {
    label: 'Provision again',
    done: 'Created a task to provision access again',
    about: 'Provisions missing access in the app again, through the connector or manually.',
    icon: IconRefresh,
  },
  DRIFT_REMEDY_REMOVE: {
    label: 'Remove grant',
    done: 'Removed the grant',
    about: 'Removes manual and requested grants that are missing in the app.',
    icon: IconTrash,
  },
}

export const remediesInOrder = Object.keys(words) as Remedy[]
