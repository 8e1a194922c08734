import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './global.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './client/queries.ts'
import { router } from './routes.ts'
import { theme } from './theme.ts'

// The content security policy refuses style elements without the nonce of this page.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''
// The name under which react-remove-scroll looks for it, which keeps the page behind a dialog from scrolling.
Object.assign(globalThis, { __webpack_nonce__: nonce })

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={localStorageColorSchemeManager({ key: 'bailiwick-scheme' })}
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Notifications position="bottom-right" />
    </QueryClientProvider>
  </MantineProvider>,
)
