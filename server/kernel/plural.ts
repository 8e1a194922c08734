/** A count with its noun, as in "1 grant" and "1,200 grants". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
