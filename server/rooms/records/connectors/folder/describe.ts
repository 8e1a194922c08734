import { slot } from '#kernel/memory.ts'
import { launch } from '#kernel/programs/launch.ts'
import type { World } from '#kernel/world.ts'
import type { ProgramFile } from './list.ts'
import { places } from './place.ts'
import { userToDescribe } from './users.ts'

const textMax = 512 * 1024
const waitMs = 15_000
const keptMax = 200

/** What a program prints about its settings, by program and fingerprint; null if it does not describe them. */
export const descriptions = slot((world) => {
  const kept = new Map<string, Promise<string | null>>()
  // One after the other: however many are asked for, one runs.
  let last: Promise<unknown> = Promise.resolve()
  return {
    of(file: ProgramFile): Promise<string | null> {
      const key = `${file.name} ${file.fingerprint}`
      const found = kept.get(key)
      if (found) return found
      if (kept.size >= keptMax) kept.clear()
      const asked = last.then(() => run(world, file)).catch(() => null)
      last = asked
      kept.set(key, asked)
      return asked
    },
  }
})

/** The program with the only argument that it ever gets here: `config` prints its settings as JSON. */
async function run(world: World, file: ProgramFile): Promise<string | null> {
  const { programs } = world.settings
  if (!programs || file.problem !== '') return null
  const { base, watching } = await world.memory(places).open()
  let text = ''
  const program = await launch({
    file: file.path,
    args: ['config'],
    env: {},
    user: userToDescribe(programs.users),
    isUserOwn: false,
    base,
    watching,
    onLine(line, isError) {
      if (!isError && text.length < textMax) text += `${line}\n`
    },
    lineMax: textMax,
    output: { bytesPerSecond: 4 * textMax, everyMs: 1_000 },
  })
  const timer = setTimeout(() => void program.stop(0), waitMs)
  const how = await program.ended
  clearTimeout(timer)
  return how.endsWith('exit code 0.') ? text : null
}
