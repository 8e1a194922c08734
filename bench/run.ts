/** Proves the claims about speed: `npm run bench`, or only some: `npm run bench -- trivial-route`. */
import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { type Claim, measure } from './claim.ts'

const folder = join(import.meta.dirname, 'claims')
const all = readdirSync(folder)
  .map((file) => basename(file, '.ts'))
  .toSorted()
const asked = process.argv.slice(2).map((name) => basename(name, '.ts'))
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`No such claim: ${unknown.join(', ')}. There are: ${all.join(', ')}.`)
  process.exit(2)
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`)
const names = asked.length > 0 ? asked : all
const claims = await Promise.all(
  names.map(async (name) => ((await import(join(folder, `${name}.ts`))) as { claim: Claim }).claim),
)
for (const [place, claim] of claims.entries()) {
  const name = names[place] as string
  console.log(`\n${name}: ${claim.claim}`)
  const isLast = claims[place + 1]?.release !== claim.release
  const { subject, floor, ratio, ratioLow, ratioHigh } = await measure(claim).catch(async (error: unknown) => {
    await claim.release?.()
    throw error
  })
  if (isLast) await claim.release?.()
  console.log(`  subject  ${whole.format(subject).padStart(9)} ${claim.unit}`)
  console.log(`  floor    ${whole.format(floor).padStart(9)} ${claim.unit}`)
  const isMet = claim.ratioMin === null || ratio >= claim.ratioMin
  const demanded =
    claim.ratioMin === null ? 'none demanded' : `${claim.ratioMin} demanded: ${isMet ? 'met' : 'NOT MET'}`
  const spread = `${ratioLow.toFixed(2)} to ${ratioHigh.toFixed(2)} in ${claim.rounds} rounds`
  console.log(`  ratio    ${ratio.toFixed(2).padStart(9)} (${spread}; ${demanded})`)
  if (!isMet) process.exitCode = 1
}
