/** A number below `sides`, the same ones every time for one seed: what fails can be run again. */
export function diceOf(seed: number): (sides: number) => number {
  let state = (seed + 1) * 0x9e3779b9
  return (sides) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % sides
  }
}
