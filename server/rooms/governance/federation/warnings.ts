import type { Pin } from '#rooms/rules/expressions/index.ts'
import { commonClaims, presetOf } from './well-known.ts'

export type Warning = { code: 'SUBJECT_NOT_PINNED' | 'NAME_CAN_BE_TAKEN' | 'PREFIX_IS_OPEN'; message: string }

/** What a safe prefix ends with, so that what follows belongs to the owner that is named in it. */
const endOfName = /[/:@]$/

/** What is dangerous in a valid condition. */
export function warningsOf(wellKnown: string, pins: readonly Pin[] | null): Warning[] {
  if (pins === null) return []
  const { title, subjectClaims, renamable } = presetOf(wellKnown)
  const pinned = pins.filter(({ claim }) => (subjectClaims ? subjectClaims.includes(claim) : !commonClaims.has(claim)))
  if (pinned.length === 0)
    return [
      {
        code: 'SUBJECT_NOT_PINNED',
        message: subjectClaims
          ? `The condition does not restrict whose workloads are accepted: it accepts tokens of everyone who uses ${title}. Compare one of ${subjectClaims.slice(0, 5).join(', ')} with a value.`
          : 'The condition does not restrict whose workloads are accepted: it accepts tokens of everyone who uses this issuer. Compare sub, or another claim that identifies the workload, with a value.',
      },
    ]
  const warnings: Warning[] = []
  const open = pinned.filter(({ by, values }) => by === 'prefix' && values.some((value) => isOpen(value)))
  const closed = pinned.filter((pin) => !open.includes(pin))
  if (closed.length === 0)
    for (const { claim, values } of open)
      warnings.push({
        code: 'PREFIX_IS_OPEN',
        message: `${claim} may continue after ${quoted(values.find(isOpen))}: a longer name of someone else also begins with it. End it with the separator that follows the name.`,
      })
  const name = pinned.find(({ claim }) => Object.hasOwn(renamable, claim))
  const hasNumber = pinned.some(({ claim, by }) => by === 'value' && Object.values(renamable).includes(claim))
  if (name && !hasNumber)
    warnings.push({
      code: 'NAME_CAN_BE_TAKEN',
      message: `${name.claim} is a name. If it is renamed or deleted, someone else can register it and is then accepted. Compare ${renamable[name.claim]} as well, which does not change.`,
    })
  return warnings
}

const isOpen = (value: string): boolean => !endOfName.test(value)
const quoted = (value = ''): string => JSON.stringify(value.slice(0, 100))
