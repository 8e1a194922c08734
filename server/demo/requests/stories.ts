import type { Chapter, Story } from '#rooms/governance/tasks/index.ts'
import type { Finds } from './find.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What somebody does, and how many hours after what came before. */
type Then = readonly [does: Chapter['does'], hours: number, comment?: string, by?: 'requester']
type Plot = {
  what: string
  /** The title of the person, and which of those that do not hold it. */
  who: string
  nth?: number
  daysAgo: number
  why: string
  days?: number
  answers?: Story['answers']
  isEmergency?: boolean
  then?: readonly Then[]
  /** How many days later its time was over, and its access ended. */
  endedAfterDays?: number
}

const approve = (hours: number, comment = ''): Then => ['approve', hours, comment]
const deny = (hours: number, comment: string): Then => ['deny', hours, comment]
const cancel = (hours: number, comment: string): Then => ['close', hours, comment, 'requester']

// Of the last weeks: granted, denied, cancelled, failed, and ended since.
const past: readonly Plot[] = [
  {
    what: 'source-code:repository:order-api:write',
    who: 'Test Engineer',
    daysAgo: 41,
    why: 'Refunds move to the order API.',
    days: 90,
    then: [approve(5)],
  },
  {
    what: 'crm:territory:americas:edit',
    who: 'Account Executive',
    daysAgo: 40,
    why: 'I cover for Toronto in October.',
    days: 30,
    then: [approve(20), approve(8)],
    endedAfterDays: 30,
  },
  {
    what: 'vpn:network:servers:connect',
    who: 'Software Engineer',
    daysAgo: 38,
    why: 'Reading logs of the gateway.',
    days: 14,
    then: [approve(3, 'Fine for two weeks.'), approve(26)],
    endedAfterDays: 14,
  },
  {
    what: 'source-code:repository:infrastructure:admin',
    who: 'Platform Engineer',
    daysAgo: 36,
    why: 'Rotate the deploy keys.',
    days: 1,
    then: [approve(2, 'Planned rotation.')],
    endedAfterDays: 1,
  },
  {
    what: 'data-warehouse:dataset:finance:read',
    who: 'Product Manager',
    daysAgo: 35,
    why: 'Margins for the new probe.',
    then: [deny(30, 'The monthly report has these numbers.')],
  },
  {
    what: 'door-access:door:leeds-laboratory:enter',
    who: 'Product Designer',
    daysAgo: 34,
    why: 'Photographs of the prototypes.',
    then: [approve(4), approve(22), ['provision-complete', 40, 'Badge updated.']],
  },
  {
    what: 'wiki:space:product:edit',
    who: 'Support Specialist',
    daysAgo: 33,
    why: 'Known problems page.',
    then: [approve(7)],
  },
  {
    what: 'cloud:project:production:editor',
    who: 'Senior Software Engineer',
    daysAgo: 30,
    why: 'Migrate the order tables.',
    days: 2,
    answers: { change: 'CHG-2207', window: 'night', rollback: true },
    then: [approve(6, 'CHG-2207 is approved.')],
  },
  {
    what: 'crm:role:discount-approver:assigned',
    who: 'Sales Engineer',
    daysAgo: 29,
    why: 'Quotes for the fair.',
    then: [deny(18, 'Discounts stay with the regional managers.')],
  },
  {
    what: 'door-access:door:leeds-laboratory:enter',
    who: 'Data Analyst',
    daysAgo: 27,
    why: 'Sensors of the climate chamber.',
    then: [approve(9), approve(15), ['provision-errored', 50, 'No badge was handed in for two weeks.']],
  },
  {
    what: 'source-code:repository:customer-portal:write',
    who: 'Platform Engineer',
    daysAgo: 26,
    why: 'Feature flags.',
    days: 60,
    then: [['comment', 2, 'Which service is this for?'], approve(4)],
  },
  {
    what: 'data-warehouse:dataset:sales:read',
    who: 'Content Writer',
    daysAgo: 25,
    why: 'Case studies.',
    then: [cancel(28, 'I got the numbers from Sales Operations.')],
  },
  {
    what: 'vpn:network:servers:connect',
    who: 'Data Engineer',
    daysAgo: 24,
    why: 'Loads fail at night.',
    days: 7,
    then: [approve(1), approve(5)],
    endedAfterDays: 7,
  },
  {
    what: 'build-system:pipeline:portal-deployment:run',
    who: 'Test Engineer',
    daysAgo: 22,
    why: 'Deploy to the test rigs.',
    then: [approve(12)],
  },
  {
    what: 'source-code:repository:design-system:write',
    who: 'Software Engineer',
    daysAgo: 21,
    why: 'New form fields.',
    days: 120,
    then: [approve(6)],
  },
  {
    what: 'cloud:project:production:editor',
    who: 'Platform Engineer',
    nth: 1,
    daysAgo: 19,
    why: 'Gateway is down.',
    isEmergency: true,
    days: 1,
    answers: { change: 'INC-88', window: 'night', rollback: false },
  },
  {
    what: 'crm:territory:asia-pacific:edit',
    who: 'Sales Development Representative',
    daysAgo: 18,
    why: 'New leads from Pune.',
    days: 60,
    then: [approve(24), approve(3)],
  },
  {
    what: 'ticketing:project:factory-changes:browse',
    who: 'Accountant',
    daysAgo: 17,
    why: 'Costs of change orders.',
    then: [approve(10)],
  },
  {
    what: 'data-warehouse:dataset:finance:read',
    who: 'Sales Operations Manager',
    daysAgo: 16,
    why: 'Forecast for Q1.',
    days: 90,
    then: [approve(2)],
  },
  {
    what: 'source-code:repository:order-api:admin',
    who: 'Software Engineer',
    nth: 2,
    daysAgo: 14,
    why: 'Branch protection.',
    days: 1,
    then: [deny(3, 'Ask the repository owners to change it for you.')],
  },
  {
    what: 'vpn:network:engineering-lab:connect',
    who: 'Product Manager',
    daysAgo: 13,
    why: 'Demo for a customer.',
    then: [approve(30)],
  },
  {
    what: 'wiki:space:engineering:edit',
    who: 'Data Scientist',
    daysAgo: 12,
    why: 'Notes on drift.',
    then: [approve(5)],
  },
  {
    what: 'data-warehouse:dataset:measurements:read',
    who: 'Marketing Specialist',
    daysAgo: 10,
    why: 'Charts for the fair.',
    days: 30,
    then: [approve(4), approve(20)],
  },
  {
    what: 'crm:territory:northern-europe:edit',
    who: 'Sales Operations Analyst',
    daysAgo: 9,
    why: 'Clean up duplicates.',
    days: 14,
    then: [approve(6), deny(20, 'Done by the nightly job now.')],
  },
  {
    what: 'cloud:project:staging:editor',
    who: 'Test Engineer',
    nth: 1,
    daysAgo: 8,
    why: 'Load tests.',
    then: [approve(9)],
  },
  {
    what: 'vpn:network:servers:connect',
    who: 'Data Scientist',
    daysAgo: 7,
    why: 'Scan of old hosts.',
    days: 10,
    then: [approve(2), approve(4)],
  },
]

// Open: each at another step. The last of them waits for someone who is not there.
const open: readonly Plot[] = [
  {
    what: 'source-code:repository:infrastructure:write',
    who: 'Software Engineer',
    daysAgo: 2.2,
    why: 'Terraform modules of the portal.',
    days: 90,
  },
  {
    what: 'source-code:repository:order-api:write',
    who: 'Data Engineer',
    daysAgo: 2,
    why: 'Events for the warehouse.',
    days: 60,
  },
  {
    what: 'vpn:network:servers:connect',
    who: 'Firmware Engineer',
    daysAgo: 1.8,
    why: 'Core dumps of the gateway.',
    days: 14,
  },
  {
    what: 'vpn:network:servers:connect',
    who: 'Firmware Engineer',
    nth: 1,
    daysAgo: 1.6,
    why: 'Same as for my colleague.',
    days: 14,
    then: [['comment', 3, 'Until when do you need this?']],
  },
  {
    what: 'source-code:repository:customer-portal:write',
    who: 'Firmware Engineer',
    nth: 2,
    daysAgo: 1.5,
    why: 'Pairing of new devices.',
    days: 30,
  },
  {
    what: 'data-warehouse:dataset:web-visits:read',
    who: 'Firmware Engineer',
    nth: 3,
    daysAgo: 1.4,
    why: 'Which manuals are read.',
  },
  {
    what: 'vpn:network:servers:connect',
    who: 'Buyer',
    daysAgo: 1.3,
    why: 'Prices in the old ERP.',
    days: 30,
    then: [approve(4)],
  },
  {
    what: 'crm:territory:southern-europe:edit',
    who: 'Account Executive',
    nth: 1,
    daysAgo: 1.2,
    why: 'Porto asked for help.',
    days: 60,
    then: [approve(5)],
  },
  {
    what: 'crm:role:sales-manager:assigned',
    who: 'Account Executive',
    nth: 2,
    daysAgo: 1.1,
    why: 'Acting lead until March.',
    days: 90,
  },
  {
    what: 'cloud:project:production:editor',
    who: 'Software Engineer',
    daysAgo: 1,
    why: 'Index on the order table.',
    days: 1,
    answers: { change: 'CHG-2291', window: 'night', rollback: true },
  },
  {
    what: 'cloud:project:production:editor',
    who: 'Software Engineer',
    nth: 1,
    daysAgo: 0.9,
    why: 'Second pair of hands.',
    days: 1,
    answers: null,
  },
  {
    what: 'source-code:repository:infrastructure:admin',
    who: 'Platform Engineer',
    nth: 1,
    daysAgo: 0.8,
    why: 'Rename the main branch.',
    days: 1,
  },
  {
    what: 'data-warehouse:dataset:finance:read',
    who: 'Firmware Engineer',
    daysAgo: 0.7,
    why: 'Cost per measurement.',
    days: 30,
  },
  {
    what: 'door-access:door:leeds-laboratory:enter',
    who: 'Content Writer',
    daysAgo: 4,
    why: 'Interview in the lab.',
    then: [approve(6), approve(30)],
  },
  { what: 'door-access:door:leeds-laboratory:enter', who: 'Recruiter', daysAgo: 0.5, why: 'Tours for candidates.' },
  { what: 'wiki:space:runbooks:read', who: 'Support Specialist', nth: 1, daysAgo: 0.4, why: 'Night shift.' },
  { what: 'wiki:space:sales:edit', who: 'Contracts Manager', daysAgo: 0.3, why: 'Terms of sale.' },
  {
    what: 'door-access:door:leeds-calibration-room:enter',
    who: 'Test Engineer',
    daysAgo: 0.2,
    why: 'Audit of the instruments.',
  },
]

// Given for a time that is over now: the first sweep opens the task that asks its owner.
const overdue: Plot = {
  ...{ what: 'cloud:project:production:editor', who: 'Senior Software Engineer', nth: 1, daysAgo: 8, days: 7 },
  why: 'Capacity for the new region.',
  answers: { change: 'CHG-2250', window: 'weekend', rollback: true },
  then: [approve(5, 'Agreed with the platform team.')],
}

/** What people at Larkfield have asked for, in order of time. */
export function storiesOf(finds: Finds, now: Date): Story[] {
  const stories = [...past, ...open, overdue].flatMap((plot) => storyOf(finds, now, plot))
  return stories.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function storyOf(finds: Finds, now: Date, plot: Plot): Story[] {
  const {
    what,
    who,
    nth = 0,
    daysAgo,
    why,
    days,
    answers = null,
    isEmergency = false,
    then = [],
    endedAfterDays,
  } = plot
  const { appId, id: entitlementId } = finds.ref(what)
  const subject = finds.lacking(who, what)[nth]
  if (!subject) throw new Error(`the demo company has no ${who} ${nth} without ${what}`)
  const at = new Date(now.getTime() - daysAgo * dayMs)
  let last = at.getTime()
  const chapters = then.map(([does, hours, comment = '', by]): Chapter => {
    last += hours * hourMs
    return { does, at: new Date(last), comment, by: by === 'requester' ? subject.id : null }
  })
  const about = { appId, entitlementId, subjectUserId: subject.id, isEmergency }
  const durationSeconds = days === undefined ? null : Math.round((days * dayMs) / 1000)
  const asked: Story = {
    ...{ ...about, kind: 'grant', createdBy: subject.id, description: why, at, durationSeconds, answers },
    ...{ expiredAt: null, then: chapters },
  }
  if (endedAfterDays === undefined) return [asked]
  const end = new Date(last + endedAfterDays * dayMs)
  const ended: Story = {
    ...{ ...about, kind: 'revoke', createdBy: '', description: '', at: end, durationSeconds: null, answers: null },
    ...{ isEmergency: false, expiredAt: end, then: [] },
  }
  return [asked, ended]
}
