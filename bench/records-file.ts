import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const firstNames = ['Ada', 'Grace', 'Alan', 'Barbara', 'Donald', 'Margaret', 'Ken', 'Radia', 'Tim', 'Sofia']
const lastNames = ['Lovelace', 'Hopper', 'Turing', 'Liskov', 'Knuth', 'Hamilton', 'Thompson', 'Perlman', 'Lee', 'Souza']
const appsMax = 100
const entitlementsPerApp = 10
const grantsPerAccount = 3

function* recordsOf(users: number): Generator<object> {
  const apps = Math.min(appsMax, users)
  for (let i = 0; i < users; i++)
    yield {
      kind: 'user',
      externalId: `u${i}`,
      displayName: `${firstNames[i % 10]} ${lastNames[Math.floor(i / 10) % 10]} ${i}`,
      email: `person${i}@example.com`,
      username: `person${i}`,
      employeeId: `E${i}`,
      department: `Department ${i % 50}`,
      jobTitle: `Title ${i % 200}`,
      ...(i > 100 && { manager: `u${i % 100}` }),
      profile: { site: `Site ${i % 7}` },
    }
  for (let a = 0; a < apps; a++) {
    const app = `a${a}`
    yield { kind: 'app', externalId: app, displayName: `App ${a}` }
    yield { kind: 'resource_type', app, externalId: 'role', displayName: 'Role' }
    for (let e = 0; e < entitlementsPerApp; e++) {
      yield { kind: 'resource', app, resourceType: 'role', externalId: `r${e}`, displayName: `Role ${e}` }
      const of = { resourceType: 'role', resource: `r${e}` }
      yield { kind: 'entitlement', app, externalId: `e${e}`, displayName: `Role ${e} assigned`, ...of }
    }
  }
  for (let i = 0; i < users; i++) {
    const [email, username] = [`person${i}@example.com`, `person${i}`]
    const displayName = `${firstNames[i % 10]} ${i}`
    yield { kind: 'account', app: `a${i % apps}`, externalId: `acc${i}`, displayName, email, username }
  }
  for (let i = 0; i < users; i++)
    for (let g = 0; g < grantsPerAccount; g++) {
      const entitlement = `e${(i * 7 + g * 3) % entitlementsPerApp}`
      yield { kind: 'grant', app: `a${i % apps}`, entitlement, account: `acc${i}` }
    }
}

/** Writes a file of so many users, with an account in one of a hundred apps and three grants each; tells its lines. */
export async function writeRecords(file: string, users: number): Promise<number> {
  const to = createWriteStream(file)
  let lines = 0
  let text = ''
  for (const record of recordsOf(users)) {
    text += `${JSON.stringify(record)}\n`
    lines++
    if (text.length < 1024 * 1024) continue
    if (!to.write(text)) await once(to, 'drain')
    text = ''
  }
  to.end(text)
  await once(to, 'close')
  return lines
}
