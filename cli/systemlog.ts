import { access, constants, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { whyUnreadable } from '#kernel/unreadable.ts'
import type { World } from '#kernel/world.ts'
import {
  type Finding,
  isHead,
  keepVerification,
  keptTenantIds,
  operatorName,
  type ReadArchive,
  sealAll,
  verifyLog,
} from '#rooms/foundation/systemlog/index.ts'
import { listTenants, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { UsageError } from '#server/settings/config.ts'
import type { Run } from './command.ts'
import { chooseTenant, operate } from './operate.ts'
import { print, printJson } from './print.ts'

export const systemlogVerify: Run = ({ flags }) =>
  operate(
    flags,
    async (world) => {
      const witness = await readable(flags['witness'] as string | undefined)
      const archive = await folder(flags['archive'] as string | undefined)
      const known = (flags['head'] as string | undefined) ?? null
      if (known !== null && !isHead(known)) throw new UsageError('--head is not a head as printed by systemlog verify')
      const isOne = flags['tenant'] !== undefined || known !== null
      const tenants = isOne ? [await chooseTenant(world, flags)] : await listTenants(world.db)
      // Events that the last server did not seal are sealed first. If that fails, the walk finds those that wait too long.
      const sealing = await sealAll(world).then(
        () => null,
        (error: Error): Finding => ({ what: error.message }),
      )
      const reports = []
      for (const tenant of tenants) {
        const { id, domain } = tenant
        const archived = archive === null ? null : await readArchive(world, tenant, archive)
        const startedAt = world.now()
        const verdict = await verifyLog(world, id, known, {
          onProgress: reportProgress(domain),
          witnessFile: witness,
          archive: archived,
        })
        const { sealMac: _, ...told } = verdict
        const findings = [...(sealing ? [sealing] : []), ...verdict.findings]
        reports.push({ domain, ...told, findings })
        const by = { byKind: 'command', byId: '', byName: operatorName() } as const
        const fromSeal = archived === null ? (verdict.archived?.sealNumber ?? 0) : 0
        const walk = { startedAt, walkBeganAt: startedAt, fromSeal, isComplete: true }
        // For the console. The verification is complete even if the database cannot store its result.
        await keepVerification(world, id, by, walk, { ...verdict, findings }).catch((err: unknown) =>
          world.log.warn({ err, tenantId: id }, 'cannot keep the result of the verification'),
        )
      }
      // A tenant that was removed as a whole is on no other list.
      const isThere = new Set((await listTenants(world.db)).map(({ id }) => id))
      const gone = isOne ? [] : (await keptTenantIds(world)).filter((id) => !isThere.has(id))
      for (const id of gone) {
        const { sealMac: _, ...told } = await verifyLog(world, id, null)
        reports.push({ domain: `tenant ${id}`, ...told })
      }
      if (flags['json']) printJson(reports)
      else
        for (const { domain, events, seals, unsealed, archived, head, findings } of reports) {
          const word =
            findings.length === 0 ? 'intact' : findings.length === 1 ? '1 finding' : `${findings.length} findings`
          print(`${domain}: ${word}; ${events} events in ${seals} links, ${unsealed} not yet sealed; head ${head}`)
          if (archived)
            print(
              `  ${archived.events} events up to link ${archived.sealNumber}, before ${archived.until.toISOString()}, were archived and removed from the database${archived.isChecked ? '; verified in the archive' : '; check them with --archive DIR'}`,
            )
          for (const { what, eventId, sealNumber } of findings)
            print(`  ${[eventId, sealNumber && `link ${sealNumber}`, what].filter(Boolean).join(': ')}`)
        }
      return reports.every((report) => report.findings.length === 0) ? 0 : 1
    },
    { isOnAny: true },
  )

async function folder(path: string | undefined): Promise<string | null> {
  if (path === undefined) return null
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--archive: ${whyUnreadable(path, error)}`)
  })
  if (!found.isDirectory()) throw new UsageError(`--archive ${path} is not a folder`)
  return resolve(path)
}

/** Loaded only if there is an archive: the log itself is verified without it. */
async function readArchive(world: World, tenant: Tenant, path: string): Promise<ReadArchive> {
  const { archiveIn } = await import('#rooms/events/exports/index.ts')
  return archiveIn(world, tenant, path)
}

async function readable(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--witness: ${whyUnreadable(file, error)}`)
  })
  return file
}

const reportEveryMs = 5000

/** A long check reports its progress on standard error; a short one prints only its verdict. */
function reportProgress(domain: string): (events: number) => void {
  let next = performance.now() + reportEveryMs
  return (events) => {
    if (performance.now() < next) return
    next = performance.now() + reportEveryMs
    process.stderr.write(`${domain}: ${events} events checked so far\n`)
  }
}
