import type { Chapter, Story } from '#rooms/governance/tasks/index.ts'
import type { Finds } from './find.ts'
import { open } from './open.ts'
import { past } from './past.ts'
import type { Plot } from './plot.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The requests of people at Larkfield, in order of time. */
export function storiesOf(finds: Finds, ownerId: string, now: Date): Story[] {
  const stories = [...past, ...open].flatMap((plot) => storyOf(plot, subjectOf(finds, ownerId, plot), finds, now))
  return stories.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function subjectOf(finds: Finds, ownerId: string, { who, what, nth = 0 }: Plot): string {
  if (who === 'owner') return ownerId
  const subject = finds.lacking(who, what)[nth]
  if (!subject) throw new Error(`the demo company has no ${who} ${nth} without ${what}`)
  return subject.id
}

function storyOf(plot: Plot, subjectUserId: string, finds: Finds, now: Date): Story[] {
  const { what, daysAgo, why, days, answers = null, isEmergency = false, acts = [], hasEnded = false } = plot
  const { appId, id: entitlementId } = finds.ref(what)
  const at = new Date(now.getTime() - daysAgo * dayMs)
  let last = at.getTime()
  const chapters = acts.map(([does, hours, comment = '', by]): Chapter => {
    last += hours * hourMs
    return { does, at: new Date(last), comment, by: by === 'requester' ? subjectUserId : null }
  })
  const about = { appId, entitlementId, subjectUserId }
  const durationSeconds = days === undefined ? null : Math.round((days * dayMs) / 1000)
  const asked: Story = {
    ...about,
    kind: 'grant',
    createdBy: subjectUserId,
    description: why,
    at,
    durationSeconds,
    answers,
    isEmergency,
    expiredAt: null,
    chapters,
  }
  if (!hasEnded) return [asked]
  const end = new Date(last + (days ?? 0) * dayMs)
  const ended: Story = {
    ...about,
    kind: 'revoke',
    createdBy: '',
    description: '',
    at: end,
    durationSeconds: null,
    answers: null,
    isEmergency: false,
    expiredAt: end,
    chapters: [],
  }
  return [asked, ended]
}
