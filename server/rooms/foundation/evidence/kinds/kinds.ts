import { access } from './access/kind.ts'
import type { Kind } from './kind.ts'

/** All kinds of evidence packs that this version writes and reads. */
export const kinds: readonly Kind[] = [access]
