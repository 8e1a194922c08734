import type { Document, Part } from '../../pdf/document.ts'
import { isShownWhole } from '../../pdf/glyphs.ts'
import type { AccessData, Confirmation, Grant, Request } from './data.ts'
import {
  accountWords,
  approvalsOf,
  dateWords,
  personWords,
  type Requests,
  reasonsOf,
  requestsById,
  sourceWord,
  timeWords,
} from './words.ts'

/** Above this, each line of the table says what all others repeat. */
const isOneEntitlement = ({ grants }: AccessData): boolean =>
  new Set(grants.map(({ app, entitlement }) => `${app.id} ${entitlement.id}`)).size === 1

const inAppWords: { readonly [is in Confirmation]: string } = {
  'app reported': 'reported by the app',
  'connector confirmed': 'confirmed through a connector',
  'person said': 'done, as a person said',
  'webhook confirmed': 'confirmed by a webhook',
  'enforced here': 'enforced by Bailiwick itself',
  sent: 'sent to a connector and not confirmed',
  failed: 'not done, as a connector failed',
  'file said': 'imported from a file and not confirmed',
  'recorded only': 'only recorded',
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

function summary(data: AccessData): Part {
  const people = new Set(data.grants.map(({ user, account }) => user?.id ?? account.id)).size
  const inApp = Object.entries(Object.groupBy(data.grants, (grant) => grant.inApp.is)).map(
    ([is, grants]) => `${grants.length} ${inAppWords[is as Confirmation]}`,
  )
  return {
    is: 'facts',
    facts: [
      ['As of', `${timeWords(data.asOf)}${data.isNow ? ', when this was created' : ''}`],
      ['Organization', data.tenant.domain],
      ['Contains', `${counted(data.grants.length, 'grant')} of ${people === 1 ? '1 person' : `${people} people`}`],
      ['In the apps', inApp.join(', ') || 'nothing'],
      ['Created', `${timeWords(data.createdAt)} by ${data.createdBy.name} (${data.createdBy.id})`],
      ['Pack', data.id],
    ],
  }
}

const rowOf = (requests: Requests, isOne: boolean) => (grant: Grant) => [
  [personWords(grant), accountWords(grant)],
  ...(isOne ? [] : [[grant.entitlement.name, grant.app.name]]),
  [dateWords(grant.since), ...(grant.expiresAt ? [`until ${dateWords(grant.expiresAt)}`] : [])],
  [...grant.sources.map((source) => sourceWord(requests, source)), ...reasonsOf(requests, grant)],
  approvalsOf(requests, grant),
  [grant.inApp.words],
]

function grantsTable(data: AccessData): Part {
  const isOne = isOneEntitlement(data)
  return {
    is: 'table',
    columns: [3, ...(isOne ? [] : [3]), 1.5, 3, 3, 3],
    head: [
      'Person and account',
      ...(isOne ? [] : ['Entitlement and app']),
      'Since',
      'Why',
      'Approved by',
      'In the app',
    ],
    rows: data.grants.map(rowOf(requestsById(data), isOne)),
  }
}

const requestParts = (request: Request): Part[] => [
  { is: 'heading', text: `Request #${request.number}: ${request.name}` },
  {
    is: 'facts',
    facts: [
      ['Requested', `${timeWords(request.createdAt)} by ${request.createdBy.name || request.createdBy.id}`],
      ...(request.description === '' ? [] : [['Description', request.description] as const]),
      ['Outcome', request.outcomeAt ? `${request.outcome}, ${timeWords(request.outcomeAt)}` : 'still open'],
    ],
  },
  {
    is: 'table',
    columns: [2, 3, 3, 5],
    head: ['When', 'Who', 'What', 'Comment'],
    rows: request.decisions.map(({ at, by, what, comment, counts }) => [
      [timeWords(at)],
      [by ? by.name || by.id : 'Bailiwick'],
      [counts ? what : `${what} (no longer counts)`],
      [comment],
    ]),
  },
]

const unshown =
  'Characters that this document cannot show are written as their number in Unicode, in braces. The CSV and the JSON have the texts as they are.'

const textsOf = (grant: Grant): string[] => [personWords(grant), accountWords(grant), grant.app.name]

/** What the PDF of a pack says. */
export function documentOf(data: AccessData): Document {
  const isWhole = data.grants.every((grant) => textsOf(grant).every(isShownWhole))
  return {
    title: `Evidence: ${data.subject.words}`,
    createdAt: new Date(data.createdAt),
    footer: `Evidence pack ${data.id}, as of ${timeWords(data.asOf)}`,
    parts: [
      summary(data),
      {
        is: 'text',
        text: 'This document alone proves nothing. It is part of an evidence pack, a ZIP archive whose signature covers it: bailiwick evidence verify FILE checks it without a server. README.txt in the archive says what that proves.',
      },
      ...(isWhole ? [] : [{ is: 'text', text: unshown } as const]),
      ...data.notes.map((text): Part => ({ is: 'text', text })),
      { is: 'heading', text: 'Who had access, since when, why, and what the app confirmed' },
      ...(data.grants.length > 0 ? [grantsTable(data)] : [{ is: 'text', text: 'Nobody.' } as const]),
      ...data.requests.flatMap(requestParts),
    ],
  }
}
