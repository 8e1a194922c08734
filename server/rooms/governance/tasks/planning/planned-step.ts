import { described, flag, int32, list, message, oneOf, text, timestamp } from '#kernel/wire.ts'
import { whyTried } from './decide.ts'
import { type Happens, type PlannedStep, stepWords } from './step-kinds.ts'
import { type Names, peopleFields } from './view.ts'

const happensOnWire = {
  automatic: 'PLANNED_STEP_AUTOMATIC',
  people: 'PLANNED_STEP_PEOPLE',
  time: 'PLANNED_STEP_TIME',
  webhook: 'PLANNED_STEP_WEBHOOK',
  stuck: 'PLANNED_STEP_STUCK',
} as const satisfies Record<Happens, string>

export const PlannedStepMessage = message('bailiwick.v1.PlannedStep', {
  place: described(int32(), 'The position of the step in its route, starting at 1.'),
  kind: described(text(), 'approval, accept, reject, wait, form or provision.'),
  summary: text(),
  happens: described(
    oneOf(['PLANNED_STEP_UNSPECIFIED', ...Object.values(happensOnWire)]),
    'How the step is completed: automatically, by people, by time, by the answer of a webhook, or not at all.',
  ),
  ...peopleFields,
  triedBefore: described(list(text()), 'Who was tried before, and why they cannot decide.'),
  approvedByUserId: described(text(), 'Who approves the step by creating the request.'),
  waitsUntil: timestamp(),
  stuckWhy: text(),
  provisioner: described(text(), 'For a provision step: records, delegated, connector, webhook, manual or none.'),
  withoutEarlierApprovers: described(flag(), 'Whether people who approve an earlier step cannot decide this one.'),
})

/** A future step, with the people who would be asked. */
export const plannedOnWire = (planned: PlannedStep, show: Names['show']) => ({
  place: planned.place + 1,
  kind: planned.step.kind,
  summary: stepWords(planned.step),
  happens: happensOnWire[planned.happens],
  ...show(planned.assignees, planned.explained),
  triedBefore: planned.explained.tried.map(whyTried),
  approvedByUserId: planned.approvedBy,
  waitsUntil: planned.until,
  stuckWhy: planned.error,
  provisioner: planned.provisions,
  withoutEarlierApprovers: planned.isWithoutEarlier,
})
