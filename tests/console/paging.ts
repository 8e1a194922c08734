/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { settled } from '../fixture/browser.ts'
import { fewOrMany, isLong } from '../fixture/long.ts'

/** What each row of the list says, but for times: when someone was last seen, and how long ago, goes on. */
const rowsOn = (page: Page): Promise<string[]> =>
  page.locator('table[aria-busy=false] > tbody > tr').evaluateAll((rows) =>
    rows.map((row) => {
      const copy = row.cloneNode(true) as Element
      for (const time of copy.querySelectorAll('time')) time.remove()
      return copy.textContent
    }),
  )

/** The name of the row that has the focus; empty where none has. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('th')?.querySelector('a')?.textContent ?? '')

/** Turns the page of the list, and answers the rows that are there then. */
async function turn(page: Page, to: 'Next' | 'Previous'): Promise<string[]> {
  const before = page.url()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: to }).click()
  await page.waitForURL((url) => url.href !== before)
  await settled(page)
  return rowsOn(page)
}

/**
 * Of many lists, which are all the same part of the console, those that `npm test` walks: every third. What each answers is
 * walked by tests/sweep/paging.long.test.ts, without a browser.
 */
export const isWalked = (_: unknown, n: number): boolean => isLong || n % 3 === 0

/**
 * Goes forth and back in a list of many pages, which is open at its first: the address holds where one is. Over two pages,
 * and over three and by the browser's own way back in `npm run test:long`. Lists are all the same part of the console, so
 * `npm test` need not load each again at its second page.
 */
export async function walkPages(page: Page, { loadsAgain = isLong } = {}): Promise<void> {
  const pages = [await rowsOn(page)]
  expect(pages[0]).toHaveLength(25)
  while (pages.length < fewOrMany(2, 3)) pages.push(await turn(page, 'Next'))
  expect(new Set(pages.flat()).size).toBe(25 * pages.length)
  // What the address says is all there is to it.
  if (loadsAgain) {
    await page.reload()
    await settled(page)
    expect(await rowsOn(page)).toEqual(pages.at(-1))
  }
  for (const before of pages.slice(0, -1).toReversed()) expect(await turn(page, 'Previous')).toEqual(before)
  if (!isLong) return
  await page.goBack()
  await settled(page)
  expect(await rowsOn(page)).toEqual(pages[1])
  // Going back goes to where one was: there, rows lie half under the header, which axe takes for too small.
  await page.evaluate(() => window.scrollTo(0, 0))
}
