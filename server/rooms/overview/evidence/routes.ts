import { route } from '#authority/route.ts'
import { Download } from '#kernel/download.ts'
import { asExport } from '#kernel/exports-at-once.ts'
import type { Call, Route } from '#kernel/routes.ts'
import { empty, message, text } from '#kernel/wire.ts'
import { evidenceKeyOf, pemOf } from '#rooms/foundation/evidence/index.ts'
import { momentOf } from '#rooms/records/grants/index.ts'
import { filtersOf } from '../lists/index.ts'
import type { Asked, Listings } from './gather/rows.ts'
import { makePack } from './pack.ts'
import { appSubject, entitlementSubject, listSubject, type Subject, userSubject } from './subject.ts'

const service = 'bailiwick.v1.Evidence'
const zip = 'application/zip'

const packed = (call: Call, listings: Listings, asked: Asked, findSubject: () => Promise<Subject>): Promise<Download> =>
  asExport(call, async () => {
    const { fileName, bytes } = await makePack(call, listings, await findSubject(), asked)
    return new Download(zip, fileName, pieces(bytes))
  })

const pieceBytes = 64 * 1024

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

/** Packs about what existing operations list: whoever may read the list may have one, of the rows that they see. */
export function evidenceRoutes(all: readonly Route[]): Route[] {
  const byId = new Map(all.map((each) => [each.id, each]))
  const operation = (id: string): Route => {
    const found = byId.get(id)
    if (!found) throw new Error(`there is no operation ${id}`)
    return found
  }
  const searched = operation('app.v1.AppEntitlementSearchService.SearchGrants')
  const members = operation('app.v1.AppEntitlements.ListUsers')
  const grants = operation('bailiwick.v1.Grants.List')
  const { asOf } = filtersOf(members)
  const AsOf = { ...(asOf && { asOf }) }
  const summary = (what: string): string =>
    `Create an evidence pack of ${what}: who had it, since when, why, who approved it and what the app confirmed, as PDF, CSV and JSON with the events of the system log, in a signed archive that bailiwick evidence verify checks without a server. It is recorded in the system log.`
  return [
    keyRoute,
    route({
      id: `${service}.OfEntitlement`,
      at: 'POST /api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/evidence',
      summary: summary('the members of an entitlement, now or at an earlier time'),
      rule: 'entitlement.list-grants',
      about: { app: 'app_id', entitlement: 'app_entitlement_id' },
      download: [zip],
      body: message('bailiwick.v1.EvidenceOfEntitlementRequest', filtersOf(members)),
      reply: empty,
      handle(call, { path, body }) {
        const moment = momentOf(call, asOfIn(body))
        const asked = { path, filters: body, source: null, moment }
        return packed(call, { list: members, shown: searched }, asked, () =>
          entitlementSubject(call, path.app_id, path.app_entitlement_id),
        )
      },
    }),
    route({
      id: `${service}.OfApp`,
      at: 'POST /api/v1/apps/{app_id}/evidence',
      summary: summary("everyone's access in an app, now or at an earlier time"),
      rule: 'app.list-grants',
      about: { app: 'app_id' },
      download: [zip],
      body: message('bailiwick.v1.EvidenceOfAppRequest', AsOf),
      reply: empty,
      handle(call, { path, body }) {
        const moment = momentOf(call, asOfIn(body))
        const filters = { ...unset(searched), ...body, appIds: [path.app_id] }
        const asked = { path: {}, filters, source: null, moment }
        return packed(call, { list: searched, shown: searched }, asked, () => appSubject(call, path.app_id))
      },
    }),
    route({
      id: `${service}.OfUser`,
      at: 'POST /api/v1/users/{user_id}/evidence',
      summary: summary("a person's access, now or at an earlier time: your own, or that of anyone if you may see it"),
      rule: 'grants.list',
      download: [zip],
      body: message('bailiwick.v1.EvidenceOfUserRequest', AsOf),
      reply: empty,
      handle(call, { path, body }) {
        const moment = momentOf(call, asOfIn(body))
        const filters = { ...unset(searched), ...body, userId: path.user_id }
        const asked = { path: {}, filters, source: null, moment }
        return packed(call, { list: searched, shown: searched }, asked, () => userSubject(call, path.user_id))
      },
    }),
    route({
      id: `${service}.OfGrants`,
      at: 'POST /api/v1/grants/evidence',
      summary: summary('the current grants of all apps that match the filters'),
      rule: 'grants.list',
      download: [zip],
      body: message('bailiwick.v1.EvidenceOfGrantsRequest', filtersOf(grants)),
      reply: empty,
      handle(call, { body }) {
        const asked = { path: {}, filters: body, source: sourceIn(body), moment: momentOf(call, null) }
        return packed(call, { list: grants, shown: searched }, asked, () => Promise.resolve(listSubject()))
      },
    }),
  ]
}

type Body = { readonly [name: string]: unknown }

const asOfIn = (body: Body): Date | null => (body['asOf'] instanceof Date ? body['asOf'] : null)

const sourcePrefix = 'GRANT_SOURCE_'
function sourceIn({ source }: Body): string | null {
  const name = typeof source === 'string' ? source.slice(sourcePrefix.length).toLowerCase() : ''
  return name === '' || name === 'unspecified' ? null : name
}

/** All filters of a list, unset. */
const unset = (of: Route): Body => message('', filtersOf(of)).read({}, '', [])

const keyRoute = route({
  id: `${service}.GetKey`,
  at: 'GET /api/v1/evidence/key',
  summary: 'Get the public key by which evidence packs of this tenant are signed, and its fingerprint.',
  rule: 'evidence.read-key',
  reply: message('bailiwick.v1.GetEvidenceKeyResponse', { fingerprint: text(), publicKey: text() }),
  handle(call) {
    const { fingerprint, publicKey } = evidenceKeyOf(call, call.tenant)
    return { fingerprint, publicKey: pemOf(publicKey) }
  },
})
