import { IconBookmark, IconRefresh, IconTrash, IconUserMinus } from '@tabler/icons-react'
import type { Drift } from '#client/api/types.ts'

export type Remedy = Drift['remedies'][number]

type Words = { label: string; done: string; about: string; icon: typeof IconTrash }

/** What can be done about differences, in the order in which it is offered. */
export const words: Readonly<Partial<Record<Remedy, Words>>> = {
  DRIFT_REMEDY_KEEP: {
    label: 'Keep',
    done: 'Recorded as given by hand',
    about: 'Unexplained access is recorded as given by hand.',
    icon: IconBookmark,
  },
  DRIFT_REMEDY_REVOKE: {
    label: 'Revoke',
    done: 'Created a task to revoke it',
    about: 'For each unexplained access, a task is created that revokes it, under the revoke policy.',
    icon: IconUserMinus,
  },
  DRIFT_REMEDY_PROVISION: {
    label: 'Provision again',
    done: 'Created a task to give it in the app again',
    about: 'Missing access is given in the app again: by the connector, or by people if it cannot.',
    icon: IconRefresh,
  },
  DRIFT_REMEDY_REMOVE: {
    label: 'Remove the record',
    done: 'Removed the record',
    about: 'The records of missing access that was given by hand or by request end.',
    icon: IconTrash,
  },
}

export const remediesInOrder = Object.keys(words) as Remedy[]
