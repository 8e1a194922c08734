import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'
export default defineConfig({ test: { ...usual.test, setupFiles: ['./prof-setup.ts', ...(usual.test!.setupFiles as string[])], reporters: [...(usual.test!.reporters as any), ['json',{outputFile:'/tmp/prof/result.json'}]] } })
