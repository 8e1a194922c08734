import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { described, int32, list, listOf, message, oneOf, text } from '#kernel/wire.ts'
import { stateField, stateOnWire } from '../view.ts'
import { getCoverage } from './actions.ts'
import type { Remedy } from './decide.ts'

const remedies = [
  'COVERAGE_REMEDY_UNSPECIFIED',
  'COVERAGE_REMEDY_CONNECT_APP',
  'COVERAGE_REMEDY_REPAIR_CONNECTOR',
  'COVERAGE_REMEDY_TURN_ON_PROVISIONING',
  'COVERAGE_REMEDY_NAME_PEOPLE',
] as const
const remedyOnWire: { [remedy in Remedy]: (typeof remedies)[number] } = {
  'connect app': 'COVERAGE_REMEDY_CONNECT_APP',
  'repair connector': 'COVERAGE_REMEDY_REPAIR_CONNECTOR',
  'turn on provisioning': 'COVERAGE_REMEDY_TURN_ON_PROVISIONING',
  'name people': 'COVERAGE_REMEDY_NAME_PEOPLE',
}

export const coverageRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.Enforcement.GetCoverage',
    at: 'GET /api/v1/enforcement/coverage',
    summary:
      'Get what share of the current access is granted and revoked by connectors and webhooks, by people, and by nobody; and which apps would add most.',
    rule: 'coverage.read',
    isHeavy: true,
    reply: message('bailiwick.v1.GetCoverageResponse', {
      percent: described(
        int32({ least: 0, most: 100 }),
        'The share of `grants` that is confirmed, rounded down: 100 only if it is all of them.',
      ),
      grants: described(
        int32(),
        'Accounts with an entitlement, each counted once. Membership in access profiles is not counted.',
      ),
      confirmed: described(
        int32(),
        'Granted and revoked by a connector whose last sync was imported, or by a webhook.',
      ),
      unreliable: described(int32(), 'The same by a connector that fails, is paused, or has not synced.'),
      people: described(int32(), 'Granted or revoked by people who are asked.'),
      nobody: described(int32(), 'Granted or revoked in the records only: nobody is asked to change the app.'),
      next: described(
        listOf(
          message('bailiwick.v1.CoverageNext', {
            appId: text(),
            appDisplayName: text(),
            state: stateField(),
            grants: described(int32(), 'Those that are not confirmed.'),
            whatToDo: list(oneOf(remedies)),
          }),
        ),
        'The apps with the most grants that are not confirmed.',
      ),
    }),
    async handle(call) {
      const { percent, total, shares, next } = await getCoverage(call)
      return {
        percent,
        grants: total,
        ...shares,
        next: next.map(({ appId, appName, state, grants, whatToDo }) => ({
          appId,
          appDisplayName: appName,
          state: stateOnWire[state],
          grants,
          whatToDo: whatToDo.map((remedy) => remedyOnWire[remedy]),
        })),
      }
    },
  }),
]
