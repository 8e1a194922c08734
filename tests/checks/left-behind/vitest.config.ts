import { defineConfig } from 'vitest/config'
import usual from '../../../vitest.config.ts'

/** A run of its own, for tests/checks/left-behind.long.test.ts to end in all ways. */
export default defineConfig({
  test: { ...usual.test, include: ['tests/checks/left-behind/run.ts'], reporters: ['default'] },
})
