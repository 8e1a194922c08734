import { isIP } from 'node:net'

/**
 * Every setting, once: its flag, its variable, what it means, and how its text is parsed. The flags, `--help` and
 * docs/configuration.md are all generated from here.
 */
export type Setting<T> = {
  /** The placeholder of the value in `--help`; null for a switch. */
  value: string | null
  help: string
  /** Also this variable, besides the `BAILIWICK_…` one. */
  variable?: string
  repeatable?: true
  /** The default as the docs show it. */
  byDefault: string
  fallback: T
  read(text: string): T | Wrong
}
export class Wrong {
  readonly expected: string
  constructor(expected: string) {
    this.expected = expected
  }
}

export const setting = <T>(definition: Setting<T>): Setting<T> => definition
export const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN)
export const portNumber = (text: string): number | Wrong => {
  const port = wholeNumber(text)
  return port <= 65_535 ? port : new Wrong('a port from 0 to 65535 (0: any free one)')
}
export const atLeastOne = (text: string): number | Wrong => {
  const number = wholeNumber(text)
  return number >= 1 ? number : new Wrong('a number of at least 1')
}
export const text = (value: string): string | Wrong => (value === '' ? new Wrong('some text') : value)
export const oneSwitch = (value: string): boolean | Wrong =>
  ['true', '1', 'yes', ''].includes(value)
    ? true
    : ['false', '0', 'no'].includes(value)
      ? false
      : new Wrong('true or false')

export function isCidr(value: string): boolean {
  const [address = '', bits, ...more] = value.split('/')
  const family = isIP(address)
  return family !== 0 && more.length === 0 && (bits === undefined || wholeNumber(bits) <= (family === 4 ? 32 : 128))
}
