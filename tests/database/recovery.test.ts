import { expect, test } from 'vitest'
import { recoverySettings } from '#database/embedded/recovery.ts'

test.each([
  ['linux', '6.18.44-fc-v595', true],
  ['linux', '5.8.0', true],
  ['linux', '5.10.0-8-amd64', true],
  ['linux', '5.7.19', false],
  ['linux', '4.19.0', false],
  ['linux', 'unknown', false],
  ['darwin', '24.6.0', false],
] as const)(
  'on %s %s, files are brought to the disk all at once before a recovery: %s',
  (platform, kernel, isAtOnce) => {
    const { recovery_init_sync_method: method } = recoverySettings(platform, kernel)
    // Older kernels do not tell that it failed, and others cannot do it.
    expect(method).toBe(isAtOnce ? 'syncfs' : undefined)
  },
)
