import type { Automation, Run } from '#rooms/rules/automation/index.ts'

/** What is said of a profile's automation beside its rule. */
export type Settings = { isEnabled: boolean; createsTasks: boolean; removedPercent: number }

/** The automation of a profile: the rule of its enrollment, and what is said beside it. */
export type BundleAutomation = { rule: Automation; settings: Settings; lastRun: Run | null }
