import type { AutomationPlanItem, AutomationRun } from '#client/api/types.ts'

export type Outcome = AutomationPlanItem['outcome']

/** The four groups of a plan, in the order in which they are shown. */
export const groups = [
  { outcome: 'AUTOMATION_OUTCOME_GAIN', count: 'gain', label: 'Added', nobody: 'Nobody would be added.' },
  { outcome: 'AUTOMATION_OUTCOME_LOSE', count: 'lose', label: 'Removed', nobody: 'Nobody would be removed.' },
  {
    outcome: 'AUTOMATION_OUTCOME_STAY',
    count: 'stay',
    label: 'Unchanged',
    nobody: 'Nobody who matches already has it.',
  },
  {
    outcome: 'AUTOMATION_OUTCOME_EXCLUDED',
    count: 'excluded',
    label: 'Excluded',
    nobody: 'The exclusion list has no effect here.',
  },
] as const satisfies readonly { outcome: Outcome; count: string; label: string; nobody: string }[]

export const causeWords: Readonly<Record<AutomationRun['cause'], string>> = {
  AUTOMATION_RUN_CAUSE_UNSPECIFIED: 'Unknown',
  AUTOMATION_RUN_CAUSE_SAVED: 'Rule saved',
  AUTOMATION_RUN_CAUSE_CHANGE: 'Change of user data',
  AUTOMATION_RUN_CAUSE_EXCLUSION: 'Exclusion removed',
  AUTOMATION_RUN_CAUSE_SCHEDULE: 'Schedule',
  AUTOMATION_RUN_CAUSE_HAND: 'Started manually',
  AUTOMATION_RUN_CAUSE_APPLY: 'Plan applied',
  AUTOMATION_RUN_CAUSE_RELEASE: 'Held run released',
  AUTOMATION_RUN_CAUSE_UNDO: 'Run undone',
}

export const statusWords: Readonly<Record<AutomationRun['status'], readonly [label: string, color: string]>> = {
  AUTOMATION_RUN_STATUS_UNSPECIFIED: ['Unknown', 'gray.8'],
  AUTOMATION_RUN_STATUS_RUNNING: ['Running', 'ink.8'],
  AUTOMATION_RUN_STATUS_HELD: ['Held', 'orange.9'],
  AUTOMATION_RUN_STATUS_DONE: ['Done', 'teal.9'],
  AUTOMATION_RUN_STATUS_FAILED: ['Failed', 'red.9'],
  AUTOMATION_RUN_STATUS_CANCELLED: ['Cancelled', 'gray.8'],
  AUTOMATION_RUN_STATUS_SUPERSEDED: ['Replaced', 'gray.8'],
}

/** `1 person`, `12 people`. */
export const people = (count: number): string => `${count.toLocaleString()} ${count === 1 ? 'person' : 'people'}`

/** `12 people added, 1 person removed`; nothing where nothing would change. */
export const changeWords = ({ gain, lose }: { gain: number; lose: number }): string =>
  [gain > 0 && `${people(gain)} added`, lose > 0 && `${people(lose)} removed`].filter(Boolean).join(', ')
