import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** Shown where the console was opened without HTTPS, which connectors that run elsewhere do not do. */
export const NeedsHttps = (): ReactNode =>
  location.protocol === 'https:' ? null : (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title="Connectors that run elsewhere need HTTPS"
    >
      This server was opened without it. Start the server with <code>--tls-self-signed</code>, or with{' '}
      <code>--tls-cert</code> and <code>--tls-key</code>. Connectors that this server runs itself do not need it: see{' '}
      <code>--connectors-folder</code>.
    </Alert>
  )
