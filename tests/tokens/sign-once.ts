import { generateKeyPairSync } from 'node:crypto'
import { openMemory } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { signer } from '../../server/rooms/identity/tokens/signer.ts'

/** A process that has so many signed at once that a thread is started for it, and nothing after that. */
const world = { memory: openMemory(() => world) } as unknown as World
const { privateKey } = generateKeyPairSync('ed25519')
await Promise.all(Array.from({ length: 40 }, (_, n) => world.memory(signer).sign(privateKey, String(n))))
