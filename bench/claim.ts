/** One side of a comparison, running. */
export type Side = {
  /** One round: how much was done in a second. */
  round(): Promise<number>
  stop(): Promise<void>
}

/** What we say about our speed, and how it is proved. */
export type Claim = {
  /** In words, as it would stand in a document. */
  claim: string
  /** What a round counts. */
  unit: string
  /** The least ratio of subject to floor; null where the figure is only told. */
  ratioMin: number | null
  rounds: number
  /** The first round counts: for what takes so long that nothing is left to warm. */
  isCold?: boolean
  /** The subject first: the floor may copy what it answers. */
  start(): Promise<{ subject: Side; floor: Side }>
  /** Ends what claims that follow each other share. */
  release?(): Promise<void>
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export type Measured = { subject: number; floor: number; ratio: number; ratioLow: number; ratioHigh: number }

/** Both sides in one run, in turns: what else the machine does then weighs on both. */
export async function measure({ rounds, isCold, start }: Claim): Promise<Measured> {
  const { subject, floor } = await start()
  try {
    if (!isCold) {
      await subject.round()
      await floor.round()
    }
    const pairs: [subject: number, floor: number][] = []
    for (let round = 0; round < rounds; round++) {
      // Each goes first as often as the other.
      if (round % 2 === 0) {
        const ours = await subject.round()
        pairs.push([ours, await floor.round()])
      } else {
        const theirs = await floor.round()
        pairs.push([await subject.round(), theirs])
      }
    }
    const ratios = pairs.map(([ours, theirs]) => ours / theirs)
    return {
      subject: median(pairs.map(([ours]) => ours)),
      floor: median(pairs.map(([, theirs]) => theirs)),
      ratio: median(ratios),
      ratioLow: Math.min(...ratios),
      ratioHigh: Math.max(...ratios),
    }
  } finally {
    await subject.stop()
    await floor.stop()
  }
}
