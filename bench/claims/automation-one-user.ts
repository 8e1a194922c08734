import { setTimeout as sleep } from 'node:timers/promises'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { appId, type Company, startCompany, unlimited } from '../automation.ts'
import { type Claim, median } from '../claim.ts'

/** BENCH_AUTOMATION_USERS=20000 is for a quick look. */
const users = Number(process.env['BENCH_AUTOMATION_USERS'] ?? 1_000_000)
const fewUsers = 1000
const rules = 500
const changes = 20
const secondsMax = 1

/** Of as many departments as there are rules, each has a rule of its own; it moves nobody who is there already. */
async function makeRules({ db, tenantId }: Company): Promise<void> {
  const idOf = (n: string): string => `'2BenchRule' || lpad(${n}::text, 17, '0')`
  await db.unsafe(`
    insert into entitlements (tenant_id, app_id, entitlement_id, display_name, created_at, updated_at)
      select ${tenantId}, '${appId}', ${idOf('n')}, 'Rule ' || n, now(), now() from generate_series(1, ${rules}) n;
    insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, reads, created_at, updated_at)
      select ${tenantId}, '${appId}', ${idOf('n')}, 1, 'cel',
        'subject.department == "Team ' || n || '" && subject.profile.level >= 0.0', '{status,department,profile}',
        now(), now()
      from generate_series(1, ${rules}) n;
    insert into automation_reads (tenant_id, app_id, entitlement_id, by_app_id, by_entitlement_id)
      select ${tenantId}, '${appId}', ${idOf('n')}, '${appId}', ${idOf('n')} from generate_series(1, ${rules}) n`)
  await unlimited(db, async (session) => {
    for (const table of ['entitlements', 'automations', 'automation_reads'])
      await session.unsafe(`vacuum analyze ${table}`)
  })
}

/** Seconds until a user who moves from team to team has what the new team has, and nothing of the old one. */
async function moveOne({ db, tenantId, users: count }: Company, n: number): Promise<number> {
  const userId = `2BenchUser${String((n * 7919) % count || 1).padStart(17, '0')}`
  const target = `2BenchRule${String((n % rules) + 1).padStart(17, '0')}`
  const begin = performance.now()
  const set = { department: `Team ${(n % rules) + 1}` }
  await db.begin((tx) => updateRecords(tx, tenantId, 'users', { set, where: tx`x.user_id = ${userId}` }))
  for (;;) {
    const held = await db<{ id: string }[]>`
      select g.entitlement_id as id from accounts a
      join grants g on g.tenant_id = a.tenant_id and g.app_id = a.app_id and g.account_id = a.account_id
      where a.tenant_id = ${tenantId} and a.user_id = ${userId} and g.ended_at is null
        and g.entitlement_id like '2BenchRule%'`
    if (held.length === 1 && held[0]?.id === target) return (performance.now() - begin) / 1000
    await sleep(5)
  }
}

export const claim: Claim = {
  claim:
    `When one of ${users} users moves to another department, under ${rules} rules, what they hold is right within ` +
    `${secondsMax} s, and as soon as it is among ${fewUsers} users, within 20%.`,
  unit: 'changes/1000 s',
  ratioMin: 0.8,
  rounds: 5,
  async start() {
    const [many, few] = [await startCompany(users), await startCompany(fewUsers)]
    for (const company of [many, few]) await makeRules(company)
    let n = 0
    const warm = new Set<Company>()
    const round = async (company: Company): Promise<number> => {
      const seconds: number[] = []
      for (let i = 0; i < changes; i++) seconds.push(await moveOne(company, ++n))
      const slowest = Math.max(...seconds)
      console.log(`  ${company.users} users: ${median(seconds).toFixed(3)} s, ${slowest.toFixed(3)} s at most`)
      // The first round warms up: connections, plans, what is compiled.
      if (warm.has(company) && slowest > secondsMax) throw new Error(`${slowest} s is more than ${secondsMax}`)
      warm.add(company)
      return 1000 / median(seconds)
    }
    return {
      subject: { round: () => round(many), stop: many.stop },
      floor: { round: () => round(few), stop: few.stop },
    }
  },
}
