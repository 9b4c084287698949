import { expect } from 'vitest'
import { takeScreenshot, type Visitor } from './visitor.ts'

const widths = [320, 375, 768, 1280] as const

/** The parts of a card each of which is one phrase. */
const phrases = '.by span:not(.unseen), .offers :is(dt, dd)'

/** Checks on phones and on desktops that cards cut no phrase and break none, and takes screenshots. */
export async function checkCards(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const found = await page.locator('.memory').evaluateAll(findBroken, phrases)
    expect([width, ...found]).toEqual([width])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await takeScreenshot(visitor, `${name}-${width}-${colorScheme}`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Returns the phrases of cards that take more than a line, or do not end within their place. */
function findBroken(cards: readonly Element[], selector: string): readonly string[] {
  const textsIn = (phrase: Element) => {
    const walker = document.createTreeWalker(phrase, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    // What only a screen reader finds takes no room.
    return texts.filter((it) => it.parentElement?.closest('.unseen') === null)
  }
  const boxesOf = (text: Text) => {
    const range = document.createRange()
    range.selectNode(text)
    return [...range.getClientRects()]
  }
  const isBroken = (phrase: Element) => {
    const boxes = textsIn(phrase).flatMap(boxesOf)
    const bottoms = new Set(boxes.map(({ bottom }) => Math.round(bottom / 4)))
    const right = Math.max(0, ...boxes.map((it) => it.right))
    return bottoms.size > 1 || right > phrase.getBoundingClientRect().right + 1
  }
  const phrases = cards.flatMap((card) => [...card.querySelectorAll(selector)])
  return phrases.filter(isBroken).map((it) => it.textContent ?? '')
}
