import { type Dice, diceOf } from './dice.ts'
import { namesBy } from './names.ts'
import { type Department, departments, type Site } from './organisation.ts'

export const domain = 'larkfield.example'

export type Person = {
  id: string
  /** `ana.souza`: stable, while ids differ each time. */
  key: string
  displayName: string
  email: string
  employeeId: string
  department: string
  costCentre: string
  /** Empty for heads of departments, who have several. */
  team: string
  jobTitle: string
  rank: 'head' | 'lead' | 'member'
  employmentType: 'employee' | 'contractor' | 'intern'
  employmentStatus: 'active' | 'on leave' | 'terminated'
  site: Site
  startedAt: Date
  /** For leavers. */
  leftAt: Date | null
  /** Whether the access of a leaver was revoked. */
  wasOffboarded: boolean
  /** For movers: where they worked before. */
  formerDepartment: string | null
  manager: Person | null
}

type Post = Pick<Person, 'department' | 'costCentre' | 'team' | 'jobTitle' | 'rank' | 'site' | 'manager'>

const dayMs = 86_400_000
const daysBefore = (instant: Date, days: number): Date => new Date(instant.getTime() - days * dayMs)

const leavers = 9
const leaversOffboarded = 4
const peopleOnLeave = 4
const movers: readonly (readonly [from: string, to: string])[] = [
  ['Finance', 'Sales'],
  ['Customer Support', 'Product'],
  ['Engineering', 'Data'],
]

/** Everybody; a manager always comes before their reports. */
export function hirePeople(now: Date, newId: () => string): Person[] {
  const dice = diceOf('people')
  const nextName = namesBy(dice)
  const people: Person[] = []

  const hire = (post: Post): Person => {
    const name = nextName()
    const employmentType = employmentTypeOf(post, dice)
    const person: Person = {
      ...post,
      ...name,
      id: newId(),
      email: `${name.key}@${domain}`,
      employeeId: '',
      employmentType,
      employmentStatus: 'active',
      startedAt: startOf(daysBefore(now, daysOfService(post, employmentType, dice))),
      leftAt: null,
      wasOffboarded: false,
      formerDepartment: null,
    }
    people.push(person)
    return person
  }

  let chief: Person | null = null
  for (const department of departments) {
    const head: Person = hire(
      postOf(department, { team: '', jobTitle: department.head, rank: 'head', site: 'Leeds', manager: chief }),
    )
    chief ??= head
    for (const team of department.teams) {
      const post = (jobTitle: string, rank: Person['rank'], manager: Person): Post =>
        postOf(department, { team: team.name, jobTitle, rank, site: dice.pick(team.sites), manager })
      const lead = team.lead ? hire(post(team.lead, 'lead', head)) : head
      for (const [title, count] of Object.entries(team.posts)) {
        for (let i = 0; i < count; i++) hire(post(title, 'member', lead))
      }
    }
  }

  numberByStart(people)
  letLifeHappen(people, now, diceOf('careers'))
  return people
}

const postOf = ({ name, costCentre }: Department, of: Omit<Post, 'department' | 'costCentre'>): Post => ({
  department: name,
  costCentre,
  ...of,
})

function employmentTypeOf({ jobTitle, rank }: Post, dice: Dice): Person['employmentType'] {
  if (jobTitle.endsWith('Intern')) return 'intern'
  return rank === 'member' && dice.chance(0.12) ? 'contractor' : 'employee'
}

function daysOfService({ rank }: Post, employmentType: Person['employmentType'], dice: Dice): number {
  if (employmentType === 'intern') return 20 + dice.below(130)
  if (employmentType === 'contractor') return 60 + dice.below(640)
  return rank === 'member' ? 25 + dice.below(2500) : 1100 + dice.below(2300)
}

/** 09:00 UTC of that day. */
const startOf = (instant: Date): Date => new Date(`${instant.toISOString().slice(0, 10)}T09:00:00Z`)

/** The longer someone has worked here, the lower their number. */
function numberByStart(people: readonly Person[]): void {
  const byStart = people.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  for (const [index, person] of byStart.entries()) person.employeeId = `LI-${String(index + 1).padStart(4, '0')}`
}

/** Some people leave, some take leave, some change departments; never someone who has reports. */
function letLifeHappen(people: readonly Person[], now: Date, dice: Dice): void {
  const settledBy = startOf(daysBefore(now, 400))
  const settled = people.filter(
    (person) => person.rank === 'member' && person.employmentType === 'employee' && person.startedAt < settledBy,
  )
  const drawFrom = (candidates: readonly Person[]): Person => {
    const drawn = dice.pick(candidates.filter((person) => settled.includes(person)))
    settled.splice(settled.indexOf(drawn), 1)
    return drawn
  }

  for (const [from, to] of movers) {
    drawFrom(settled.filter((person) => person.department === to)).formerDepartment = from
  }
  for (let i = 0; i < peopleOnLeave; i++) drawFrom(settled).employmentStatus = 'on leave'
  // From departments whose access is the most sensitive.
  const forgotten = ['Engineering', 'Engineering', 'IT', 'Sales', 'Finance']
  for (let i = 0; i < leavers; i++) {
    const department = forgotten[i - leaversOffboarded]
    const leaver = drawFrom(department ? settled.filter((person) => person.department === department) : settled)
    leaver.employmentStatus = 'terminated'
    leaver.leftAt = startOf(daysBefore(now, 15 + dice.below(200)))
    leaver.wasOffboarded = department === undefined
  }
}
