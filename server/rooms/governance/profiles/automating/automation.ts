import type { Automation, Run } from '#rooms/rules/automation/index.ts'

/** The settings of a profile's automation in addition to its rule. */
export type Settings = { isEnabled: boolean; createsTasks: boolean; removedPercent: number }

/** The automation of a profile: the rule of its enrollment, with settings. */
export type BundleAutomation = { rule: Automation; settings: Settings; lastRun: Run | null }
