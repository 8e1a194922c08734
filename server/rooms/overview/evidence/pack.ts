import { mayEverywhere } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { version } from '#kernel/version.ts'
import {
  type About,
  type AccessData,
  access,
  type Content,
  canonical,
  evidenceKeyOf,
  format,
  formatVersion,
  pdfOf,
  readmeOf,
  writeBundle,
} from '#rooms/foundation/evidence/index.ts'
import { recordChange, sealTenant } from '#rooms/foundation/systemlog/index.ts'
import { type Gathered, gather } from './gather/gather.ts'
import { type Proven, prove } from './gather/prove.ts'
import { requestsMax } from './gather/requests.ts'
import { type Asked, type Listings, readRows } from './gather/rows.ts'
import type { Subject } from './subject.ts'

export type Pack = { fileName: string; bytes: Buffer }

const set = (filters: Asked['filters']): { [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(filters).filter(
      ([, value]) =>
        !(value === null || value === '' || value === false || value === 0) &&
        !(Array.isArray(value) && value.length === 0) &&
        !(typeof value === 'string' && value.endsWith('UNSPECIFIED')),
    ),
  )

/** Writes a pack, and records in the system log that it was created: the log has the digest of its manifest. */
export async function makePack(call: Call, listings: Listings, subject: Subject, asked: Asked): Promise<Pack> {
  const rows = await readRows(call, listings, asked)
  // What was recorded a moment ago is in the chain, too.
  const seesLog = mayEverywhere(call.actor, 'systemlog.read')
  if (seesLog) await sealTenant(call, call.tenant.id)
  const gathered = await gather(call, rows, asked.moment.at)
  const proven = gathered.cited && (await prove(call, [...gathered.cited].toSorted()))
  const { asOf: _asOf, orderBy: _orderBy, ...filters } = set(asked.filters)
  const day = asked.moment.at.toISOString().slice(0, 'YYYY-MM-DD'.length)
  const name = [subject.slug, day].join('-')
  const { actor, tenant } = call
  const data: AccessData = {
    version: formatVersion,
    kind: 'access',
    id: call.newId(),
    tenant: { id: tenant.publicId, domain: tenant.domain },
    subject: { kind: subject.kind, words: subject.words, filters },
    asOf: asked.moment.at.toISOString(),
    isNow: asked.moment.isNow,
    createdAt: call.now().toISOString(),
    createdBy: { id: actor.userId, name: actor.name, email: actor.email },
    program: `Bailiwick ${version}`,
    notes: notesOf(call, gathered, proven, filters),
    grants: gathered.grants,
    requests: gathered.requests,
  }
  const { bytes, manifestSha256 } = bundleOf(call, data, proven, name)
  const touched = {
    type: 'evidence',
    id: data.id,
    name: subject.words,
    data: { asOf: data.asOf, filters, grants: data.grants.length, manifestSha256 },
  }
  const message = `Created an evidence pack of ${subject.words} as of ${data.asOf.slice(0, 16).replace('T', ' ')} UTC`
  await transact(call.db, (tx) => recordChange(tx, call, 'read', message, [touched]))
  return { fileName: `evidence-${name}.zip`, bytes }
}

function bundleOf(call: Call, data: AccessData, proven: Proven | null, name: string) {
  const key = evidenceKeyOf(call, call.tenant)
  const about: About = {
    ...{ format, version: formatVersion, kind: data.kind, id: data.id, tenant: data.tenant },
    ...{ subject: data.subject.words, asOf: data.asOf, createdAt: data.createdAt },
    ...{ createdBy: { id: data.createdBy.id, name: data.createdBy.name }, program: data.program },
  }
  const files: Content[] = [
    { name: 'readme.txt', role: 'readme', content: readmeOf({ ...about, key: key.fingerprint }, proven !== null) },
    { name: `${name}.pdf`, role: 'document', content: pdfOf(access.document(data as never)) },
    { name: `${name}.csv`, role: 'table', content: access.table(data as never) },
    { name: `${name}.json`, role: 'data', content: canonical(data) },
    ...(proven
      ? ([
          { name: 'events.jsonl', role: 'events', content: proven.events },
          { name: 'log.json', role: 'log', content: canonical(proven.proof) },
        ] as const)
      : []),
  ]
  return writeBundle(about, files, key)
}

/** What is not in a pack, so that nobody takes it for everything. */
function notesOf(call: Call, gathered: Gathered, proven: Proven | null, filters: object): string[] {
  const { actor } = call
  const isAll = mayEverywhere(actor, 'grants.read') && mayEverywhere(actor, 'entitlements.read')
  const notes = [
    Object.keys(filters).length > 0 && `It has only what these filters select: ${JSON.stringify(filters)}.`,
    !isAll && 'Its creator does not see all access: what they do not see is not in it.',
    gathered.requests.length >= requestsMax && `It tells of ${requestsMax} requests; there are more.`,
    proven === null && 'Its creator may not read the system log: it has no events.',
    proven !== null && unrecorded(gathered),
    !gathered.isSearched && 'The log of these times is so long that not all of it was searched for events.',
    ...(proven ? notesOfEvents(proven) : []),
    'Names, the status of users, and who carries out changes are as they were when this was created.',
  ]
  return notes.filter((note) => note !== false)
}

/** The log may be younger than a grant, or its events may be archived. */
function unrecorded({ grants }: Gathered): string | false {
  const without = grants.filter(({ sources }) => sources.every(({ eventIds }) => eventIds.length === 0)).length
  return without > 0 && `Of ${without} of ${grants.length} grants, the log in the database has no event.`
}

const notesOfEvents = ({ leftOut: { unsealed, altered, tooMany } }: Proven): (string | false)[] => [
  unsealed > 0 && `${unsealed} events are not in the chain of the log yet, and left out.`,
  altered.length > 0 &&
    `The log was altered: these events are not as they were recorded, and left out: ${altered.join(', ')}.`,
  tooMany > 0 && `${tooMany} events are left out, because they would be too many.`,
]
