import { printable } from './differences.ts'
import type { Verdict } from './verdict.ts'

/** What a verdict means for people: what a pack is, what is proven, what is not, and what differs. For a terminal. */
export function wordsOf(verdict: Verdict): string[] {
  const { manifest, findings } = verdict
  const differs = findings.flatMap(({ what, details }) => [
    `  ${printable(what)}`,
    ...details.map((each) => `    ${printable(each)}`),
  ])
  if (!manifest) return ['This is not an evidence pack that can be verified.', '', ...differs]
  return [
    ...section('What it says', [
      `Evidence of ${manifest.subject}`,
      `as of ${manifest.asOf}, for ${manifest.tenant.domain}`,
      `created ${manifest.createdAt} by ${manifest.createdBy.name} with ${manifest.program}`,
      `pack ${manifest.id}, signed with the key ${verdict.fingerprint}`,
    ]),
    ...(differs.length > 0 ? ['What differs', ...differs, ''] : []),
    ...section('Proven', provenBy(verdict)),
    ...section('Not proven', unprovenBy(verdict)).slice(0, -1),
  ]
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [title, ...lines.map((line) => `  ${printable(line)}`), ''] : []

export const isProven = ({ findings, signer }: Verdict): boolean => findings.length === 0 && signer === 'known'

function provenBy({ findings, signer, events, areEventsVerified }: Verdict): string[] {
  if (findings.length > 0) return []
  return [
    'No file of the pack was changed, added or removed since it was signed.',
    ...(signer === 'known' ? ['It was signed with the key that you named: by the server of that organization.'] : []),
    ...(events && signer === 'known'
      ? [`That server found its ${events} ${events === 1 ? 'event' : 'events'} genuine and in its log when it signed.`]
      : []),
    ...(events && areEventsVerified
      ? ['By the secret key: the events, and their places in the log, are genuine.']
      : []),
  ]
}

function unprovenBy({ findings, signer, events, areEventsVerified, head }: Verdict): string[] {
  return [
    ...(findings.length > 0 ? ['Anything in the pack, because something in it differs.'] : []),
    ...(signer === 'unchecked'
      ? [
          'Who signed it: anybody can create a key. Compare the key with the one that the organization shows, and name it with --key.',
        ]
      : []),
    ...(events === null
      ? ['Events of the system log: who created the pack may not read it, so it has none.']
      : events === 0
        ? ['That anything was recorded in the system log: the pack cites no event.']
        : areEventsVerified
          ? []
          : ['The events without that server: that takes its secret key (--secret-key-file).']),
    ...(head === ''
      ? []
      : [`That the log still contains them: run bailiwick systemlog verify --head ${head} on that server.`]),
    'That what the server recorded is true in the apps, other than where the pack says who confirmed it.',
    'That there is nothing else: grants that the creator of the pack may not see are not in it.',
  ]
}
