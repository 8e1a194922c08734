import { appId, type Company, makeRule, memoryOf, putBack, runRule, startCompany, targetId } from '../automation.ts'
import type { Claim } from '../claim.ts'

/** BENCH_AUTOMATION_USERS=20000 is for a quick look. */
const users = Number(process.env['BENCH_AUTOMATION_USERS'] ?? 1_000_000)
const memoryMiBMax = 300

/** What someone would write by hand for this very rule: finds the difference, and makes it good. */
async function byHand({ db, tenantId }: Company): Promise<number> {
  const begin = performance.now()
  const [row] = await db.begin(
    (tx) => tx<{ gained: number; lost: number }[]>`
      with lost as (
        update grants g set ended_at = now(), ended_by = 'by hand', ended_why = 'revoked'
        from accounts a join users u on u.tenant_id = a.tenant_id and u.user_id = a.user_id
        where g.tenant_id = ${tenantId} and g.app_id = ${appId} and g.entitlement_id = ${targetId}
          and g.ended_at is null and g.source = 'rule'
          and a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
          and not (u.department = 'Sales' and u.status = 'ENABLED' and u.deleted_at is null)
          and not exists (select from automation_exclusions x
            where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = ${targetId}
              and x.user_id = u.user_id)
        returning 1
      ),
      gained as (
        insert into grants (tenant_id, app_id, entitlement_id, account_id, grant_id, source, granted_by, granted_at,
          began_at)
        select ${tenantId}, ${appId}, ${targetId}, a.account_id, '2BenchHand' || right(u.user_id, 17), 'rule',
          'by hand', now(), now()
        from users u
        join accounts a on a.tenant_id = u.tenant_id and a.app_id = ${appId} and a.user_id = u.user_id
          and a.deleted_at is null
        where u.tenant_id = ${tenantId} and u.department = 'Sales' and u.status = 'ENABLED' and u.deleted_at is null
          and not exists (select from grants g
            where g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.entitlement_id = ${targetId}
              and g.account_id = a.account_id and g.ended_at is null)
          and not exists (select from automation_exclusions x
            where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = ${targetId}
              and x.user_id = u.user_id)
        returning 1
      )
      select (select count(*) from gained) as gained, (select count(*) from lost) as lost`,
  )
  if (row?.gained !== users / 200 || row.lost !== users / 200) throw new Error(`by hand: ${JSON.stringify(row)}`)
  return (performance.now() - begin) / 1000
}

export const claim: Claim = {
  claim:
    `A run of a rule over ${users} users, ${users / 100} of them excluded and ${users / 5} matching, of whom ${users / 100} ` +
    'must change, takes at most 1.5 times as long as a statement that was written by hand for it, and the server stays ' +
    `below ${memoryMiBMax} MiB.`,
  unit: 'users/s',
  ratioMin: 0.67,
  rounds: 5,
  async start() {
    const company = await startCompany(users)
    await makeRule(company, 'subject.department == "Sales"')
    return {
      subject: {
        async round() {
          await putBack(company)
          const seconds = await runRule(company)
          const memory = memoryOf(company)
          console.log(`  run      ${seconds.toFixed(2)} s; the server has taken ${memory.toFixed(0)} MiB at most`)
          if (memory > memoryMiBMax) throw new Error(`${memory} MiB is more than ${memoryMiBMax}`)
          return users / seconds
        },
        stop: company.stop,
      },
      floor: {
        async round() {
          await putBack(company)
          const seconds = await byHand(company)
          console.log(`  by hand  ${seconds.toFixed(2)} s`)
          return users / seconds
        },
        stop: async () => {},
      },
    }
  },
}
