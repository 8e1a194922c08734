import { describe, expect, test } from 'vitest'
import { isMailAddress, readSender } from '#kernel/mail-settings.ts'
import { compose, messageIdOf } from '#rooms/governance/notifications/mail/compose.ts'
import { noticesOf } from '#rooms/governance/notifications/noticing/decide.ts'
import { group, triedForMs, waitAfterMs } from '#rooms/governance/notifications/outbox/decide.ts'
import { completed, effective, nextDigest } from '#rooms/governance/notifications/settings/decide.ts'
import { sampleNotices } from '#rooms/governance/notifications/templates/samples.ts'

const now = new Date('2026-11-18T12:00:00Z')
const due = (count: number, kind: 'approvalNeeded' | 'system' = 'approvalNeeded') =>
  Array.from({ length: count }, (_, index) => ({ id: `${kind} ${index}`, kind }))
const idle = { count: 0, lastSummaryAt: null }
const forms = (grouped: ReturnType<typeof group>) => grouped.messages.map(({ form, ids }) => `${form} ${ids.length}`)

describe('what is due becomes', () => {
  test('a message each, but one for all from six on', () => {
    expect(forms(group(due(1), idle, false, now))).toEqual(['single 1'])
    expect(forms(group(due(5), idle, false, now))).toHaveLength(5)
    expect(forms(group(due(6), idle, false, now))).toEqual(['summary 6'])
    expect(forms(group(due(1_000), idle, false, now))).toEqual(['summary 1000'])
  })
  test('one for all after twenty in an hour', () => {
    expect(forms(group(due(1), { ...idle, count: 19 }, false, now))).toEqual(['single 1'])
    expect(forms(group(due(2), { ...idle, count: 19 }, false, now))).toEqual(['summary 2'])
  })
  test('nothing for ten minutes after one that told of several', () => {
    const lastSummaryAt = new Date(now.getTime() - 60_000)
    const grouped = group(due(3), { count: 1, lastSummaryAt }, false, now)
    expect(forms(grouped)).toEqual([])
    expect(grouped.postponed).toHaveLength(3)
    expect(grouped.until).toEqual(new Date('2026-11-18T12:09:00Z'))
    expect(forms(group(due(3), { count: 1, lastSummaryAt }, false, grouped.until))).toHaveLength(3)
  })
  test('a digest where one is wanted, for which notices of the system do not wait', () => {
    expect(forms(group([...due(2), ...due(1, 'system')], idle, true, now))).toEqual(['digest 2', 'single 1'])
  })
})

test('digests are sent at six in the morning, every day or on one day of the week', () => {
  const daily = { frequency: 'DAILY', day: 'MONDAY' } as const
  expect(nextDigest(daily, now)).toEqual(new Date('2026-11-19T06:00:00Z'))
  expect(nextDigest(daily, new Date('2026-11-18T05:59:59Z'))).toEqual(new Date('2026-11-18T06:00:00Z'))
  expect(nextDigest(daily, new Date('2026-11-18T06:00:00Z'))).toEqual(new Date('2026-11-19T06:00:00Z'))
  expect(nextDigest({ ...daily, frequency: 'WEEKLY' }, now)).toEqual(new Date('2026-11-23T06:00:00Z'))
  expect(nextDigest({ frequency: 'WEEKLY', day: 'WEDNESDAY' }, now)).toEqual(new Date('2026-11-25T06:00:00Z'))
})

test('a message is tried for days, ever more rarely', () => {
  const waits = Array.from({ length: 60 }, (_, index) => waitAfterMs(index + 1))
  expect(waits[0]).toBe(30_000)
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits.at(-1)).toBe(3 * 3_600_000)
  expect(triedForMs).toBe(4 * 86_400_000)
})

test('where mail is switched off, notices of the system are sent all the same', () => {
  const { email } = completed({})
  for (const wanted of [effective({ ...email, enabled: false }, {}), effective(email, { enabled: false })]) {
    expect(wanted.kinds.system).toBe(true)
    expect(Object.values(wanted.kinds).filter(Boolean)).toHaveLength(1)
  }
})

const task = {
  ...{ id: 't', kind: 'grant', subjectUserId: 'subject', createdBy: 'asker', isOpen: true, outcome: null },
  ...{ stepId: 's', stepKind: 'approval', stepDueAt: null, assigneeIds: ['a', 'b'] },
}
const event = (kind: string, by = '') => ({ taskId: 't', id: 'e', kind, by, comment: '', at: now })
const told = (of: Partial<typeof task>, ...events: ReturnType<typeof event>[]) =>
  noticesOf({ ...task, ...of }, events, now).map(({ userId, kind }) => `${userId} ${kind}`)

test('people who lose access are notified afterwards, and nobody of their own actions', () => {
  expect(told({ kind: 'revoke', assigneeIds: [] }, event('created', 'asker'))).toEqual(['asker requestCreated'])
  const gone = { kind: 'revoke', isOpen: false, outcome: 'done' as never }
  expect(told(gone, event('closed'))).toEqual(['asker completion', 'subject completion'])
  expect(told({ isOpen: false, outcome: 'cancelled' as never }, event('closed', 'asker'))).toEqual([
    'subject completion',
  ])
  expect(told({ isOpen: false, outcome: 'done' as never }, event('created', 'asker'), event('closed'))).toEqual([
    'subject accessProvisioned',
    'asker completion',
  ])
  expect(told({}, event('commented', 'a'))).toEqual(['asker', 'subject', 'b'].map((id) => `${id} commentOnRequest`))
  expect(
    told({ kind: 'change', subjectUserId: '' }, event('created', 'asker')).filter((each) => each.startsWith('asker')),
  ).toEqual([])
})

test('a reminder comes before a step is due', () => {
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  const first = (stepDueAt: Date | null) =>
    noticesOf({ ...task, stepDueAt }, [event('begun')], now).find(({ kind }) => kind === 'taskReminders')?.dueAt
  expect(first(null)).toEqual(at(24))
  expect(first(at(120))).toEqual(at(96))
  expect(first(at(2))).toEqual(at(1))
})

test('an address is one address and nothing else', () => {
  for (const right of ['a@b.c', 'ada.marlow+x@mail.example.com', "o'hara@example.com", 'admin@localhost'])
    expect(isMailAddress(right), right).toBe(true)
  const wrong = [
    '',
    'a',
    '@b.c',
    'a@',
    'a b@c.d',
    'a@b.c\r\nBcc: x@y.z',
    'a@b.c,d@e.f',
    '<a@b.c>',
    'a@b@c.d',
    '"a b"@c.d',
    'a@b.c>',
    'ä@b.c',
    `${'a'.repeat(65)}@b.c`,
  ]
  for (const each of wrong) expect(isMailAddress(each), each).toBe(false)
  expect(readSender('Access desk <a@b.c>')).toEqual({ name: 'Access desk', address: 'a@b.c' })
  expect(readSender('"Desk, Access" <a@b.c>')).toEqual({ name: 'Desk, Access', address: 'a@b.c' })
  expect(readSender('X\nBcc: y <a@b.c>')).toBe(null)
})

test('no header can be added by a name, a subject or a reply address', async () => {
  const place = { origin: 'https://a.example', organisation: 'a.example' }
  const { approvalNeeded: notice } = sampleNotices(place)
  if (!notice) throw new Error('no sample')
  const evil = 'x\r\nBcc: evil@example.com\r\n\r\nbody\u2028y'
  const mail = await compose({
    ...{ messageId: messageIdOf('id', 'localhost:8080'), thread: '', date: now, place },
    from: { name: evil, address: 'a@b.c' },
    to: { name: evil, address: 'd@e.f' },
    replyTo: '',
    notice: { ...notice, subject: evil, title: evil },
  })
  const [head = ''] = mail.toString().split('\r\n\r\n', 1)
  expect(head.split('\r\n').filter((line) => /^bcc/i.test(line))).toEqual([])
  expect(head).toContain('Message-ID: <id@localhost>')
  expect(head.match(/^To: /gm)).toHaveLength(1)
})
