// The row that the keyboard is at is the one that has the focus: nothing else has to be kept, and Enter opens its link.
const rowElements = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-list] tbody > tr')]
export const currentRow = (): number => rowElements().findIndex((row) => row.contains(document.activeElement))

/** Opens the row that has the focus itself; on a link or a button Enter is the browser's. */
export function openRow(): boolean {
  const row = document.activeElement
  if (row?.tagName !== 'TH') return false
  row.querySelector('a')?.click()
  return true
}

export function moveBy(step: number): void {
  const all = rowElements()
  const now = currentRow()
  const next = now < 0 ? 0 : Math.min(Math.max(now + step, 0), all.length - 1)
  const link = all[next]?.querySelector<HTMLElement>('th a')
  link?.focus()
  link?.scrollIntoView({ block: 'nearest' })
}
