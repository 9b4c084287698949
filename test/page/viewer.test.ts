import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { longestWait } from '../tier.ts'
import { connectDevelopment } from './actions.ts'
import { openStage } from './stage.ts'
import { makeMemory, viewerOf } from './viewer-parts.ts'
import { checkView, takeScreenshot, type Visitor } from './visitor.ts'

const { enter, server } = openStage('viewer')
let visitor: Visitor

beforeAll(async () => {
  visitor = await enter()
  visitor.context.setDefaultTimeout(longestWait)
  await visitor.page.goto(server.url())
  await connectDevelopment(visitor.page, 'Ada')
})

const { openShown, openTree, reading, tree, row, chosen } = viewerOf(() => visitor.page)
const make = (data: object) => makeMemory(server.url(), data)
const clipboard = () => visitor.page.evaluate(() => navigator.clipboard.readText())

const attack = '<img src=x onerror="document.title=1">\u{202E}'

const memory = {
  notes: [
    { id: 1, text: 'Prefer limit orders', mood: 'calm' },
    { id: 2, text: attack, mood: 'Ñeedle' },
  ],
  'odd name': { deep: [[1, 2, 3]], big: 1, [attack]: true },
  chat: [
    { role: 'user', content: 'Which **orders**?' },
    { role: 'assistant', content: `Use **limit** orders:\n\n- one\n- two\n\n${attack}` },
  ],
  guide:
    '# Guide\n\nSee [the docs](https://example.org/a) and ![pic](https://example.org/i.png).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>document.title = 1</script>\n\n[x](javascript:alert(1))\n',
}

test('shows a memory as a tree with previews, which the keyboard can walk', async () => {
  const { page } = visitor
  await page.goto(await make(memory))
  await openTree()
  await row('notes: [ {…}, {…} ]').waitFor()
  await row(/^odd name: \{ deep: \[…\], big: 1/).waitFor()
  await tree().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await row('0: { id: 1, text: “Prefer limit orders”, mood: “calm” }').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await row(/^text: “Prefer/).click()
  await chosen().getByText('$.data.notes[0].text').waitFor()
  await chosen().getByRole('button', { name: 'Copy path' }).click()
  await expect.poll(clipboard).toBe('$.data.notes[0].text')
  await chosen().getByRole('button', { name: 'Copy value' }).click()
  await expect.poll(clipboard).toBe('Prefer limit orders')
  await checkView(visitor, 'viewer-tree')
})

test('finds texts and JSONPath, and expands all', async () => {
  const { page } = visitor
  await page.getByRole('searchbox', { name: 'Find a text' }).fill('ñEEDLE')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 1 match').waitFor()
  await chosen().getByText('$.data.notes[1].mood').waitFor()
  await page.getByLabel('Find by').selectOption('JSONPath')
  await page.getByRole('searchbox', { name: 'JSONPath' }).fill('$..notes[?@.id==2].text')
  await page.keyboard.press('Enter')
  await page.getByText('1 value.').waitFor()
  await row(/^\$\.data\.notes\[1\]\.text: “<img/).waitFor()
  await page.getByRole('searchbox', { name: 'JSONPath' }).fill('$[')
  await page.keyboard.press('Enter')
  await page
    .locator('.found')
    .filter({ hasText: /^“\$\[” is no JSONPath: it ends too early\. Complete it/ })
    .waitFor()
  // The values of the path before are none of this one.
  await expect.poll(() => row(/^\$\.data/).count()).toBe(0)
  await page.getByRole('searchbox', { name: 'JSONPath' }).fill('')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Expand all' }).click()
  await row('2: 3').waitFor()
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await expect.poll(() => tree().getByRole('treeitem').count()).toBe(1)
})

test('a find that fails leaves the place, and its message ends with it', async () => {
  const { page } = visitor
  await page.getByRole('button', { name: 'Expand all' }).click()
  await row(/^mood: “calm”/).click()
  await chosen().getByText('$.data.notes[0].mood').waitFor()
  const rows = await tree().getByRole('treeitem').count()
  const find = page.getByLabel('Find by')
  for (const [mode, field, typed] of [
    ['Text', 'Find a text', 'no such text'],
    ['JSONPath', 'JSONPath', '$.nothing'],
  ] as const) {
    await find.selectOption(mode)
    await expect.poll(() => page.getByText('Nothing found.').count()).toBe(0)
    await page.getByRole('searchbox', { name: field }).fill(typed)
    await page.keyboard.press('Enter')
    await page.getByText('Nothing found.').waitFor()
    await expect.poll(() => tree().getByRole('treeitem').count()).toBe(rows)
    await chosen().getByText('$.data.notes[0].mood').waitFor()
  }
  await checkView(visitor, 'viewer-nothing')
  await find.selectOption('Text')
  await expect.poll(() => page.getByText('Nothing found.').count()).toBe(0)
})

test('shows conversations, tables and Markdown, and nothing of them is markup', async () => {
  const { page } = visitor
  await reading('Conversation, 2 messages').click()
  const messages = page.getByRole('list', { name: 'Messages' })
  await messages.getByText('Which **orders**?').waitFor()
  await expect.poll(() => messages.locator('strong', { hasText: 'limit' }).count()).toBe(1)
  await expect.poll(() => messages.textContent()).toContain('<img src=x')
  await checkView(visitor, 'viewer-conversation')
  const find = page.getByRole('searchbox', { name: 'Find here' })
  await find.fill('nothing of it')
  await page.getByText('Nothing found.').waitFor()
  await find.fill('LIMIT')
  await page.getByText('Found in 1.').waitFor()
  await reading('Table notes, 2 rows').click()
  await page.getByRole('columnheader', { name: 'mood' }).waitFor()
  await page.getByRole('cell', { name: 'Prefer limit orders', exact: true }).waitFor()
  await checkView(visitor, 'viewer-table')
  await page.getByRole('columnheader', { name: 'mood' }).getByRole('button').click()
  const moods = page.locator('.values tbody td:nth-child(4)')
  await expect.poll(() => moods.allTextContents()).toEqual(['calm', 'Ñeedle'])
  await page.getByRole('columnheader', { name: 'mood' }).getByRole('button').click()
  await expect.poll(() => moods.allTextContents()).toEqual(['Ñeedle', 'calm'])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  expect(readFileSync(await saved.path(), 'utf8')).toContain('1,Prefer limit orders,calm\r\n')
  await page.getByRole('button', { name: /^0\s*, show in the tree/ }).click()
  await chosen().getByText('$.data.notes[1]').waitFor()
  await reading('guide').click()
  await page.getByRole('heading', { name: 'Guide' }).waitFor()
  const guide = page.locator('.markdown')
  await expect.poll(() => guide.getByRole('link').count()).toBe(1)
  await expect
    .poll(() => guide.getByRole('link').getAttribute('href'))
    .toBe('https://example.org/a')
  await expect.poll(() => guide.textContent()).toContain('(example.org)')
  await checkView(visitor, 'viewer-markdown')
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.title()).not.toBe('1')
})

test.each([
  ['in a narrow window', 320, '100%'],
  ['with large text', 640, '200%'],
])('works %s', async (_, width, fontSize) => {
  const { page } = visitor
  const back = page.getByRole('button', { name: 'Show in the tree', exact: true })
  if (await back.isVisible()) await back.click()
  await page.setViewportSize({ width, height: 640 })
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size
  }, fontSize)
  await tree().waitFor()
  await takeScreenshot(visitor, `viewer-${width}`)
  const overflow = () => document.documentElement.scrollWidth - innerWidth
  expect(await page.evaluate(overflow)).toBeLessThan(1)
  await page.evaluate(() => document.documentElement.removeAttribute('style'))
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('a text that is made to take for ever is shown as it is', async () => {
  const { page } = visitor
  await page.goto(await make({ trap: `\n# Trap\n${'> '.repeat(99_000)}` }))
  await openShown()
  await page.getByText('This text takes too long to parse as Markdown.').waitFor()
  await page.getByRole('region', { name: 'The text' }).getByText('# Trap').waitFor()
})
