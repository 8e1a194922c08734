import { appId, type Company, startCompany, targetId } from '../automation.ts'
import type { Claim } from '../claim.ts'
import { tokenOf } from '../entitlements.ts'

const users = 20_000
const excluded = 1000
const calls = 20

const someIds = (from: number): string[] =>
  Array.from({ length: excluded }, (_, i) => `2BenchUser${String(((from + i) % users) + 1).padStart(17, '0')}`)

const emptied = ({ db }: Company): Promise<unknown> => db`delete from automation_exclusions`

export const claim: Claim = {
  claim:
    `Adding ${excluded} exclusions by the API, with all that is checked and logged, takes at most twice as long as the ` +
    'bare insert of as many rows.',
  unit: 'exclusions/s',
  ratioMin: 0.5,
  rounds: 7,
  async start() {
    const company = await startCompany(users)
    const { db, tenantId, port } = company
    const token = await tokenOf(company)
    const url = `http://127.0.0.1:${port}/api/v1/apps/${appId}/entitlements/${targetId}/automation/exclusions`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    /** Only the calls are timed: the table is emptied before each. */
    const timed = async (add: (userIds: string[]) => Promise<unknown>): Promise<number> => {
      let spentMs = 0
      for (let call = 0; call < calls; call++) {
        await emptied(company)
        const ids = someIds(call * excluded)
        const begin = performance.now()
        await add(ids)
        spentMs += performance.now() - begin
      }
      return (calls * excluded * 1000) / spentMs
    }
    return {
      subject: {
        round: () =>
          timed(async (userIds) => {
            const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ userIds }) })
            if (reply.status !== 200) throw new Error(await reply.text())
            await reply.text()
          }),
        stop: company.stop,
      },
      floor: {
        round: () =>
          timed(
            (userIds) => db`
              insert into automation_exclusions (tenant_id, app_id, entitlement_id, user_id, added_at)
              select ${tenantId}, ${appId}, ${targetId}, u.id, now() from unnest(${userIds}::text[]) as u (id)`,
          ),
        stop: async () => {},
      },
    }
  },
}
