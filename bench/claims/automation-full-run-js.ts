import { makeRule, memoryOf, putBack, runRule, startCompany } from '../automation.ts'
import type { Claim } from '../claim.ts'

/** BENCH_AUTOMATION_USERS=20000 is for a quick look. */
const users = Number(process.env['BENCH_AUTOMATION_USERS'] ?? 1_000_000)
const memoryMiBMax = 300

const inSql = 'subject.department == "Sales"'
// The same in words that are not translated: each user is read, and asked in JavaScript, a few thousand at a time.
const inJavaScript = '[subject.department].map(d, d + "!").exists(d, d == "Sales!")'

export const claim: Claim = {
  claim:
    `A run of a rule over ${users} users, of whom 1% must change, is at least 10 times as fast in one statement as when ` +
    `every user is asked in JavaScript, and the server stays below ${memoryMiBMax} MiB either way.`,
  unit: 'users/s',
  ratioMin: 10,
  rounds: 2,
  isCold: true,
  async start() {
    const company = await startCompany(users)
    const round = async (expression: string): Promise<number> => {
      await makeRule(company, expression)
      await putBack(company)
      const seconds = await runRule(company)
      const memory = memoryOf(company)
      console.log(`  ${seconds.toFixed(2)} s, ${memory.toFixed(0)} MiB at most`)
      if (memory > memoryMiBMax) throw new Error(`${memory} MiB is more than ${memoryMiBMax}`)
      return users / seconds
    }
    return {
      subject: { round: () => round(inSql), stop: company.stop },
      floor: { round: () => round(inJavaScript), stop: async () => {} },
    }
  },
}
