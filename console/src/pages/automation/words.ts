import type { AutomationPlanItem, AutomationRun } from '#client/api/types.ts'

export type Outcome = AutomationPlanItem['outcome']

/** The four groups of a plan, in the order in which they are shown. */
export const groups = [
  { outcome: 'AUTOMATION_OUTCOME_GAIN', count: 'gain', label: 'gain it', nobody: 'Nobody would gain it.' },
  { outcome: 'AUTOMATION_OUTCOME_LOSE', count: 'lose', label: 'lose it', nobody: 'Nobody would lose it.' },
  { outcome: 'AUTOMATION_OUTCOME_STAY', count: 'stay', label: 'keep it', nobody: 'Nobody who matches has it already.' },
  {
    outcome: 'AUTOMATION_OUTCOME_EXCLUDED',
    count: 'excluded',
    label: 'left alone',
    nobody: 'Nobody on the exclusion list is concerned.',
  },
] as const satisfies readonly { outcome: Outcome; count: string; label: string; nobody: string }[]

export const causeWords: Readonly<Record<AutomationRun['cause'], string>> = {
  AUTOMATION_RUN_CAUSE_UNSPECIFIED: 'Unknown',
  AUTOMATION_RUN_CAUSE_SAVED: 'The rule was saved',
  AUTOMATION_RUN_CAUSE_CHANGE: 'People changed',
  AUTOMATION_RUN_CAUSE_EXCLUSION: 'An exclusion was removed',
  AUTOMATION_RUN_CAUSE_SCHEDULE: 'By the clock',
  AUTOMATION_RUN_CAUSE_HAND: 'Started by hand',
  AUTOMATION_RUN_CAUSE_APPLY: 'A plan was applied',
  AUTOMATION_RUN_CAUSE_RELEASE: 'A held run was released',
  AUTOMATION_RUN_CAUSE_UNDO: 'A run was undone',
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

/** `12 people gain it, 1 person loses it`; nothing where nothing would change. */
export const changeWords = ({ gain, lose }: { gain: number; lose: number }): string =>
  [
    gain > 0 && `${people(gain)} ${gain === 1 ? 'gains' : 'gain'} it`,
    lose > 0 && `${people(lose)} ${lose === 1 ? 'loses' : 'lose'} it`,
  ]
    .filter(Boolean)
    .join(', ')
