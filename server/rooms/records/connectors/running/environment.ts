import { environmentOf } from '../catalog/entry.ts'
import type { ProgramSetting } from '../program/program.ts'

type Reached = {
  clientId: string
  clientSecret: string
  /** The port on the loopback interface where this server takes its calls. */
  port: number
  certificateFile: string
  isProvisioning: boolean
}

/**
 * All that the program of a connector gets of an environment: its own settings, and how it reaches this server. The host id is
 * the same wherever it runs: one of them runs at a time, and continues the work of the one before.
 */
export function environmentFor(settings: readonly ProgramSetting[], reached: Reached): Record<string, string> {
  return {
    ...Object.fromEntries(settings.map((setting) => [environmentOf(setting).replaceAll('-', '_'), setting.value])),
    BATON_CLIENT_ID: reached.clientId,
    BATON_CLIENT_SECRET: reached.clientSecret,
    BATON_C1_API_HOST: `127.0.0.1:${reached.port}`,
    BATON_HOST_ID: 'bailiwick',
    ...(reached.isProvisioning && { BATON_PROVISIONING: 'true' }),
    SSL_CERT_FILE: reached.certificateFile,
  }
}
