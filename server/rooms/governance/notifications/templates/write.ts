import type { Notice, Place } from './notice.ts'
import type { Told, ToldTask } from './told.ts'

// oxlint-disable-next-line no-control-regex -- They are what is removed: a line break in a subject would be another header.
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]+/g

/** One line of text that someone else named or wrote, at most `max` characters long. */
export function plainLine(text: string, max = 200): string {
  const line = text.replace(controls, ' ').replace(/\s+/g, ' ').trim()
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line
}

const quoteMax = 1000
/** The same with its line breaks. */
const plainText = (text: string): string => {
  const lines = text.split(/\r\n?|\n/).map((line) => plainLine(line, quoteMax))
  const joined = lines.join('\n').trim()
  return joined.length > quoteMax ? `${joined.slice(0, quoteMax - 1).trimEnd()}…` : joined
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (number: number): string => String(number).padStart(2, '0')
/** Mail does not know its reader's time zone: the time zone is always given. */
const timeText = (at: Date): string =>
  `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`

function durationText(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
  const [name, size] = units.find(([, of]) => seconds >= of && seconds % of === 0) ?? units[2]
  const count = Math.max(1, Math.round(seconds / size))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

const taskUrl = ({ origin }: Place, { id }: ToldTask): string => `${origin}/tasks/${encodeURIComponent(id)}`

const noun = ({ kind }: ToldTask): string => (kind === 'change' ? 'change' : 'request')
const nameOf = (task: ToldTask): string => `${noun(task)} ${task.number}`
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function factsOf(task: ToldTask): { name: string; value: string }[] {
  const all: [string, string][] = [
    ['For', task.subject],
    ['Requested by', task.requester],
    ['Entitlement', task.entitlement],
    ['App', task.app],
    ['Duration', task.kind === 'grant' && task.durationSeconds !== null ? durationText(task.durationSeconds) : ''],
    ['Due', task.stepDueAt ? timeText(task.stepDueAt) : ''],
    ['Emergency', task.isEmergency ? 'Yes: needed immediately' : ''],
  ]
  return all.flatMap(([name, value]) => (value === '' ? [] : [{ name, value: plainLine(value) }]))
}

const descriptionOf = (task: ToldTask): Notice['quote'] => {
  const text = plainText(task.description)
  return text === '' ? null : { by: plainLine(task.requester) || 'Description', text }
}

/** How a task ended, in a word that depends on its kind. */
function endOf({ kind, outcome }: ToldTask): string {
  if (outcome === 'done') return kind === 'change' ? 'approved' : 'completed'
  if (outcome === 'denied' || outcome === 'failed') return outcome
  return outcome === 'timed out' ? 'timed out' : 'closed without a decision'
}

const whys = {
  decide: 'You receive this because you can decide this step.',
  carry: 'You receive this because you can provision this.',
  party: 'You receive this because the request is yours, for you, or assigned to you.',
  holder: 'You receive this because the access is yours.',
  owner: 'You receive this because you own the connector or its app, or administer this organization.',
  administrator: 'You receive this because you administer this organization.',
}

/** The content of a notification. */
export function writeNotice(place: Place, told: Told): Notice {
  if ('task' in told) return aboutTask(place, told)
  const none = { quote: null, facts: [], items: [], more: 0 }
  if (told.kind === 'expiringAccess') {
    const what = `${plainLine(told.entitlement, 80)} in ${plainLine(told.app, 80)}`
    const whose = told.holder === '' ? 'Your access' : `The access of ${plainLine(told.holder, 80)}`
    return {
      ...none,
      subject: `Access to ${what} expires on ${timeText(told.endsAt)}`,
      title: `${whose} expires soon`,
      lines: [`${whose} to ${what} expires on ${timeText(told.endsAt)}. If it is needed for longer, request it again.`],
      action: { label: 'Open your access', url: told.url },
      why: whys.holder,
    }
  }
  if (told.kind === 'connectorIssues') {
    const name = plainLine(told.connector, 100)
    const isHeld = told.state === 'held'
    return {
      ...none,
      subject: isHeld ? `Sync of ${name} is waiting for confirmation` : `Sync of ${name} failed`,
      title: isHeld ? 'A sync is waiting for confirmation' : 'A sync failed',
      lines: [
        isHeld
          ? 'The sync would remove a large part of the records. Nothing was changed: someone must confirm or reject it.'
          : 'The records of the app are from the last successful sync. The page of the connector shows the error.',
      ],
      facts: [
        { name: 'Connector', value: name },
        { name: 'App', value: plainLine(told.app) },
      ],
      action: { label: 'Open the connector', url: place.origin + told.path },
      why: whys.owner,
    }
  }
  if (told.about === 'credential') {
    const name = plainLine(told.name, 100)
    return {
      ...none,
      subject: `API credential ${name} expires on ${timeText(told.endsAt)}`,
      title: 'An API credential expires soon',
      lines: [
        `Programs that use the credential will be refused from ${timeText(told.endsAt)}. Create another one in time.`,
      ],
      facts: [
        { name: 'Credential', value: name },
        ...(told.owner === '' ? [] : [{ name: 'Service principal', value: plainLine(told.owner) }]),
      ],
      action: { label: 'Open the credentials', url: place.origin + told.path },
      why: 'You receive this because the credential, or its service principal, is yours.',
    }
  }
  const message = plainLine(told.message, 300)
  return {
    ...none,
    subject: `Security notice: ${plainLine(told.message, 120)}`,
    title: 'Security notice',
    lines: [message],
    facts: [
      ...(told.by === '' ? [] : [{ name: 'By', value: plainLine(told.by) }]),
      { name: 'Time', value: timeText(told.at) },
    ],
    action: { label: 'Open the system log', url: place.origin + told.path },
    why: whys.administrator,
  }
}

function aboutTask(place: Place, told: Extract<Told, { task: ToldTask }>): Notice {
  const { task } = told
  const title = plainLine(task.title, 140)
  const common = {
    facts: factsOf(task),
    items: [],
    more: 0,
    action: { label: `Open ${nameOf(task)}`, url: taskUrl(place, task) },
  }
  const decides = task.stepKind === 'provision' ? whys.carry : whys.decide
  if (told.kind === 'approvalNeeded' || told.kind === 'taskReminders' || told.kind === 'provisioningRequest') {
    const isForm = task.stepKind === 'form'
    const isWork = task.stepKind === 'provision'
    const asked = isWork ? 'To do' : isForm ? 'Information needed' : 'Approval needed'
    const line = isWork
      ? `${upper(nameOf(task))} was approved. It must be provisioned manually and marked as done.`
      : isForm
        ? `${upper(nameOf(task))} needs further information from you.`
        : `${upper(nameOf(task))} is waiting for your decision.`
    const isReminder = told.kind === 'taskReminders'
    return {
      ...common,
      subject: `${isReminder ? 'Reminder: ' : task.isEmergency ? 'Emergency: ' : ''}${asked}: ${title}`,
      title: isReminder ? `Still open: ${title}` : title,
      lines: isReminder ? [`${line} It has been waiting since ${timeText(told.since)}.`] : [line],
      quote: descriptionOf(task),
      why: decides,
    }
  }
  if (told.kind === 'requestCreated')
    return {
      ...common,
      subject: `Request ${task.number} created: ${title}`,
      title,
      lines: [`Request ${task.number} was created. You will be notified when it has been decided.`],
      quote: descriptionOf(task),
      why: whys.party,
    }
  if (told.kind === 'commentOnRequest') {
    const by = plainLine(told.by, 80) || 'Somebody'
    return {
      ...common,
      subject: `Comment on ${nameOf(task)}: ${title}`,
      title,
      lines: [`${by} commented on ${nameOf(task)}.`],
      quote: { by, text: plainText(told.comment) },
      why: whys.party,
    }
  }
  const comment = plainText(told.comment)
  const quote = comment === '' ? null : { by: 'Comment', text: comment }
  if (told.kind === 'accessProvisioned') {
    const what = task.entitlement === '' ? title : `${plainLine(task.entitlement, 80)} in ${plainLine(task.app, 80)}`
    return {
      ...common,
      subject: `You have access to ${what}`,
      title: `You have access to ${what}`,
      lines: [`${upper(nameOf(task))} was completed.`],
      quote,
      why: whys.holder,
    }
  }
  return {
    ...common,
    subject: `${upper(nameOf(task))} ${endOf(task)}: ${title}`,
    title,
    lines: [`${upper(nameOf(task))} was ${endOf(task)}.`],
    quote,
    why: whys.party,
  }
}

const itemsMax = 100

/** Several notices in one: a digest that the reader chose, or a summary. */
export function summarise(place: Place, notices: readonly Notice[], form: 'summary' | 'digest'): Notice {
  const count = notices.length
  const words = `${count} ${count === 1 ? 'notification' : 'notifications'}`
  return {
    subject: form === 'digest' ? `Your digest: ${words}` : words.charAt(0).toUpperCase() + words.slice(1),
    title: form === 'digest' ? `Your digest: ${words}` : `${words} at once`,
    lines:
      form === 'digest'
        ? ['This happened since the last digest.']
        : ['They occurred within a short time, so they are listed in one message.'],
    quote: null,
    facts: [],
    items: notices.slice(0, itemsMax).map(({ subject, lines, action }) => ({
      title: subject,
      detail: lines[0] ?? '',
      url: action.url,
    })),
    more: Math.max(0, count - itemsMax),
    action: { label: 'Open your inbox', url: `${place.origin}/decide` },
    why:
      form === 'digest'
        ? 'You receive this because digests are switched on for you.'
        : 'You receive this because all of them concern you.',
  }
}
