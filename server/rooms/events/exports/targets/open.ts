import { strictRules } from '#kernel/outgoing/addresses.ts'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import type { World } from '#kernel/world.ts'
import type { Datasource } from '../datasources/datasource.ts'
import { folderTarget } from './folder.ts'
import { httpTarget } from './http.ts'
import { otlpTarget } from './otlp.ts'
import { s3Target } from './s3.ts'
import type { Target } from './target.ts'

/** Opens a datasource; the caller closes it. */
export async function openTarget(
  { settings }: Pick<World, 'settings'>,
  source: Datasource,
  signal: AbortSignal,
): Promise<Target> {
  if (source.kind === 'folder') return folderTarget(source)
  const outgoing = openOutgoing(settings.outgoing ?? strictRules)
  const close = (): void => outgoing.close()
  try {
    if (source.kind === 's3') return { ...(await s3Target(source, outgoing, signal)), close }
    return source.kind === 'http'
      ? { ...httpTarget(source, outgoing, signal), close }
      : { ...otlpTarget(source, outgoing, signal), close }
  } catch (error) {
    close()
    throw error
  }
}
