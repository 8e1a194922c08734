import { openDatabase } from '#database/open.ts'
import type { Db } from '#kernel/sql.ts'
import { insertRecords } from '#rooms/foundation/writes/index.ts'
import { unlimited } from './automation.ts'
import { tokenOf } from './entitlements.ts'
import { type Served, startBailiwick } from './processes.ts'

const givenNames = (
  'Ada Adaeze Aidan Alan Amelia Amir Ana Ananya Andrés Arjun Astrid Ayumi Barbara Beatriz Bo Bruno Callum Camila Carla ' +
  'Chen Clara Daichi Dana Declan Diego Divya Donald Duarte Edith Elif Emeka Emi Emre Esteban Eva Farah Felix Folake ' +
  'Freya George Grace Hana Harriet Hassan Haruka Ifeoma Ines Ingrid Isla Ivan Jana Javier João Jun Kavya Ken Kenta ' +
  'Kerem Khalid Kwame Lara Layla Leon Linh Lucía Luísa Maja Makena Marek Margaret Mariana Marisol Mateo Meera Megan ' +
  'Miguel Minh Nadia Niamh Nikhil Noura Oliver Omar Otieno Paul Priya Quang Radia Rafael Rhys Rohan Salma Sanjay Sipho ' +
  'Sofia Sora Tariq Thomas Tiago Tunde Valentina Vikram Wei Ximena Yasmin Yuki Zeynep Zofia'
).split(' ')
// Family names are put together of two parts, as many are: 1,300 of them, some common beginnings and many rare ones.
const familyBegins = (
  'Ab Al And Ash Bar Ben Blom Brad Bur Cal Car Chat Cor Da Dar Del Dun Ek Fair Fer Gal Gar Gold Ha Hal Hart Hol Ib Jan ' +
  'Kar Kir Kul La Lind Lo Mac Mar Mel Mor Na Nor Oka Or Par Pet Quin Ro Sal San Sou Tak Thorn Ud Val Wal Wood Xi Yama Za'
).split(' ')
const familyEnds = (
  'abe adi ama aki berg by chi dale den dez er ez field ford gama gren ham hurst ini kar land ley man moto ner ova quist ' +
  'ra ro sen ski son stad ta ton vik well'
).split(' ')

const given = (n: number): string => givenNames[n % givenNames.length] as string
const family = (n: number): string => {
  // Apart from the given name: neighbours in number are no namesakes.
  const m = (n * 7919) % (familyBegins.length * familyEnds.length)
  return `${familyBegins[Math.floor(m / familyEnds.length)]}${familyEnds[m % familyEnds.length]}`
}
export const personId = (n: number): string => `2People${String(n).padStart(20, '0')}`

export type People = Served & { dataDir: string; token: string; count: number }

/** A server with so many people; each has a name of two words and an address. */
export async function startPeople(count: number): Promise<People> {
  const served = await startBailiwick()
  const { db, close } = await openDatabase({ from: { dataDir: served.dataDir, purpose: 'command' }, connectionsMax: 1 })
  await fillPeople(db, count)
  await close()
  return { ...served, token: await tokenOf(served), count }
}

// Each statement's rows are held until their search keys are made of them.
const rowsPerStatement = 50_000

export async function fillPeople(db: Db, count: number): Promise<void> {
  const [tenant] = await db<{ id: number }[]>`select tenant_id as id from tenants`
  const tenantId = tenant?.id as number
  const names = { given: givenNames, begins: familyBegins, ends: familyEnds }
  for (let from = 0; from < count; from += rowsPerStatement) {
    const to = Math.min(from + rowsPerStatement, count) - 1
    const rows = db`
      (tenant_id, user_id, display_name, email, emails, department, job_title, status, created_at, updated_at)
      select ${tenantId}::int, '2People' || lpad(n::text, 20, '0'), w.given || ' ' || w.family, a.email, array[a.email],
        'Department ' || n % 50, 'Title ' || n % 200, case when n % 40 = 0 then 'DISABLED' else 'ENABLED' end, now(), now()
      from generate_series(${from}::int, ${to}::int) n,
        lateral (select (n::bigint * 7919 % ${familyBegins.length * familyEnds.length}::int)::int as m) f,
        lateral (select (${names.given}::text[])[n % ${givenNames.length}::int + 1] as given,
          (${names.begins}::text[])[f.m / ${familyEnds.length}::int + 1]
            || (${names.ends}::text[])[f.m % ${familyEnds.length}::int + 1] as family) w,
        lateral (select lower(left(w.given, 1) || '.' || w.family || n) || '@example.com' as email) a`
    await db.begin(async (tx) => {
      await tx`set local statement_timeout = 0`
      await insertRecords(tx, tenantId, 'users', rows)
    })
  }
  await unlimited(db, (session) => session`vacuum analyze users, search_keys`)
}

/** An id among them. */
export const anyId = (count: number): string => personId(Math.floor(Math.random() * count))

/** What someone types who looks for one of them: a part of the given name, of the family name, or both. */
export function anyBeginning(count: number): string {
  const n = Math.floor(Math.random() * count)
  switch (Math.floor(Math.random() * 3)) {
    case 0:
      return given(n).slice(0, 3)
    case 1:
      return family(n).slice(0, 4)
    default:
      return `${given(n)} ${family(n).slice(0, 2)}`
  }
}
