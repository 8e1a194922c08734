import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'

/** What the build and the developers' server have in common. */
export const options: InlineConfig = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Nothing is read that is not named here, and nothing is written beside it: the checkout may be read-only.
  configFile: false,
  envDir: false,
  plugins: [react()],
  build: {
    // Browsers of the last two years: they know light-dark(), :has() and container queries.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What several pages use in two files rather than in fifty: a browser pays for each request.
        codeSplitting: {
          groups: [
            { name: 'packages', test: /node_modules/, minShareCount: 2, priority: 2 },
            { name: 'shared', minShareCount: 3, priority: 1 },
          ],
        },
      },
    },
  },
}
